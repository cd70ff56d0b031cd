import ArgumentParser
import AsyncHTTPClient
import FoundationEssentials
import Instants
import NIOCore
import NIOHTTP1
import Operator
import PushClient
import Secrets
import ServiceKit
import TestSupport
import Testing
import WaterQuality

@testable import Rehearsal

@Suite("aqua-rehearsal listen")
struct ListenTests {
    private static let ours = WebhookSecret.generate()
    private static let older = WebhookSecret.generate()
    /// The receiver's clock, which stands still.
    private static let now = Timestamp(unixSeconds: Int64(1_777_636_800))

    private static let alert = #"""
        {"type":"alert.opened","timestamp":"2026-05-01T12:00:00Z","data":{"title":"Demo tank: temperature",
        "text":"24.9 °C is above 24.0 °C","event_time":"2026-05-01T11:59:59.900Z","received_at":"2026-05-01T11:59:59.975Z","value":24.9}}
        """#

    @Test("A genuine webhook is printed in one line with its latencies")
    func genuine() async throws {
        try await Self.listening { post, lines async throws in
            #expect(try await post("msg_1", Self.alert, Self.ours, 0) == 200)
            #expect(
                lines.output == [
                    "2026-05-01T12:00:00Z  Demo tank: temperature: 24.9 °C is above 24.0 °C  latency 100.0 ms (25.0 ms from receipt)"
                ])
        }
    }

    @Test("An endpoint challenge is answered with its nonce, unless it is forged")
    func challenge() async throws {
        let challenge = EndpointChallenge.random()
        let time = Self.now
        let message = try challenge.message(signedWith: Self.ours, at: time)
        let receiver = WebhookReport(
            IncomingWebhook(id: challenge.id, timestamp: nil, signatures: nil, body: message.body), verdict: .valid,
            body: try JSONDecoder().decode(JSONValue.self, from: Data(message.body)), arrival: time)
        #expect(receiver.nonce == challenge.nonce)
        let forged = WebhookReport(
            IncomingWebhook(id: challenge.id, timestamp: nil, signatures: nil, body: message.body), verdict: .forged,
            body: try JSONDecoder().decode(JSONValue.self, from: Data(message.body)), arrival: time)
        #expect(forged.nonce == nil)
    }

    @Test("--json prints one object on a line, with the body's data")
    func json() async throws {
        try await Self.listening(["--json"]) { post, lines async throws in
            #expect(try await post("msg_1", Self.alert, Self.older, 0) == 200)
            #expect(try await post("msg_2", #"{"type":"test"}"#, Self.ours, 0) == 200)
            #expect(lines.output.count == 2)
            let first = try JSONDecoder().decode(JSONValue.self, from: Data(lines.output[0].utf8))
            #expect(first["webhook_id"] == .string("msg_1") && first["type"] == .string("alert.opened"))
            #expect(first["title"] == .string("Demo tank: temperature"))
            #expect(first["text"] == .string("24.9 °C is above 24.0 °C"))
            #expect(first["latency_ms"] == .integer(100) && first["received_latency_ms"] == .integer(25))
            #expect(first["verified"] == .bool(true) && first["repeated"] == .bool(false))
            #expect(first["data"]?["value"] == .number(24.9))
            let second = try JSONDecoder().decode(JSONValue.self, from: Data(lines.output[1].utf8))
            #expect(second["latency_ms"] == .null && second["data"] == .null)
        }
    }

    @Test(
        "A wrong, an old and a missing signature are answered 401 and reported without the body",
        arguments: [
            (WebhookSecret.generate(), 0, "its signature is of none of our secrets"),
            (ours, -301, "its timestamp is not within five minutes of this clock"),
            (ours, 301, "its timestamp is not within five minutes of this clock"),
            (nil, 0, "webhook-id, webhook-timestamp or webhook-signature is missing or malformed"),
        ] as [(WebhookSecret?, Int64, String)])
    func refused(_ secret: WebhookSecret?, _ age: Int64, _ reason: String) async throws {
        try await Self.listening { post, lines async throws in
            #expect(try await post("msg_1", Self.alert, secret, age) == 401)
            #expect(lines.output.count == 1)
            #expect(lines.output[0].hasPrefix("2026-05-01T12:00:00Z  refused with 401: \(reason)"))
            #expect(!lines.output[0].contains("Demo tank") && !lines.output[0].contains("latency"))
        }
    }

    @Test("A repeated id is answered 200 and marked")
    func repeated() async throws {
        try await Self.listening { post, lines async throws in
            #expect(try await post("msg_1", Self.alert, Self.ours, 0) == 200)
            #expect(try await post("msg_1", Self.alert, Self.ours, 5) == 200)
            #expect(try await post("msg_2", Self.alert, Self.ours, 0) == 200)
            #expect(lines.output.map { $0.contains("repeated (msg_1)") } == [false, true, false])
        }
    }

    @Test("--answer sets the answer to genuine webhooks only")
    func answers() async throws {
        try await Self.listening(["--answer", "503"]) { post, lines async throws in
            #expect(try await post("msg_1", Self.alert, Self.ours, 0) == 503)
            #expect(try await post("msg_2", Self.alert, .generate(), 0) == 401)
            #expect(lines.output[0].hasSuffix("answered 503"))
        }
    }

    @Test("Bodies over 64 KiB are refused; control characters do not reach the terminal")
    func hostile() async throws {
        try await Self.listening { post, lines async throws in
            let padding = String(repeating: " ", count: 64 * 1024)
            #expect(try await post("msg_1", Self.alert + padding, Self.ours, 0) == 413)
            #expect(try await post("msg_2", #"{"type":"a\u001b[2J\nb","data":{}}"#, Self.ours, 0) == 200)
            #expect(lines.output == ["2026-05-01T12:00:00Z  a [2J b"])
        }
    }

    @Test(
        "Only fresh readings by the device's own clock have a latency",
        arguments: [
            ("2026-05-01T11:59:59Z", "2026-05-01T11:59:59.500Z", Duration.milliseconds(1000)),
            ("2026-05-01T11:59:59Z", "2026-05-01T11:59:59Z", nil),
            ("2026-05-01T11:50:00Z", "2026-05-01T11:59:59Z", nil),
            ("2026-05-01T12:00:01Z", "2026-05-01T11:59:59Z", nil),
            ("2026-05-01T11:59:59Z", nil, .milliseconds(1000)),
        ] as [(String, String?, Duration?)])
    func latency(_ event: String, _ received: String?, _ expected: Duration?) {
        var data: [String: JSONValue] = ["event_time": .string(event)]
        data["received_at"] = received.map(JSONValue.string)
        let report = WebhookReport(
            IncomingWebhook(id: "msg_1", timestamp: nil, signatures: nil, body: []), verdict: .valid,
            body: .object(["data": .object(data)]), arrival: Self.now)
        #expect(report.latency == expected)
    }

    @Test("The memory of ids is bounded")
    func recent() {
        var recent = RecentIDs(limit: 2)
        #expect(["a", "b", "a", "c", "a", "c"].map { recent.insert($0) } == [false, false, true, false, false, true])
    }

    @Test(
        "An unusable secret file is reported without its content",
        arguments: [
            ("", 0o600, "holds no webhook secret"), ("secret\n", 0o600, "line 1, is no webhook secret"),
            ("# old\n\nwhsec_abc\n", 0o600, "line 3, is no webhook secret"), (ours.text, 0o644, "chmod 0600"),
        ])
    func secretFiles(_ text: String, _ mode: Int, _ expected: String) async throws {
        try await Stage.withoutServers { stage in
            let file = try stage.write("secrets", text, mode: mode)
            let error = #expect(throws: OperatorError.self) { try WebhookSecrets(file: file) }
            #expect(error?.description.contains(expected) == true)
            #expect(error?.description.contains("whsec_abc") == false)
        }
    }

    /// Runs the command on a free port as long as `body`, which gets a function to post: id, body, secret, seconds from
    /// now.
    private static func listening(
        _ arguments: [String] = [],
        _ body:
            @escaping @Sendable (@Sendable (String, String, WebhookSecret?, Int64) async throws -> UInt, Collected)
            async throws -> Void
    ) async throws {
        try await Stage.withoutServers { stage in
            let file = try stage.write("secrets", "# while it is changed\n\(ours.text)\n\(older.text)\n")
            let (ports, port) = AsyncStream.makeStream(of: Int.self)
            let stop = Signal()
            let context = OperatorContext(
                environment: ["AQUA_WEBHOOK_SECRET_FILE": file], console: stage.lines.console,
                clock: WallClock { now })
            async let listened: Void = Listen.parse(["--port", "0"] + arguments)
                .run(in: context, until: stop.stop) { port.yield($0) }
            let free = try #require(await ports.first { _ in true })
            try await body({ try await send($0, $1, $2, $3, port: free) }, stage.lines)
            stop.give()
            try await listened
        }
    }

    private static func send(
        _ id: String, _ body: String, _ secret: WebhookSecret?, _ age: Int64, port: Int
    ) async throws -> UInt {
        // People register a host's root as well as a path.
        let path = id == "msg_2" ? "/hooks/demo" : "/"
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = .POST
        let timestamp = now.microseconds / 1_000_000 + age
        if let secret {
            request.headers.add(name: "webhook-id", value: id)
            request.headers.add(name: "webhook-timestamp", value: "\(timestamp)")
            request.headers.add(
                name: "webhook-signature", value: secret.signature(id: id, timestamp: timestamp, body: Array(body.utf8))
            )
        }
        request.body = .bytes(ByteBuffer(string: body))
        return try await HTTPClient.shared.execute(request, timeout: .seconds(30)).status.code
    }
}
