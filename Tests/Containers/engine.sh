# shellcheck shell=bash
# A container engine for tests: Docker if it runs, otherwise podman, installed if necessary. Without a registry, images of the
# same names and interfaces, built from Debian's packages (Tests/Containers), replace the official ones.
#
# Sets the arrays ENGINE and COMPOSE, and PLAIN_COMPOSE: the part of COMPOSE that suffices where nothing is built. Needs
# common.sh, packages.sh, user.sh and a directory $work.

PODMAN_PACKAGES=(podman buildah runc netavark aardvark-dns iptables debootstrap)

ENGINE=() COMPOSE=() PLAIN_COMPOSE="" HEALTH_WATCHER='' STANDS_IN=''

start_container_engine() {
    PLAIN_COMPOSE="docker compose"
    if docker compose version &>/dev/null && docker info &>/dev/null; then
        ENGINE=(docker) COMPOSE=(docker compose)
        return 0
    fi
    running_as_root || skip "there is no Docker here, and podman needs root for this test"
    install_podman
    configure_podman
    containers_run || skip "podman cannot run a container on this machine: $(cat "$work/podman.log")"
    if registry_in_reach; then return 0; fi
    STANDS_IN=yes
    step "No registry is in reach: building stand-ins for the official images"
    "$ROOT/Tests/Containers/build"
    # The stand-in for the Swift image has no toolchain; it gets this machine's, and git's configuration of addresses.
    local toolchain mounts mirror
    toolchain=$(dirname "$(dirname "$(dirname "$(readlink -f "$(program swift)")")")")
    mounts="--volume $toolchain:$toolchain:ro"
    mirror=$(git config --system --get-regexp '^url\..*\.insteadof$' | sed -nE '1s/^url\.(.*)\.insteadof .*/\1/p' || true)
    if [[ $mirror == /* ]]; then
        mounts+=" --volume ${mirror%/}:${mirror%/}:ro --volume /etc/gitconfig:/etc/gitconfig:ro"
    fi
    # Adds pip's configuration of PyPI, and the authorities that this machine trusts; images have a list of their own.
    if [[ -e /etc/pip.conf ]]; then
        sed 's#/etc/ssl/certs/#/run/authorities/#' /etc/pip.conf >"$work/pip.conf"
        mounts+=" --volume $work/pip.conf:/etc/pip.conf:ro --volume /etc/ssl/certs:/run/authorities:ro"
    fi
    COMPOSE+=("--podman-build-args=$mounts")
}

install_podman() {
    local package missing=()
    for package in "${PODMAN_PACKAGES[@]}"; do installed "$package" || missing+=("$package"); done
    if ((${#missing[@]})); then
        step "Installing ${missing[*]}"
        "$BASH" "$ROOT/deploy/lib/apt-install" "${missing[@]}"
    fi
    ENGINE=(podman)
    # Builds one image after the other, because they share the compiling stage.
    PLAIN_COMPOSE="${AQUA_TEST_PYTHON%/*}/podman-compose --podman-path $ROOT/Tests/Containers/podman --parallel 1"
    read -r -a COMPOSE <<<"$PLAIN_COMPOSE"
}

# Uses a configuration of its own, so that the machine's settings stay unchanged.
configure_podman() {
    export CONTAINERS_CONF=$ROOT/Tests/Containers/containers.conf BUILDAH_ISOLATION=chroot
    watch_health &
    HEALTH_WATCHER=$!
}

# Runs the containers' health checks if no systemd timer does: all at once, because whole systems wait for the slowest.
watch_health() {
    local id
    while sleep 1; do
        for id in $(podman ps --quiet 2>/dev/null); do
            look_at_health "$id" &
        done
        wait
    done
}

# Repairs the log of a check that was killed while it wrote its result, which no later check could read.
look_at_health() {
    local told log
    told=$(timeout 20 podman healthcheck run "$1" 2>&1) && return
    log=$(sed -nE 's/^Error: unable to update health check log ([^ ]+) .*/\1/p' <<<"$told")
    [[ -z $log ]] || rm -f "$log"
}

stop_container_engine() { [[ -z $HEALTH_WATCHER ]] || kill "$HEALTH_WATCHER" 2>/dev/null || true; }

# A file system that holds only a program without libraries.
containers_run() {
    local root=$work/probe
    mkdir -p "$root/bin"
    printf 'int main(void) { return 0; }' | gcc -static -x c -o "$root/bin/true" - 2>"$work/podman.log" || return 1
    tar -C "$root" -c . | podman import --quiet - localhost/aquamonitor-probe >/dev/null 2>"$work/podman.log" &&
        podman run --rm --network none localhost/aquamonitor-probe /bin/true >"$work/podman.log" 2>&1
}

skip() {
    say "SKIPPED: the containers' test: $1."
    exit 77
}

registry_in_reach() { timeout 60 podman pull --quiet docker.io/library/debian:bookworm-slim &>/dev/null; }
