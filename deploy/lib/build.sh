# shellcheck shell=bash
# The release build, copied to where the services' user can run it, and skipped when none of its inputs changed.

EXECUTABLES=(aqua aqua-gateway aqua-ingestor aqua-rules aqua-notifier)
SOURCES=(Package.swift Shared Services)

# The web app, which is served as it is in the sources.
WEB_APP=Services/Gateway/Web

# The inputs of the build: the sources' contents, the versions of the dependencies, and the compiler.
fingerprint() {
    cd "$ROOT"
    {
        find "${SOURCES[@]}" -path "$WEB_APP" -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
        stat -L -c '%n %Y' "$(program swift)"
    } | sha256sum
    sha256sum Package.resolved 2>/dev/null || true # the first build writes it, so it is compared afterwards
}

built() {
    local executable
    for executable in "${EXECUTABLES[@]}"; do [[ -x $1/$executable ]] || return 1; done
    [[ $(cat "$1/fingerprint" 2>/dev/null) == "$(fingerprint)" ]]
}

# How tests, and the programs beside them, are built.
TEST_BUILD=(--explicit-target-dependency-import-check error)

# build_product NAME OPTION...: in the background, so that a signal to this script is handled at once and ends the build.
build_product() {
    local name=$1 lines shown code=0
    shift
    exec {lines}> >(exec awk -v name="$name" -f "$ROOT/deploy/lib/progress.awk")
    shown=$!
    setpriv --pdeathsig TERM -- swift build "$@" --product "$name" >&"$lines" 2>&1 &
    wait $! || code=$?
    exec {lines}>&-
    wait "$shown" || true
    ((code == 0)) || fail "The build failed; what the compiler said stands above."
}

# build_release DIRECTORY
build_release() {
    local directory=$1 sources products executable
    ! built "$directory" || return 0
    require_swift
    step "Building in release: several minutes the first time"
    sources=$(fingerprint | sed -n 1p)
    # The runtime goes into the binaries: the services' user may be unable to enter the toolchain's directory.
    local options=(--package-path "$ROOT" --configuration release --static-swift-stdlib)
    for executable in "${EXECUTABLES[@]}"; do # without the targets that only tests need
        build_product "$executable" "${options[@]}"
    done
    products=$(swift build "${options[@]}" --show-bin-path)
    rm -rf "$directory.part"
    mkdir -p "$directory.part"
    cp -a "${EXECUTABLES[@]/#/$products/}" "$directory.part/"
    find "$products" -maxdepth 1 -name '*.resources' -exec cp -a {} "$directory.part/" \;
    { echo "$sources" && fingerprint | sed 1d; } >"$directory.part/fingerprint"
    chmod -R go= "$directory.part"
    give_to_service_user "$directory.part"
    rm -rf "$directory"
    mv "$directory.part" "$directory"
}

# build_debug DIRECTORY: a link to the programs as tests have them, which only their owner needs to be able to run.
build_debug() {
    local executable
    require_swift
    step "Building"
    for executable in "${EXECUTABLES[@]}"; do
        build_product "$executable" --package-path "$ROOT" "${TEST_BUILD[@]}"
    done
    ln -s "$(swift build --package-path "$ROOT" --show-bin-path)" "$1"
}

# install_web_app DIRECTORY: a copy where the services' user can read it.
install_web_app() {
    local directory=$1
    rm -rf "$directory.part" "$directory"
    cp -r "$ROOT/$WEB_APP" "$directory.part"
    chmod -R u=rwX,go= "$directory.part"
    give_to_service_user "$directory.part"
    mv "$directory.part" "$directory"
}
