# shellcheck shell=bash
# A private PostgreSQL cluster: a Unix socket and the loopback interface, passwords for everyone, nothing else in reach.

POSTGRES_SUPERUSER=postgres
DATABASE=aqua
DATABASE_OWNER=aqua_owner
SERVICE_ROLES=(aqua_ingestor aqua_rules aqua_notifier aqua_gateway aqua_enroller)
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
    rm -rf -- "$data.part" # left by an interrupted start
    private_directory "$data.part"
    as_service_user "$(postgres_bin)/initdb" --pgdata="$data.part" --username="$POSTGRES_SUPERUSER" \
        --pwfile="$secrets/database-$POSTGRES_SUPERUSER" --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 \
        --data-checksums --no-instructions >/dev/null || fail "PostgreSQL could not make its cluster in $data."
    mv -- "$data.part" "$data"
}

# A quarter of the memory, as PostgreSQL's manual advises, up to 1 GiB. Readings are stored in the order of arrival, so
# each reading of a device is on a page of its own: a chart is fast when its pages are in memory.
shared_buffers() {
    awk '$1 == "MemTotal:" { mb = int($2 / 4096); print (mb < 128 ? 128 : mb > 1024 ? 1024 : mb) "MB" }' /proc/meminfo
}

# After each checkpoint every page is written whole once more into the log. Checkpoints are therefore as rare as the
# disk space for the log allows, and those pages are compressed. docker-compose.yml has the same settings.
CHECKPOINTS=(max_wal_size=4GB checkpoint_timeout=15min wal_compression=lz4)

# start_database DIRECTORY SOCKETS PORT LOG [SETTING...]
start_database() {
    local data=$1 sockets=$2 port=$3 log=$4 setting arguments=()
    shift 4
    for setting in "listen_addresses=127.0.0.1" "port=$port" "unix_socket_directories=$sockets" \
        "unix_socket_permissions=0700" "timezone=UTC" "log_timezone=UTC" "shared_buffers=$(shared_buffers)" \
        "${CHECKPOINTS[@]}" "$@"; do
        arguments+=(-c "$setting")
    done
    # SIGINT is PostgreSQL's "fast" stop: connections are closed, and committed data are on disk.
    start_supervised database INT 60 "$log" "$(postgres_bin)/postgres" -D "$data" "${arguments[@]}"
    await 60 database_ready "$sockets" "$port" || {
        tail -n 20 "$log" >&2
        fail "PostgreSQL did not start." "Its log: $log"
    }
}

database_ready() { "$(postgres_bin)/pg_isready" --quiet --host="$1" --port="$2"; }

# sql SOCKETS PORT SECRETS [psql's options]: runs the standard input as the superuser.
sql() {
    local sockets=$1 port=$2 secrets=$3
    shift 3
    PGPASSWORD=$(<"$secrets/database-$POSTGRES_SUPERUSER") "$(postgres_bin)/psql" --no-psqlrc --quiet --tuples-only \
        --no-align --set=ON_ERROR_STOP=1 --host="$sockets" --port="$port" --username="$POSTGRES_SUPERUSER" "$@"
}

# The settings of each service's role. A process that is stopped in the middle of a transaction loses its locks after a
# while, so that others go on. So does a process whose machine or network is gone, within half a minute instead of two
# hours. Statements find their rows by key and in its order, even with plans that were made while a table was empty. JIT
# is off, since the estimated costs of such plans are high and would start it. Each statement is planned once for all
# parameters, which do not affect such plans: planning takes ten times as long as running.
ROLE_SETTINGS=("idle_in_transaction_session_timeout = '10s'" "enable_seqscan = off" "enable_bitmapscan = off" "jit = off"
    "plan_cache_mode = force_generic_plan"
    "tcp_keepalives_idle = 15" "tcp_keepalives_interval = 5" "tcp_keepalives_count = 3")
# Beside them the Gateway's: what a person asks for has a bound, whatever they ask for.
GATEWAY_SETTINGS=("statement_timeout = '30s'")

