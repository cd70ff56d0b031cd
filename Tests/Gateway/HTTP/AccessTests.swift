import HTTPTypes
import NIOHTTP1
import Routes
import TestSupport
import Testing
import Words

@testable import Gateway

@Suite struct AccessTests {
    /// A new route cannot be forgotten: the test covers all declared routes.
    @Test func withoutATokenOnlyRoutesForAnyoneAnswer() async throws {
        try await GatewayUnderTest.with { gateway in
            for route in GatewayAPI.make().routes where route.access != .anyone {
                let path = GatewayAPI.base + route.path.description.replacing("{", with: "").replacing("}", with: "")
                for token in [nil, "eyJhbGciOiJub25lIn0.e30.", "aqp_" + String(repeating: "a", count: 49)] {
                    let reply = try await gateway.request(HTTPMethod(route.method), path, token: token)
                    #expect(reply.status == 401, "\(route.id)")
                    #expect(reply[header: "WWW-Authenticate"]?.hasPrefix("Bearer") == true)
                }
            }
        }
    }

    @Test func aSessionsTokenNamesThePerson() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let (anna, ben) = (
                try await gateway.person("anna@example.com"), try await gateway.person("ben@example.com")
            )
            for person in [anna, ben] {
                let reply = try await gateway.request(.GET, "/api/v1/account", person)
                #expect(reply.json?["text"]?.string == "\(person.account)")
            }
        }
    }

    @Test func aTokenOfAnEndedSessionIsNoToken() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let anna = try await gateway.person()
            try await gateway.database.sql("UPDATE session SET ended_at = now(), ended_because = 'signedOut'")
            let reply = try await gateway.request(.GET, "/api/v1/account", anna)
            #expect(reply.status == 401)
            #expect(reply.code == "unauthenticated")
        }
    }

    @Test func aPersonalTokenDoesWhatItsScopeSays() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let anna = try await gateway.person()
            let reading = try await gateway.personalToken(anna, scope: "read")
            let writing = try await gateway.personalToken(anna, scope: "write")
            let path = "/api/v1/account"
            #expect(try await gateway.request(.GET, path, token: reading).status == 200)
            #expect(try await gateway.request(.GET, path, token: writing).status == 200)
            #expect(try await gateway.request(.PUT, path, token: writing).status == 200)
            let refused = try await gateway.request(.PUT, path, token: reading)
            #expect(refused.status == 403)
            #expect(refused.code == "insufficient-scope")
            #expect(try await gateway.request(.DELETE, path, token: writing).status == 403)
            #expect(try await gateway.request(.DELETE, path, anna).status == 200)
            try await gateway.database.sql("UPDATE personal_token SET revoked_at = now()")
            #expect(try await gateway.request(.GET, path, token: reading).status == 401)
        }
    }

    @Test func problemsAreInThePersonsLanguageUnlessTheRequestNamesOne() async throws {
        try await GatewayUnderTest.with(api: TrialAPI().make()) { gateway in
            let anna = try await gateway.person(locale: "es")
            let own = try await gateway.request(
                .POST, "/api/v1/things", anna, json: ["text": "bad"], headers: ["Idempotency-Key": "k"])
            #expect(own.json?["title"]?.string == ProblemType.conflict.title(in: Language(locale: "es")))
            let asked = try await gateway.request(
                .POST, "/api/v1/things", anna, json: ["text": "bad"],
                headers: ["Idempotency-Key": "k", "Accept-Language": "ja"])
            #expect(asked.json?["title"]?.string == ProblemType.conflict.title(in: Language(locale: "ja")))
        }
    }
}

extension HTTPMethod {
    init(_ method: HTTPRequest.Method) { self = HTTPMethod(rawValue: method.rawValue) }
}
