import WaterQuality

/// Instructions for a device's firmware so that it reports: the lines to enter, and where to enter them.
struct FirmwareSetup {
    let firmware: Firmware
    let device: Device.HardwareID
    let broker: DeviceBroker
    /// nil where it was printed earlier; a placeholder is printed instead.
    let password: String?

    var key: String { password ?? "THE-DEVICES-MQTT-PASSWORD" }
    var root: String { "aqua/v1/\(device)" }

    var text: String {
        switch firmware {
        case .native: native
        case .tasmota: tasmota
        case .esphome: esphome
        case .zigbee2mqtt: zigbee2MQTT
        case .senml: senML
        case .reefPi: reefPi
        case .shelly: shelly
        case .shellyGen1: shellyGen1
        }
    }

    private var native: String {
        """
        MQTT over TLS to \(broker.host):\(broker.port), checked against the broker's authority (ca.pem):
          client id  \(device)
          user       \(device)
          password   \(key)
          readings   \(root)/readings  QoS 1, such as {"temperature":23.4,"ph":7.9}
          status     \(root)/status    retained: online, and offline as the will; or how it lives, such as
                     {"version":"1.8.0","rssi":-67,"battery":87,"uptime":3600,"reset":"brownout"}
        """
    }

    private var tasmota: String {
        """
        In Tasmota's console, a build with TLS (tasmota32 has it). These go last, since each restarts the device:
          Backlog SetOption52 1; TelePeriod 60
          Backlog MqttHost \(broker.host); MqttPort \(broker.port); SetOption103 1; SetOption132 1
          Backlog MqttClient \(device); MqttUser \(device); MqttPassword \(key)
          FullTopic \(root)/%prefix%/
        Leave Topic as it is: Tasmota refuses one that equals MqttClient. SetOption132 1 has it learn the broker's key with its
        first connection. Of several temperature sensors the first counts; aqua device probe \(device) shows and names it.
        """
    }

    private var esphome: String {
        """
        In the device's YAML, with ca.pem's text behind certificate_authority and the password in secrets.yaml as
        aqua_password: "\(key)"
          mqtt:
            broker: \(broker.host)
            port: \(broker.port)
            client_id: \(device)
            username: \(device)
            password: !secret aqua_password
            topic_prefix: \(root)
            certificate_authority: |
              -----BEGIN CERTIFICATE-----
            discovery: false
            log_topic: null
        Name each sensor after what it measures, in its unit: name: temperature (in C), ph, dissolved_oxygen (in mg/L), ...
        How it lives is told by sensors called wifi_signal, uptime and battery_level, and text sensors called version and reset_reason.
        Mark all others with internal: true. aqua device add --help lists the names.
        """
    }

    private var zigbee2MQTT: String {
        """
        Zigbee2MQTT sends more than this broker takes in one message, so it stays with a broker at home, which passes one probe
        on. Mosquitto's bridge passes nothing on under a name with a blank: give such a probe another friendly name in Zigbee2MQTT first.
        In that Mosquitto's configuration, with the probe's friendly name for NAME and ca.pem beside it:
        \(bridge)
          topic "" out 1 zigbee2mqtt/NAME \(root)/zigbee2mqtt
          topic "" out 1 zigbee2mqtt/NAME/availability \(root)/zigbee2mqtt/availability
        In Zigbee2MQTT's configuration, so that each value has its time:
          advanced:
            last_seen: ISO_8601
          availability:
            enabled: true
        """
    }

    /// The bridge to this broker in the configuration of a Mosquitto at home, but for the topics that it passes on.
    var bridge: String {
        """
          connection aquamonitor-\(device)
          address \(broker.host):\(broker.port)
          bridge_cafile /etc/mosquitto/ca.pem
          remote_clientid \(device)
          remote_username \(device)
          remote_password \(key)
          cleansession false
          notifications false
          try_private false
        """
    }

    private var senML: String {
        """
        MQTT over TLS to \(broker.host):\(broker.port), checked against the broker's authority (ca.pem):
          client id  \(device)
          user       \(device)
          password   \(key)
          readings   \(root)/senml   QoS 1, such as [{"n":"temperature","u":"Cel","v":23.4},{"n":"ph","v":7.9}]
          status     \(root)/status  retained: online, and offline as the will
        """
    }

    private var reefPi: String {
        """
        In reef-pi, Configuration, Telemetry, MQTT:
          Server     tls://\(broker.host):\(broker.port)
          Client ID  \(device)
          Username   \(device)
          Password   \(key)
          QoS        1
          Prefix     \(root)/reef-pi
        Name the temperature sensor temperature, or temperature_f where it shows Fahrenheit, and the pH probe water.
        reef-pi does not check the broker's certificate: whoever controls its network can read the password.
        """
    }
}
