# shellcheck shell=bash
# A private Mosquitto: a plain listener and a TLS one, both on the loopback interface, and no anonymous access.

BROKER_SECRETS=(mqtt-aqua_admin mqtt-aqua_ingestor)

# start_broker DIRECTORY SECRETS PORT TLS_PORT LOG
start_broker() {
    local directory=$1 secrets=$2 port=$3 tls_port=$4 log=$5
    private_directory "$directory"
    "$ROOT/deploy/broker/certificates" "$directory/tls" 127.0.0.1 localhost
    "$ROOT/deploy/broker/init" "$directory" \
        --admin-password-file "$secrets/mqtt-aqua_admin" --ingestor-password-file "$secrets/mqtt-aqua_ingestor" \
        --certificate "$directory/tls/broker.pem" --key "$directory/tls/broker.key" \
        --listen "127.0.0.1:$port" --tls-listen "127.0.0.1:$tls_port" --log stderr
    give_to_service_user "$directory"
    start_supervised broker TERM 30 "$log" "$(program mosquitto)" -c "$directory/mosquitto.conf"
    # Both: if another program holds one of them, Mosquitto ends and the other is free again.
    await 20 listening_on_all "$port" "$tls_port" || {
        tail -n 20 "$log" >&2
        fail "Mosquitto did not start." "Its log: $log"
    }
}
