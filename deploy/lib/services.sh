# shellcheck shell=bash
# Long-running programs: each below a supervisor of its own, in the order in which they are stopped in reverse.

declare -A SUPERVISOR=() # process id by name
STARTED=()

# start_supervised NAME SIGNAL GRACE LOG COMMAND...: as the services' user.
#   In a session of its own, so that the terminal's Ctrl-C does not reach everything at once: we stop in order. When
#   this script is killed the kernel sends the supervisor SIGTERM, and SIGNAL to the command when that is killed, too:
#   nothing is left running. (A change of user clears that wish, hence the order.)
start_supervised() {
    local name=$1 signal=$2 grace=$3 log=$4
    shift 4
    rm -f -- "$log.down" # of an earlier run
    setsid setpriv --pdeathsig TERM -- python3 "$ROOT/deploy/lib/supervise" "$name" "$signal" "$grace" "$log" \
        "${BECOME[@]}" setpriv --pdeathsig "$signal" -- "$@" &
    SUPERVISOR[$name]=$!
    STARTED=("$name" "${STARTED[@]}")
}

# Stops the last started first, each before the next.
stop_supervised() {
    local name
    for name in "${STARTED[@]}"; do
        kill -TERM "${SUPERVISOR[$name]}" 2>/dev/null || true
        wait "${SUPERVISOR[$name]}" 2>/dev/null || true
    done
    STARTED=()
}

supervised() { kill -0 "${SUPERVISOR[$1]}" 2>/dev/null; }

all_supervised() {
    local name
    for name in "${STARTED[@]}"; do supervised "$name" || return 1; done
}

# Keeps each log below a bound: past it, the log so far becomes LOG.1 and a new one begins. The writers append to an
# open file, so it is copied and emptied; a line written at that instant may be lost.
LOG_BOUND=$((16 * 1024 * 1024))
bound_logs() {
    local log
    for log in "$1"/*.log; do
        [[ -e $log && $(stat -c %s "$log") -gt $LOG_BOUND ]] || continue
        cp -p "$log" "$log.1"
        : >"$log"
    done
}

# Whether GET http://127.0.0.1:PORT/PATH answers 200.
answers() {
    local line
    exec 7<>"/dev/tcp/127.0.0.1/$1" || return 1
    printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' "$2" >&7
    read -r -t 5 line <&7 || line=
    exec 7>&-
    [[ $line == 'HTTP/1.1 200'* ]]
} 2>/dev/null
