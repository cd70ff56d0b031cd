import WaterQuality

extension LifeReport {
    /// The members about the device itself in what Zigbee2MQTT publishes under its friendly name:
    ///
    ///     {"temperature":24.6,"battery":87,"linkquality":120,
    ///      "update":{"state":"available","installed_version":16777241,"latest_version":16777248}}
    ///
    /// Early versions spelled `battery` as a text. `linkquality` is no signal in dBm. Versions are numbers of the maker's.
    init(zigbee2MQTT bytes: [UInt8]) throws(JSONScanner.Fault) {
        var said = LifeReport(.zigbee2MQTT)
        var scanner = JSONScanner(bytes)
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch name {
            case "battery": if let percent = try scanner.anyNumber() { said.keep(battery: percent) }
            case "linkquality": if let quality = try scanner.anyNumber() { said.keep(linkQuality: quality) }
            case "update": try said.readUpdate(&scanner)
            default: try scanner.skipValue()
            }
        }
        try scanner.expectEnd()
        self = said
    }

    private mutating func readUpdate(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        var (isOffered, installed, latest): (Bool, Double?, Double?) = (false, nil, nil)
        try scanner.forEachMemberIfObject { (name, scanner) throws(JSONScanner.Fault) in
            switch name {
            case "state": isOffered = try scanner.anyText() == "available"
            case "installed_version": installed = try scanner.anyNumber()
            case "latest_version": latest = try scanner.anyNumber()
            default: try scanner.skipValue()
            }
        }
        if let installed = installed.flatMap({ UInt32(exactly: $0) }) { keep(version: "\(installed)") }
        if isOffered, let latest = latest.flatMap({ UInt32(exactly: $0) }) { keep(newer: "\(latest)") }
    }
}
