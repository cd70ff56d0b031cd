# shellcheck shell=bash
# The environment of each program. Passwords are in files; the URLs contain none.

SERVICE_PORTS=(INGESTOR RULES NOTIFIER GATEWAY PEOPLE WEBHOOK)
SERVICE_SECRETS=(device-key secret-key token-key vapid-key)
# The variables that the operator may set for deploy/run.
HANDED_ON=(AQUA_RECOVERY_DELAY AQUA_SILENCE_AFTER AQUA_HOLD AQUA_ALERTS_AN_HOUR AQUA_LOG_LEVEL AQUA_PUSH_CA_FILE AQUA_MQTT_DOMAIN
    AQUA_SAMPLE_RETENTION AQUA_HOURLY_RETENTION AQUA_ALERT_RETENTION AQUA_AUDIT_RETENTION AQUA_DISK_SIZE AQUA_VAPID_SUBJECT AQUA_WEB_PUSH_HOSTS
    AQUA_DEVICE_HTTP_LISTEN AQUA_DEVICE_HTTP_CERTIFICATE_FILE AQUA_DEVICE_HTTP_KEY_FILE AQUA_DEVICE_HTTP_URL AQUA_DEVICE_MQTT_URL
    AQUA_ENROLMENT_A_DAY
    AQUA_HOME_ASSISTANT_URL AQUA_HOME_ASSISTANT_USER AQUA_HOME_ASSISTANT_PASSWORD_FILE AQUA_HOME_ASSISTANT_CA_FILE
    AQUA_TRUSTED_PROXIES AQUA_PASSWORDS
    AQUA_OIDC_ISSUER AQUA_OIDC_CLIENT_ID AQUA_OIDC_SECRET_FILE AQUA_OIDC_NAME AQUA_OIDC_SCOPES AQUA_OIDC_GROUP AQUA_OIDC_GROUPS_CLAIM
    AQUA_OIDC_ADMIN_GROUP AQUA_OIDC_SIGN_UP AQUA_OIDC_CA_FILE
    AQUA_SMTP_URL AQUA_SMTP_USER AQUA_SMTP_PASSWORD_FILE AQUA_SMTP_TOKEN_FILE AQUA_SMTP_CA_FILE AQUA_MAIL_FROM
    AQUA_APNS_KEY_FILE AQUA_APNS_KEY_ID AQUA_APNS_TEAM_ID AQUA_APNS_TOPIC AQUA_APNS_SERVER AQUA_APNS_CRITICAL AQUA_FCM_KEY_FILE
    AQUA_HEARTBEAT_URL_FILE AQUA_STATIONS AQUA_USGS_KEY_FILE AQUA_BRAND_NAME AQUA_BRAND_COLOUR AQUA_BRAND_LOGO_FILE)

# The settings of the running instance, for deploy/aqua: the tool needs the services' values.
SETTINGS=("${HANDED_ON[@]}" AQUA_THROTTLE AQUA_PUSH_ALLOW AQUA_SIGN_UP AQUA_PUBLIC_URL
    AQUA_MAP_TILES AQUA_MAP_FILE AQUA_MAP_ATTRIBUTION AQUA_ENROLMENT)

remember_settings() {
    local variable
    for variable in "${SETTINGS[@]}"; do [[ -z ${!variable:-} ]] || echo "$variable=${!variable//$'\n'/ }"; done >"$1"
}

# recall_settings FILE: sets those that this environment does not set itself. The file is read as data and not sourced:
# it belongs to the services' user, and nobody else may run that user's code.
recall_settings() {
    local name value
    [[ -r $1 ]] || return 0
    while IFS='=' read -r name value; do
        [[ " ${SETTINGS[*]} " != *" $name "* || -n ${!name:-} ]] || declare -g "$name=$value"
    done <"$1"
}

