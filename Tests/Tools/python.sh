# shellcheck shell=bash
# What tests take from PyPI. Needs common.sh and user.sh.

# Sets AQUA_TEST_PYTHON to a Python that has the independent verifiers that tests compare results with.
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

# The Patroni of deploy/ha, for tests in which machines die; those need root.
prepare_patroni() {
    ! running_as_root || "$ROOT/deploy/ha/install-patroni"
}
