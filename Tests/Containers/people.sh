# shellcheck shell=bash
# The checks of deploy/test-compose that act as people's applications. Needs checks.sh.

KEEPER=keeper@aquamonitor.example

# Uses any free loopback port for the Gateway, so that several copies have one each.
choose_published_ports() {
    local chosen=''
    AQUA_MQTT_PORT=$(free_port "$chosen") chosen+=" =$AQUA_MQTT_PORT "
    AQUA_PUBLIC_HTTP_PORT=$(free_port "$chosen") chosen+=" =$AQUA_PUBLIC_HTTP_PORT "
    AQUA_PUBLIC_HTTPS_PORT=$(free_port "$chosen")
    # The proxy issues a certificate for this name itself.
    AQUA_HTTP_PORT='' AQUA_PUBLIC_NAME=localhost AQUA_PUBLIC_URL=https://localhost:$AQUA_PUBLIC_HTTPS_PORT
    export AQUA_MQTT_PORT AQUA_HTTP_PORT AQUA_PUBLIC_HTTP_PORT AQUA_PUBLIC_HTTPS_PORT AQUA_PUBLIC_NAME AQUA_PUBLIC_URL
}

# The certificate of the proxy's own authority, which is made anew if the proxy has lost its volume.
proxy_authority() { engine exec "$(containers_of proxy)" cat /data/caddy/pki/authorities/local/root.crt >"$work/proxy.pem" 2>/dev/null </dev/null; }

# The same as its volume has it, whether or not the proxy runs.
kept_authority() {
    compose run --rm -T --no-deps --entrypoint /bin/cat setup /volumes/proxy/caddy/pki/authorities/local/root.crt </dev/null
}

proxy_answers() {
    proxy_authority && curl --silent --fail --max-time 5 --cacert "$work/proxy.pem" --output /dev/null "$AQUA_PUBLIC_URL/api/v1/service"
}

# person VERB ARGUMENTS...: acts as the keeper's application
person() { python3 "$ROOT/Tests/Containers/people.py" "$AQUA_PUBLIC_URL" "$work/proxy.pem" "$@" <"$work/password-of-keeper"; }

# Of a name that is not public; before the proxy runs, whose address it takes.
own_authority_is_asked() {
    local asked='"module":"internal"'
    [[ $(proxy_configuration internal) == *$asked* && $(proxy_configuration '') != *$asked* ]]
}

# proxy_configuration CERTIFICATE: as Caddy understands it
proxy_configuration() {
    AQUA_PUBLIC_CERTIFICATE=$1 AQUA_PUBLIC_NAME=water.home.arpa compose --profile public run --rm -T --no-deps proxy \
        caddy adapt --config /etc/caddy/Caddyfile --adapter caddyfile </dev/null
}

redirects_to_https() {
    curl --silent --max-time 5 --output /dev/null --write-out '%{http_code} %{redirect_url}\n' "http://localhost:$AQUA_PUBLIC_HTTP_PORT/api/" |
        grep --quiet --extended-regexp '^30[18] https://localhost'
}

# Whether the proxy's network has IPv6: without it all IPv6 callers arrive from the bridge's address.
proxy_has_ipv6() { engine exec "$(containers_of proxy)" cat /proc/net/if_inet6 </dev/null | grep --quiet '^fd000000021300880000000000000002 '; }

shows() { [[ $(person latest "$KEEPER" "$1" "$2" 2>/dev/null) == "$3" ]]; }

# Signs a person up with an invitation, and links a device.
sign_up() {
    local invitation added
    openssl rand -hex 16 >"$work/password-of-keeper"
    invitation=$(tool account invite --json </dev/null | json_field invitation) || fail "Nobody could be invited."
    [[ -n $invitation ]] || fail "There is no invitation."
    holds "a person signs up by an invitation" person sign-up "$KEEPER" "$invitation"
    fails "an invitation that was used" invitation person sign-up other@aquamonitor.example "$invitation"
    fails "a wrong password" '^.*401' person_with wrong-password-of-the-keeper latest "$KEEPER" pond temperature
    added=$(tool device add pond --json </dev/null) || fail "The device could not be added."
    json_field mqttPassword <<<"$added" >"$work/password-pond"
    holds "they link a device" person link "$KEEPER" "$(json_field claimCode <<<"$added")" Pond
    # Needed later: the doctor reports owners who get no alerts.
    holds "they get an endpoint" tool endpoint add "$KEEPER" --webhook http://10.213.87.2:8099/keeper
    publish pond "$(password_of pond)" '{"temperature":21.5}'
    expect 30 "the reading on the person's screen" shows pond temperature 21.5
    say "    and see its reading"
}

person_with() {
    python3 "$ROOT/Tests/Containers/people.py" "$AQUA_PUBLIC_URL" "$work/proxy.pem" "${@:2}" <<<"$1"
}

# Restarts two copies behind the proxy in turn while an application keeps asking.
restart_gateways_under_load() {
    local container asking before requests failed
    compose_quietly up --detach --no-recreate --scale gateway=2 gateway
    await_copies 2 gateway
    # Calls the program itself, not the function, because the signal has to reach it.
    python3 "$ROOT/Tests/Containers/people.py" "$AQUA_PUBLIC_URL" "$work/proxy.pem" load "$KEEPER" <"$work/password-of-keeper" \
        >"$work/load" 2>"$work/load-faults" &
    asking=$!
    expect 60 'the load' asked 1
    for container in $(containers_of gateway); do
        before=$(grep -c asked "$work/load")
        restart_container "$container"
        await_copies 2 gateway
        expect 60 'answers after the restart' asked $((before + 2))
    done
    kill -TERM "$asking"
    wait "$asking" || fail "The load ended with an error."
    requests=$(tail -n 1 "$work/load" | json_number requests) failed=$(tail -n 1 "$work/load" | json_number failed)
    say "    $requests requests while both copies were restarted, $failed failed"
    cat "$work/load-faults" >&2
    ((failed == 0)) || fail "Requests failed."
}

# asked TENS: whether ten times TENS requests were made
asked() { [[ $(grep -cs asked "$work/load") -ge $1 ]]; }

serve_people() {
    step "People, by HTTPS through the proxy"
    holds "a name that is not public gets a certificate of the proxy's own authority, if told to" own_authority_is_asked
    compose_quietly --profile public up --detach proxy
    expect 60 "the proxy's answer" proxy_answers
    holds "HTTP leads to HTTPS" redirects_to_https
    holds "the doctor sees the proxy's certificate" doctor_sees "the proxy's certificate is valid for "
    holds "who calls by IPv6 is told apart" proxy_has_ipv6
    holds "no container has more capabilities than its work needs" only_these_have_capabilities setup certificates database proxy
    fails "the proxy reaches the database" "$NO_WAY" reach people database 5432
    sign_up
    restart_gateways_under_load
    holds "no secret is in a container's environment or in a log" no_secret_shows
}
