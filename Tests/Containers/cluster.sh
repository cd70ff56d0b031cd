# shellcheck shell=bash
# The trial of deploy/ha/compose.yml, for deploy/test-compose --ha. Needs checks.sh.

DATABASES=(database database-2 database-3)
ETCD_MEMBERS=(etcd-1 etcd-2 etcd-3)

# etcd_beside DATABASE: the member on the same machine, as prepared by deploy/ha/compose.yml
etcd_beside() {
    local index
    for index in "${!DATABASES[@]}"; do
        if [[ ${DATABASES[index]} == "$1" ]]; then echo "${ETCD_MEMBERS[index]}"; fi
    done
}

# in_container SERVICE COMMAND...
in_container() {
    local id
    id=$(containers_of "$1")
    [[ -n $id ]] && engine exec "$id" "${@:2}" </dev/null
}

# asked_of SERVICE SQL: as the superuser, for at most 20 s
asked_of() {
    in_container "$1" timeout 20 psql --username=postgres --dbname="${3:-aqua}" --no-psqlrc --quiet --tuples-only --no-align --command="$2"
}

# The database that accepts writes; fails if there is none, or more than one.
primary() {
    local service writers=()
    for service in "${DATABASES[@]}"; do
        [[ $(asked_of "$service" 'SELECT pg_is_in_recovery()' postgres 2>/dev/null) != f ]] || writers+=("$service")
    done
    ((${#writers[@]} == 1)) && tee "$work/writer" <<<"${writers[0]}"
}

# The checks of checks.sh query the database through this: the last primary if it still writes, otherwise the present one.
sql() {
    local writer
    writer=$(cat "$work/writer" 2>/dev/null) && asked_as_primary "$writer" "$1" && return
    writer=$(primary) && asked_as_primary "$writer" "$1"
}

asked_as_primary() {
    local answer
    answer=$(asked_of "$1" "SELECT pg_is_in_recovery(); $2") && [[ $answer == f* ]] && tail -n +2 <<<"$answer"
}

primary_is_not() {
    local service
    service=$(primary) && [[ $service != "$1" ]]
}

# members_are COUNT: whether there are COUNT members: one writes, one is its synchronous standby, and the others follow
members_are() {
    [[ $(sql "SELECT count(*) = $1 - 1 AND count(*) FILTER (WHERE sync_state = 'sync') = 1
        FROM pg_stat_replication WHERE state = 'streaming'") == t ]]
}

# alarms_of NAME: the number of alarms at the demonstration's receiver
alarms_of() { engine logs "$(containers_of demo)" 2>&1 | grep -c "$1.*latency" || true; }

# alarm_comes_once PAYLOAD: of the device tank, whatever happens meanwhile
alarm_comes_once() {
    local before
    before=$(alarms_of Tank)
    publish tank "$(password_of tank)" "$(timed "$1")"
    expect 180 'the alarm' alert_arrives Tank $((before + 1))
    expect 60 'an empty queue' nothing_waits
    (($(alarms_of Tank) == before + 1)) || fail "The alarm was sent more than once."
}

start_cluster() {
    step "A first start of three databases"
    compose_quietly up --detach
    await_healthy "${DATABASES[@]}" broker "${SERVICES[@]}"
    expect 60 'two standbys, one of them synchronous' members_are 3
    holds "the doctor finds nothing wrong" tool doctor
    holds "no container but the servers' and setup begins as root" only_these_are_root setup certificates cluster
    holds "every root file system is read-only" all_are_read_only
    holds "no container has more capabilities than its work needs" only_these_have_capabilities setup certificates cluster
    fails "from the network of the devices a database can be reached" "$NO_WAY" reach devices database-2 5432
    fails "from the network of the devices etcd can be reached" "$NO_WAY" reach devices etcd-1 2379
    fails "etcd takes a client without a certificate" 'bad certificate|certificate required' without_certificate etcd-1 2379 /health
    fails "whoever has no certificate restarts a database" 'HTTP/1.[01] 403|403' without_certificate database 8008 /restart POST
    holds "no secret is in a container's environment or in a log" no_secret_shows
    compose_quietly --profile demo up --detach demo
    add_device tank
    alarm_comes_once '{"temperature":40}'
    say "    a reading leads to an alert, once"
}

# without_certificate SERVICE PORT PATH [METHOD]: a request over TLS, from the database's own network
without_certificate() {
    in_container database python3 -c '
import ssl, sys, http.client
host, port, path, method = (sys.argv[1:] + ["GET"])[:4]
context = ssl.create_default_context(cafile="/etc/aquamonitor/patroni/ca.pem")
connection = http.client.HTTPSConnection(host, int(port), timeout=10, context=context)
connection.request(method, path)
answer = connection.getresponse()
print(f"HTTP {answer.status}")
sys.exit(answer.status >= 400)' "$@" 2>&1
}

# Four devices that publish until count_load stops them.
start_load() {
    local device
    for device in sim-0001 sim-0002 sim-0003 sim-0004; do [[ -s $work/password-$device ]] || add_device "$device"; done
    LOAD=$(start_rehearsal simulate --devices 4 --interval 50ms --duration 20m --json)
    expect 30 'the load' more_samples_than "$(samples_of 'sim-%')"
}

more_samples_than() {
    local now
    now=$(samples_of 'sim-%') && ((now > $1))
}

# count_load: checks that all readings handed over by the load's devices, in all loads, are stored
HANDED_OVER=0
count_load() {
    local published stored
    engine stop --time 60 "$LOAD" >/dev/null
    published=$(engine logs "$LOAD" 2>/dev/null | tail -n 1 | json_number acknowledged)
    engine rm "$LOAD" >/dev/null
    HANDED_OVER=$((HANDED_OVER + published))
    expect 90 'an empty queue' nothing_waits
    stored=$(samples_of 'sim-%')
    say "    $published readings handed over, $((HANDED_OVER > stored ? HANDED_OVER - stored : 0)) lost"
    ((published > 500)) || fail "The load was too small to mean anything."
    ((stored >= HANDED_OVER)) || fail "Readings were lost."
}

primary_dies() {
    step "The primary's machine dies under load"
    local dead began
    start_load
    dead=$(primary)
    engine kill "$(containers_of "$dead")" "$(containers_of "$(etcd_beside "$dead")")" >/dev/null
    began=$EPOCHREALTIME
    expect 120 'another primary' primary_is_not "$dead"
    say "    $(primary) writes, $(seconds_since "$began") s after $dead died"
    alarm_comes_once '{"ph":11}'
    say "    an alarm comes, once"
    count_load
    await_healthy "${SERVICES[@]}"
    step "Its machine is put back"
    compose_quietly up --detach
    expect 180 'three members, one of them synchronous' members_are 3
    say "    it follows, with nothing done by hand"
}

standby_falls_silent() {
    step "The synchronous standby's machine falls silent under load"
    local silent paused began before
    start_load
    silent=$(sql "SELECT application_name FROM pg_stat_replication WHERE sync_state = 'sync'")
    paused=$(containers_of "$silent") # later, engines do not count it as running
    engine pause "$paused" >/dev/null
    began=$EPOCHREALTIME
    before=$(samples_of 'sim-%')
    expect 120 'commits with the other standby' commits_go_on "$silent" "$before"
    say "    commits go on with the other one, $(seconds_since "$began") s later"
    alarm_comes_once '{"nitrate":500}'
    say "    an alarm comes, once"
    engine unpause "$paused" >/dev/null
    count_load
    expect 180 'three members, one of them synchronous' members_are 3
}

# commits_go_on SILENT BEFORE
commits_go_on() {
    local partner
    partner=$(sql "SELECT application_name FROM pg_stat_replication WHERE sync_state = 'sync'")
    [[ -n $partner && $partner != "$1" ]] && more_samples_than "$2"
}

etcd_loses_its_majority() {
    step "etcd loses its majority under load"
    local before writer
    start_load
    writer=$(primary)
    engine kill "$(containers_of etcd-2)" "$(containers_of etcd-3)" >/dev/null
    # Only after the lock has expired does it show that the primary goes on without etcd.
    expect 120 'the primary to know that it has to do without' failsafe_is_active "$writer"
    before=$(samples_of 'sim-%')
    expect 30 'further readings' more_samples_than "$before"
    [[ $(primary) == "$writer" ]] || fail "The primary changed."
    say "    the primary goes on, since both standbys agree that it is the one"
    compose_quietly up --detach
    count_load
    expect 180 'three members, one of them synchronous' members_are 3
}

failsafe_is_active() {
    in_container "$1" python3 -c '
import ssl, http.client, json
context = ssl.create_default_context(cafile="/etc/aquamonitor/patroni/ca.pem")
connection = http.client.HTTPSConnection("localhost", 8008, timeout=10, context=context)
connection.request("GET", "/patroni")
raise SystemExit(not json.load(connection.getresponse()).get("failsafe_mode_is_active"))'
}

switch_over() {
    step "A switchover under load, as for an upgrade"
    local former
    start_load
    former=$(primary)
    holds "patronictl switches over" in_container "$former" patronictl -c /etc/aquamonitor/patroni switchover --leader "$former" --force
    expect 60 'another primary' primary_is_not "$former"
    count_load
    expect 180 'three members, one of them synchronous' members_are 3
}

# A machine dies in the middle of everything; the only help is that a dead machine is started again.
try_cluster() {
    start_cluster
    primary_dies
    standby_falls_silent
    etcd_loses_its_majority
    switch_over
    holds "the doctor finds nothing wrong" tool doctor
}
