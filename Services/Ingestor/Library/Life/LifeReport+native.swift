import WaterQuality

extension LifeReport {
    /// The status of firmware that was written for this service, as JSON:
    ///
    ///     {"status":"online","version":"1.8.0","rssi":-67,"battery":87,"uptime":3600,"reset":"brownout"}
    ///
    /// Each member may be missing. The plain words `online` and `offline` say nothing of its life.
    init(status bytes: [UInt8]) {
        self.init(.native)
        var scanner = JSONScanner(bytes)
        guard (try? scanner.peek()) == .object, let said = try? Self.members(of: &scanner) else { return }
        self = said
    }

    private static func members(of scanner: inout JSONScanner) throws(JSONScanner.Fault) -> LifeReport {
        var said = LifeReport(.native)
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch name {
            case "version": if let text = try scanner.anyText() { said.keep(version: text) }
            case "rssi": if let dBm = try scanner.anyNumber() { said.keep(signal: dBm) }
            case "battery": if let percent = try scanner.anyNumber() { said.keep(battery: percent) }
            case "uptime": if let seconds = try scanner.anyNumber() { said.keep(uptime: seconds) }
            case "reset": if let text = try scanner.anyText() { said.keep(reset: text) }
            default: try scanner.skipValue()
            }
        }
        try scanner.expectEnd()
        return said
    }
}
