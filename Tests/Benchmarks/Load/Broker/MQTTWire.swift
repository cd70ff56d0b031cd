/// The few packets of MQTT 3.1.1 that a load generator needs, as the bytes on the wire.
///
/// libmosquitto is too expensive here: the generator shares the processor cores with the system, and a library that
/// keeps each message until its PUBACK costs as much as the broker.
enum MQTTWire {
    static let publishQoS1: UInt8 = 0x32
    static let puback: UInt8 = 0x40
    static let connack: [UInt8] = [0x20, 0x02, 0x00, 0x00]

    /// CONNECT with a clean session, without keep-alive.
    static func connect(clientID: String, user: String, password: String) -> [UInt8] {
        let flags: UInt8 = 0b1100_0010
        let variable = text("MQTT") + [4, flags, 0, 0]
        return packet(0x10, variable + text(clientID) + text(user) + text(password))
    }

    static func subscribe(_ filters: [String]) -> [UInt8] {
        packet(0x82, [0, 1] + filters.flatMap { text($0) + [1] })
    }

    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }

    private static func packet(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        var packet = [type]
        appendLength(body.count, to: &packet)
        return packet + body
    }

    /// Remaining Length: 7 bits a byte, low bits first.
    static func appendLength(_ length: Int, to packet: inout [UInt8]) {
        var length = length
        repeat {
            let byte = UInt8(length & 0x7F)
            length >>= 7
            packet.append(length > 0 ? byte | 0x80 : byte)
        } while length > 0
    }

    /// The first whole packet in `bytes`.
    /// - Returns: The packet's type with flags, its body and its whole length; nil while bytes are missing.
    static func firstPacket(
        in bytes: UnsafeRawBufferPointer
    ) -> (type: UInt8, body: UnsafeRawBufferPointer, length: Int)? {
        var length = 0
        var shift = 0
        var offset = 1
        while offset < bytes.count {
            let byte = bytes[offset]
            length |= Int(byte & 0x7F) << shift
            offset += 1
            shift += 7
            if byte & 0x80 == 0 {
                guard offset + length <= bytes.count else { return nil }
                return (bytes[0], UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]), offset + length)
            }
        }
        return nil
    }
}
