import Dispatch
import Glibc
import MQTT
import TestSupport

/// A client that sends CONNECT and then nothing: it shows how long the broker waits for a keep-alive.
struct SilentDevice {
    /// Connects with a keep-alive and returns when the broker has closed the connection.
    static func untilClosed(by broker: MQTTEndpoint, as device: String, keepAlive: UInt8) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // Keeps blocking calls off the cooperative pool.
            DispatchQueue.global().async {
                continuation.resume(with: Result { try sitOut(broker.port, connectPacket(device, keepAlive)) })
            }
        }
    }

    private static func connectPacket(_ device: String, _ keepAlive: UInt8) -> [UInt8] {
        let variable: [UInt8] = string("MQTT") + [4, 0xC2, 0, keepAlive]
        let rest = variable + string(device) + string(device) + string(TestBroker.password(of: device))
        return [0x10, UInt8(rest.count)] + rest
    }

    private static func string(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + Array(text.utf8) }

    private static func sitOut(_ port: UInt16, _ packet: [UInt8]) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        guard connectLoopback(descriptor, port), write(descriptor, packet, packet.count) == packet.count else {
            throw TestSupportError("the silent device cannot connect")
        }
        var answer = [UInt8](repeating: 0, count: 4)
        guard read(descriptor, &answer, 4) == 4, answer[3] == 0 else {
            throw TestSupportError("the silent device is refused")
        }
        while read(descriptor, &answer, 4) > 0 {}
    }

    private static func connectLoopback(_ descriptor: Int32, _ port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
