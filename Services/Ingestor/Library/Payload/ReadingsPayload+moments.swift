import WaterQuality

extension ReadingsPayload {
    /// The moments in an array of messages, such as a backlog; nil for anything but an array.
    ///
    ///     [{"ts":1777636800000,"values":{"ph":7.9}},{"ts":1777636830000,"values":{"ph":7.8}}]
    ///
    /// A message that cannot be read does not concern the others.
    /// - Throws: `RejectReason` when nothing of the array can be used.
    static func moments(_ bytes: [UInt8]) throws(RejectReason) -> [ReadingsPayload]? {
        guard isArray(bytes) else { return nil }
        guard bytes.count <= largest else { throw .tooLarge }
        do throws(PostedPayloads.Fault) {
            return try PostedPayloads(bytes).payloads.map(moment)
        } catch {
            throw error == .tooMany ? .tooLarge : .malformed
        }
    }

    private static func isArray(_ bytes: [UInt8]) -> Bool {
        guard bytes.first != UInt8(ascii: "{") else { return false }
        var scanner = JSONScanner(bytes)
        return scanner.take(UInt8(ascii: "["))
    }

    private static func moment(_ bytes: [UInt8]) -> ReadingsPayload {
        do throws(RejectReason) {
            return try ReadingsPayload(bytes)
        } catch {
            var payload = ReadingsPayload()
            payload.note(error, "a message of the array cannot be read")
            return payload
        }
    }
}
