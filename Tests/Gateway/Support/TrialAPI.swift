import HTTPTypes
import Postgres
import PublicHTTP
import Routes
import Secrets
import Store
import Synchronization
import TestSupport
import WaterQuality

@testable import Gateway

/// Routes for tests of the shell around routes.
struct TrialAPI: Sendable {
    /// The number of times that the creation ran.
    let created = Atomic64()
    /// Lets the route `wait` continue.
    let gate = Opening()
    /// Opened when `wait` or a stream has begun.
    let begun = Opening()

    final class Atomic64: Sendable {
        private let count = Mutex(0)
        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
        var value: Int { count.withLock { $0 } }
    }

    static let text = Input.field("text", .text(1...50_000), "Any text.")
    static let device = Input.path("device", .text(1...64), "A name.")
    static let many = Input.query("many", .integer(1...100_000), default: 1, "How often.")

    func make() -> API<Caller> {
        API(
            title: "Trial", version: "1", base: "/api/v1", tags: [.init("Trial", "For tests.")],
            routes: [echo, repeated, named, secret, change, own, create, failing, waiting, stream, flood, events])
    }

    private static let word = Output<String>.object(
        "Word", "A word.", [.member("text", .text, "It.", example: "a") { $0 }])

    private var echo: Route<Caller> {
        Route(
            .post, "/echo", id: "echo", tag: "Trial", access: .anyone, "Answer the same", inputs: [Self.text],
            answers: .json(.ok, Self.word)
        ) { _, inputs in .value(inputs[Self.text]) }
    }

    private var repeated: Route<Caller> {
        Route(
            .get, "/echo", id: "repeat", tag: "Trial", access: .anyone, "Answer much", inputs: [Self.many],
            answers: .json(.ok, Self.word)
        ) { caller, inputs in
            .value(String(repeating: "\(caller.scope.address.network) ", count: inputs[Self.many]))
        }
    }

    private var named: Route<Caller> {
        Route(
            .get, "/named/{device}", id: "named", tag: "Trial", access: .anyone, "Answer a part of the path",
            inputs: [Self.device], answers: .json(.ok, Self.word)
        ) { _, inputs in .value(inputs[Self.device]) }
    }

    private func answersAccount(
        _ method: HTTPRequest.Method, _ id: String, _ access: Access
    ) -> Route<Caller> {
        Route(
            method, "/account", id: id, tag: "Trial", access: access, "Show the account", answers: .json(.ok, Self.word)
        ) { caller, _ in .value(try await caller.scope.transaction { _, account in "\(account.rawValue)" }) }
    }

    private var secret: Route<Caller> { answersAccount(.get, "readAccount", .read) }
    private var change: Route<Caller> { answersAccount(.put, "writeAccount", .write) }
    private var own: Route<Caller> { answersAccount(.delete, "ownAccount", .session) }

    private var create: Route<Caller> {
        Route(
            .post, "/things", id: "create", tag: "Trial", access: .write, "Create something",
            inputs: [Self.text, Input<String?>.idempotencyKey], answers: .json(.created, Self.word),
            creates: { [created, gate, begun] caller, inputs, encoding in
                let text = inputs[Self.text]
                if text == "slow" {
                    begun.open()
                    await gate.wait()
                }
                let answer = try await caller.scope.creation(encoding) { transaction, account in
                    let number = created.next()
                    if text == "bad" { throw Problem(.conflict) }
                    // Creates something that can be counted.
                    let token = PersonalToken.generate()
                    _ = try transaction.execute(
                        AddPersonalToken(
                            of: account, hash: token.hash, name: text, scope: .read, lastFour: token.lastFour,
                            expiresAt: nil, most: 50))
                    return .value("\(text) \(number)", headers: [.location: "/api/v1/things/\(number)"])
                }
                // Fails like a process that dies after its commit.
                if text == "dying", created.value == 1 { throw TestSupportError("a lost answer") }
                return answer
            })
    }

    private var failing: Route<Caller> {
        Route(
            .get, "/failing", id: "failing", tag: "Trial", access: .anyone, "Fail", answers: .json(.ok, Self.word)
        ) { _, _ in throw TestSupportError("a secret: hunter2") }
    }

    private var waiting: Route<Caller> {
        Route(
            .get, "/waiting", id: "waiting", tag: "Trial", access: .anyone, "Wait", answers: .json(.ok, Self.word)
        ) { [gate, begun] _, _ in
            begun.open()
            await gate.wait()
            return .value("waited")
        }
    }

    private var stream: Route<Caller> {
        Route(
            .get, "/stream", id: "stream", tag: "Trial", access: .anyone, "Stream",
            inputs: [Self.many], answers: .stream("text/csv", "Lines.")
        ) { _, inputs in
            let many = inputs[Self.many]
            return .stream { writer in
                for line in 0..<many { try await writer.write(Array("line \(line)\r\n".utf8)) }
            }
        }
    }

    private var flood: Route<Caller> {
        Route(
            .get, "/flood", id: "flood", tag: "Trial", access: .anyone, "Stream more than all buffers hold",
            answers: .stream("text/plain", "Nothing of interest.")
        ) { _, _ in
            .stream { writer in
                let much = [UInt8](repeating: 0, count: 1 << 20)
                for _ in 0..<64 { try await writer.write(much) }
            }
        }
    }

    private var events: Route<Caller> {
        Route(
            .get, "/events", id: "events", tag: "Trial", access: .anyone, "Events", answers: .events("One."),
            limit: .stream
        ) { [begun] _, _ in
            .stream { writer in
                try await writer.write(Array("data: first\n\n".utf8))
                begun.open()
                try await Task.sleep(for: .seconds(3600))
            }
        }
    }
}

/// An event that happens once and can be waited for.
final class Opening: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }
    func wait() async { for await _ in stream {} }
}
