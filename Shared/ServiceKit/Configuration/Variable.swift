/// The environment variables of the whole system, in one place.
///
/// A shared `.env` file hands all of them to every process, therefore a process knows the names that it does not
/// read itself; a name that is close to one of these and not among them is a typing error and is refused.
package enum Variable: String, CaseIterable, Sendable {
    case databaseURL = "AQUA_DATABASE_URL"
    case databasePasswordFile = "AQUA_DATABASE_PASSWORD_FILE"
    case mqttURL = "AQUA_MQTT_URL"
    case mqttUser = "AQUA_MQTT_USER"
    case mqttPasswordFile = "AQUA_MQTT_PASSWORD_FILE"
    case mqttCAFile = "AQUA_MQTT_CA_FILE"
    case mqttShare = "AQUA_MQTT_SHARE"
    case mqttDomain = "AQUA_MQTT_DOMAIN"
    case listen = "AQUA_LISTEN"
    case logLevel = "AQUA_LOG_LEVEL"
    case throttle = "AQUA_THROTTLE"
    case recoveryDelay = "AQUA_RECOVERY_DELAY"
    case silenceAfter = "AQUA_SILENCE_AFTER"
    case hold = "AQUA_HOLD"
    case pushAllow = "AQUA_PUSH_ALLOW"
    case pushCAFile = "AQUA_PUSH_CA_FILE"
    case deviceKeyFile = "AQUA_DEVICE_KEY_FILE"
    case secretKeyFile = "AQUA_SECRET_KEY_FILE"
    case webhookSecretFile = "AQUA_WEBHOOK_SECRET_FILE"
    case sampleRetention = "AQUA_SAMPLE_RETENTION"
    case hourlyRetention = "AQUA_HOURLY_RETENTION"
    case alertRetention = "AQUA_ALERT_RETENTION"
    case diskSize = "AQUA_DISK_SIZE"
    case tokenKeyFile = "AQUA_TOKEN_KEY_FILE"
    case peopleListen = "AQUA_PEOPLE_LISTEN"
    case peopleCertificateFile = "AQUA_PEOPLE_CERTIFICATE_FILE"
    case peopleKeyFile = "AQUA_PEOPLE_KEY_FILE"
    case publicURL = "AQUA_PUBLIC_URL"
    case trustedProxies = "AQUA_TRUSTED_PROXIES"
    case signUp = "AQUA_SIGN_UP"
    case liveListeners = "AQUA_LIVE_LISTENERS"
    case vapidKeyFile = "AQUA_VAPID_KEY_FILE"
    case vapidSubject = "AQUA_VAPID_SUBJECT"
    case webPushHosts = "AQUA_WEB_PUSH_HOSTS"
    case mapTiles = "AQUA_MAP_TILES"
    case mapAttribution = "AQUA_MAP_ATTRIBUTION"
    case webDirectory = "AQUA_WEB_DIRECTORY"

    /// What to set the variable to: the end of the sentence "set it to ...".
    package var expectation: String {
        switch self {
        case .databaseURL:
            "a libpq URL without a password, such as postgresql://aqua_ingestor@localhost:5432/aqua"
        case .databasePasswordFile: "the path of a file with the database role's password"
        case .mqttURL: "the broker's address, such as mqtt://localhost:1883 or mqtts://broker.example:8883"
        case .mqttUser: "the broker's user name for this process, such as aqua_ingestor"
        case .mqttPasswordFile: "the path of a file with the broker user's password"
        case .mqttCAFile: "the path of a PEM file with the certificate authority of the broker"
        case .mqttShare: "on or off; on only with a broker that keeps shared subscriptions over a restart"
        case .mqttDomain: "the domain below which devices find the broker as s0.mqtt to s63.mqtt, such as example.org"
        case .listen: "the host:port that serves /metrics and /health, such as 127.0.0.1:9101"
        case .logLevel: "one of trace, debug, info, notice, warning, error, critical"
        case .throttle: "the shortest time between two alerts of one kind, such as 30m"
        case .recoveryDelay: "the time that water must stay well before the all-clear, such as 5m"
        case .silenceAfter: "the time after which a device that sends nothing is silent at the earliest, such as 5m"
        case .hold:
            "the longest pause between two readings after which a suspected spike waits for the next one, such as 5m, or 0s"
        case .pushAllow: "a comma-separated list of CIDR:port, such as 10.0.0.0/8:443"
        case .pushCAFile: "the path of a PEM file with an additional certificate authority for push targets"
        case .deviceKeyFile: "the path of a file with the master key of the devices' passwords"
        case .webhookSecretFile: "the path of a file with the whsec_ secrets of a webhook receiver, one on each line"
        case .secretKeyFile: "the path of a file with the key that protects stored secrets"
        case .sampleRetention: "how long single samples are kept, such as 90d; at least 8d"
        case .hourlyRetention: "how long hourly roll-ups are kept, such as 800d; at least as long as samples"
        case .alertRetention: "how long ended episodes and their alerts are kept, such as 800d; at least 8d"
        case .tokenKeyFile: "the path of a file with the keys that sign access tokens, one on each line, newest first"
        case .peopleListen: "the host:port that serves people, such as 127.0.0.1:8080"
        case .peopleCertificateFile:
            "the path of a PEM file with the certificate by which people know this service, and those that lead to its authority"
        case .peopleKeyFile: "the path of a PEM file with the private key of that certificate, without a passphrase"
        case .publicURL: "the address by which people reach this service, such as https://water.example"
        case .vapidKeyFile:
            "the path of a file with the keys that identify us to browsers' push services, one on each line, newest first"
        case .vapidSubject:
            "mailto: and an address at a public domain, or an https:// address, such as mailto:water@example.org"
        case .mapTiles: "an https URL with {z}, {x} and {y}, such as https://tile.example/{z}/{x}/{y}.png"
        case .mapAttribution:
            "a text, such as © Map contributors <https://map.example/copyright>, with or without the address"
        case .webPushHosts: "a comma-separated list of hosts, such as push.example.org or *.push.example.org:8443"
        case .liveListeners: "the most event streams at once, such as 10000"
        case .webDirectory: "the path of the directory with the web app, Services/Gateway/Web of the sources"
        case .trustedProxies: "a comma-separated list of the CIDRs of the proxies in front, such as 172.16.0.0/12"
        case .signUp: "one of open, invitation, closed"
        case .diskSize: "the size of the file system that holds the database, such as 100GB or 2TiB"
        }
    }
}
