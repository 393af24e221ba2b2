; Inno Setup 6.3 script for Windows: iscc /DVersion=0.1.0 packaging\windows\desktop-memory.iss
; Written against Inno Setup's documentation; NOT RUN on Windows yet.

#ifndef Version
  #define Version "0.1.0"
#endif

[Setup]
AppId={{6E0B1C52-7C5B-4B0E-9A0B-5D1E6E0B2F41}
AppName=Desktop Memory
AppVersion={#Version}
AppPublisher=Desktop Memory contributors
DefaultDirName={autopf}\Desktop Memory
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
OutputDir=..\..\dist
OutputBaseFilename=desktop-memory-{#Version}-setup
SetupIconFile=..\..\build\icons\desktop-memory.ico
UninstallDisplayIcon={app}\desktop-memory-app.exe
LicenseFile=..\..\LICENSE
Compression=lzma2
SolidCompression=yes
WizardStyle=modern
CloseApplications=yes
RestartApplications=no

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"

[Files]
Source: "..\..\dist\desktop-memory\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{autoprograms}\Desktop Memory"; Filename: "{app}\desktop-memory-app.exe"

[Run]
Filename: "{app}\desktop-memory-app.exe"; Description: "{cm:LaunchProgram,Desktop Memory}"; Flags: nowait postinstall skipifsilent

[UninstallRun]
; The app ends, autostart and shell hooks go; the memory itself stays.
Filename: "{app}\desktop-memory.exe"; Parameters: "uninstall --quit"; Flags: runhidden; RunOnceId: "UndoOutside"
