import Foundation
import Messaging
import Secrets
import ServiceKit
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// Alerts by services that bring messages.
@Suite struct MessagingDeliveryTests {
    @Test func `an alarm and its end, with how urgent they are and where they lead`() async throws {
        try await Scene.with { scene in
            try await scene.ntfy(1)
            let requests = try await scene.notifying(origin: PublicOrigin("https://water.example.org")) {
                try await scene.alarms()
                _ = try await scene.sink.requests(1)
                try await scene.alarms(2...2, purpose: "recovery")
                return try await scene.sink.requests(2)
            }
            let bodies = try requests.map {
                try #require(JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any])
            }
            #expect(bodies.map { $0["topic"] as? String } == ["koi-7f3a", "koi-7f3a"])
            #expect(bodies.map { $0["priority"] as? Int } == [4, 3])
            #expect(bodies.allSatisfy { ($0["title"] as? String)?.hasPrefix("Koi") == true })
            // An alarm is answered where it leads, its end is not.
            #expect((bodies[0]["click"] as? String)?.hasPrefix("https://water.example.org/answer#") == true)
            #expect((bodies[0]["actions"] as? [[String: Any]])?.count == 2 && bodies[1]["actions"] == nil)
            #expect((bodies[1]["click"] as? String)?.hasPrefix("https://water.example.org/alerts/") == true)
            #expect(requests.allSatisfy { $0.header("authorization") == "Bearer tk_secret" })
        }
    }

    @Test func `an installation without an address leads nowhere`() async throws {
        try await Scene.with { scene in
            try await scene.ntfy(1)
            let requests = try await scene.notifying {
                try await scene.alarms()
                return try await scene.sink.requests(1)
            }
            let body = try #require(JSONSerialization.jsonObject(with: Data(requests[0].body)) as? [String: Any])
            #expect(body["click"] == nil)
        }
    }

    /// A wrong token may be mended: nothing is retired before the service says that it is gone.
    @Test func `a refusal is tried again, and nobody is retired`() async throws {
        try await Scene.with { scene in
            try await scene.ntfy(1)
            scene.sink.answer([.status(401), .status(429, retryAfter: "0")], then: .status(200))
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("accepted", "SELECT state FROM delivery")
            }
            #expect(try await scene.ask("SELECT count(*) FROM endpoint_retirement") == "0")
        }
    }

    @Test func `what was sealed for another channel is not sent`() async throws {
        try await Scene.with { scene in
            try await scene.ntfy(1)
            _ = try await scene.ask("UPDATE endpoint SET channel = 'gotify'")
            try await scene.notifying {
                try await scene.alarms()
                try await scene.await("refused", "SELECT outcome FROM delivery_attempt LIMIT 1")
            }
            #expect(scene.sink.received.isEmpty)
        }
    }
}

extension Scene {
    /// Registers a topic at the scene's receiver.
    fileprivate func ntfy(_ number: Int64) async throws {
        try await register(number, by: .ntfy, [.server: sink.url(path: "/"), .topic: "koi-7f3a", .token: "tk_secret"])
    }
}
