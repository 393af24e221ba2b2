# Desktop Memory for nushell 0.102 and later: notes each command, where it ran, how it ended and how long it took.
# Undo: desktop-memory hook nushell remove
#
# Notes go to a file of this shell in the spool folder until Desktop Memory takes them in. Never noted: a command
# that begins with a space, one while the history is off, and nothing at all once that folder is deleted. While
# DESKTOP_MEMORY_PRIVATE is set only the time is noted, so that the command is not taken from the history either.
# No process is started for a command (one sets the mode of the file, once a shell). A thousand files that nobody took
# in mean that Desktop Memory is gone: a new shell then adds none.

let __desktop_memory_room = (
    ($__desktop_memory_spool | path exists) and (ls --all $__desktop_memory_spool | length) < 1000
)

let __desktop_memory_write = {|start: int, end: int, code: string, folder: string, text: string|
    let nul = (char --integer 0)
    let fields = ["nushell" $"($nu.pid)" $"($start // 1000)" $"($end // 1000)" $code $folder $text]
    let record = (char --integer 30) + "1" + $nul + ($fields | each {|field| $field + $nul } | str join) + "\n"
    let file = ($__desktop_memory_spool | path join $"($nu.pid).0")
    let new = not ($file | path exists)
    $record | save --append --raw $file
    if $new and $nu.os-info.family == "unix" { ^chmod 600 $file }
}

let __desktop_memory_begin = {||
    $env.DESKTOP_MEMORY_RUNNING = null
    if not $__desktop_memory_room or not ($__desktop_memory_spool | path exists) { return }
    if not ($nu.history-enabled? | default true) { return }
    let command = (commandline)
    if ($command | is-empty) or ($command | str starts-with " ") { return }
    let now = (date now | into int)
    if ($env.DESKTOP_MEMORY_PRIVATE? | default "") not-in ["" "0"] {
        do $__desktop_memory_write $now $now "" "" ""
        return
    }
    # A record is not handed to the programs that are started.
    $env.DESKTOP_MEMORY_RUNNING = { command: $command, folder: $env.PWD, start: $now }
}

let __desktop_memory_end = {||
    let code = ($env.LAST_EXIT_CODE? | default 0)
    let ran = ($env.DESKTOP_MEMORY_RUNNING? | default null)
    $env.DESKTOP_MEMORY_RUNNING = null
    if ($ran | is-empty) or not ($__desktop_memory_spool | path exists) { return }
    if ($env.DESKTOP_MEMORY_PRIVATE? | default "") not-in ["" "0"] {
        do $__desktop_memory_write $ran.start $ran.start "" "" ""
        return
    }
    let text = ($ran.command | str substring --grapheme-clusters 0..32767)
    do $__desktop_memory_write $ran.start (date now | into int) $"($code)" $ran.folder $text
}

$env.config = ($env.config | upsert hooks.pre_execution (
    ($env.config.hooks?.pre_execution? | default []) | append $__desktop_memory_begin
))
$env.config = ($env.config | upsert hooks.pre_prompt (
    ($env.config.hooks?.pre_prompt? | default []) | prepend $__desktop_memory_end
))
