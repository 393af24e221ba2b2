# Desktop Memory for fish: notes each command, where it ran, how it ended and how long it took.
# Loaded as `source desktop-memory.fish SPOOL`. Undo: desktop-memory hook fish remove
#
# Notes go to a file of this shell in SPOOL, readable by you alone, until Desktop Memory takes them in.
# Never noted: a command that begins with a space, one in private mode or without a history, and nothing at all once
# SPOOL is deleted. While DESKTOP_MEMORY_PRIVATE is set only the time is noted, so that the command is not taken from
# the history either. fish tells the second, not more. No process is started for a command (before fish 3.6, which
# cannot tell the time itself, `date` is). A thousand files that nobody took in mean that Desktop Memory is gone: a new
# shell then adds none.

set -l waiting $argv[1]/*
if status is-interactive; and set -q argv[1]; and set -q fish_pid; and test (count $waiting) -lt 1000
    set -g __desktop_memory_spool $argv[1]
    set -g __desktop_memory_clock $argv[1]/last.$fish_pid
    set -g __desktop_memory_file
    set -g __desktop_memory_start
    set -g __desktop_memory_folder

    function __desktop_memory_unkept
        set -q fish_private_mode; and test -n "$fish_private_mode"; and return 0
        set -q fish_history; and test -z "$fish_history"
    end

    function __desktop_memory_private
        set -q DESKTOP_MEMORY_PRIVATE; and test -n "$DESKTOP_MEMORY_PRIVATE"; and test "$DESKTOP_MEMORY_PRIVATE" != 0
    end

    function __desktop_memory_make --argument-names file
        test -e $file; and return
        set -l mask (umask)
        umask 077
        true >>$file
        umask $mask
    end

    # The time is that of a file which is written now.
    function __desktop_memory_now
        if builtin --query path
            __desktop_memory_make $__desktop_memory_clock
            echo >$__desktop_memory_clock
            path mtime $__desktop_memory_clock
        else
            command date +%s
        end
    end

    function __desktop_memory_note --argument-names start end code folder text
        test -n "$__desktop_memory_file"; or set -g __desktop_memory_file $__desktop_memory_spool/$fish_pid.$start
        __desktop_memory_make $__desktop_memory_file 2>/dev/null
        printf '\x1e1\0fish\0%s\0%s000000\0%s\0%s\0%s\0%s\0\n' $fish_pid $start $end "$code" "$folder" "$text" \
            >>$__desktop_memory_file 2>/dev/null
    end

    function __desktop_memory_begin --on-event fish_preexec
        set -g __desktop_memory_start
        test -d $__desktop_memory_spool; or return
        test -n "$argv[1]"; or return
        string match --quiet -- ' *' "$argv[1]"; and return
        __desktop_memory_unkept; and return
        set -l now (__desktop_memory_now 2>/dev/null)
        test -n "$now"; or return
        if __desktop_memory_private
            __desktop_memory_note $now {$now}000000
            return
        end
        set -g __desktop_memory_folder $PWD
        set -g __desktop_memory_start $now
    end

    function __desktop_memory_end --on-event fish_postexec
        set -l code $status
        set -l start $__desktop_memory_start
        set -g __desktop_memory_start
        test -n "$start"; and test -d $__desktop_memory_spool; or return
        if __desktop_memory_private
            __desktop_memory_note $start {$start}000000
            return
        end
        __desktop_memory_note $start (math "$start * 1000000 + $CMD_DURATION * 1000") $code \
            $__desktop_memory_folder "$(string sub --length 32768 -- "$argv[1]" | string collect)"
    end
end
