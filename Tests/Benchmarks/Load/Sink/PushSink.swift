import TestSupport

/// Takes webhooks for `/e/<device>` over HTTP/2 and answers 201.
struct PushSink: Sendable {
    private let server: HTTP2Server

    /// The authority that signed the server's certificate.
    var authorityFile: String { server.authorityFile }

    /// Serves as long as `body` runs.
    /// - Parameter onArrival: Called with the device's number once its request has come whole.
    static func with<Result>(
        onArrival: @Sendable @escaping (Int) -> Void, body: (PushSink) async throws -> Result
    ) async throws -> Result {
        try await HTTP2Server.with { request in
            guard let device = Int(request.path.dropFirst("/e/".count)) else { return .status(404) }
            onArrival(device)
            return .status(201)
        } body: { server in
            try await body(PushSink(server: server))
        }
    }

    func url(of device: Int) -> String { "https://127.0.0.1:\(server.port)/e/\(device)" }

    /// What a notifier has to be told to reach it.
    var settings: [String: String] {
        ["AQUA_PUSH_ALLOW": "127.0.0.1/32:\(server.port)", "AQUA_PUSH_CA_FILE": authorityFile]
    }
}
