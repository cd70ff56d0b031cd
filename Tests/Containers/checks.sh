# shellcheck shell=bash
# The checks of deploy/test-compose. Needs engine.sh.

# Hides podman's warning on every command that no systemd runs the health checks; engine.sh runs them.
engine() { "${ENGINE[@]}" "$@" 2> >(grep -v 'systemd connection' >&2 || true); }
compose() { "${COMPOSE[@]}" "$@"; }

# restart_container CONTAINER: podman refuses, with its own exit code, to restart a container at whose state something else looks at
# this moment, such as its health check; that is told, and tried again.
restart_container() {
    local attempt
    for attempt in 1 2 3; do
        if engine restart --time 30 "$1" >/dev/null 2>"$work/restart.log"; then return; fi
        say "    the engine did not restart $1 (attempt $attempt): $(tail -n 1 "$work/restart.log")"
        sleep 2
    done
    fail "The engine does not restart $1: $(tail -n 1 "$work/restart.log")"
}

# Shows the output only on failure.
compose_quietly() {
    compose "$@" >"$work/compose.log" 2>&1 </dev/null || {
        tail -n 30 "$work/compose.log" >&2
        fail "This failed: compose $*"
    }
}

# holds SENTENCE COMMAND...
holds() {
    local sentence=$1
    shift
    "$@" >"$work/check.log" 2>&1 </dev/null || {
        tail -n 30 "$work/check.log" >&2
        fail "This does not hold: $sentence"
    }
    say "    $sentence"
}

# fails SENTENCE REASON COMMAND...: the command must fail, with output that matches REASON (a pattern of grep -E), so that no
# other error passes for a refusal.
fails() {
    local sentence=$1 reason=$2
    shift 2
    ! "$@" >"$work/check.log" 2>&1 </dev/null || fail "This must not be possible: $sentence"
    grep --quiet --extended-regexp "$reason" "$work/check.log" || {
        tail -n 30 "$work/check.log" >&2
        fail "This failed for another reason than '$reason': $sentence"
    }
    say "    refused: $sentence"
}

# expect SECONDS WHAT COMMAND...
expect() { await "$1" "${@:3}" || fail "This did not come within $1 s: $2"; }

seconds_since() { awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }'; }

tool() { compose --profile tools run --rm -T aqua "$@"; }

doctor_finds_nothing() { tool doctor >/dev/null 2>&1 </dev/null; }

# doctor_sees TEXT
doctor_sees() { tool doctor </dev/null | grep --fixed-strings "$1"; }

# start_rehearsal ARGUMENTS...: in the background; prints the container's id.
start_rehearsal() { compose --profile rehearsal run --detach -T rehearsal "$@" </dev/null 2>/dev/null | tail -n 1; }

sql() { compose exec -T database psql --username=postgres --dbname=aqua --no-psqlrc --quiet --tuples-only --no-align --command="$1" </dev/null; }

json_field() { sed -nE "s/.*\"$1\" *: *\"([^\"]*)\".*/\1/p" | head -n 1; }
json_number() { sed -nE "s/.*\"$1\" *: *([0-9]+).*/\1/p" | head -n 1; }

# --- Containers -----------------------------------------------------------------------------------------------------------

