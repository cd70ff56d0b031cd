import Dispatch
import Glibc
import TestSupport

/// A TCP connection to the broker on loopback on which a test sends any bytes, even some that no library would send.
final class RawClient: Sendable {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard descriptor >= 0, connected == 0 else { throw TestSupportError("nothing listens on port \(port)") }
    }

    deinit { close(descriptor) }

    /// Sends CONNECT.
    /// - Parameter will: The will, retained, with QoS 1.
    /// - Returns: The reason code of the broker's CONNACK; nil if it disconnects instead.
    func connect(
        version: UInt8 = 4, clientID: String, user: String, password: String, cleanSession: Bool = true,
        will: (topic: String, message: String)? = nil
    ) -> UInt8? {
        let flags: UInt8 = (cleanSession ? 0xC2 : 0xC0) | (will == nil ? 0 : 0x2C)
        let properties: [UInt8] = version == 5 ? [0] : []
        var body = Self.text("MQTT") + [version, flags, 0, 60] + properties + Self.text(clientID)
        if let will { body += properties + Self.text(will.topic) + Self.text(will.message) }
        body += Self.text(user) + Self.text(password)
        send(0x10, body)
        let answer = read(4)
        return answer.count == 4 && answer[0] == 0x20 ? answer[3] : nil
    }

    func send(_ type: UInt8, _ body: [UInt8]) {
        var length = body.count
        var packet = [type]
        repeat {
            packet.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        packet += body
        var sent = 0
        while sent < packet.count {
            let count = packet.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Returns when the broker disconnects.
    /// - Returns: The first bytes that it sent before.
    @discardableResult
    func awaitEnd() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            // Keeps blocking calls off the cooperative pool.
            DispatchQueue.global().async {
                var said: [UInt8] = []
                while case let byte = self.read(1), !byte.isEmpty {
                    if said.count < 16 { said += byte }
                }
                continuation.resume(returning: said)
            }
        }
    }

    /// Whether the broker has disconnected by now.
    var hasEnded: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK)) == 0
    }

    /// - Returns: This many bytes, or fewer if the broker disconnects.
    private func read(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = recv(descriptor, &bytes, count, Int32(MSG_WAITALL))
        return Array(bytes.prefix(max(0, got)))
    }

    static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }
}
