# shellcheck shell=bash
# What deploy/backup and deploy/restore share: a backup's files, and what one says of a database. Needs common.sh and the array
# `compose`, the command of the installation that is meant.

BACKUP_FILES=(database.dump keys.tar manifest)

# must_be_there DIRECTORY: ends the script unless there is a directory for backups. One on a share that is not mounted is not made:
# backups would fill this machine's disk.
must_be_there() { [[ -d $1 ]] || fail "There is no directory $1." "Is its file system mounted? If it is: mkdir $1"; }

# must_be_sound DIRECTORY: ends the script unless there is a whole backup.
must_be_sound() {
    local file
    for file in "${BACKUP_FILES[@]}"; do
        [[ -s $1/$file ]] || fail "There is no backup in $1: $file is missing."
    done
    (cd "$1" && sha256sum --check --quiet SHA256SUMS) || fail "The backup in $1 is damaged."
}

# fact NAME MANIFEST
fact() { sed -n "s/^$1 //p" "$2"; }

# what_it_holds FILE: the lines of a manifest that are about the data alone.
what_it_holds() { grep -vE '^(made|postgresql) ' "$1"; }

database_sql() {
    "${compose[@]}" exec -T database psql --username=postgres --dbname=aqua --no-psqlrc --quiet --tuples-only --no-align \
        --set=ON_ERROR_STOP=1
}

# restore_dump FILE: into the empty database of the installation.
restore_dump() {
    "${compose[@]}" exec -T database pg_restore --username=postgres --dbname=aqua --single-transaction --exit-on-error <"$1"
}

# await_database: until the server listens for good; the image's first start has one that listens nowhere else.
await_database() { await 120 database_answers || fail "PostgreSQL did not start." "See: ${compose[*]} logs database"; }

database_answers() {
    "${compose[@]}" exec -T database pg_isready --quiet --host=127.0.0.1 --username=postgres </dev/null >/dev/null 2>&1
}

# compare MANIFEST FOUND: ends the script when the restored database holds anything else than the backup says.
compare() {
    diff <(what_it_holds "$1") <(what_it_holds "$2") >&2 ||
        fail "The restored database does not hold what the backup says: < is the backup's word, > what was found."
}

# summarise MANIFEST
summarise() {
    local name
    say "    made $(fact made "$1") from PostgreSQL $(fact postgresql "$1"), schema $(fact schema "$1")"
    for name in account device sample alert; do
        printf '    %-8s %12s' "$name" "$(fact "rows $name" "$1")"
        [[ $name == device ]] && echo || printf ', the newest %s\n' "$(fact "newest $name" "$1")"
    done
}
