# shellcheck shell=bash
# The demonstration: a person, a device with a simulated probe, and a receiver of its alerts.

DEMO_EMAIL=demo@aquamonitor.example
DEMO_LIMIT=120 # seconds from its start to the first alert

prepare_demo() {
    : >>"$1/logs/demo.log"
    give_to_service_user "$1/logs/demo.log"
}

start_demo() {
    local state=$1 environment
    mapfile -t environment < <(environment_of tool "$state")
    start_supervised demo TERM 10 "$state/logs/demo.log" \
        env -i "${environment[@]}" "$state/bin/aqua" demo --port "$AQUA_PORT_WEBHOOK" --email "$DEMO_EMAIL" \
        --password-file "$(demo_password_file "$state")"
    await "$DEMO_LIMIT" test -s "$(demo_password_file "$state")" || {
        tail -n 5 "$state/logs/demo.log" >&2
        fail "The demonstration's person could not be added." "The log: $state/logs/demo.log"
    }
}

# Where the demonstration keeps its person's password.
demo_password_file() { echo "$1/secrets/demo-password"; }

# follow_alerts STATE [UNTIL_FIRST]: prints each line of the receiver; looks after the logs in between.
follow_alerts() {
    local state=$1 until_first=${2:-} line deadline=$((SECONDS + DEMO_LIMIT))
    while :; do
        if read -r -t 2 line <&6; then
            say "$line"
            [[ -z $until_first || $line != *latency* ]] || return 0
        fi
        [[ -z $until_first ]] || ((SECONDS < deadline)) || no_alert "$state"
        bound_logs "$state/logs"
    done
}

no_alert() {
    local log
    for log in demo ingestor rules notifier gateway; do
        printf '\n--- %s\n' "$1/logs/$log.log"
        tail -n 5 "$1/logs/$log.log"
    done >&2
    fail "No alert was delivered within $DEMO_LIMIT s. The ends of the logs stand above."
}
