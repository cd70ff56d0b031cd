# shellcheck shell=bash
# Ports on the loopback interface: the caller's, else those of the last start, else free ones. Chosen ports are below
# the kernel's range for outgoing connections, so that no such connection takes them before the next start.

listening() {
    local hexadecimal
    printf -v hexadecimal %04X "$1"
    grep -qsE "^ *[0-9]+: [0-9A-F]+:$hexadecimal [0-9A-F:]+ 0A " /proc/net/tcp /proc/net/tcp6
}

listening_on_all() {
    local port
    for port; do listening "$port" || return 1; done
}

# free_port CHOSEN: a free port that does not occur as =PORT in the text.
free_port() {
    local port
    while :; do
        port=$((20000 + SRANDOM % 12000))
        [[ " $1 " == *"=$port "* ]] || listening "$port" || break
    done
    echo "$port"
}

# choose_ports FILE NAME...: sets AQUA_PORT_<NAME> for each name, and saves them in the file.
choose_ports() {
    local file=$1 name variable value chosen='' remembered=''
    shift
    [[ ! -e $file ]] || remembered=$(<"$file")
    for name; do
        variable=AQUA_PORT_$name
        value=${!variable:-$(sed -n "s/^$variable=//p" <<<"$remembered")}
        : "${value:=$(free_port "$chosen")}"
        [[ $value =~ ^[1-9][0-9]{0,4}$ && $value -lt 65536 ]] ||
            fail "$variable is \"$value\", which is no port number (1 to 65535)."
        [[ " $chosen " != *"=$value "* ]] || fail "$variable is $value, but another port of this instance is, too." "Set $variable to another port."
        ! listening "$value" || fail "Port $value is in use by another program." "Stop that program, or choose another port for this one: $variable=12345"
        chosen+=" $variable=$value "
        declare -g "$variable=$value"
        export "${variable?}"
    done
    # shellcheck disable=SC2086 # one line each
    printf '%s\n' $chosen >"$file"
}
