# shellcheck shell=bash
# The tests' packages from PyPI. Needs common.sh and user.sh.

# Sets AQUA_TEST_PYTHON to a Python with the independent verifiers with which tests compare results.
prepare_test_python() {
    install_python "$ROOT/.build/test-venv" "$ROOT/Tests/Tools/requirements.txt"
    export AQUA_TEST_PYTHON=$ROOT/.build/test-venv/bin/python
}

# Sets AQUA_OGC_PYTHON to a Python with the tests of OGC API Features (490 MB), whose packages do not go together with the others.
prepare_ogc_python() {
    install_python "$ROOT/.build/ogc-venv" "$ROOT/Tests/Standards/ogctests.txt"
    export AQUA_OGC_PYTHON=$ROOT/.build/ogc-venv/bin/python
}

# install_python ENVIRONMENT REQUIREMENTS
install_python() {
    local venv=$1 wanted=$2
    ! cmp -s "$wanted" "$venv/requirements.txt" || return 0
    step "Installing the Python packages of ${wanted#"$ROOT/"}"
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted"
    cp "$wanted" "$venv/requirements.txt"
}

# Installs the Patroni of deploy/ha, for tests in which machines die; those need root.
prepare_patroni() {
    ! running_as_root || "$ROOT/deploy/ha/install-patroni"
}
