import HTTPTypes
import TestSupport
import Testing
import Words

@testable import Routes

@Suite struct RouteTests {
    private let caller = Aquarium.Caller()

    /// The faults, as `place name code` in order; empty if the handler ran.
    private func faults(_ route: Route<Aquarium.Caller>, _ request: RawRequest) async throws -> [String] {
        let before = caller.count
        do {
            _ = try await route.respond(to: request, caller)
            #expect(caller.count == before + 1)
            return []
        } catch let problem as Problem {
            #expect(caller.count == before, "the handler ran in spite of \(problem)")
            guard problem.type == .invalidInput else { return [problem.type.code] }
            return problem.faults.map { "\($0.place.rawValue) \($0.name)\($0.fault.path) \($0.fault.code)" }
        }
    }

    @Test(arguments: [
        (#"{"name":"Nemo","age":3}"#, []),
        (#"{"name":"Nemo","age":3,"password":null,"food":["flakes"]}"#, []),
        (#"{}"#, ["body name missing", "body age missing"]),
        ("", ["body name missing", "body age missing"]),
        (#"{"name":"","age":-1}"#, ["body name too-short", "body age too-small"]),
        (#"{"name":"Nemo the 9th","age":41}"#, ["body name too-long", "body age too-large"]),
        (#"{"name":7,"age":"7"}"#, ["body name not-text", "body age not-integer"]),
        (#"{"name":null,"age":null}"#, ["body name not-text", "body age not-integer"]),
        (#"{"name":"a\u0000b","age":1.0}"#, ["body name nul-character"]),
        (#"{"name":"Nemo","age":1.5}"#, ["body age not-integer"]),
        (#"{"name":"Nemo","age":1,"nme":1,"x/y":2}"#, ["body nme unknown", "body x/y unknown"]),
        (#"{"name":"Nemo","age":1,"food":["a","",7]}"#, ["body food/1 too-short"]),
        (#"{"name":"Nemo","age":1,"food":["a","b","c","d"]}"#, ["body food too-many"]),
        (#"{"name":"Nemo","age":1,"food":"a"}"#, ["body food not-list"]),
        (#"{"name":"Nemo","age":1,"password":"abc"}"#, ["body password too-short"]),
        (#"{"name":"Nemo","age":1,"age":2}"#, ["malformed-body"]),
        (#"["Nemo"]"#, ["malformed-body"]),
        (#"{"name":"Nemo""#, ["malformed-body"]),
    ])
    func everyFaultOfABodyIsTold(_ body: String, _ expected: [String]) async throws {
        #expect(try await faults(Aquarium.create, .json(body)) == expected)
    }

    @Test(arguments: [
        (nil, []),
        ("", []),
        ("since=2026-05-01T12:00:00Z&limit=7", []),
        ("since=2026-05-01T12:00:00%2B02:00", []),
        ("since=2026-05-01T12:00:00+02:00", ["query since not-timestamp"]),
        ("since=yesterday&limit=0", ["query since not-timestamp", "query limit too-small"]),
        ("limit=1&limit=2", ["query limit repeated"]),
        ("sides=left,right", []),
        ("sides=left,", ["query sides not-a-choice"]),
        ("sides=", ["query sides too-few"]),
        ("word=%", ["query word encoding"]),
        ("word=%ff", ["query word encoding"]),
        ("word=%00", ["query word nul-character"]),
        ("word=" + String(repeating: "%F0%9F%90%9F", count: 16), []),
        ("word=" + String(repeating: "%F0%9F%90%9F", count: 17), ["query word too-long"]),
        ("wrod=a&%=1", ["query wrod unknown", "query % unknown"]),
        ("cursor=x", ["query cursor cursor"]),
    ])
    func everyFaultOfAQueryIsTold(_ query: String?, _ expected: [String]) async throws {
        #expect(try await faults(Aquarium.list, RawRequest(query: query)) == expected)
    }

    @Test(arguments: [
        (#"{}"#, "unchanged"), (#"{"place":null}"#, "clear"), (#"{"place":"left"}"#, "set"),
    ])
    func aPatchTellsWhatIsMissingFromWhatIsNull(_ body: String, _ expected: String) async throws {
        let request = RawRequest.json(body, path: ["fish": "a"], headers: [.ifMatch: "\"v3\""])
        let answer = try await Aquarium.move.respond(to: request, caller)
        #expect(try #require(answer.json?["text"]?.string).hasPrefix(expected))
    }

    @Test func valuesReachTheHandlerAndItsAnswerTheCaller() async throws {
        let body = #"{"name":"Nemo","age":3e0,"password":"coral","food":["a","b"]}"#
        let answer = try await Aquarium.create.respond(to: .json(body), caller)
        #expect(answer.status == .created)
        #expect(answer.headers[.location] == "/fish/fish-1")
        #expect(answer.headers[.contentType] == "application/json")
        #expect(answer.json == ["id": "fish-1", "name": #"Nemo 3 coral ["a", "b"]"#, "length": nil])
    }

    @Test(arguments: [
        ("application/json", true), ("Application/JSON; charset=UTF-8", true), ("application/json ; x=y", true),
        ("application/json; charset=\"utf-8\"", true),
        ("application/json; charset=latin1", false), ("text/plain", false), ("application/jsonp", false), (nil, false),
    ])
    func aBodyIsJSONOrNothing(_ type: String?, _ isTaken: Bool) async throws {
        let request = RawRequest.json(#"{"name":"Nemo","age":3}"#, type: type)
        #expect(try await faults(Aquarium.create, request) == (isTaken ? [] : ["unsupported-media-type"]))
    }

    @Test func aBodyThatIsNotWantedIsRefused() async throws {
        let path = ["fish": "a"]
        #expect(try await faults(Aquarium.remove, .json("{}", path: path)) == [])
        #expect(try await faults(Aquarium.remove, .json(#"{"a":1}"#, path: path)) == ["body a unknown"])
    }

    @Test func aHostileBodyGetsAShortAnswer() async throws {
        let name = String(repeating: "n", count: 60)
        let body = "{" + (0..<1_000).map { "\"\(name)\($0)\":0" }.joined(separator: ",") + "}"
        do {
            _ = try await Aquarium.create.respond(to: .json(body), caller)
            Issue.record("accepted")
        } catch let problem as Problem {
            #expect(problem.json(.en, requestID: "r").bytes.count < 8_000)
        }
    }

    @Test(
        arguments: [
            (nil, "precondition-required"), ("\"v2\"", "precondition-failed"), ("W/\"v3\"", "precondition-failed"),
            ("v3", "header If-Match entity-tag"), ("\"v1\", \"v3\"", nil), ("*", nil),
        ] as [(String?, String?)])
    func aChangeNamesTheVersionThatItIsBasedOn(_ header: String?, _ expected: String?) async throws {
        var headers: HTTPFields = [:]
        headers[.ifMatch] = header
        let told = try await faults(Aquarium.move, .json("{}", path: ["fish": "a"], headers: headers))
        #expect(told == (expected.map { [$0] } ?? []))
    }

    @Test func aVersionIsAskedForEvenWhereTheHandlerNeedsNone() async throws {
        #expect(try await faults(Aquarium.count, .json("{}", path: ["fish": "a"])) == ["precondition-required"])
        let named = RawRequest.json("{}", path: ["fish": "a"], headers: [.ifMatch: "*"])
        #expect(try await faults(Aquarium.count, named) == [])
    }

    @Test func theNextPageBeginsWhereTheCursorSays() async throws {
        let first = try await Aquarium.list.respond(to: RawRequest(), caller)
        let next = try #require(first.json?["next"]?.string)
        let second = try await Aquarium.list.respond(to: RawRequest(query: "cursor=\(next)"), caller)
        let cursor = try #require(second.json?["next"]?.string)
        let key: Int64 = try Cursor.read(cursor, of: "listFish")
        #expect(key == 2)
    }

    @Test func eachRouteTakesItsOwnExample() async throws {
        for route in Aquarium.api.routes where route.id != "listFish" {
            _ = try await route.respond(to: route.exampleRequest, caller)
        }
    }

    @Test func aStreamIsWrittenBitByBit() async throws {
        struct Writer: BodyWriter {
            var bytes: [UInt8] = []
            mutating func write(_ more: [UInt8]) { bytes += more }
        }
        let answer = try await Aquarium.watch.respond(to: RawRequest(), caller)
        #expect(answer.headers[.contentType] == "text/event-stream")
        guard case .stream(let stream) = answer.body else {
            Issue.record("no stream")
            return
        }
        var writer: any BodyWriter = Writer()
        try await stream(&writer)
        #expect((writer as? Writer)?.bytes == Array("data: 1\n\n".utf8))
    }

    /// For any input the handler runs, or a 4xx problem says why not.
    @Test(arguments: 0..<8) func anyRequestIsReadOrRefused(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let words = [
            #"{"name":"Nemo","age":3}"#, "{", "}", "[", "\"", "\\u00", "\\ud83d", "name", "age", ":", ",", "1e999", "-",
            "null", "\0", "é", "&", "=", "%", "%f0", "+", "limit", "sides", "cursor", "left",
        ]
        for _ in 0..<100 {
            var text: [UInt8] = []
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                if Bool.random(using: &generator) {
                    text += words.randomElement(using: &generator)?.utf8.map { $0 } ?? []
                } else {
                    text.append(.random(in: 0...255, using: &generator))
                }
            }
            let request = RawRequest(
                path: ["fish": "a"], query: String(decoding: text, as: UTF8.self),
                headers: [.contentType: "application/json"], body: text)
            for route in Aquarium.api.routes {
                do {
                    _ = try await route.respond(to: request, caller)
                } catch let problem as Problem {
                    #expect(problem.type.status.kind == .clientError)
                    for language in Language.allCases {
                        let document = problem.json(language, requestID: "r").bytes
                        #expect(throws: Never.self) { try JSON(reading: document) }
                    }
                }
            }
        }
    }
}
