import TestSupport
import Testing

@testable import Notifier

/// Receivers that speak only HTTP/2 over TLS, with a certificate from the operator's own authority.
@Suite struct HTTP2Tests {
    /// Settings in which no receiver counts as slow, however busy the machine is.
    private static var settings: NotifierSettings {
        var settings = Scene.settings
        settings.slow = .seconds(60)
        return settings
    }

    @Test func `many alerts share a connection`() async throws {
        try await Scene.with(.http2) { scene in
            try await scene.endpoint(1)
            let requests = try await scene.notifying(Self.settings) {
                try await scene.alarms(1...200)
                try await scene.await("200", "SELECT count(*) FROM alert WHERE state = 'delivered'")
                return scene.sink.received
            }
            #expect(Set(requests.map { $0.header("webhook-id") }).count == 200)
            #expect(requests.count == 200)
            // A connection that was idle for seconds is closed.
            #expect(Set(requests.map(\.connection)).count < 10)
            #expect(requests.allSatisfy { $0.path == "/1" && $0.method == "POST" && !$0.body.isEmpty })
        }
    }

    /// Each answer says that the request was not processed, or leaves that open.
    @Test(arguments: [WebhookSink.Answer.refuse, .goAway, .close])
    func `what was not dealt with is sent again, with the same id`(answer: WebhookSink.Answer) async throws {
        try await Scene.with(.http2) { scene in
            try await scene.endpoint(1)
            scene.sink.answer([.status(200), answer, answer], then: .status(200))
            let requests = try await scene.notifying(Self.settings) {
                try await scene.alarms(1...1)
                try await scene.await("1", "SELECT count(*) FROM alert WHERE state = 'delivered'")
                try await scene.alarms(2...2)
                try await scene.await("2", "SELECT count(*) FROM alert WHERE state = 'delivered'")
                return scene.sink.received
            }
            let ids = requests.map { $0.header("webhook-id") }
            #expect(ids == ["alert_5_1_1", "alert_5_2_1", "alert_5_2_1", "alert_5_2_1"])
            let outcomes = try await scene.ask(
                "SELECT string_agg(outcome, ',' ORDER BY attempt) FROM delivery_attempt WHERE alert_id = 2")
            // On a busy machine one more attempt may fail before it reaches the receiver.
            #expect(outcomes.wholeMatch(of: /(retry,){2,}accepted/) != nil, "\(outcomes)")
        }
    }

    @Test func `a connection that ends in the middle of many loses none`() async throws {
        try await Scene.with(.http2) { scene in
            try await scene.endpoint(1)
            let trouble = (0..<10).flatMap { _ in [WebhookSink.Answer.status(200), .refuse, .status(200), .goAway] }
            scene.sink.answer(trouble, then: .status(200))
            let requests = try await scene.notifying(Self.settings) {
                try await scene.alarms(1...200)
                try await scene.await("200", "SELECT count(*) FROM alert WHERE state = 'delivered'")
                return scene.sink.received
            }
            let accepted = requests.filter { $0.answer == .status(200) }.map { $0.header("webhook-id") }
            #expect(Set(accepted).count == 200)
            #expect(Set(requests.map(\.connection)).count > 1)
        }
    }
}
