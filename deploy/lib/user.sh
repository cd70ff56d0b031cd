# shellcheck shell=bash
# The user of the servers and services: the caller, or, when root starts them, an unprivileged system user, because
# PostgreSQL refuses root and nothing here needs it.

SERVICE_USER=aquamonitor

running_as_root() { [[ $(id -u) == 0 ]]; }

# The prefix that makes a command run as that user.
BECOME=()
if running_as_root; then BECOME=(setpriv "--reuid=$SERVICE_USER" "--regid=$SERVICE_USER" --init-groups); fi

as_service_user() { "${BECOME[@]}" "$@"; }

create_service_user() {
    if ! running_as_root || id -u "$SERVICE_USER" &>/dev/null; then return 0; fi
    useradd --system --user-group --no-create-home --home-dir /var/lib/aquamonitor --shell /usr/sbin/nologin \
        "$SERVICE_USER" || fail "The system user $SERVICE_USER could not be created."
}

give_to_service_user() {
    if running_as_root; then chown -R "$SERVICE_USER:$SERVICE_USER" -- "$@"; fi
}

# Makes a directory that only this user can enter.
private_directory() {
    mkdir -p -- "$1"
    chmod 0700 -- "$1"
    if running_as_root; then chown "$SERVICE_USER:$SERVICE_USER" -- "$1"; fi
    as_service_user test -x "$1" || fail "The user $SERVICE_USER cannot enter $1." \
        "Choose a directory below one that everyone may enter, such as /var/lib."
}
