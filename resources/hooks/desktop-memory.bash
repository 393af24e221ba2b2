# Desktop Memory for bash 4.4 and later: notes each command, where it ran, how it ended and how long it took.
# Loaded as `source desktop-memory.bash SPOOL`. Undo: desktop-memory hook bash remove
#
# Notes go to a file of this shell in SPOOL, readable by you alone, until Desktop Memory takes them in.
# Never noted: a command that begins with a space, one that bash keeps out of its history (HISTIGNORE,
# HISTCONTROL, `set +o history`), one while $HISTFILE is unset, and nothing at all once SPOOL is deleted. While
# DESKTOP_MEMORY_PRIVATE is set only the time is noted, so that the command is not taken from the history either.
# No process is started for a command, and no DEBUG trap is set. A thousand files that nobody took in mean that
# Desktop Memory is gone: a new shell then adds none.

case $- in *i*) ;; *) return 0 ;; esac
[[ -n ${1-} ]] && shopt -q promptvars || return 0
(( BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404 )) || return 0

__desktop_memory_few() { (( $# < 1000 )); }
__desktop_memory_few "$1"/* || { unset -f __desktop_memory_few; return 0; }
unset -f __desktop_memory_few

__desktop_memory_spool=$1
printf -v __desktop_memory_file '%s/%s.%(%s)T' "$1" "$$" -1
__desktop_memory_last=$1/last.$$ # what `history` prints goes through this file: a pipe would need a process
__desktop_memory_told=
__desktop_memory_histfile=${HISTFILE-}
__desktop_memory_folder=$PWD
__desktop_memory_shown=
__desktop_memory_on=on __desktop_memory_count=0 __desktop_memory_start=
# PS0 is expanded before each command. It prints nothing and notes the time; pasted commands meet one prompt.
if [[ -n ${EPOCHREALTIME-} ]]; then
    __desktop_memory_now='${EPOCHREALTIME//[!0-9]/}'
else
    __desktop_memory_now='\D{%s}000000'
fi
__desktop_memory_ps0='${__desktop_memory_on:$((__desktop_memory_count+=1,__desktop_memory_start='
__desktop_memory_ps0+=$__desktop_memory_now',0)):0}'
unset -v __desktop_memory_now

# Sets __desktop_memory_told to what `history COUNT` prints, each entry as "number second command".
__desktop_memory_tell() {
    [[ -e $__desktop_memory_last ]] || ( umask 077; : >|"$__desktop_memory_last" ) || return 1
    HISTTIMEFORMAT='%s ' builtin history "$1" >|"$__desktop_memory_last" || return 1
    IFS= read -r -d '' -n 65536 __desktop_memory_told <"$__desktop_memory_last"
    : >|"$__desktop_memory_last"
}

# "  12  1700000000  command": behind the number and the second, the command begins with a space.
__desktop_memory_spaced() {
    local rest=${1#"${1%%[! ]*}"}
    rest=${rest#* } rest=${rest#"${rest%%[! ]*}"} rest=${rest#* }
    [[ $rest == ' '* ]]
}

__desktop_memory_write() {
    [[ -e $__desktop_memory_file ]] || ( umask 077; : >|"$__desktop_memory_file" ) || return 0
    printf '\0361\0%s\0%s\0%s\0%s\0%s\0%s\0%s\0\n' bash "$$" "$@" >>"$__desktop_memory_file"
}

__desktop_memory_note() {
    local code=$1 start=$2 end=$3 count=$4 before=$__desktop_memory_told last
    __desktop_memory_tell 1 || return 0
    # Unchanged: bash has left the command out of its history, and so does this.
    [[ -n $start && -n $__desktop_memory_told && $__desktop_memory_told != "$before" ]] || return 0
    [[ -n $__desktop_memory_histfile && -z ${HISTFILE-} ]] && return 0
    __desktop_memory_spaced "$__desktop_memory_told" && return 0
    if [[ -n ${DESKTOP_MEMORY_PRIVATE-} && $DESKTOP_MEMORY_PRIVATE != 0 ]]; then
        (( count > 1 )) && [[ -n $__desktop_memory_shown ]] && start=$__desktop_memory_shown
        __desktop_memory_write "$start" "$end" '' '' ''
        return 0
    fi
    __desktop_memory_histfile=${HISTFILE-}
    last=$__desktop_memory_told
    if (( count > 1 )); then
        __desktop_memory_tell "$(( count < 50 ? count : 50 ))" || return 0
        [[ -z $before ]] || __desktop_memory_told=${__desktop_memory_told##*"$before"}
    fi
    __desktop_memory_write "$start" "$end" "$code" "$__desktop_memory_folder" "$__desktop_memory_told"
    __desktop_memory_told=$last
}

__desktop_memory_prompt() {
    local code=$? end=${EPOCHREALTIME-} start=$__desktop_memory_start count=$__desktop_memory_count
    if [[ -n $end ]]; then end=${end//[!0-9]/}; else printf -v end '%(%s)T000000' -1; fi
    __desktop_memory_start= __desktop_memory_count=0
    if [[ -d $__desktop_memory_spool ]]; then
        { __desktop_memory_note "$code" "$start" "$end" "$count"; } 2>/dev/null
    fi
    __desktop_memory_folder=$PWD
    __desktop_memory_shown=$end
    [[ ${PS0-} == *__desktop_memory_start* ]] || PS0=${PS0-}$__desktop_memory_ps0
    return "$code"
}

PS0=${PS0-}
PS0=${PS0//"$__desktop_memory_ps0"}$__desktop_memory_ps0
if [[ ${PROMPT_COMMAND[*]-} != *__desktop_memory_prompt* ]]; then
    if (( BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501 )); then
        PROMPT_COMMAND=(__desktop_memory_prompt ${PROMPT_COMMAND+"${PROMPT_COMMAND[@]}"})
    else
        PROMPT_COMMAND=__desktop_memory_prompt${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
    fi
fi
