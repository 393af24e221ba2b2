# Desktop Memory for zsh: notes each command, where it ran, how it ended and how long it took.
# Loaded as `source desktop-memory.zsh SPOOL`. Undo: desktop-memory hook zsh remove
#
# Notes go to a file of this shell in SPOOL, readable by you alone, until Desktop Memory takes them in.
# Never noted: a command that begins with a space, one that $HISTORY_IGNORE matches, anything while
# DESKTOP_MEMORY_PRIVATE is set or $HISTFILE was unset, and nothing at all once SPOOL is deleted.
# No process is started for a command.

[[ -o interactive && -n ${1-} ]] || return 0
zmodload zsh/datetime 2>/dev/null || return 0
autoload -Uz add-zsh-hook || return 0

typeset -g _desktop_memory_spool=$1
typeset -g _desktop_memory_file=$1/$$.$EPOCHSECONDS
typeset -g _desktop_memory_histfile=${HISTFILE-}
typeset -g _desktop_memory_command= _desktop_memory_start= _desktop_memory_folder=

_desktop_memory_private() {
    [[ -n ${DESKTOP_MEMORY_PRIVATE-} && $DESKTOP_MEMORY_PRIVATE != 0 ]] ||
        [[ -n $_desktop_memory_histfile && -z ${HISTFILE-} ]]
}

_desktop_memory_preexec() {
    emulate -L zsh
    _desktop_memory_command=
    [[ -n ${1-} && $1 != ' '* ]] || return 0
    _desktop_memory_private && return 0
    [[ -n ${HISTORY_IGNORE-} && $1 == ${~HISTORY_IGNORE} ]] && return 0
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
    _desktop_memory_private && return 0
    {
        [[ -e $_desktop_memory_file ]] || ( umask 077; : >>$_desktop_memory_file ) || return 0
        printf '\0361\0%s\0%s\0%s\0%s\0%s\0%s\0%s\0\n' zsh $$ "$_desktop_memory_start" "$end" "$code" \
            "$_desktop_memory_folder" "$command" >>$_desktop_memory_file
    } 2>/dev/null
    return 0
}

add-zsh-hook preexec _desktop_memory_preexec
add-zsh-hook precmd _desktop_memory_precmd
