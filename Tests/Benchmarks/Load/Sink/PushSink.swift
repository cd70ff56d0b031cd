import Foundation
import TestSupport

/// Receives alerts of one kind: a stand-in on one or more hosts of the loopback network.
struct PushSink: Sendable {
    let kind: PushKind
    /// Scheme, host and port of each of its hosts.
    let origins: [String]
    /// The settings with which a Notifier reaches it.
    let settings: [String: String]
    /// The authority that signed the server's certificate; nil of a mail server, which speaks without TLS.
    let authorityFile: String?

    /// Serves as long as `body` runs.
    /// - Parameters:
    ///   - hosts: The number of hosts, each with an address of its own; a kind with one host alone has one.
    ///   - onArrival: Called for each complete message.
    static func with<Result>(
        _ kind: PushKind = .webhook, hosts: Int = 1, onArrival: @Sendable @escaping (Arrival) -> Void,
        body: (PushSink) async throws -> Result
    ) async throws -> Result {
        let standIn = kind.standIn
        return try await Paths.withTemporaryDirectory { directory in
            switch standIn.receiver {
            case .web(let take):
                let addresses = addresses(standIn.isOneHost ? 1 : hosts)
                return try await HTTP2Server.with(addresses: addresses) { request in
                    let receipt = take(request)
                    if let arrival = receipt.arrival { onArrival(arrival) }
                    return receipt.answer
                } body: { server in
                    let origins = addresses.map { "https://\($0):\(server.port)" }
                    let settings = [
                        "AQUA_PUSH_ALLOW": "127.0.0.0/16:\(server.port)", "AQUA_PUSH_CA_FILE": server.authorityFile,
                        "AQUA_WEB_PUSH_HOSTS": addresses.map { "\($0):\(server.port)" }.joined(separator: ","),
                    ].merging(try standIn.settings(at: origins[0], in: directory)) { $1 }
                    return try await body(
                        PushSink(kind: kind, origins: origins, settings: settings, authorityFile: server.authorityFile))
                }
            case .mail(let device):
                return try await MailSink.with { recipient in
                    if let device = device(recipient) { onArrival(Arrival(alarmOf: device)) }
                } body: { mail in
                    let settings = try standIn.settings(at: mail.url, in: directory)
                    return try await body(
                        PushSink(kind: kind, origins: [mail.url], settings: settings, authorityFile: nil))
                }
            }
        }
    }

    private static func addresses(_ hosts: Int) -> [String] {
        hosts == 1 ? ["127.0.0.1"] : (1...hosts).map { "127.0.\(1 + $0 / 250).\(1 + $0 % 250)" }
    }

    /// The host of a device's endpoint.
    func origin(of device: Int) -> String { origins[device % origins.count] }

    /// The program that runs as Notifier, with its arguments; nil for the product's own.
    var notifier: [String]? {
        let options = kind.standIn.options(at: origins[0])
        return options.isEmpty ? nil : BenchNotifier.command + options
    }
}
