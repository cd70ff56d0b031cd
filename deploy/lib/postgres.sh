# shellcheck shell=bash
# A private PostgreSQL cluster: a Unix socket and the loopback interface, passwords for everyone, nothing else in reach.

POSTGRES_SUPERUSER=postgres
DATABASE=aqua
DATABASE_OWNER=aqua_owner
SERVICE_ROLES=(aqua_ingestor aqua_rules aqua_notifier)
DATABASE_SECRETS=("database-$POSTGRES_SUPERUSER" "database-$DATABASE_OWNER" "${SERVICE_ROLES[@]/#/database-}")

# The path of a Unix socket holds 107 bytes; a checkout may lie deeper.
socket_directory() {
    local directory=$1/run
    if ((${#directory} > 80)); then directory=/tmp/aquamonitor-$(id -u)-$(cksum <<<"$1" | cut -d ' ' -f 1); fi
    echo "$directory"
}

# create_cluster DIRECTORY SECRETS
create_cluster() {
    local data=$1 secrets=$2
    [[ ! -d $data ]] || return 0
    rm -rf -- "$data.part" # of a start that was cut short
    private_directory "$data.part"
    as_service_user "$(postgres_bin)/initdb" --pgdata="$data.part" --username="$POSTGRES_SUPERUSER" \
        --pwfile="$secrets/database-$POSTGRES_SUPERUSER" --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 \
        --data-checksums --no-instructions >/dev/null || fail "PostgreSQL could not make its cluster in $data."
    mv -- "$data.part" "$data"
}

# A quarter of the memory, as PostgreSQL's manual advises, up to 1 GiB. Readings lie in the order in which they arrive, so
# those of one device are on as many pages as there are readings: a chart is fast when its pages are at hand.
shared_buffers() {
    awk '$1 == "MemTotal:" { mb = int($2 / 4096); print (mb < 128 ? 128 : mb > 1024 ? 1024 : mb) "MB" }' /proc/meminfo
}

# start_database DIRECTORY SOCKETS PORT LOG [SETTING...]
start_database() {
    local data=$1 sockets=$2 port=$3 log=$4 setting arguments=()
    shift 4
    for setting in "listen_addresses=127.0.0.1" "port=$port" "unix_socket_directories=$sockets" \
        "unix_socket_permissions=0700" "timezone=UTC" "log_timezone=UTC" "shared_buffers=$(shared_buffers)" "$@"; do
        arguments+=(-c "$setting")
    done
    # SIGINT is its "fast" stop: connections are closed, what was committed is on disk.
    start_supervised database INT 60 "$log" "$(postgres_bin)/postgres" -D "$data" "${arguments[@]}"
    await 60 database_ready "$sockets" "$port" || {
        tail -n 20 "$log" >&2
        fail "PostgreSQL did not start." "Its log: $log"
    }
}

database_ready() { "$(postgres_bin)/pg_isready" --quiet --host="$1" --port="$2"; }

# sql SOCKETS PORT SECRETS [psql's options]: runs what stands on the standard input as the superuser.
sql() {
    local sockets=$1 port=$2 secrets=$3
    shift 3
    PGPASSWORD=$(<"$secrets/database-$POSTGRES_SUPERUSER") "$(postgres_bin)/psql" --no-psqlrc --quiet --tuples-only \
        --no-align --set=ON_ERROR_STOP=1 --host="$sockets" --port="$port" --username="$POSTGRES_SUPERUSER" "$@"
}

# create_roles SOCKETS PORT SECRETS: the owner, who migrates, and a role per service, with the passwords in the files.
create_roles() {
    local role rights secrets=$3
    for role in "$DATABASE_OWNER" "${SERVICE_ROLES[@]}"; do
        rights=LOGIN
        [[ $role != "$DATABASE_OWNER" ]] || rights='LOGIN CREATEROLE'
        echo "SELECT 'CREATE ROLE $role' WHERE to_regrole('$role') IS NULL \\gexec"
        echo "ALTER ROLE $role $rights PASSWORD '$(<"$secrets/database-$role")';"
        # Since version 16, CREATEROLE alone does not permit its holder to change a role that somebody else made.
        [[ $role == "$DATABASE_OWNER" ]] || echo "SELECT 'GRANT $role TO $DATABASE_OWNER WITH ADMIN OPTION'" \
            "WHERE current_setting('server_version_num')::integer >= 160000 \\gexec"
    done | sql "$1" "$2" "$secrets" --dbname=postgres
}

# create_database SOCKETS PORT SECRETS
create_database() {
    sql "$@" --dbname=postgres <<SQL
SELECT 'CREATE DATABASE $DATABASE OWNER $DATABASE_OWNER' WHERE NOT EXISTS
    (SELECT FROM pg_database WHERE datname = '$DATABASE') \\gexec
SQL
}
