# shellcheck shell=bash
# Long-running programs, each below a supervisor of its own. They are stopped in reverse order of their starts.

declare -A SUPERVISOR=() # process id by name
STARTED=()

# start_supervised NAME SIGNAL GRACE LOG COMMAND...: as the services' user.
#   Runs in a session of its own, so that the terminal's Ctrl-C does not reach everything at once and programs stop in
#   order. When this script is killed, the kernel sends the supervisor SIGTERM, and SIGNAL to the command when the
#   supervisor is killed, too: nothing is left running. (A change of user clears this setting, hence the order.)
start_supervised() {
    local name=$1 signal=$2 grace=$3 log=$4
    shift 4
    rm -f -- "$log.down" # left by an earlier run
    setsid setpriv --pdeathsig TERM -- python3 "$ROOT/deploy/lib/supervise" "$name" "$signal" "$grace" "$log" \
        "${BECOME[@]}" setpriv --pdeathsig "$signal" -- "$@" &
    SUPERVISOR[$name]=$!
    STARTED=("$name" "${STARTED[@]}")
}

# Stops them one after the other, the last started first.
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

# Keeps each log below a limit: beyond it, the log becomes LOG.1 and a new one begins. The writers append to an open
# file, so the file is copied and emptied; a line written at that instant may be lost.
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

# start_services STATE: all of them, until they are ready. Their programs are in STATE/bin.
start_services() {
    local state=$1 service port
    for service in notifier rules ingestor gateway; do start_service "$state" "$service"; done
    for service in notifier rules ingestor gateway; do
        port=AQUA_PORT_${service^^}
        await_service "$state" "$service" "${!port}"
    done
    start_enroller "$state"
}

# The tool, which makes the devices that people ask for. The others do not wait for it: without it the app says that it makes none.
start_enroller() {
    local state=$1 environment
    mapfile -t environment < <(environment_of enroller "$state")
    start_supervised enroller TERM 15 "$state/logs/enroller.log" env -i "${environment[@]}" "$state/bin/aqua" enroller run
}

start_service() {
    local state=$1 name=$2 environment
    mapfile -t environment < <(environment_of "$name" "$state")
    start_supervised "$name" TERM 15 "$state/logs/$name.log" env -i "${environment[@]}" "$state/bin/aqua-$name"
}

await_service() {
    local state=$1 name=$2 port=$3
    await 30 answers "$port" /health/ready && return
    tail -n 20 "$state/logs/$name.log" >&2
    fail "The $name does not become ready." "Its log: $state/logs/$name.log" "What is wrong with the instance: deploy/aqua doctor"
}
