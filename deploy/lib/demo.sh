# shellcheck shell=bash
# The demonstration: a person, a device with a simulated probe and three days of recorded water, and a receiver of its alerts.

DEMO_EMAIL=demo@aquamonitor.example
DEMO_LIMIT=120 # seconds from its start to the first alert

# The line in the demonstration's log about the tank's past.
DEMO_PAST='^Recorded water: '

prepare_demo() {
    : >>"$1/logs/demo.log"
    # A copy where the services' user can read it.
    cp "$ROOT/deploy/demo/mendon-july-2019.csv" "$1/demo.csv"
    give_to_service_user "$1/logs/demo.log" "$1/demo.csv"
}

# Returns when the tank has its past.
start_demo() {
    local state=$1 environment before
    before=$(pasts "$state")
    mapfile -t environment < <(environment_of tool "$state")
    start_supervised demo TERM 10 "$state/logs/demo.log" \
        env -i "${environment[@]}" "$state/bin/aqua-rehearsal" demo --port "$AQUA_PORT_WEBHOOK" --email "$DEMO_EMAIL" \
        --password-file "$(demo_password_file "$state")" --recorded "$state/demo.csv"
    await "$DEMO_LIMIT" test -s "$(demo_password_file "$state")" || {
        tail -n 5 "$state/logs/demo.log" >&2
        fail "The demonstration's person could not be added." "The log: $state/logs/demo.log"
    }
    await "$DEMO_LIMIT" has_past "$state" "$before" || {
        tail -n 5 "$state/logs/demo.log" >&2
        fail "The recorded water could not be published." "The log: $state/logs/demo.log"
    }
}

# pasts STATE: how many demonstrations have told of their past.
pasts() { grep -c "$DEMO_PAST" "$1/logs/demo.log" || true; }

has_past() { (($(pasts "$1") > $2)); }

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
