import Dispatch
import Glibc
import MQTT

/// A client that says CONNECT and then nothing: it shows how long the broker waits for a sign of life.
struct SilentDevice {
    /// Connects with the keep-alive and returns when the broker has closed the connection.
    static func untilClosed(by broker: MQTTEndpoint, as device: String, keepAlive: UInt8) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // Blocking calls do not belong on the cooperative pool.
            DispatchQueue.global().async {
                continuation.resume(with: Result { try sitOut(broker.port, connect(device, keepAlive)) })
            }
        }
    }

    private static func connect(_ device: String, _ keepAlive: UInt8) -> [UInt8] {
        let variable: [UInt8] = string("MQTT") + [4, 0xC2, 0, keepAlive]
        let rest = variable + string("silent-\(device)") + string(device) + string(TestBroker.password(of: device))
        return [0x10, UInt8(rest.count)] + rest
    }

    private static func string(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + Array(text.utf8) }

    private static func sitOut(_ port: UInt16, _ packet: [UInt8]) throws {
        try withSocket { descriptor in
            guard connectLoopback(descriptor, port: port), write(descriptor, packet, packet.count) == packet.count
            else {
                throw BrokerFailure(what: "the silent device cannot connect")
            }
            var answer = [UInt8](repeating: 0, count: 4)
            guard read(descriptor, &answer, 4) == 4, answer[3] == 0 else {
                throw BrokerFailure(what: "the silent device is refused")
            }
            while read(descriptor, &answer, 4) > 0 {}
        }
    }
}
