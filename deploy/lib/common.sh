# shellcheck shell=bash
# The common start of all scripts: strict mode, the checkout's path, and output.

set -euo pipefail
export LC_ALL=C.UTF-8

ROOT=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd -P)
export ROOT

say() { printf '%s\n' "$*"; }
step() { printf '==> %s\n' "$*"; }

# Ends the script: the first argument says what is wrong, the rest what to do about it. FAILURE names a file that keeps the
# first, for scripts that print much afterwards.
fail() {
    printf '\nerror: %s\n' "$1" >&2
    [[ -z ${FAILURE:-} || -s $FAILURE ]] || printf '%s\n' "$1" >"$FAILURE" || true
    shift
    (($#)) && printf '       %s\n' "$@" >&2
    exit 1
}

# await SECONDS COMMAND...: until the command succeeds.
await() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.05
    done
}

# Whether a process runs; a zombie, which has ended and was not waited for yet, does not.
alive() { [[ $(tr -d '\0' 2>/dev/null <"/proc/$1/cmdline") ]]; } 2>/dev/null
gone() { ! alive "$1"; }

# Where an instance keeps everything: below the checkout, or, as root, where services keep their data.
state_directory() {
    if [[ -n ${AQUA_STATE:-} ]]; then
        echo "$AQUA_STATE"
    elif [[ $(id -u) == 0 ]]; then
        echo /var/lib/aquamonitor
    else
        echo "$ROOT/.aqua"
    fi
}
