/// A device's firmware, set up so that it reports: the lines to enter, with words around them for an operator.
package struct FirmwareSetup: Sendable {
    package let firmware: Firmware
    package let device: Device.HardwareID
    package let broker: DeviceBroker
    /// The device's MQTT password, or what stands for it.
    package let password: String
    /// The certificate of the authority that signs the broker's (PEM); `nil`: a place is left for it.
    package let authority: String?

    /// - Parameter password: `nil` where it was printed earlier; a placeholder is printed instead.
    package init(
        firmware: Firmware, device: Device.HardwareID, broker: DeviceBroker, password: String?, authority: String? = nil
    ) {
        self.firmware = firmware
        self.device = device
        self.broker = broker
        self.password = password ?? "THE-DEVICES-MQTT-PASSWORD"
        self.authority = authority
    }

    var root: String { "aqua/v1/\(device)" }

    /// The lines to enter, as the firmware names them, without a word of explanation.
    package var configuration: String {
        switch firmware {
        case .native: topics("\(root)/readings", such: #"{"temperature":23.4,"ph":7.9}"#)
        case .senml: topics("\(root)/senml", such: #"[{"n":"temperature","u":"Cel","v":23.4},{"n":"ph","v":7.9}]"#)
        case .sensorThings: sensorThings
        case .tasmota: tasmota
        case .esphome: esphome
        case .zigbee2mqtt: zigbee2MQTT
        case .reefPi: reefPi
        case .shelly: shelly + "\n\n" + shellyScript
        case .shellyGen1: shellyGen1
        }
    }

    /// The name of a file that holds the configuration; `nil` where it is entered by hand.
    package var file: String? {
        switch firmware {
        case .esphome: "\(device).yaml"
        case .zigbee2mqtt, .shellyGen1: "\(device).conf"
        default: nil
        }
    }

    /// - Parameter others: Lines with further topics of readings.
    private func topics(_ readings: String, such example: String, others: String = "") -> String {
        """
        broker     mqtts://\(broker.host):\(broker.port)
        client id  \(device)
        user       \(device)
        password   \(password)
        readings   \(readings)  QoS 1, such as \(example)\(others)
        status     \(root)/status  retained: online, and offline as the will; or how it lives, such as
                   {"version":"1.8.0","rssi":-67,"battery":87,"uptime":3600,"reset":"brownout"}
        """
    }

    /// A topic for each parameter, of which the text names two.
    private var sensorThings: String {
        let (temperature, ph) = (
            DatastreamName(device: device, parameter: .temperature), DatastreamName(device: device, parameter: .ph)
        )
        return topics(
            temperature.topic, such: #"{"result":23.4}"#,
            others: "\n           \(ph.topic) and so on; with a clock also "
                + #""phenomenonTime":"2026-05-01T12:00:00Z""#)
    }

    private var tasmota: String {
        """
        Backlog SetOption52 1; TelePeriod 60
        Backlog MqttHost \(broker.host); MqttPort \(broker.port); SetOption103 1; SetOption132 1
        Backlog MqttClient \(device); MqttUser \(device); MqttPassword \(password)
        FullTopic \(root)/%prefix%/
        """
    }

    private var esphome: String {
        """
        mqtt:
          broker: \(broker.host)
          port: \(broker.port)
          client_id: \(device)
          username: \(device)
          password: "\(password)"
          topic_prefix: \(root)
          certificate_authority: |
        \(indented(trusted, by: 4))
          discovery: false
          log_topic: null
        """
    }

    private var zigbee2MQTT: String {
        """
        \(bridge)
        topic "" out 1 zigbee2mqtt/NAME \(root)/zigbee2mqtt
        topic "" out 1 zigbee2mqtt/NAME/availability \(root)/zigbee2mqtt/availability
        """
    }

    private var reefPi: String {
        """
        Server     tls://\(broker.host):\(broker.port)
        Client ID  \(device)
        Username   \(device)
        Password   \(password)
        QoS        1
        Prefix     \(root)/reef-pi
        """
    }

    private var trusted: String { authority ?? "-----BEGIN CERTIFICATE-----" }

    /// The bridge to this broker in the configuration of a Mosquitto at home, but for the topics that it passes on.
    var bridge: String {
        """
        connection aquamonitor-\(device)
        address \(broker.host):\(broker.port)
        bridge_cafile /etc/mosquitto/ca.pem
        remote_clientid \(device)
        remote_username \(device)
        remote_password \(password)
        cleansession false
        notifications false
        try_private false
        """
    }

    func indented(_ text: String, by count: Int = 2) -> String {
        let margin = String(repeating: " ", count: count)
        return text.split(separator: "\n").map { margin + $0 }.joined(separator: "\n")
    }
}
