import Foundation
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// The house's provider makes operators, where the operator's tool lets it, in sessions that it opens.
@Suite(.timeLimit(.minutes(5))) struct OperatorByProviderTests {
    typealias Wishes = ProviderScene.Wishes
    private static let gives = "UPDATE operation SET provider_gives = true"

    private static func operates(_ scene: ProviderScene, _ person: GatewayUnderTest.Person) async throws -> Bool {
        try await scene.gateway.request(.GET, "/api/v1/account", person).json?["isOperator"] == .bool(true)
    }

    @Test func `the group gives the role in the session that the provider opens, and each sign-in says it anew`()
        async throws
    {
        try await ProviderScene.with(Wishes(adminGroup: "house-operators")) { scene in
            let (provider, gateway) = (scene.provider, scene.gateway)
            let ada = try await gateway.person("ada@example.org")
            try await scene.link(ada)
            let inGroup: [String: JSON?] = [
                "groups": ["others", "house-operators"], "auth_time": .integer(Int64(Date().timeIntervalSince1970)),
            ]
            provider.change { $0.claims = inGroup }
            // Whoever took over a Gateway gives nobody the role where the tool does not let the provider.
            let early = try await scene.person(scene.signIn())
            #expect(try await !Self.operates(scene, early))
            try await gateway.database.sql(Self.gives)
            #expect(try await !Self.operates(scene, early))
            let operates = try await scene.person(scene.signIn())
            #expect(try await Self.operates(scene, operates))
            #expect(try await gateway.request(.GET, "/api/v1/operation", operates).status == 200)
            // Not in a session that the password opened.
            #expect(try await !Self.operates(scene, ada))
            #expect(try await gateway.request(.GET, "/api/v1/operation", ada).status == 404)
            // The provider's word is half a day old.
            try await gateway.database.sql(
                "UPDATE session SET operates_at = now() - interval '13 hours' WHERE session_id = '\(operates.session)'")
            #expect(try await gateway.request(.GET, "/api/v1/operation", operates).status == 404)
            // In userinfo as well; and whoever has left the group has the role in no session from then on.
            provider.change {
                ($0.claims, $0.userInfo) = ([:], ["sub": "s-1", "groups": "house-operators"])
            }
            #expect(try await Self.operates(scene, scene.person(scene.signIn())))
            provider.change { ($0.claims, $0.userInfo) = (["groups": ["house-operators-of-bees"]], ["sub": "s-1"]) }
            #expect(try await !Self.operates(scene, scene.person(scene.signIn())))
            let noted = try await gateway.ask(
                "SELECT string_agg(action || ' ' || actor || ' ' || subject, ',' ORDER BY entry_id) FROM audit_entry WHERE action LIKE 'operator.%'"
            )
            let given = "operator.give system \(provider.origin)"
            #expect(noted == "\(given),\(given)", "\(noted)")
        }
    }

    @Test func `a proof at the provider says it anew, and what is unlinked operates no more`() async throws {
        try await ProviderScene.with(Wishes(adminGroup: "house-operators", takesPasswords: false)) { scene in
            let (provider, gateway) = (scene.provider, scene.gateway)
            try await scene.link(gateway.person("ada@example.org"))
            try await gateway.database.sql(Self.gives)
            let now = Int64(Date().timeIntervalSince1970)
            provider.change { $0.claims = ["groups": ["house-operators"], "auth_time": .integer(now)] }
            let ada = try await scene.person(scene.signIn())
            #expect(try await Self.operates(scene, ada))
            provider.change { $0.claims = ["groups": ["others"], "auth_time": .integer(now + 3)] }
            let proof: JSON = ["path": "/settings/operation"]
            let back = try await scene.comeBack(scene.leave("/sessions/proof/provider", ada, json: proof))
            #expect(back[header: "Location"] == "/settings/operation")
            #expect(try await !Self.operates(scene, ada))
            let noted =
                "SELECT string_agg(action, ',' ORDER BY entry_id) FROM audit_entry WHERE action LIKE 'operator.%'"
            #expect(try await gateway.ask(noted) == "operator.give,operator.take")
            provider.change { $0.claims = ["groups": ["house-operators"], "auth_time": .integer(now + 3)] }
            _ = try await scene.comeBack(scene.leave("/sessions/proof/provider", ada, json: proof))
            #expect(try await Self.operates(scene, ada))
            try await gateway.database.sql("UPDATE session SET identity_id = NULL")
            #expect(try await !Self.operates(scene, ada))
        }
    }
}
