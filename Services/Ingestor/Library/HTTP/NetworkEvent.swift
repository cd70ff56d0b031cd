import Routes

/// An event that a LoRaWAN network server posts for a device: The Things Stack (v3) by a webhook, ChirpStack (v4) by
/// its HTTP integration.
///
///     {"end_device_ids":{…},"uplink_message":{"decoded_payload":{"ph":7.9},"received_at":"2026-05-01T12:00:00.5Z",…}}
///     {"deviceInfo":{…},"time":"2026-05-01T12:00:00.5+00:00","object":{"ph":7.9},…}
///
/// Events carry all that gateways know of the radio, so that they may be many times as large as a message. The decoded
/// payload of an uplink becomes a message of our own, at the time at which the network heard it.
struct NetworkEvent {
    /// The message of an uplink, in our own format; nil for other events, such as a join, which measure nothing.
    let message: [UInt8]?

    /// - Returns: nil unless the body is a network server's JSON object.
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

        /// The message in our own format. Without a decoded payload it has no readings, and is rejected like any such message.
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
                // Battery levels and the like, which nearly every uplink has.
                guard !FirmwareMessage.isOfItself(name) else { return }
                if !readings.isEmpty { readings.append(UInt8(ascii: ",")) }
                readings += JSON.string(name).bytes + [UInt8(ascii: ":")] + value
            }
        }

        /// The value as raw bytes.
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
