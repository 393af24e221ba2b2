# Builds dist\desktop-memory and, where Inno Setup is there, its installer. NOT RUN on Windows yet.
$ErrorActionPreference = "Stop"
Set-Location (Join-Path $PSScriptRoot "..\..")
$python = ".venv\Scripts\python.exe"

# Not the newest: the graph has no wheel for Python 3.14 here.
if (-not (Test-Path $python)) { py -3.13 -m venv .venv }
& $python -m pip install --quiet --require-hashes -r packaging\requirements-package.lock
& $python -m pip install --quiet --no-deps --no-build-isolation --no-index -e .
& $python packaging\icons.py build\icons
& $python -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath build packaging\desktop-memory.spec
dist\desktop-memory\desktop-memory.exe --version

$version = & $python -c "import desktop_memory; print(desktop_memory.__version__)"
$inno = Get-Command iscc -ErrorAction SilentlyContinue
if ($inno) { & $inno "/DVersion=$version" packaging\windows\desktop-memory.iss }
