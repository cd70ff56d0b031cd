# shellcheck shell=bash
# The demonstration: an account, a device with a simulated probe, and a receiver of its alerts.

DEMO_EMAIL=demo@aquamonitor.example
DEMO_DEVICE=demo-tank
DEMO_SECRETS=(demo-account)

# json_field NAME: the text of a field of the object on the standard input.
json_field() { sed -nE "s/.*\"$1\" *: *\"([^\"]*)\".*/\1/p" | head -n 1; }

demo_sql() { sql "$(socket_directory "$1")" "$AQUA_PORT_DATABASE" "$1/secrets" --dbname="$DATABASE"; }

# prepare_demo STATE: makes what is missing of it.
prepare_demo() {
    local state=$1 webhook=http://127.0.0.1:$AQUA_PORT_WEBHOOK/ claim
    if [[ -z $(demo_sql "$state" <<<"SELECT 1 FROM account WHERE email = '$DEMO_EMAIL'") ]]; then
        tool "$state" account add "$DEMO_EMAIL" <"$state/secrets/demo-account" >/dev/null
    fi
    # The table is asked, not a mark of our own: a start that was cut short between the two commands is mended.
    if [[ -z $(demo_sql "$state" <<<"SELECT 1 FROM device JOIN ownership USING (slot, device_id)
            WHERE hardware_id = '$DEMO_DEVICE' AND unlinked_at IS NULL") ]]; then
        claim=$(tool "$state" device add "$DEMO_DEVICE" --new-claim-code --json | json_field claimCode)
        tool "$state" device link "$DEMO_EMAIL" "$claim" --name 'Demo tank' >/dev/null
    fi
    if [[ $(cat "$state/demo-webhook" 2>/dev/null) != "$webhook" ]]; then
        (
            umask 077
            tool "$state" endpoint add "$DEMO_EMAIL" --webhook "$webhook" --json | json_field secret >"$state/secrets/demo-webhook.part"
        )
        mv "$state/secrets/demo-webhook.part" "$state/secrets/demo-webhook"
        give_to_service_user "$state/secrets"
        echo "$webhook" >"$state/demo-webhook"
    fi
}

start_demo_receiver() {
    local state=$1 environment
    mapfile -t environment < <(environment_of listen "$state")
    : >>"$state/logs/listen.log"
    give_to_service_user "$state/logs/listen.log"
    start_supervised listen TERM 5 "$state/logs/listen.log" \
        env -i "${environment[@]}" "$state/bin/aqua" listen --port "$AQUA_PORT_WEBHOOK" --secret-file "$state/secrets/demo-webhook"
    await 20 listening "$AQUA_PORT_WEBHOOK" || fail "The receiver of alerts does not start." "Its log: $state/logs/listen.log"
}

# A person's limits are those of the manual; the probe leaves them soon and comes back, again and again.
start_demo_simulator() {
    local state=$1 environment
    mapfile -t environment < <(environment_of tool "$state")
    start_supervised simulator TERM 10 "$state/logs/simulator.log" \
        env -i "${environment[@]}" "$state/bin/aqua" simulate --device "$DEMO_DEVICE" --interval 2s --breach temperature
}
