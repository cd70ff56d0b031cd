import Foundation
import NIOCore
import NIOHPACK
import TestSupport
import WaterQuality

/// Receives webhooks for `/e/<device>` over HTTP/2 and answers 201.
struct PushSink: Sendable {
    /// The subject of a webhook.
    struct Arrival: Sendable {
        enum Purpose: Sendable { case alarm, recovery, other }

        var breach: Breach
        var purpose: Purpose
    }

    private let server: HTTP2Server
    private let hosts: [String]

    /// The authority that signed the server's certificate.
    var authorityFile: String { server.authorityFile }

    /// Serves as long as `body` runs.
    /// - Parameters:
    ///   - hosts: The number of receiver hosts, each with an address of its own in the loopback network.
    ///   - onArrival: Called for each complete request.
    static func with<Result>(
        hosts: Int = 1, onArrival: @Sendable @escaping (Arrival) -> Void, body: (PushSink) async throws -> Result
    ) async throws -> Result {
        let addresses = hosts == 1 ? ["127.0.0.1"] : (1...hosts).map { "127.0.\(1 + $0 / 250).\(1 + $0 % 250)" }
        return try await HTTP2Server.with(addresses: addresses) { request in
            guard let device = Int(request.path.dropFirst("/e/".count)) else { return .status(404) }
            // An encrypted message is identified by its address: in a storm each device has one breach, of its
            // temperature.
            onArrival(
                request.headers.contains(name: "content-encoding")
                    ? Arrival(
                        breach: Breach(device: device, parameter: .temperature),
                        purpose: request.headers.first(name: "urgency") == "high" ? .alarm : .recovery)
                    : Self.read(request.body, device))
            return .status(201)
        } body: { server in
            try await body(PushSink(server: server, hosts: addresses))
        }
    }

    /// Reads the body without a JSON parser, which would cost the system's cores as much as the Notifier does.
    private static func read(_ body: ByteBuffer, _ device: Int) -> Arrival {
        let name = value(of: "parameter", in: body).flatMap(Parameter.init(name:)) ?? .temperature
        let purpose: Arrival.Purpose =
            switch value(of: "type", in: body) {
            case "alert.alarm": .alarm
            case "alert.recovery": .recovery
            default: .other
            }
        return Arrival(breach: Breach(device: device, parameter: name), purpose: purpose)
    }

    private static func value(of key: String, in body: ByteBuffer) -> String? {
        let mark = Array("\"\(key)\":\"".utf8)
        return body.withUnsafeReadableBytes { bytes in
            var start = 0
            while let base = bytes.baseAddress, start + mark.count < bytes.count,
                let quote = memchr(base + start, Int32(mark[0]), bytes.count - start - mark.count)
            {
                start = UnsafeRawPointer(quote) - base
                guard memcmp(base + start, mark, mark.count) != 0 else {
                    let text = bytes[(start + mark.count)...].prefix { $0 != UInt8(ascii: "\"") }
                    return String(decoding: text, as: UTF8.self)
                }
                start += 1
            }
            return nil
        }
    }

    func url(of device: Int) -> String { "https://\(hosts[device % hosts.count]):\(server.port)/e/\(device)" }

    /// The settings with which a Notifier reaches the sink.
    var settings: [String: String] {
        [
            "AQUA_PUSH_ALLOW": "127.0.0.0/16:\(server.port)", "AQUA_PUSH_CA_FILE": authorityFile,
            "AQUA_WEB_PUSH_HOSTS": hosts.map { "\($0):\(server.port)" }.joined(separator: ","),
        ]
    }
}
