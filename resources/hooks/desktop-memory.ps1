# Desktop Memory for PowerShell 5.1 and later: notes each command, where it ran, how it ended and how long it took.
# Loaded as `. desktop-memory.ps1 SPOOL`. Undo: desktop-memory hook powershell remove
#
# Notes go to a file of this shell in SPOOL until Desktop Memory takes them in. Never noted: a command that begins
# with a space, and nothing at all once SPOOL is deleted. While DESKTOP_MEMORY_PRIVATE is set only the time is noted,
# so that the command is not taken from the history either. No process is started for a command. A thousand files that
# nobody took in mean that Desktop Memory is gone: a new shell then adds none.

param([string]$Spool)
if (-not $Spool -or (Test-Path variable:global:__DesktopMemory)) { return }
if (-not [IO.Directory]::Exists($Spool) -or [IO.Directory]::GetFiles($Spool).Length -ge 1000) { return }

$global:__DesktopMemory = @{
    Spool  = $Spool
    File   = [IO.Path]::Combine($Spool, "$PID.$([DateTimeOffset]::UtcNow.ToUnixTimeSeconds())")
    Folder = $executionContext.SessionState.Path.CurrentFileSystemLocation.ProviderPath
    Last   = Get-History -Count 1 | ForEach-Object { $_.Id }
    Prompt = $function:prompt
}

function global:__DesktopMemoryWrite($Fields) {
    $file = $global:__DesktopMemory.File
    $nul = [string][char]0
    $text = [string][char]0x1e + '1' + $nul + (($Fields | ForEach-Object { "$_".Replace($nul, '') + $nul }) -join '')
    $bytes = [Text.Encoding]::UTF8.GetBytes($text + "`n")
    $new = -not [IO.File]::Exists($file)
    $stream = [IO.File]::Open($file, 'Append', 'Write', 'ReadWrite, Delete')
    try { $stream.Write($bytes, 0, $bytes.Length) } finally { $stream.Dispose() }
    # The folder is private already; .NET 7 can make the file so, too.
    if ($new -and ($IsLinux -or $IsMacOS)) {
        try { [IO.File]::SetUnixFileMode($file, [IO.UnixFileMode]'UserRead, UserWrite') } catch { }
    }
}

function global:__DesktopMemoryNote([bool]$Succeeded, $Code) {
    $state = $global:__DesktopMemory
    $folder = $state.Folder
    $state.Folder = $executionContext.SessionState.Path.CurrentFileSystemLocation.ProviderPath
    $entry = Get-History -Count 1
    if (-not $entry -or $entry.Id -eq $state.Last) { return }
    $state.Last = $entry.Id
    if (-not [IO.Directory]::Exists($state.Spool)) { return }
    $text = $entry.CommandLine
    if (-not $text -or $text[0] -eq ' ') { return }
    $start, $end = foreach ($time in $entry.StartExecutionTime, $entry.EndExecutionTime) {
        [long][math]::Floor([decimal]($time.ToUniversalTime().Ticks - 621355968000000000) / 10)
    }
    if ($env:DESKTOP_MEMORY_PRIVATE -and $env:DESKTOP_MEMORY_PRIVATE -ne '0') {
        __DesktopMemoryWrite @('powershell', $PID, $start, $end, '', '', '')
        return
    }
    if ($text.Length -gt 32768) { $text = $text.Substring(0, 32768) }
    if ($Succeeded) { $Code = 0 } elseif (-not $Code) { $Code = 1 }
    __DesktopMemoryWrite @('powershell', $PID, $start, $end, $Code, $folder, $text)
}

function global:prompt {
    $succeeded = $?
    # In strict mode a variable that no program has set yet must not be read.
    $code = if (Test-Path variable:global:LASTEXITCODE) { $global:LASTEXITCODE }
    try { __DesktopMemoryNote $succeeded $code } catch { }
    if ($null -ne $code) { $global:LASTEXITCODE = $code }
    # The user's prompt finds $? as it was.
    if (-not $succeeded) { Write-Error 'failed' -ErrorAction Ignore }
    & $global:__DesktopMemory.Prompt
}
