import Routes
import Testing

@testable import Ingestor

@Suite struct PostedPayloadsTests {
    private func read(_ text: String) throws(PostedPayloads.Fault) -> [String] {
        try PostedPayloads(Array(text.utf8)).payloads.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func oneMessageOrAnArrayOfThem() throws {
        let one = #"{"time":1777636800,"readings":{"ph":7.9}}"#
        #expect(try read(one) == [one])
        #expect(try read(" \n\(one)\r\n") == [one])
        #expect(try read(#"[{"ph":7}, {"ph":"],}"}\#n,{}]"#) == [#"{"ph":7}"#, #"{"ph":"],}"}"#, "{}"])
        // A broken probe's output is no JSON, and concerns its message alone.
        #expect(try read(#"[{"ph":nan},{"ph":7}]"#) == [#"{"ph":nan}"#, #"{"ph":7}"#])
    }

    @Test(arguments: [
        "", "[", "[{}", "[{},]", "[{} {}]", "{}{}", "{}]", "7", "null", "[7]", "[[{}]]", #"{"ph":}"#, "\u{FEFF}{}",
    ])
    func whatIsNeitherIsRefused(_ text: String) {
        #expect(throws: PostedPayloads.Fault.malformed) { try read(text) }
    }

    @Test func thereAreAtMostSoMany() throws {
        func many(_ count: Int) -> String { "[" + Array(repeating: "{}", count: count).joined(separator: ",") + "]" }
        #expect(try read(many(PostedPayloads.most)).count == PostedPayloads.most)
        #expect(throws: PostedPayloads.Fault.tooMany) { try read(many(PostedPayloads.most + 1)) }
        #expect(throws: PostedPayloads.Fault.empty) { try read(many(0)) }
    }

    @Test func whatBecameOfEachIsTold() {
        let answer = PostedAnswer([.stored, .rejected(.tooOld), nil, .repeated, .stored, .rejected(.malformed)])
        #expect(answer.shed == 1)
        #expect(
            String(decoding: JSON.object(answer.members).bytes, as: UTF8.self)
                == #"{"stored":2,"repeated":1,"rejected":[{"index":1,"reason":"tooOld"},{"index":5,"reason":"malformed"}]}"#
        )
    }

    @Test func timesThatCannotBeAreTold() {
        let answer = PostedAnswer([.stored, .storedAtReceipt, .repeated])
        #expect(
            String(decoding: JSON.object(answer.members).bytes, as: UTF8.self)
                == #"{"stored":2,"repeated":1,"rejected":[],"times":[{"index":1,"time":"implausible"}]}"#)
        #expect(!answer.isRefused)
        #expect(PostedAnswer([.rejected(.tooOld), .rejected(.refused)]).isRefused)
        #expect(!PostedAnswer([.rejected(.tooOld), .repeated]).isRefused, "one is stored already")
        #expect(!PostedAnswer([.rejected(.tooOld), nil]).isRefused, "one will be sent again")
    }

    @Test(arguments: [
        ("/aqua/v1/tank-1/readings", true), ("/aqua/v1/tank-1/senml", true), ("/aqua/v1/tank-1/status", false),
        ("/aqua/v1/tank-1/tele/SENSOR", false), ("/aqua/v1/tank-1/readings/", false),
        ("/aqua/v1/tank-1/readings?a", false), ("/aqua/v1/tank-1/readings?event=up", true),
        ("/aqua/v1/tank-1/readings/?event=up", false), ("/time?event=up", false),
        ("//aqua/v1/tank-1/readings", false), ("aqua/v1/tank-1/readings", false), ("/aqua/v1/tank%2D1/readings", false),
        ("/aqua/v2/tank-1/readings", false), ("/aqua/v1//readings", false), ("/", false), ("", false),
    ])
    func aPathIsATopicBehindASlash(_ path: String, _ isOne: Bool) {
        #expect((DevicePath(path) != nil) == isOne)
    }
}
