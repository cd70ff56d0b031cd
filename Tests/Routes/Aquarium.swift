import FoundationEssentials
import HTTPTypes
import Instants
import Synchronization

@testable import Routes

/// An interface with every kind of route, which echoes the inputs that its handlers read.
enum Aquarium {
    /// Counts the handlers that ran.
    final class Caller: Sendable {
        private let runs = Mutex(0)
        var count: Int { runs.withLock { $0 } }
        func ran() { runs.withLock { $0 += 1 } }
    }

    enum Side: String, CaseIterable, Sendable {
        case left, right
    }

    struct Fish: Sendable {
        var id = "fish-1"
        var name = "Nemo"
        var length: Double?
    }

    static let fish: Output<Fish> = .object(
        "Fish", "A fish of the tank.",
        [
            .member("id", .text, "Its id.", example: "fish-1") { $0.id },
            .member("name", .text, "What people call it.", example: "Nemo <3") { $0.name },
            .member("length", .optional(of: .decimal), "In centimetres, when it was measured.") { $0.length },
        ])

    static let id = Input.path("fish", .reading("fish id", example: "fish-1", pattern: "^[a-z0-9-]+$") { $0 }, "Which.")
    static let name = Input.field("name", .text(1...8), "What people call it.")
    static let age = Input.field("age", .integer(0...40), "In years.")
    static let password = Input.optionalField("password", .secret(4...64), "Keeps strangers out.")
    static let place = Input.change("place", .choice(Side.self), "Where it sleeps.")
    static let food = Input.field("food", .list(of: .text(1...10), count: 0...3), default: [], "What it eats.")
    static let since = Input.optionalQuery("since", .timestamp, "Only later ones.")
    static let sides = Input.query(
        "sides", .list(of: .choice(Side.self), count: 1...2), default: Side.allCases, "Where.")
    static let word = Input.query("word", .text(1...16), default: "", "Part of the name.")
    static let after = Input.cursor(of: "listFish", Int64.self)
    static let limit = Input.limit()

    /// With the code of a problem whose texts are there.
    static let asleep = ProblemType("device-taken", .conflict)

    struct Echo: Sendable {
        var text: String
    }

    static let echo: Output<Echo> = .object("Echo", "What was read.", [.member("text", .text, "It.") { $0.text }])

    static let list = Route<Caller>(
        .get, "/fish", id: "listFish", tag: "Fish", access: .read, "List the fish",
        inputs: [since, sides, word, after, limit], answers: .json(.ok, .page(of: fish)),
        handle: { caller, inputs in
            caller.ran()
            let fish = Fish(id: inputs[word], name: "\(inputs[sides].map(\.rawValue))", length: Double(inputs[limit]))
            let page = Page([fish, fish], limit: 1, of: "listFish") { _ in (inputs[after] ?? 0) + 1 }
            return .value(inputs[since] == nil ? page : Page(items: [], next: nil))
        })

    static let create = Route<Caller>(
        .post, "/fish", id: "createFish", tag: "Fish", access: .write, "Put a fish into the tank",
        inputs: [name, age, password, food],
        answers: .json(.created, fish, headers: [.location]), problems: [asleep], limit: .credentials,
        handle: { caller, inputs in
            caller.ran()
            let told = "\(inputs[name]) \(inputs[age]) \(inputs[password] ?? "-") \(inputs[food])"
            return .value(Fish(name: told), headers: [.location: "/fish/fish-1"])
        })

    static let show = Route<Caller>(
        .get, "/fish/{fish}", id: "showFish", tag: "Fish", access: .read, "Show a fish",
        inputs: [id], answers: .json(.ok, fish, headers: [.eTag]),
        handle: { caller, inputs in
            caller.ran()
            let tag = EntityTag(version: 3)
            return .value(Fish(id: inputs[id]), headers: [.eTag: tag.description])
        })

    static let move = Route<Caller>(
        .patch, "/fish/{fish}", id: "moveFish", tag: "Fish", access: .write, "Move a fish",
        inputs: [id, place, Input<EntityTagCondition>.ifMatch], answers: .json(.ok, echo),
        handle: { caller, inputs in
            try inputs[Input<EntityTagCondition>.ifMatch].requireMatch(EntityTag(version: 3))
            caller.ran()
            return .value(Echo(text: "\(inputs[place])"))
        })

    /// Never looks at the version that its caller names.
    static let count = Route<Caller>(
        .put, "/fish/{fish}/count", id: "countFish", tag: "Fish", access: .write, "Count a fish",
        inputs: [id, Input<EntityTagCondition>.ifMatch], answers: .nothing,
        handle: { caller, _ in
            caller.ran()
            return .nothing
        })

    static let remove = Route<Caller>(
        .delete, "/fish/{fish}", id: "removeFish", tag: "Fish", access: .session, "Take a fish out", inputs: [id],
        answers: .nothing,
        handle: { caller, _ in
            caller.ran()
            return .nothing
        })

    static let watch = Route<Caller>(
        .get, "/bubbles", id: "watchBubbles", tag: "Water", access: .anyone, "Watch the bubbles",
        answers: .events("An event for each bubble."), limit: .stream,
        handle: { _, _ in .stream { writer in try await writer.write(Array("data: 1\n\n".utf8)) } })

    static let api = API(
        title: "Aquarium <&>", text: "Fish & water.", version: "1", base: "/api/v1",
        tags: [.init("Fish", "What swims."), .init("Water", "What it swims in.")],
        routes: [list, create, show, move, remove, watch])
}

extension RawAnswer {
    var json: JSON? {
        guard case .bytes(let bytes) = body else { return nil }
        return try? JSON(reading: bytes)
    }
}

extension RawRequest {
    static func json(
        _ body: String, path: [String: String] = [:], headers: HTTPFields = [:], type: String? = "application/json"
    ) -> RawRequest {
        var headers = headers
        headers[.contentType] = type
        return RawRequest(path: path, headers: headers, body: Array(body.utf8))
    }
}
