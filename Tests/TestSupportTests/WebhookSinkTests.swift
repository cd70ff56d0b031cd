import Foundation
import TestSupport
import Testing

@Suite struct WebhookSinkTests {
    @Test func answersByItsScript() async throws {
        try await WebhookSink.with { sink in
            sink.answer([.status(500), .status(429, retryAfter: "7"), .close], then: .status(200))
            func post(_ body: String) async throws -> ProcessUnderTest {
                let curl = try ProcessUnderTest.start(
                    "/usr/bin/curl", ["-s", "-i", "--max-time", "20", "-H", "webhook-id: a", "-d", body, sink.url()])
                _ = await curl.end
                return curl
            }
            #expect(try await post("one").output.all.first?.contains(" 500") == true)
            #expect(try await post("two").output.all.contains { $0.lowercased().hasPrefix("retry-after: 7") })
            #expect(try await post("three").end == .exit(52))  // curl's "empty reply"
            #expect(try await post("four").output.all.first?.contains(" 200") == true)
            let requests = try await sink.requests(4)
            #expect(requests.map { String(decoding: $0.body, as: UTF8.self) } == ["one", "two", "three", "four"])
            #expect(requests.allSatisfy { $0.header("webhook-id") == "a" && $0.path == "/hook" })
        }
    }

    @Test func hangsUntilTheSenderGivesUp() async throws {
        try await WebhookSink.with { sink in
            sink.answer(then: .hang)
            let curl = try ProcessUnderTest.start("/usr/bin/curl", ["-s", "--max-time", "600", sink.url()])
            _ = try await sink.requests(1)
            curl.signal(SIGTERM)
            _ = await curl.end
        }
    }
}
