import HTTPTypes
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Other people's objects give the same answers as missing ones, and never change. The tests cover all declared routes,
/// and fail at a placeholder without an example in the scene, so a new route cannot be forgotten.
@Suite(.timeLimit(.minutes(10))) struct ForeignTests {
    @Test func whatIsAnothersIsLikeWhatNeverWas() async throws {
        try await GatewayUnderTest.with { gateway in
            let scene = try await ForeignScene(gateway)
            let before = try await gateway.fingerprint()
            var tried: [String: Int] = [:]
            for route in GatewayAPI.make().routes {
                for (person, foreign) in try scene.foreign(of: route) {
                    let reply = try await gateway.ask(route, foreign.places, person)
                    let never = try await gateway.ask(route, foreign.absent, person)
                    let words = "\(route.id) \(foreign.places) \(person.email)"
                    #expect(
                        reply.status == 404 || !foreign.isInPath, "\(words): \(reply.status) \(reply.text)")
                    #expect(reply.status == never.status, "\(words): \(reply.status) and \(never.status)")
                    let (told, toldOfNone) = (
                        reply.likeness(without: Self.echo(of: route, foreign.places)),
                        never.likeness(without: Self.echo(of: route, foreign.absent))
                    )
                    #expect(told == toldOfNone, "\(words): \(reply.text) and \(never.text)")
                    #expect(!scene.secrets.contains { told.last?.contains($0) == true }, "\(words): \(reply.text)")
                    #expect(try await gateway.fingerprint() == before, "\(words)")
                    tried[route.id, default: 0] += 1
                }
            }
            #expect(tried.count >= 25, "\(tried)")
        }
    }

    /// What an answer repeats of the question: a text to be entered in a device is made of its id alone, whosever that is.
    private static func echo(of route: Route<Caller>, _ places: [String: String]) -> String? {
        route.id == "showSetup" ? places["device"] : nil
    }

    /// Proves the examples, because the test above would pass with examples that do not exist.
    @Test func theExamplesAreTheirOwners() async throws {
        try await GatewayUnderTest.with { gateway in
            let scene = try await ForeignScene(gateway)
            let routes = GatewayAPI.make().routes
            // Routes that remove something come last, and devices last of all. Only undoing can end a session a second
            // time.
            func rank(_ route: Route<Caller>) -> Int {
                if route.id == "undoSession" { return 6 }
                // The device is moved when nobody looks for it any more, and the project goes after it.
                if route.id == "moveDevice" { return 4 }
                if route.id == "dissolveProject" { return 5 }
                guard route.method == .delete else { return 0 }
                // What belongs to something goes before it.
                return route.id == "unlinkDevice" ? 3 : route.path.parameters.count > 2 ? 1 : 2
            }
            for route in routes.sorted(by: { rank($0) < rank($1) }) {
                // Samples that a project received are no person's.
                guard route.access != .receiveSamples, let own = try scene.owners(of: route) else { continue }
                let reply = try await gateway.ask(route, own, scene.anna)
                // 412: found, in another version. 422: found, but the document's example does not fit it. Nothing goes on that could be answered; a webhook always rings; no file is sent; the device is no project's.
                let isFound =
                    reply.status / 100 == 2 || [412, 422].contains(reply.status)
                    || ["episode-over", "always-rings", "image-type", "not-of-project"].contains(reply.code)
                #expect(isFound, "\(route.id): \(reply.status) \(reply.text)")
            }
        }
    }

    /// A watcher may not act as the owner.
    @Test func aWatcherDoesNotDoWhatIsTheOwners() async throws {
        try await GatewayUnderTest.with { gateway in
            let scene = try await ForeignScene(gateway)
            let before = try await gateway.fingerprint()
            var tried = 0
            for route in GatewayAPI.make().routes where route.problems.contains(.ownerOnly) {
                tried += 1
                let own = try #require(try scene.owners(of: route, isPathAlone: true))
                let reply = try await gateway.ask(route, own, scene.ben)
                #expect(reply.status == 403 && reply.code == "owner-only", "\(route.id)")
            }
            #expect(tried >= 4)
            #expect(try await gateway.fingerprint() == before)
        }
    }
}

extension GatewayUnderTest.Reply {
    /// Everything in which two answers may agree, the body last: all but the request's id, the time and the caller's quota.
    /// - Parameter echo: What the answer repeats of the question.
    fileprivate func likeness(without echo: String?) -> [String] {
        let changing: Set = ["x-request-id", "date", "ratelimit", "content-length"]
        let fields = headers.filter { !changing.contains($0.name.lowercased()) }
            .map { "\($0.name.lowercased()): \($0.value)" }.sorted()
        return fields
            + [[json?["requestId"]?.string, echo].compactMap(\.self).reduce(text) { $0.replacing($1, with: "") }]
    }
}