# create_roles SOCKETS PORT SECRETS: the owner, who migrates, and a role per service, with the passwords in the files.
# Runs as the superuser on every start: no role in use later may make or change a role. In PostgreSQL 15 a role that may
# make roles may become a member of the roles that read files and run programs on the server.
#
# Each service's role has an equal share of the connections beside the operator's and the enroller's, who needs a few, so that none takes them all.
create_roles() {
    local role setting roles secrets=$3
    roles=$(printf "'%s', " "${SERVICE_ROLES[@]}")"'$DATABASE_OWNER'"
    {
        for role in "$DATABASE_OWNER" "${SERVICE_ROLES[@]}"; do
            echo "SELECT 'CREATE ROLE $role' WHERE to_regrole('$role') IS NULL \\gexec"
            echo "ALTER ROLE $role LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS"
            echo "    PASSWORD '$(<"$secrets/database-$role")';"
        done
        for role in "${SERVICE_ROLES[@]}"; do
            for setting in "${ROLE_SETTINGS[@]}"; do echo "ALTER ROLE $role SET $setting;"; done
            if [[ $role == aqua_gateway ]]; then
                for setting in "${GATEWAY_SETTINGS[@]}"; do echo "ALTER ROLE $role SET $setting;"; done
            fi
            echo "SELECT format('ALTER ROLE $role CONNECTION LIMIT %s',"
            if [[ $role == aqua_enroller ]]; then
                echo "    10) \\gexec"
            else
                echo "    greatest((current_setting('max_connections')::integer - 30) / $((${#SERVICE_ROLES[@]} - 1)), 10)) \\gexec"
            fi
        done
        # Memberships that an owner of an earlier version, who could make roles, granted to itself or to another role.
        echo "SELECT format('REVOKE %I FROM %I', g.rolname, m.rolname)"
        echo "FROM pg_auth_members a JOIN pg_roles g ON g.oid = a.roleid JOIN pg_roles m ON m.oid = a.member"
        echo "WHERE m.rolname IN ($roles) AND (g.rolname IN ($roles) OR g.rolname IN"
        echo "    ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')) \\gexec"
        # So that engines, by a function of the owner's, end transactions of Gateways that hold others up.
        echo "GRANT aqua_gateway TO $DATABASE_OWNER;"
    } | sql "$1" "$2" "$secrets" --dbname=postgres
    restrict_functions "$@" template1
}

# restrict_functions SOCKETS PORT SECRETS DATABASE: nobody here needs large objects, and everybody could fill the disk with
# them. Advisory locks are for those who have a use for them: whoever may take them may take a seat of an Ingestor, a lease of
# a Notifier or the turn of an engine, and keep it. Only a superuser can revoke these rights, in each database; later databases
# inherit this from template1.
restrict_functions() {
    sql "$1" "$2" "$3" --dbname="$4" <<SQL
BEGIN;
SELECT format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', p.oid::regprocedure)
FROM pg_proc p
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ '^(lo_.*|loread|lowrite|pg_(try_)?advisory_.*)\$'
    AND EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) WHERE grantee = 0)
ORDER BY 1 \gexec
SELECT format('GRANT EXECUTE ON FUNCTION %s TO $DATABASE_OWNER, aqua_ingestor, aqua_rules, aqua_notifier', p.oid::regprocedure)
FROM pg_proc p
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ '^pg_(try_)?advisory_.*\$'
ORDER BY 1 \gexec
COMMIT;
SQL
}

# create_database SOCKETS PORT SECRETS: for the owner and the services, and nobody else.
create_database() {
    sql "$@" --dbname=postgres <<SQL
SELECT 'CREATE DATABASE $DATABASE OWNER $DATABASE_OWNER' WHERE NOT EXISTS
    (SELECT FROM pg_database WHERE datname = '$DATABASE') \\gexec
REVOKE ALL ON DATABASE $DATABASE FROM PUBLIC;
GRANT CONNECT ON DATABASE $DATABASE TO $(printf '%s, ' "${SERVICE_ROLES[@]}")$DATABASE_OWNER;
SQL
    restrict_functions "$@" "$DATABASE"
}