of_project() { engine ps --quiet --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" "$@"; }
containers_of() { of_project --filter "label=com.docker.compose.service=$1"; }
inspect() { engine inspect --format "$@"; }

# is_healthy SERVICE [COPIES]: whether all of its containers are healthy, and there are COPIES of them, or at least one
is_healthy() {
    local id ids
    mapfile -t ids < <(containers_of "$1")
    ((${#ids[@]} == ${2:-${#ids[@]}} && ${#ids[@]} > 0)) || return 1
    for id in "${ids[@]}"; do [[ $(inspect '{{.State.Health.Status}}' "$id") == healthy ]] || return 1; done
}

await_healthy() {
    local service
    for service; do await 180 is_healthy "$service" || fail "$service does not become healthy."; done
}

# await_copies COUNT SERVICE...
await_copies() {
    local count=$1 service
    shift
    for service; do await 180 is_healthy "$service" "$count" || fail "There are not $count healthy copies of $service."; done
}

started_at() { inspect '{{.State.StartedAt}}' "$(containers_of "$1")"; }

build_images() {
    local began=$EPOCHREALTIME
    compose --profile demo build >"$work/build.log" 2>&1 </dev/null || {
        grep -E 'error|Error' "$work/build.log" | tail -n 20 >&2
        fail "The images could not be built."
    }
    say "    built in $(seconds_since "$began") s"
}

show_image_sizes() {
    local image
    for image in "${SERVICES[@]}" aqua rehearsal setup; do
        say "    $(inspect '{{.Size}}' "localhost/aquamonitor/$image" | awk '{ printf "%4.0f MB", $1 / 1e6 }')  $image"
    done
}

show_failure() {
    local id
    {
        of_project --all --format '{{.Names}}  {{.Status}}' || true
        for id in $(of_project --all); do
            printf '\n--- %s\n' "$(inspect '{{.Name}}' "$id")"
            engine logs --tail 15 "$id" 2>&1
        done
    } >&2
}

# Also removes copies and profiles, which "compose down" does not always cover.
remove_everything() {
    local ids volumes label=label=com.docker.compose.project=$COMPOSE_PROJECT_NAME
    mapfile -t ids < <(of_project --all)
    if ((${#ids[@]})); then
        # Kills them at once: their last output is not needed.
        engine kill "${ids[@]}" &>/dev/null || true
        engine rm --force "${ids[@]}" >/dev/null
    fi
    compose --profile demo --profile rehearsal --profile tools --profile observability --profile public down --volumes \
        &>/dev/null </dev/null || true
    mapfile -t volumes < <(engine volume ls --quiet --filter "$label")
    ((${#volumes[@]} == 0)) || engine volume rm --force "${volumes[@]}" >/dev/null
}

# --- Walls ----------------------------------------------------------------------------------------------------------------

service_of() { inspect '{{index .Config.Labels "com.docker.compose.service"}}' "$1"; }

# ADDRESS:HOST-PORT->PORT of every published port. Reads JSON, whose names are the same in all engines.
published_ports() {
    local id
    for id in $(of_project --all); do inspect '{{json .HostConfig.PortBindings}}' "$id"; done | python3 -c '
import json, sys
for line in sys.stdin:
    for port, bindings in (json.loads(line) or {}).items():
        for binding in bindings or []:
            print("{HostIp}:{HostPort}->".format(**binding) + port.removesuffix("/tcp"))' | sort --unique
}

published_ports_are() {
    local published everywhere="^(0\\.0\\.0\\.0|::)?:$AQUA_MQTT_PORT->8883$" here='^127\.0\.0\.1:[0-9]*->8080$'
    published=$(published_ports)
    echo "$published"
    [[ $(wc -l <<<"$published") == 2 ]] && grep --quiet --extended-regexp "$everywhere" <<<"$published" &&
        grep --quiet --extended-regexp "$here" <<<"$published"
}

only_these_are_root() {
    local id user
    all_containers >/dev/null || return 1
    for id in $(of_project --all); do
        user=$(inspect '{{.Config.User}}' "$id")
        [[ " $* " == *" $(service_of "$id") "* || -n ${user%%:*} && ${user%%:*} != 0 && ${user%%:*} != root ]] ||
            { echo "$(service_of "$id") runs as '$user'" && return 1; }
    done
}

# Prints all containers, and fails if there are too few for a check to mean anything.
all_containers() {
    local ids
    mapfile -t ids < <(of_project --all)
    printf '%s\n' "${ids[@]}"
    ((${#ids[@]} >= 8))
}

all_are_read_only() {
    local id
    all_containers >/dev/null || return 1
    for id in $(of_project --all); do
        [[ $(inspect '{{.HostConfig.ReadonlyRootfs}}' "$id") == true ]] || { service_of "$id" && return 1; }
    done
}

only_these_have_capabilities() {
    local id
    all_containers >/dev/null || return 1
    for id in $(of_project --all); do
        [[ " $* " == *" $(service_of "$id") "* ]] && continue
        # CapEff of process 1, as the kernel sees it.
        [[ $(inspect '{{.State.Running}}' "$id") == true ]] || continue
        grep --quiet --line-regexp $'CapEff:\t0*' "/proc/$(inspect '{{.State.Pid}}' "$id")/status" ||
            { service_of "$id" && return 1; }
    done
}

bill_is_valid() {
    "$ROOT/deploy/sbom" "localhost/aquamonitor/$1" >"$work/bill.json" && "$AQUA_TEST_PYTHON" - "$work/bill.json" <<'PYTHON'
import json, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

text = open(sys.argv[1]).read()
fault = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
assert fault is None, fault
names = {component["name"] for component in json.loads(text)["components"]}
missing = {"libc6", "libpq5", "libssl3", "hummingbird", "swift-nio"} - names
assert not missing, missing
PYTHON
}

# reach NETWORK SERVICE PORT: from a container in that network alone; by address, because names resolve only in their network.
reach() {
    local address
    address=$(address_of "$2")
    [[ -n $address ]] || fail "$2 has no address."
    # Written to the standard output, which is complete when the engine returns.
    engine run --rm --network "${COMPOSE_PROJECT_NAME}_$1" --entrypoint bash localhost/aquamonitor/setup -c "
        timeout 5 bash -c 'exec 3<>/dev/tcp/$address/$3' 2>&1 && exit
        echo 'there is no way to $address'
        exit 1"
}

# reach_from SERVICE OTHER PORT: from a running container
reach_from() {
    local address
    address=$(address_of "$2")
    [[ -n $address ]] || fail "$2 has no address."
    engine exec "$(containers_of "$1" | head -n 1)" bash -c "
        timeout 5 bash -c 'exec 3<>/dev/tcp/$address/$3' 2>&1 && exit
        echo 'there is no way to $address'
        exit 1"
}

# address_of SERVICE: in a network that it shares with others
address_of() {
    local network
    case $1 in
        database* | etcd-*) network=data ;;
        broker) network=${2:-mqtt} ;;
    esac
    inspect "{{(index .NetworkSettings.Networks \"${COMPOSE_PROJECT_NAME}_$network\").IPAddress}}" "$(containers_of "$1" | head -n 1)"
}

# Connects with the right password: only TLS is missing.
plain_mqtt() {
    mosquitto_pub -h localhost -p "$AQUA_MQTT_PORT" -q 1 -t aqua/v1/tank/readings -m '{"ph":7}' -i tank -u tank \
        -P "$(password_of tank)"
}

# Connects without a user name; everything else is right.
anonymous_mqtt() { mosquitto_pub -h localhost -p "$AQUA_MQTT_PORT" --cafile "$(authority)" -q 1 -t aqua/v1/tank/readings -i tank -m x; }

# Searches for every secret in the places that others may read.
no_secret_shows() {
    local id
    compose run --rm -T --no-deps setup export-keys | tar -xO --wildcards 'volumes/secrets/*' >"$work/secrets"
    [[ $(wc -l <"$work/secrets") -ge 10 ]] || { echo 'the secrets could not be read' && return 1; }
    for id in $(of_project --all); do
        {
            inspect '{{json .Config}}' "$id"
            engine logs "$id" 2>&1
        } >"$work/seen"
        ! grep --quiet --fixed-strings --file="$work/secrets" "$work/seen" || { service_of "$id" && return 1; }
    done
}

# --- Devices and alerts ---------------------------------------------------------------------------------------------------

# add_device ID: links it to the demonstration's person; keeps its password in $work
add_device() {
    local added
    added=$(tool device add "$1" --json </dev/null) || fail "Device $1 could not be added."
    json_field mqttPassword <<<"$added" >"$work/password-$1"
    [[ $1 == sim-* ]] || holds "device $1 is linked" tool device link "$PERSON" "$(json_field claimCode <<<"$added")" --name Tank
}

password_of() { cat "$work/password-$1"; }

# The authority that devices trust, read as an operator reads it.
authority() {
    [[ -s $work/ca.pem ]] || compose exec -T broker cat /mosquitto/tls/ca.pem >"$work/ca.pem" </dev/null
    echo "$work/ca.pem"
}

# publish DEVICE PASSWORD PAYLOAD [TOPIC [CLIENT-ID]]
publish() {
    mosquitto_pub -h localhost -p "$AQUA_MQTT_PORT" --cafile "$(authority)" -u "$1" -P "$2" -i "${5:-$1}" -q 1 \
        -t "${4:-aqua/v1/$1/readings}" -m "$3"
}

# timed READINGS: with the present time; a message that the broker keeps while Ingestors change is evaluated only with a time.
timed() { printf '{"time":"%s","readings":%s}' "$(date --utc +%Y-%m-%dT%H:%M:%SZ)" "$1"; }

# listen_as DEVICE FILE: in the background, on one connection, with a keep-alive of five seconds; returns when it is subscribed
listen_as() {
    stdbuf --output=L mosquitto_sub -h localhost -p "$AQUA_MQTT_PORT" --cafile "$(authority)" -i "$1" -u "$1" \
        -P "$(password_of "$1")" -t "aqua/v1/$1/receipts" -k 5 -d >"$2" 2>&1 &
    LISTENER=$!
    expect 20 "the device's subscription" grep -qs SUBACK "$2"
}

# answers_since FILE COUNT: whether the broker has answered more than COUNT keep-alives, on the first connection
answers_since() { (($(grep -c PINGRESP "$1") > $2 && $(grep -c CONNACK "$1") == 1)); }

# alert_arrives NAME [COUNT]: whether the demonstration's receiver has printed COUNT alerts of that device
alert_arrives() {
    local id
    id=$(containers_of demo)
    [[ -n $id ]] && (($(engine logs "$id" 2>&1 | grep -c "$1.*latency") >= ${2:-1}))
}

samples_of() { sql "SELECT count(*) FROM sample JOIN device USING (slot, device_id) WHERE hardware_id LIKE '$1'"; }
any_sample() { (($(samples_of "$1") > 0)); }
nothing_waits() { [[ $(sql 'SELECT count(*) FROM evaluation_batch') == 0 ]]; }
stored_after_now() {
    (($(sql "SELECT count(*) FROM sample JOIN device USING (slot, device_id)
             WHERE hardware_id = '$1' AND received_at > now() - interval '30 seconds'") > 0))
}
terminate_backends() { sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '$1'" >/dev/null; }

certificate_serial() {
    openssl s_client -connect "localhost:$AQUA_MQTT_PORT" -CAfile "$(authority)" </dev/null 2>/dev/null |
        openssl x509 -noout -serial 2>/dev/null
}
certificate_is_not() { [[ $(certificate_serial) != "$1" && $(certificate_serial) == serial=* ]]; }

# An installation with schema 46, from before the baseline: a person with a device, and its samples.
load_schema_46() {
    { echo 'SET ROLE aqua_owner;' && cat "$ROOT/Tests/Store/Lineage/schema-46.sql"; } |
        compose exec -T database psql --username=postgres --dbname=aqua --no-psqlrc --quiet --set=ON_ERROR_STOP=1 >/dev/null
    sql "
        INSERT INTO account (email, password_hash) VALUES ('$PERSON', 'scrypt\$');
        INSERT INTO device (slot, hardware_id, claim_code_hash) VALUES (7, 'old-tank', sha256('old'));
        INSERT INTO ownership (slot, device_id, account_id, name) SELECT slot, device_id, account_id, 'Old tank' FROM device, account;
        INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
            SELECT slot, 0, device_id, now() - n * interval '30 seconds', now(), 24 FROM device, generate_series(1, 100) AS n"
}

# --- Figures --------------------------------------------------------------------------------------------------------------

prometheus() { curl --silent --fail --max-time 5 "http://127.0.0.1:$AQUA_PROMETHEUS_PORT/api/v1/$1"; }

all_targets_are_up() {
    local job answer
    for job; do
        answer=$(curl --silent --fail --max-time 5 --get "http://127.0.0.1:$AQUA_PROMETHEUS_PORT/api/v1/query" \
            --data-urlencode "query=min(up{job=\"$job\"})") || return 1
        [[ $answer == *'"1"]'* ]] || return 1
    done
    ! prometheus rules | grep -q '"health":"err"'
}
