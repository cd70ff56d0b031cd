# shellcheck shell=bash
# The tests' packages from PyPI. Needs common.sh and user.sh.

# Sets AQUA_TEST_PYTHON to a Python with the independent verifiers with which tests compare results.
prepare_test_python() {
    local venv=$ROOT/.build/test-venv wanted=$ROOT/Tests/Tools/requirements.txt
    if ! cmp -s "$wanted" "$venv/requirements.txt"; then
        step "Installing the tests' Python packages"
        rm -rf "$venv"
        python3 -m venv "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted"
        cp "$wanted" "$venv/requirements.txt"
    fi
    export AQUA_TEST_PYTHON=$venv/bin/python
}

# Installs the Patroni of deploy/ha, for tests in which machines die; those need root.
prepare_patroni() {
    ! running_as_root || "$ROOT/deploy/ha/install-patroni"
}
