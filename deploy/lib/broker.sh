# shellcheck shell=bash
# A private Mosquitto: a plain listener, one for the services and one for devices, both TLS; all on the loopback interface, and no
# anonymous access.

BROKER_SECRETS=(mqtt-aqua_admin mqtt-aqua_ingestor)
# File descriptors that the broker needs besides those of the devices' connections.
BROKER_DESCRIPTORS=300

# make_certificates DIRECTORY: unless it has them
make_certificates() { "$ROOT/deploy/broker/certificates" "$1/tls" 127.0.0.1 localhost; }

# configure_broker DIRECTORY SECRETS [OPTION...]: all of it, with a session that keeps what devices publish
configure_broker() {
    local directory=$1 secrets=$2
    shift 2
    private_directory "$directory"
    make_certificates "$directory"
    "$ROOT/deploy/broker/init" "$directory" \
        --admin-password-file "$secrets/mqtt-aqua_admin" --ingestor-password-file "$secrets/mqtt-aqua_ingestor" \
        --certificate "$directory/tls/broker.pem" --key "$directory/tls/broker.key" "$@"
    give_to_service_user "$directory"
    # The services' user may be unable to enter the checkout.
    as_service_user sh -s -- "$directory" <"$ROOT/deploy/broker/first-session" || fail "The broker's first session could not be made."
}

# start_broker DIRECTORY SECRETS PORT SERVICES_PORT TLS_PORT LOG
start_broker() {
    local directory=$1 secrets=$2 port=$3 services_port=$4 tls_port=$5 log=$6 connections
    connections=$(possible_connections "${AQUA_BROKER_CONNECTIONS:-10000}")
    ulimit -Sn "$((connections + BROKER_DESCRIPTORS))"
    configure_broker "$directory" "$secrets" \
        --listen "127.0.0.1:$port" --services-listen "127.0.0.1:$services_port" --tls-listen "127.0.0.1:$tls_port" \
        --connections "$connections" --queued-messages "${AQUA_QUEUED_MESSAGES:-2000000}" --log stderr
    start_supervised broker TERM 30 "$log" "$(program mosquitto)" -c "$directory/mosquitto.conf"
    # All of them are checked: if another program holds one, Mosquitto ends and the others are free again.
    await 60 listening_on_all "$port" "$services_port" "$tls_port" || {
        tail -n 20 "$log" >&2
        fail "Mosquitto did not start." "Its log: $log"
    }
}

# possible_connections WANTED: as many as the limit on open files leaves
possible_connections() {
    local hard
    hard=$(ulimit -Hn)
    if [[ $hard == unlimited || $hard -ge $(($1 + BROKER_DESCRIPTORS)) ]]; then
        echo "$1"
    else
        echo $((hard - BROKER_DESCRIPTORS))
    fi
}
