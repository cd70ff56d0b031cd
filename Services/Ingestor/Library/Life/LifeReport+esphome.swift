import WaterQuality

extension LifeReport {
    /// A bare number on `sensor/{name}/state` of ESPHome, under a name that its examples give to what is no water: `wifi_signal` in dBm,
    /// `uptime` in seconds, `battery_level` in percent. Any other name or text says nothing.
    init(sensor name: String, _ bytes: [UInt8]) {
        self.init(.esphome)
        guard let value = JSONScanner.number(in: String(decoding: bytes, as: UTF8.self)) else { return }
        switch name {
        case "wifi_signal", "wifi_signal_db", "wifi_signal_sensor", "rssi": keep(signal: value)
        case "uptime", "uptime_sensor": keep(uptime: value)
        case "battery", "battery_level": keep(battery: value)
        default: break
        }
    }

    /// A bare text: the version with the time of its build (`2026.4.1 (config hash 0x7f3a)`), or the reason of the last start
    /// (`Power On Reset`).
    init(esphome bytes: [UInt8], isVersion: Bool) {
        self.init(.esphome)
        let text = String(decoding: bytes, as: UTF8.self)
        if isVersion { keep(version: text) } else { keep(reset: text) }
    }
}