percent_encoded() {
    local LC_ALL=C text=$1 i character # bytes, not characters
    for ((i = 0; i < ${#text}; i++)); do
        character=${text:i:1}
        case $character in
            [a-zA-Z0-9._~-]) printf %s "$character" ;;
            *) printf %%%02X "'$character" ;;
        esac
    done
}

# environment_of PROGRAM STATE: NAME=VALUE, one a line. Programs: tool, ingestor, rules, notifier, gateway, enroller.
environment_of() {
    local program=$1 state=$2 role variable
    role=aqua_$program
    [[ $program != tool ]] || role=$DATABASE_OWNER
    echo "PATH=/usr/local/bin:/usr/bin:/bin"
    echo "HOME=$state"
    for variable in "${HANDED_ON[@]}"; do [[ -z ${!variable:-} ]] || echo "$variable=${!variable}"; done
    case $program in
        tool | ingestor | rules | notifier | gateway | enroller)
            echo "AQUA_DATABASE_URL=postgresql://$role@/$DATABASE?host=$(percent_encoded "$(socket_directory "$state")")&port=$AQUA_PORT_DATABASE"
            echo "AQUA_DATABASE_PASSWORD_FILE=$state/secrets/database-$role"
            ;;
    esac
    case $program in
        tool | ingestor | enroller)
            if [[ $program != ingestor ]]; then
                role=aqua_admin
                echo "AQUA_MQTT_URL=mqtt://127.0.0.1:$AQUA_PORT_MQTT"
            else
                # Encrypted although it stays on this machine: Mosquitto reads all PUBACKs of a TLS record at once, and
                # without TLS one for each message that anyone publishes.
                echo "AQUA_MQTT_URL=mqtts://127.0.0.1:$AQUA_PORT_MQTT_SERVICES"
                echo "AQUA_MQTT_CA_FILE=$state/broker/tls/ca.pem"
            fi
            echo "AQUA_MQTT_USER=$role"
            echo "AQUA_MQTT_PASSWORD_FILE=$state/secrets/mqtt-$role"
            ;;
    esac
    case $program in
        tool | notifier | gateway | enroller)
            echo "AQUA_SECRET_KEY_FILE=$state/secrets/secret-key"
            # The demonstration's receiver is on this machine, where webhooks are refused unless named here.
            echo "AQUA_PUSH_ALLOW=127.0.0.1/32:$AQUA_PORT_WEBHOOK${AQUA_PUSH_ALLOW:+,$AQUA_PUSH_ALLOW}"
            ;;
    esac
    case $program in
        tool | rules | gateway)
            # A demonstration should not wait 30 minutes for the second alert.
            echo "AQUA_THROTTLE=${AQUA_THROTTLE:-1m}"
            ;;
    esac
    case $program in
        tool | notifier | gateway) echo "AQUA_PUBLIC_URL=${AQUA_PUBLIC_URL:-http://127.0.0.1:$AQUA_PORT_PEOPLE}" ;;
    esac
    case $program in
        tool | gateway)
            echo "AQUA_TOKEN_KEY_FILE=$state/secrets/token-key"
            echo "AQUA_PEOPLE_LISTEN=127.0.0.1:$AQUA_PORT_PEOPLE"
            echo "AQUA_SIGN_UP=${AQUA_SIGN_UP:-invitation}"
            ;;
    esac
    case $program in
        tool) echo "AQUA_DEVICE_KEY_FILE=$state/secrets/device-key" ;;
        enroller)
            echo "AQUA_DEVICE_KEY_FILE=$state/secrets/device-key"
            # Whoever tries it out makes devices, too.
            echo "AQUA_ENROLMENT=${AQUA_ENROLMENT:-people}"
            [[ -n ${AQUA_DEVICE_MQTT_URL:-}${AQUA_MQTT_DOMAIN:-} ]] || echo "AQUA_DEVICE_MQTT_URL=mqtt://127.0.0.1:$AQUA_PORT_MQTT"
            ;;
        ingestor) echo "AQUA_LISTEN=127.0.0.1:$AQUA_PORT_INGESTOR" ;;
        rules) echo "AQUA_LISTEN=127.0.0.1:$AQUA_PORT_RULES" ;;
        notifier)
            echo "AQUA_LISTEN=127.0.0.1:$AQUA_PORT_NOTIFIER"
            echo "AQUA_VAPID_KEY_FILE=$state/secrets/vapid-key"
            ;;
        gateway)
            echo "AQUA_LISTEN=127.0.0.1:$AQUA_PORT_GATEWAY"
            echo "AQUA_WEB_DIRECTORY=$state/web"
            for variable in AQUA_MAP_TILES AQUA_MAP_FILE AQUA_MAP_ATTRIBUTION; do
                [[ -z ${!variable:-} ]] || echo "$variable=${!variable}"
            done
            ;;
    esac
}

# as_operator STATE PROGRAM ARGUMENTS...: a program of this instance in the operator's environment.
as_operator() {
    local state=$1 program=$2 environment
    shift 2
    mapfile -t environment < <(environment_of tool "$state")
    as_service_user env -i "${environment[@]}" "$state/bin/$program" "$@"
}

# tool STATE ARGUMENTS...: the operator's tool for this instance.
tool() { as_operator "$1" aqua "${@:2}"; }
