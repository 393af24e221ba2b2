# Desktop Memory for zsh: notes each command, where it ran, how it ended and how long it took.
# Loaded as `source desktop-memory.zsh SPOOL`. Undo: desktop-memory hook zsh remove
#
# Notes go to a file of this shell in SPOOL, readable by you alone, until Desktop Memory takes them in.
# Never noted: a command that begins with a space, one that $HISTORY_IGNORE matches, one while $HISTFILE is unset,
# and nothing at all once SPOOL is deleted. While DESKTOP_MEMORY_PRIVATE is set only the time is noted, so that the
# command is not taken from the history either. No process is started for a command. A thousand files that nobody took
# in mean that Desktop Memory is gone: a new shell then adds none.

[[ -o interactive && -n ${1-} ]] || return 0
zmodload zsh/datetime 2>/dev/null || return 0
autoload -Uz add-zsh-hook || return 0
() { (( $# < 1000 )) } $1/*(N) || return 0

typeset -g _desktop_memory_spool=$1
typeset -g _desktop_memory_file=$1/$$.$EPOCHSECONDS
typeset -g _desktop_memory_histfile=${HISTFILE-}
typeset -g _desktop_memory_command= _desktop_memory_start= _desktop_memory_folder=

_desktop_memory_private() {
    [[ -n ${DESKTOP_MEMORY_PRIVATE-} && $DESKTOP_MEMORY_PRIVATE != 0 ]]
}

_desktop_memory_unkept() {
    [[ -n $_desktop_memory_histfile && -z ${HISTFILE-} ]]
}

_desktop_memory_note() {
    {
        [[ -e $_desktop_memory_file ]] || ( umask 077; : >>$_desktop_memory_file ) || return 0
        printf '\0361\0%s\0%s\0%s\0%s\0%s\0%s\0%s\0\n' zsh $$ "$@" >>$_desktop_memory_file
    } 2>/dev/null
}

_desktop_memory_preexec() {
    emulate -L zsh
    _desktop_memory_command=
    [[ -n ${1-} && $1 != ' '* ]] || return 0
    _desktop_memory_unkept && return 0
    [[ -n ${HISTORY_IGNORE-} && $1 == ${~HISTORY_IGNORE} ]] && return 0
    if _desktop_memory_private; then
        [[ -d $_desktop_memory_spool ]] && _desktop_memory_note $EPOCHREALTIME $EPOCHREALTIME '' '' ''
        return 0
    fi
    _desktop_memory_histfile=${HISTFILE-}
    _desktop_memory_command=${1[1,32768]}
    _desktop_memory_folder=$PWD
    _desktop_memory_start=$EPOCHREALTIME
}

_desktop_memory_precmd() {
    local code=$? end=$EPOCHREALTIME
    emulate -L zsh
    local command=$_desktop_memory_command
    _desktop_memory_command=
    [[ -n $command && -d $_desktop_memory_spool ]] || return 0
    _desktop_memory_unkept && return 0
    if _desktop_memory_private; then
        _desktop_memory_note "$_desktop_memory_start" "$_desktop_memory_start" '' '' ''
    else
        _desktop_memory_note "$_desktop_memory_start" "$end" "$code" "$_desktop_memory_folder" "$command"
    fi
    return 0
}

add-zsh-hook preexec _desktop_memory_preexec
add-zsh-hook precmd _desktop_memory_precmd
