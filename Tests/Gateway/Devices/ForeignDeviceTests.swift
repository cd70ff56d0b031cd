import HTTPTypes
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// What is not a person's looks like what does not exist, and nothing of it changes.
@Suite struct ForeignDeviceTests {
    /// A new route cannot be forgotten: this goes over all that are declared.
    @Test func noRouteReachesAnothersDevice() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (try await gateway.person(), try await gateway.person("ben@example.com"))
            let eve = try await gateway.person("eve@example.com")
            try await gateway.device("pond-1", of: anna)
            #expect(try await gateway.accept(gateway.invite(to: "pond-1", by: anna), ben).status == 201)
            _ = try await gateway.invite(to: "pond-1", by: anna)
            let ids = [
                "device": "pond-1", "parameter": "ph",
                "invitation": try await gateway.ask(
                    "SELECT invitation_id FROM device_invitation WHERE used_at IS NULL"),
                "watcher": try await gateway.ask("SELECT ownership_id FROM ownership WHERE role = 'watcher'"),
            ]
            let before = try await gateway.fingerprint()
            var tried = 0
            for route in GatewayAPI.make().routes where route.path.parameters.contains("device") {
                tried += 1
                let reply = try await gateway.ask(route, ids, eve)
                #expect(reply.status == 404, "\(route.id): \(reply.status) \(reply.text)")
                #expect(!reply.text.contains("pond-1") && !reply.text.contains("Pond"), "\(route.id)")
                #expect(try await gateway.fingerprint() == before, "\(route.id)")
            }
            #expect(tried >= 14)
            #expect(try await gateway.request(.GET, "/api/v1/devices", eve).json?["items"] == [])
        }
    }

    /// A watcher is not the owner.
    @Test func aWatcherDoesNotDoWhatIsTheOwners() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (try await gateway.person(), try await gateway.person("ben@example.com"))
            try await gateway.device("pond-1", of: anna)
            #expect(try await gateway.accept(gateway.invite(to: "pond-1", by: anna), ben).status == 201)
            _ = try await gateway.invite(to: "pond-1", by: anna)
            let ids = [
                "device": "pond-1",
                "invitation": try await gateway.ask(
                    "SELECT invitation_id FROM device_invitation WHERE used_at IS NULL"),
                "watcher": try await gateway.ask("SELECT ownership_id FROM ownership WHERE role = 'watcher'"),
            ]
            let before = try await gateway.fingerprint()
            for route in GatewayAPI.make().routes where route.problems.contains(.ownerOnly) {
                let reply = try await gateway.ask(route, ids, ben)
                #expect(reply.status == 403 && reply.code == "owner-only", "\(route.id)")
            }
            #expect(try await gateway.fingerprint() == before)
        }
    }
}

extension GatewayUnderTest {
    /// A request to a route with these ids in its path and the document's examples for everything else.
    fileprivate func ask(_ route: Route<Caller>, _ ids: [String: String], _ person: Person) async throws -> Reply {
        var path = route.path.description
        for name in route.path.parameters {
            path = path.replacing("{\(name)}", with: try #require(ids[name], "\(route.id): \(name)"))
        }
        let fields = route.inputs.filter { $0.place == .body }
        let body: JSON? =
            fields.isEmpty ? .none : .some(JSON.object(fields.map { JSON.Member($0.name, $0.schema.example) }))
        var headers: HTTPHeaders = [:]
        if route.inputs.contains(where: { $0.name == HTTPField.Name.ifMatch.rawName }) {
            headers.add(name: "If-Match", value: "*")
        }
        return try await request(
            HTTPMethod(rawValue: route.method.rawValue), GatewayAPI.base + path, person, json: body, headers: headers)
    }
}
