import TestSupport

/// A person of the courses, who signs in when there is a first request, and again before the access token expires.
/// Checking a password takes long, and a token lasts ten minutes.
actor Account {
    static let password = "correct horse battery"
    private static let renewedAfter = Duration.seconds(240)

    nonisolated let name: String
    nonisolated var email: String { "\(name)@example.org" }
    private let origin: String
    private var session: (client: Task<PeopleClient, any Error>, since: ContinuousClock.Instant)?

    init(_ name: String, at origin: String) { (self.name, self.origin) = (name, origin) }

    private var client: PeopleClient {
        get async throws {
            if let session, session.since.duration(to: .now) < Self.renewedAfter {
                return try await session.client.value
            }
            let client = Task { [origin, email] in
                try await PeopleClient(origin: origin).signedIn(email, password: Self.password)
            }
            session = (client, .now)
            return try await client.value
        }
    }

    func ask(_ method: String, _ path: String, json: String? = nil) async throws -> PeopleClient.Answer {
        try await client.ask(method, path, json: json)
    }

    /// Makes a request that has to succeed, and repeats it if there were too many at once.
    @discardableResult
    func patiently(_ method: String, _ path: String, json: String? = nil) async throws -> PeopleClient.Answer {
        let client = try await client
        return try await awaitFact("\(method) \(path)") {
            let answer = try await client.ask(method, path, json: json, headers: ["If-Match": "*"])
            if answer.status == 429 { return nil }
            guard answer.status / 100 == 2 else {
                throw TestSupportError("\(method) \(path): \(answer.status) \(answer.text)")
            }
            return answer
        }
    }
}
