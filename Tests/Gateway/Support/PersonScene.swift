import Foundation
import HTTPTypes
import Mail
import NIOHTTP1
import PublicHTTP
import PushTargets
import Routes
import TestSupport
import Testing

@testable import Gateway

/// A gateway with two signed-in people, and a webhook receiver that answers challenges.
struct PersonScene: Sendable {
    typealias Person = GatewayUnderTest.Person

    struct Reply: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let json: JSON

        var code: String? { json["code"]?.string }
        /// The number of the registered endpoint.
        var endpoint: Int64 { json["endpoint"]?["id"]?.integer ?? 0 }

        subscript(header name: String) -> String? { headers.first(name: name) }
    }

    let gateway: GatewayUnderTest
    let sink: WebhookSink
    /// Owns the device `pond-1`, named Koi, which is too warm at times; Spanish, in Madrid, Fahrenheit.
    let ada: Person
    let bob: Person

    var database: TestDatabase { gateway.database }

    /// - Parameters:
    ///   - challenges: How many challenges, codes and guesses at them a person has.
    ///   - mail: The server that takes mail.
    static func with(
        challenges: BucketRate = BucketRate(burst: 100, interval: .seconds(1)), mail: TestMailServer? = nil,
        _ body: @Sendable @escaping (PersonScene) async throws -> Void
    ) async throws {
        try await WebhookSink.with { sink in
            sink.answer(then: .challenge)
            let permit = try #require(PushAllowList("127.0.0.0/8:*"))
            let adjust = GatewayUnderTest.adjusting { configuration in
                configuration.allowed = permit
                configuration.settings.challengeLimit = .seconds(5)
                configuration.settings.challenges.person = challenges
                configuration.mail = mail.map {
                    MailServer(
                        host: "127.0.0.1", port: $0.port, encryption: .none, sender: MailSender("alerts@example.org")!)
                }
            }
            try await GatewayUnderTest.with(adjust) { gateway in
                let ada = try await gateway.person("ada@example.com", locale: "es")
                let bob = try await gateway.person("bob@example.com")
                try await gateway.link("pond-1", to: ada)
                try await gateway.database.sql(
                    """
                    UPDATE account SET time_zone = 'Europe/Madrid' WHERE account_id = \(ada.account);
                    UPDATE setting SET unit = 'F';
                    UPDATE session SET client_id = gen_random_uuid()
                    """)
                try await body(PersonScene(gateway: gateway, sink: sink, ada: ada, bob: bob))
            }
        }
    }

    /// Calls a route by its id.
    func call(
        _ id: String, as person: Person, path: [String: String] = [:], query: String? = nil, body: JSON? = nil,
        headers: HTTPHeaders = [:]
    ) async throws -> Reply {
        let route = try #require(GatewayAPI.make().routes.first { $0.id == id })
        var address = GatewayAPI.base + route.path.description
        for (name, value) in path { address = address.replacingOccurrences(of: "{\(name)}", with: value) }
        if let query { address += "?\(query)" }
        let reply = try await gateway.request(
            HTTPMethod(rawValue: route.method.rawValue), address, person, json: body, headers: headers)
        return Reply(status: reply.status, headers: reply.headers, json: reply.json ?? .null)
    }

    func ask(_ query: String) async throws -> String { try await gateway.ask(query) }

    func register(_ path: String = "/hook", as person: Person) async throws -> Reply {
        try await call("addEndpoint", as: person, body: ["url": .string(sink.url(path: path))])
    }
}
