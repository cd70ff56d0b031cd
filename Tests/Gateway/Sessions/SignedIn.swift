import NIOHTTP1
import Routes
import Testing

/// The tokens of a client that has signed in through the route.
struct SignedIn: Sendable {
    let session: String
    let accessToken: String
    let refreshToken: String
}

func signInReply(
    _ gateway: GatewayUnderTest, _ email: String, password: String = GatewayUnderTest.Person.password,
    client: String? = nil, cookie: Bool = false, headers: HTTPHeaders = [:]
) async throws -> GatewayUnderTest.Reply {
    try await gateway.request(
        .POST, "/api/v1/sessions",
        json: [
            "email": .string(email), "password": .string(password), "clientId": client.map { .string($0) } ?? .null,
            "cookie": .bool(cookie),
        ], headers: headers)
}

func signIn(
    _ gateway: GatewayUnderTest, _ email: String, client: String? = nil
) async throws -> SignedIn {
    try signedIn(try await signInReply(gateway, email, client: client))
}

func renew(
    _ gateway: GatewayUnderTest, _ refreshToken: String, headers: HTTPHeaders = [:]
) async throws -> GatewayUnderTest.Reply {
    try await gateway.request(
        .POST, "/api/v1/sessions/renewal", json: ["refreshToken": .string(refreshToken)], headers: headers)
}

func signedIn(_ reply: GatewayUnderTest.Reply) throws -> SignedIn {
    SignedIn(
        session: try #require(reply.json?["session"]?.string, "\(reply.text)"),
        accessToken: try #require(reply.json?["accessToken"]?.string),
        refreshToken: try #require(reply.json?["refreshToken"]?.string))
}
