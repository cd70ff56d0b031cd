# shellcheck shell=bash
# The required packages, and their installation.

POSTGRES_OLDEST=15

# The directory of the newest PostgreSQL server programs on this machine; fails if none is new enough.
postgres_bin() {
    local postgres version newest=0 found=
    for postgres in /usr/lib/postgresql/*/bin/postgres "$(command -v postgres || true)"; do
        [[ -x $postgres && -x ${postgres%/*}/initdb ]] || continue
        version=$("$postgres" --version | grep -oE '[0-9]+' | head -n 1)
        if ((version >= POSTGRES_OLDEST && version > newest)); then
            newest=$version found=${postgres%/*}
        fi
    done
    [[ -n $found ]] && echo "$found"
}

# Debian keeps servers outside an ordinary user's PATH.
program() { PATH=$PATH:/usr/sbin:/sbin command -v "$1"; }

installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

missing_packages() {
    local package
    postgres_bin >/dev/null || echo postgresql
    program mosquitto >/dev/null || echo mosquitto
    program mosquitto_sub >/dev/null || echo mosquitto-clients
    program python3 >/dev/null || echo python3
    program openssl >/dev/null || echo openssl
    program pkg-config >/dev/null || echo pkg-config
    for package in libbrotli-dev libcurl4-openssl-dev libpq-dev libmosquitto-dev libssl-dev zlib1g-dev; do installed "$package" || echo "$package"; done
    [[ ${1:-} != --for-screenshots ]] || missing_for_screenshots
    [[ ${1:-} != --for-chaos && ${1:-} != --for-tests ]] || missing_for_machines
    [[ ${1:-} != --for-standards ]] || missing_for_standards
    [[ ${1:-} == --for-tests ]] || return 0
    program shellcheck >/dev/null || echo shellcheck
    program curl >/dev/null || echo curl
    program g++ >/dev/null || echo g++
    program spin >/dev/null || echo spin
    program pgbouncer >/dev/null || echo pgbouncer
    program promtool >/dev/null || echo prometheus
    program amtool >/dev/null || echo prometheus-alertmanager
    program chromium >/dev/null || echo chromium
    program firefox-esr >/dev/null || echo firefox-esr
    program ogr2ogr >/dev/null || echo gdal-bin
    python3 -c 'import ensurepip, venv' &>/dev/null || echo python3-venv
}

# What fails PostgreSQL over from one machine to another, but for Patroni (deploy/ha/install-patroni), and the machines' network.
missing_for_machines() {
    /usr/bin/python3 -c 'import ensurepip, venv' &>/dev/null || echo python3-venv
    program etcd >/dev/null || echo etcd-server
    program ip >/dev/null || echo iproute2
}

# What reads features as other people's programs do.
missing_for_standards() {
    program ogr2ogr >/dev/null || echo gdal-bin
    installed python3-qgis || echo python3-qgis
    python3 -c 'import ensurepip, venv' &>/dev/null || echo python3-venv
}

# A browser, its driver's surroundings, and glyphs of all languages.
missing_for_screenshots() {
    program chromium >/dev/null || echo chromium
    python3 -c 'import ensurepip, venv' &>/dev/null || echo python3-venv
    installed fonts-noto-cjk || echo fonts-noto-cjk
}

# install_packages [--for-tests | --for-chaos | --for-screenshots | --for-standards]: as root, or through sudo; otherwise prints the command
# for an administrator.
install_packages() {
    local missing elevate=()
    program apt-get >/dev/null || fail "This needs Debian 12 or later, or Ubuntu: there is no apt-get here."
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    if ! running_as_root; then
        program sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; } && elevate=(sudo)
        ((${#elevate[@]})) || fail "These packages are missing, and installing them takes root or sudo:" \
            "apt-get install --no-install-recommends ${missing[*]}"
    fi
    step "Installing ${missing[*]}"
    "${elevate[@]}" "$BASH" "$ROOT/deploy/lib/apt-install" "${missing[@]}"
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} == 0)) || fail "Still missing after the installation: ${missing[*]}"
}

require_swift() {
    program swift >/dev/null || fail "There is no Swift toolchain in PATH." "Install Swift 6.2 or later: https://www.swift.org/install/linux/"
}
