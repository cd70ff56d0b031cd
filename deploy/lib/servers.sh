# shellcheck shell=bash
# The two servers that everything needs, in one directory: secrets/, database/, broker/ (tls/ca.pem is its
# authority), run/ (the socket), logs/.
# Needs the other files of this directory.

SERVER_PORTS=(DATABASE MQTT MQTT_SERVICES MQTTS)

# start_servers DIRECTORY [POSTGRES SETTING...]: on the ports chosen before
start_servers() {
    start_database_server "$@"
    start_broker_server "$1"
}

start_database_server() {
    local directory=$1 sockets
    shift
    sockets=$(socket_directory "$directory")
    private_directory "$directory"
    private_directory "$directory/logs"
    private_directory "$sockets"
    make_secrets "$directory/secrets" "${DATABASE_SECRETS[@]}"
    create_cluster "$directory/database" "$directory/secrets"
    start_database "$directory/database" "$sockets" "$AQUA_PORT_DATABASE" "$directory/logs/database.log" "$@"
    create_roles "$sockets" "$AQUA_PORT_DATABASE" "$directory/secrets"
}

start_broker_server() {
    local directory=$1
    private_directory "$directory"
    private_directory "$directory/logs"
    make_secrets "$directory/secrets" "${BROKER_SECRETS[@]}"
    start_broker "$directory/broker" "$directory/secrets" "$AQUA_PORT_MQTT" "$AQUA_PORT_MQTT_SERVICES" \
        "$AQUA_PORT_MQTTS" "$directory/logs/broker.log"
}

# One owner per directory. The starting process and all its children hold the lock, which is free again when the last of
# them has ended.
lock_directory() {
    local directory=$1 holder
    private_directory "$directory"
    exec 9>>"$directory/lock"
    if ! flock -n 9; then
        holder=$(cat "$directory/pid" 2>/dev/null || true)
        if [[ -n $holder ]] && alive "$holder"; then
            fail "It is running already (process $holder) in $directory." "Stop it with Ctrl-C there, or: kill $holder"
        fi
        step "Waiting for the end of what a killed start left"
        flock -w 60 9 || fail "Processes of an earlier start still hold $directory/lock." "See who: fuser -v $directory/lock"
    fi
    echo $$ >"$directory/pid"
}
