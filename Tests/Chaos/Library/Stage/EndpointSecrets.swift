import Synchronization

/// The secrets that the receivers know, one for each time that an endpoint was added.
final class EndpointSecrets: Sendable {
    private let secrets = Mutex<[RoundRecord.Endpoint: [String]]>([:])

    func add(_ secret: String, of endpoint: RoundRecord.Endpoint) {
        secrets.withLock { $0[endpoint, default: []].append(secret) }
    }

    func of(_ endpoint: RoundRecord.Endpoint) -> [String] { secrets.withLock { $0[endpoint] ?? [] } }
}
