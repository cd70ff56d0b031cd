import PushClient
import PushTargets
import Routes
import Synchronization

/// Requests to the provider, for as long as `run` runs: bounded in time, in length and in number, and nowhere but where its description says.
final class ProviderConnection: Sendable {
    /// The provider itself may stand in the house's own network; what it refers to elsewhere has to be public.
    private struct Clients: Sendable {
        let house: PushClient
        let elsewhere: PushClient
    }

    private struct State {
        var clients: Clients?
        var running = 0
    }

    private let settings: OpenIDSettings
    private let limits: PushClient.Limits
    private let state = Mutex(State())

    /// The most requests at once: a slow provider holds up nobody but those who sign in by it.
    private static let most = 32
    /// In bytes: of descriptions, keys, tokens and userinfo alike.
    static let longest = 131_072

    /// - Parameter limit: From the start of a request to its answer.
    init(_ settings: OpenIDSettings, limit: Duration) {
        self.settings = settings
        var limits = PushClient.Limits()
        limits.connect = min(limits.connect, limit)
        limits.total = limit
        self.limits = limits
    }

    func run() async throws {
        let anywhere = PushTargetPolicy(allowed: PushAllowList("0.0.0.0/0:*,::/0:*") ?? PushAllowList())
        let (file, limits) = (settings.authorityFile, limits)
        try await PushClient.with(policy: anywhere, authorityFile: file, limits: limits) { house in
            try await PushClient.with(policy: PushTargetPolicy(), authorityFile: file, limits: limits) { elsewhere in
                state.withLock { $0.clients = Clients(house: house, elsewhere: elsewhere) }
                defer { state.withLock { $0.clients = nil } }
                for await _ in AsyncStream<Never>.makeStream().stream {}
            }
        }
    }

    func get(_ target: PushTarget, bearer: String? = nil) async throws(OpenIDFault) -> JSON {
        let authorization = bearer.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        let answer = try await send([], target, authorization, .get)
        guard answer.status == 200 else { throw .unreachable }
        return answer.json
    }

    /// - Returns: The status and the content, which is JSON also where a form is refused (RFC 6749, section 5.2).
    func post(
        form: String, _ target: PushTarget, _ headers: [(name: String, value: String)]
    ) async throws(OpenIDFault) -> (status: Int, json: JSON) {
        let type = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
        return try await send(Array(form.utf8), target, headers + type, .post)
    }

    private func send(
        _ body: [UInt8], _ target: PushTarget, _ headers: [(name: String, value: String)], _ method: PushMethod
    ) async throws(OpenIDFault) -> (status: Int, json: JSON) {
        let client = try begin(for: target)
        defer { state.withLock { $0.running -= 1 } }
        let reply = await client.exchange(
            body, headers: headers + [(name: "Accept", value: "application/json")], to: target,
            for: AskerID(rawValue: 0), method: method, most: Self.longest)
        guard case .response(let status, _) = reply.answer else { throw .unreachable }
        // A redirection is no answer: nobody follows it.
        guard status < 300 || status >= 400, status < 500 else { throw .unreachable }
        guard let json = reply.body.flatMap({ try? JSON(reading: $0) }), json.members != nil else { throw .unreadable }
        return (status, json)
    }

    private func begin(for target: PushTarget) throws(OpenIDFault) -> PushClient {
        let isHouse = target.origin == settings.issuer.target.origin
        let found: Result<PushClient, OpenIDFault> = state.withLock { state in
            guard let clients = state.clients else { return .failure(.unreachable) }
            guard state.running < Self.most else { return .failure(.busy) }
            state.running += 1
            return .success(isHouse ? clients.house : clients.elsewhere)
        }
        return try found.get()
    }
}
