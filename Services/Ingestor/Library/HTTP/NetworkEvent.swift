import Routes

/// What the network server of a LoRaWAN posts of a device: The Things Stack (v3) by a webhook, ChirpStack (v4) by its HTTP integration.
///
///     {"end_device_ids":{…},"uplink_message":{"decoded_payload":{"ph":7.9},"received_at":"2026-05-01T12:00:00.5Z",…}}
///     {"deviceInfo":{…},"time":"2026-05-01T12:00:00.5+00:00","object":{"ph":7.9},…}
///
/// It carries all that gateways know of the radio, so that it may be many times as large as a message. What the payload's formatter
/// has made of an uplink is a message of its own, at the time at which the network heard it.
struct NetworkEvent {
    /// The message of an uplink, in our own format; nil for another event, such as a join, in which nothing is measured.
    let message: [UInt8]?

    /// - Returns: nil for what no network server has written, or is no JSON object.
    init?(_ body: [UInt8]) {
        guard let event = try? Members(event: body), event.isOfNetwork else { return nil }
        message = event.isUplink ? event.message : nil
    }

    private struct Members {
        var isOfNetwork = false
        var isUplink = false
        /// Members of `readings`, each with its name.
        private var readings: [UInt8] = []
        private var time: [UInt8]?

        /// Without a decoded payload it says nothing, which is refused and told like any message without a reading.
        var message: [UInt8] {
            let stated = time.map { Array(#""time":"#.utf8) + $0 + Array(",".utf8) } ?? []
            return Array("{".utf8) + stated + Array(#""readings":{"#.utf8) + readings + Array("}}".utf8)
        }

        init(event body: [UInt8]) throws(JSONScanner.Fault) {
            var scanner = JSONScanner(body)
            try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
                switch (name, try scanner.peek()) {
                case ("end_device_ids", .object), ("deviceInfo", .object):
                    isOfNetwork = true
                    try scanner.skipValue()
                case ("uplink_message", .object): try readUplink(body, &scanner)
                case ("object", .object): try readReadings(body, &scanner)
                case ("time", .string): time = try Self.value(body, &scanner)
                case ("data", _), ("fCnt", _):
                    isUplink = true
                    try scanner.skipValue()
                default: try scanner.skipValue()
                }
            }
            try scanner.expectEnd()
        }

        private mutating func readUplink(_ body: [UInt8], _ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
            isUplink = true
            try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
                switch (name, try scanner.peek()) {
                case ("decoded_payload", .object): try readReadings(body, &scanner)
                case ("received_at", .string): time = try Self.value(body, &scanner)
                default: try scanner.skipValue()
                }
            }
        }

        private mutating func readReadings(_ body: [UInt8], _ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
            isUplink = true
            try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
                let value = try Self.value(body, &scanner)
                // The battery is in nearly every uplink.
                guard !FirmwareMessage.isOfItself(name) else { return }
                if !readings.isEmpty { readings.append(UInt8(ascii: ",")) }
                readings += JSON.string(name).bytes + [UInt8(ascii: ":")] + value
            }
        }

        /// The bytes of a value.
        private static func value(
            _ body: [UInt8], _ scanner: inout JSONScanner
        ) throws(JSONScanner.Fault) -> [UInt8] {
            scanner.skipSpace()
            let start = scanner.offset
            try scanner.skipValue()
            return Array(body[start..<scanner.offset])
        }
    }
}
