extension FirmwareSetup {
    /// The configuration with what an operator has to know of it: where it is entered, and what it leaves out.
    package var text: String {
        switch firmware {
        case .native, .senml, .sensorThings:
            """
            MQTT over TLS, checked against the broker's authority (ca.pem):
            \(indented(configuration))
            """
        case .tasmota:
            """
            In Tasmota's console, a build with TLS (tasmota32 has it). These go last, since each restarts the device:
            \(indented(configuration))
            Leave Topic as it is: Tasmota refuses one that equals MqttClient. SetOption132 1 has it learn the broker's key with its
            first connection. Of several temperature sensors the first counts; aqua device probe \(device) shows and names it.
            """
        case .esphome:
            """
            In the device's YAML, or as a package of it, with ca.pem's text behind certificate_authority:
            \(indented(configuration))
            Name each sensor after what it measures, in its unit: name: temperature (in C), ph, dissolved_oxygen (in mg/L), ...
            How it lives is told by sensors called wifi_signal, uptime and battery_level, and text sensors called version and reset_reason.
            Mark all others with internal: true. aqua device add --help lists the names.
            """
        case .zigbee2mqtt:
            """
            Zigbee2MQTT sends more than this broker takes in one message, so it stays with a broker at home, which passes one probe
            on. Mosquitto's bridge passes nothing on under a name with a blank: give such a probe another friendly name in Zigbee2MQTT first.
            In that Mosquitto's configuration, with the probe's friendly name for NAME and ca.pem beside it:
            \(indented(configuration))
            In Zigbee2MQTT's configuration, so that each value has its time:
              advanced:
                last_seen: ISO_8601
              availability:
                enabled: true
            """
        case .reefPi:
            """
            In reef-pi, Configuration, Telemetry, MQTT:
            \(indented(configuration))
            Name the temperature sensor temperature, or temperature_f where it shows Fahrenheit, and the pH probe water.
            reef-pi does not check the broker's certificate: whoever controls its network can read the password.
            """
        case .shelly:
            """
            In the web page of a Shelly Plus, Pro or Gen3 with the Sensor Add-On, where each DS18B20 is added first, under Settings:
            \(indented(shelly))
            It reports changes alone. So that it reports each minute, add this under Scripts, and have it run on startup:
            \(indented(shellyScript))
            Of several probes the first counts; aqua device probe \(device) shows and names it, by its number: 100, 101, ...
            """
        case .shellyGen1:
            """
            A Shelly of the first generation (Shelly 1, 1PM with the Temperature Sensor AddOn) speaks neither TLS nor our topics, so it
            stays with a broker at home, which passes its probes on. In the Shelly's web page, Internet & Security, Advanced - Developer
            settings: enable MQTT, with that broker and its user. This ends the Shelly's connection to its maker's cloud.
            In that Mosquitto's configuration, with the Shelly's MQTT name, such as shelly1-A4CF12F3A1B2, for NAME and ca.pem beside it:
            \(indented(configuration))
            Of several probes the first counts; aqua device probe \(device) shows and names it.
            """
        }
    }
}
