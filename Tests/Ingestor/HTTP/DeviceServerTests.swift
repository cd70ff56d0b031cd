import AsyncHTTPClient
import Foundation
import Instants
import MQTT
import MQTTFleet
import NIOHTTP1
import Postgres
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import Ingestor

/// The real program and devices without MQTT.
@Suite struct DeviceServerTests {
    private static let start = Timestamp.now - .seconds(86_400)

    private static func timed(_ number: Int, _ ph: Double = 7.9) -> String {
        #"{"time":\#(start.microseconds / 1_000_000 + Int64(number)),"ph":\#(ph)}"#
    }

    /// Posts while no commit gets through, and runs `meanwhile` once the request waits for one.
    private static func posting(
        _ device: DeviceClient, _ fixture: ServiceFixture, onAnswer: @escaping @Sendable () -> Void = {},
        meanwhile: @escaping @Sendable () async throws -> Void
    ) async throws -> DeviceClient.Answer {
        let (held, hold) = AsyncStream<Void>.makeStream()
        async let posted = { () async throws -> DeviceClient.Answer in
            for await _ in held { break }
            let answer = try await device.post(timed(0))
            onAnswer()
            return answer
        }()
        try await fixture.withCommitsHeldUp {
            hold.yield()
            try await fixture.store.await(StoreFixture.aBackendWaits)
            try await meanwhile()
        }
        return try await posted
    }

    @Test func theAnswerComesAfterTheCommit() async throws {
        try await ServiceFixture.with { fixture in
            let (ingestor, device) = try await fixture.startServing()
            let isAnswered = Mutex(false)
            let answer = try await Self.posting(device, fixture, onAnswer: { isAnswered.withLock { $0 = true } }) {
                let wasAnswered = isAnswered.withLock { $0 }
                #expect(!wasAnswered)
            }
            #expect(answer.text == #"{"stored":1,"repeated":0,"rejected":[]}"#)
            #expect(answer.status == 200)
            try await fixture.expectEachOnce(1)
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    @Test func aBacklogIsStoredOnceHoweverOftenItIsSent() async throws {
        try await ServiceFixture.with { fixture in
            let (ingestor, device) = try await fixture.startServing()
            let backlog = "[" + (0..<PostedPayloads.most).map { Self.timed($0) }.joined(separator: ",\n") + "]"
            #expect(try await device.post(backlog).text == #"{"stored":256,"repeated":0,"rejected":[]}"#)
            #expect(try await device.post(backlog).text == #"{"stored":0,"repeated":256,"rejected":[]}"#)
            // Sent by MQTT it is the same reading, and gets the same answer.
            let other = try await fixture.connect("tank-1")
            try await fixture.fleet.publish(.of(Self.timed(0)), as: other)
            try await fixture.fleet.publish(.of(Self.timed(300)), as: other)
            try await fixture.awaitStored(257)
            let mixed = try await device.post(
                #"[\#(Self.timed(300)), {"colour":1}, {"ph":"x"}, {"ph":8,"colour":1}, {}]"#)
            #expect(
                mixed.text == #"{"stored":1,"repeated":1,"rejected":[{"index":1,"reason":"unknownParameter"},"#
                    + #"{"index":2,"reason":"wrongType"},{"index":4,"reason":"malformed"}]}"#)
            // Without a time an identical message counts as the same for ten seconds.
            #expect(try await device.post(#"{"ph":8,"colour":1}"#).text == #"{"stored":0,"repeated":1,"rejected":[]}"#)
            let pack = #"[{"bn":"urn:dev:pond:","n":"ph","v":6.9},{"n":"temperature","u":"Cel","v":23.4}]"#
            let packed = try await device.post(pack, to: "/aqua/v1/tank-1/senml", type: "application/senml+json")
            #expect(packed.text == #"{"stored":1,"repeated":0,"rejected":[]}"#)
            #expect(
                try await fixture.store.count("count(*) FROM sample WHERE ph = 6.9::real AND temperature = 23.4::real")
                    == 1)
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    @Test func aDeviceIsKnownByItsKeyAlone() async throws {
        try await ServiceFixture.with(devices: ["tank-1", "tank-2"]) { fixture in
            let (ingestor, device) = try await fixture.startServing()
            func hash(_ key: String) -> String { "sha256('\(key)')" }
            try await fixture.database.sql("UPDATE device SET key_hash = \(hash("other")) WHERE hardware_id = 'tank-2'")
            func status(_ key: String?, _ name: String = "tank-1") async throws -> Int {
                var device = device
                device.key = key
                let answer = try await device.post(#"{"nitrate":1}"#, to: "/aqua/v1/\(name)/readings")
                if answer.status == 401 {
                    #expect(try answer.code == "device-key-refused")
                    #expect(answer.headers.first(name: "WWW-Authenticate") == "Bearer")
                }
                return answer.status
            }
            #expect(try await status(ServiceFixture.deviceKey) == 200)
            #expect(try await status("other", "tank-2") == 200)
            // Another device's key, no key and a wrong key are refused; an unknown device gets the same answer.
            #expect(try await status("other") == 401)
            #expect(try await status(nil) == 401)
            #expect(try await status("") == 401)
            #expect(try await status(ServiceFixture.deviceKey + "a") == 401)
            #expect(try await status(ServiceFixture.deviceKey, "tank-3") == 401)
            // A replaced key is refused from then on, and the new one is accepted.
            try await fixture.database.sql(
                "UPDATE device SET key_hash = \(hash("renewed")) WHERE hardware_id = 'tank-1'")
            #expect(try await status(ServiceFixture.deviceKey) == 401)
            #expect(try await status("renewed") == 200)
            try await fixture.database.sql("UPDATE device SET key_hash = NULL WHERE hardware_id = 'tank-1'")
            #expect(try await status("renewed") == 401)
            #expect(try await fixture.rejects() == 0, "nothing is kept of strangers")
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// Guessing keys is slowed down, but does not lock out a device that has come from that address with its key.
    @Test func guessesAreSlowedDown() async throws {
        try await ServiceFixture.with(devices: ["tank-1", "tank-2"]) { fixture in
            let (ingestor, device) = try await fixture.startServing()
            #expect(try await device.post(#"{"nitrate":1}"#).status == 200)
            var guesser = device
            guesser.key = "a guess"
            let slowed = try await awaitFact("a refusal") { [guesser] in
                let answer = try await guesser.post(#"{"nitrate":1}"#, to: "/aqua/v1/tank-2/readings")
                return answer.status == 429 ? answer : nil
            }
            #expect(try #require(slowed.headers.first(name: "Retry-After").flatMap { Int($0) }) > 0)
            // Guesses at the device's own key count like all others.
            try await awaitFact("a refusal") { [guesser] in
                try await guesser.post(#"{"nitrate":1}"#).status == 429 ? true : nil
            }
            #expect(try await device.post(#"{"nitrate":2}"#).status == 200)
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// A client without a key, behind the same address, uses up that address's budget.
    @Test func aFloodFromItsAddressKeepsNoDeviceOut() async throws {
        try await ServiceFixture.with { fixture in
            let (ingestor, device) = try await fixture.startServing()
            #expect(try await device.post(#"{"nitrate":1}"#).status == 200)
            var stranger = device
            stranger.key = nil
            let one = "GET /time HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            // Sends many at once over each connection, so that it is fast enough on a busy machine.
            let many = String(repeating: "\(one)\r\n", count: 400) + "\(one)Connection: close\r\n\r\n"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { [port = device.port] in
                        while !Task.isCancelled {
                            try await RawClient.with(port) { client in
                                try await client.send(many)
                                _ = try await client.rest()
                            }
                        }
                    }
                }
                try await awaitFact("a refusal") { [stranger] in
                    try await stranger.ask(.GET, "/time").status == 429 ? true : nil
                }
                for number in 2..<12 { #expect(try await device.post(#"{"nitrate":\#(number)}"#).status == 200) }
                group.cancelAll()
                while let result = await group.nextResult() { _ = result }
            }
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    @Test func whatCannotBeTakenIsToldWhy() async throws {
        try await ServiceFixture.with { fixture in
            let (ingestor, device) = try await fixture.startServing()
            let many = "[" + Array(repeating: "{}", count: PostedPayloads.most + 1).joined(separator: ",") + "]"
            let large = "{" + String(repeating: " ", count: PostedPayloads.largestBody) + "}"
            let cases: [(DeviceClient.Answer, Int, String)] = [
                (try await device.post("{"), 400, "malformed-body"),
                (try await device.post("[]"), 400, "malformed-body"),
                (try await device.post(many), 413, "body-too-large"),
                (try await device.post(large), 413, "body-too-large"),
                (try await device.post("{}", type: "text/plain"), 415, "unsupported-media-type"),
                (try await device.post("{}", type: nil), 415, "unsupported-media-type"),
                (try await device.post("{}", to: "/aqua/v1/tank-1/status"), 404, "not-found"),
                (try await device.post("{}", to: "/"), 404, "not-found"),
                (try await device.post("{}", method: .PUT), 405, "method-not-allowed"),
                (try await device.ask(.GET, "/aqua/v1/tank-1/readings"), 405, "method-not-allowed"),
                (try await device.post("{}", to: "/time"), 405, "method-not-allowed"),
            ]
            for (answer, status, code) in cases {
                #expect(answer.status == status, "\(answer.text)")
                #expect(try answer.code == code)
            }
            // A part that exceeds a message's limits concerns that message alone.
            let long = #"{"ph":7,"a":"\#(String(repeating: "x", count: ReadingsPayload.largest))"}"#
            #expect(
                try await device.post("[\(long),\(Self.timed(0))]").text
                    == #"{"stored":1,"repeated":0,"rejected":[{"index":0,"reason":"tooLarge"}]}"#)
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// A device that deletes readings after 200 loses nothing that could have been stored.
    @Test func whatIsNotStoredIsNoSuccess() async throws {
        try await ServiceFixture.with { fixture in
            let (ingestor, device) = try await fixture.startServing()
            let refused = try await device.post(#"[{"colour":1},{"ph":"x"}]"#)
            #expect(refused.status == 422)
            #expect(try refused.code == "nothing-stored")
            #expect(
                refused.text.contains(
                    #""stored":0,"repeated":0,"rejected":[{"index":0,"reason":"unknownParameter"},{"index":1,"reason":"wrongType"}]"#
                ), "\(refused.text)")
            let pack = #"[{"n":"colour","v":1}]"#
            #expect(try await device.post(pack, to: "/aqua/v1/tank-1/senml").status == 422)
            let mixed = try await device.post("[\(Self.timed(0)),{\"colour\":1}]")
            #expect(mixed.status == 200 && mixed.text.contains(#""stored":1"#), "\(mixed.text)")
            let again = try await device.post(Self.timed(0))
            #expect(again.status == 200, "it is stored")
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// In milliseconds each reading has its own time; a reading without a possible time is reported as being of now.
    @Test func aBacklogKeepsItsTimesOrIsToldThatItHasNone() async throws {
        try await ServiceFixture.with { fixture in
            let (ingestor, device) = try await fixture.startServing()
            let first = Self.start.microseconds / 1_000_000
            for (scale, offset) in [(1_000, 0), (1_000_000, 30), (1_000_000_000, 60)] as [(Int64, Int64)] {
                let times = (0..<3).map { (first + offset + $0 * 10) * scale }
                let body = times.map { #"{"time":\#($0),"ph":7.9}"# }.joined(separator: ",")
                #expect(try await device.post("[\(body)]").text == #"{"stored":3,"repeated":0,"rejected":[]}"#)
            }
            #expect(
                try await fixture.store.count(
                    "count(DISTINCT event_time) FROM sample WHERE flags = 0 AND event_time < now() - interval '1 hour'")
                    == 9)
            let odd = try await device.post(#"[{"time":1e300,"ph":7},\#(Self.timed(500)),{"time":5,"ph":7.1}]"#)
            #expect(
                odd.text == #"{"stored":3,"repeated":0,"rejected":[],"times":[{"index":0,"time":"implausible"},"#
                    + #"{"index":2,"time":"implausible"}]}"#)
            #expect(try await fixture.store.count("count(*) FROM sample WHERE flags = 5") == 2)
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// The MQTT lane fails for good: somebody has to notice, even though devices over HTTP could still be served.
    @Test func aLaneThatEndsEndsTheProcess() async throws {
        try await ServiceFixture.with { fixture in
            let (ingestor, _) = try await fixture.startServing()
            try await fixture.database.sql("REVOKE INSERT ON sample FROM aqua_ingestor")
            try await fixture.publish(0..<1, since: Self.start)
            try await awaitFact("the end is logged", within: .seconds(60)) {
                ingestor.output.all.contains { $0.contains(#""error""#) && $0.contains("Stopped by an error") }
                    ? true : nil
            }
            #expect(await ingestor.end == .exit(1))
            try await fixture.database.sql("GRANT INSERT ON sample TO aqua_ingestor")
            let next = try await fixture.startIngestor()
            try await fixture.awaitStored(1)
            try await fixture.expectEachOnce(1)
            #expect(await next.stop() == .exit(0))
        }
    }

    @Test func theClockNeedsNoKey() async throws {
        try await ServiceFixture.with(devices: []) { fixture in
            let (ingestor, device) = try await fixture.startServing()
            var stranger = device
            stranger.key = nil
            // The database's time, as it was read a moment ago.
            let before = Timestamp.now - .seconds(1)
            let answer = try await stranger.ask(.GET, "/time")
            #expect(answer.status == 200)
            #expect(answer.headers.first(name: "Cache-Control") == "no-store")
            let object = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any]
            let told = try #require((object?["time"] as? String).flatMap { Timestamp($0) })
            #expect((before...Timestamp.now + .seconds(1)).contains(told))
            #expect(object?["unix"] as? Int64 == told.microseconds / 1_000_000)
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    @Test func withoutADatabaseNothingIsAcknowledgedAndNothingLost() async throws {
        try await ServiceFixture.with { fixture in
            let (ingestor, device) = try await fixture.startServing()
            #expect(try await device.post(Self.timed(0)).status == 200)
            await fixture.store.owner.close()
            try await fixture.cluster.halt(.database)
            let refused = try await device.post(Self.timed(1))
            #expect(refused.status == 503)
            #expect(try refused.code == "unavailable")
            #expect(refused.headers.first(name: "Retry-After") == "5")
            try await fixture.cluster.resume(.database)
            try await awaitFact("the same reading") { try await device.post(Self.timed(1)).status == 200 ? true : nil }
            #expect(try await fixture.database.sql("SELECT count(*) FROM sample") == "2")
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// The database goes away in the middle of a commit, whose outcome is unknown, so the device has to ask again.
    @Test func aCommitThatTakesTooLongIsNoAnswer() async throws {
        try await ServiceFixture.with { fixture in
            let (ingestor, device) = try await fixture.startServing()
            try await fixture.withCommitsHeldUp {
                let answer = try await device.post(Self.timed(0))
                #expect(answer.status == 503)
            }
            try await fixture.awaitStored(1)
            #expect(try await device.post(Self.timed(0)).text == #"{"stored":0,"repeated":1,"rejected":[]}"#)
            try await fixture.expectEachOnce(1)
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    @Test func aRequestThatWasTakenIsAnsweredBeforeTheEnd() async throws {
        try await ServiceFixture.with { fixture in
            let (ingestor, device) = try await fixture.startServing()
            let answer = try await Self.posting(device, fixture) { ingestor.signal(SIGTERM) }
            #expect(answer.text == #"{"stored":1,"repeated":0,"rejected":[]}"#)
            #expect(await ingestor.end == .exit(0))
            try await fixture.expectEachOnce(1)
        }
    }

    /// After the grace period the device is told to come again, or the connection ends with the program where the machine has no time even for that: it comes again, too.
    @Test func theEndDoesNotWaitForACommitForEver() async throws {
        try await ServiceFixture.with { fixture in
            let (ingestor, device) = try await fixture.startServing()
            do {
                let answer = try await Self.posting(device, fixture) {
                    ingestor.signal(SIGTERM)
                    #expect(await ingestor.end == .exit(0))
                }
                #expect(answer.status == 503)
            } catch let error as HTTPClientError where error == .remoteConnectionClosed {}
        }
    }

    @Test func theBrokerMayBeAwayAndAnotherIngestorAtWork() async throws {
        try await ServiceFixture.with { fixture in
            let (first, one) = try await fixture.startServing()
            let (second, other) = try await fixture.startServing(until: "Standing by")
            #expect(try await one.post(Self.timed(0)).status == 200)
            #expect(try await other.post(Self.timed(1)).text == #"{"stored":1,"repeated":0,"rejected":[]}"#)
            #expect(try await other.post(Self.timed(0)).text == #"{"stored":0,"repeated":1,"rejected":[]}"#)
            try await fixture.cluster.halt(.broker)
            #expect(try await one.post(Self.timed(2)).text == #"{"stored":1,"repeated":0,"rejected":[]}"#)
            try await fixture.expectEachOnce(3)
            for ingestor in [first, second] { #expect(await ingestor.stop() == .exit(0)) }
        }
    }

    /// Served with the broker's certificate, which devices trust already.
    @Test func overTLSNothingIsServedInPlainText() async throws {
        try await ServiceFixture.with { fixture in
            let authority = fixture.cluster.broker.authorityFile
            let directory = URL(filePath: authority).deletingLastPathComponent()
            let (ingestor, device) = try await fixture.startServing([
                "AQUA_DEVICE_HTTP_CERTIFICATE_FILE": directory.appending(path: "broker.pem").path(
                    percentEncoded: false),
                "AQUA_DEVICE_HTTP_KEY_FILE": directory.appending(path: "broker.key").path(percentEncoded: false),
            ])
            let output = try await ProcessUnderTest.run(
                "/usr/bin/curl",
                [
                    "--silent", "--show-error", "--cacert", authority, "--json", Self.timed(0), "--header",
                    "Authorization: Bearer \(ServiceFixture.deviceKey)",
                    "https://localhost:\(device.port)/aqua/v1/tank-1/readings",
                ])
            #expect(output == #"{"stored":1,"repeated":0,"rejected":[]}"#)
            await #expect(throws: (any Error).self) { try await device.ask(.GET, "/time") }
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// The example of deploy/DEVICES.md.
    @Test func theExampleOfTheDocumentWorks() async throws {
        let document = try String(
            contentsOf: Paths.repository.appending(path: "deploy/DEVICES.md"), encoding: .utf8)
        let blocks = document.components(separatedBy: "```").filter { $0.contains("curl") }
        let example = try #require(blocks.first)
        try await ServiceFixture.with(devices: ["pond-1"]) { fixture in
            let (ingestor, device) = try await fixture.startServing()
            let local = example.replacing("https://water.example.org:8885", with: "http://127.0.0.1:\(device.port)")
                .replacing("--cacert ca.pem ", with: "")
                // The document's time is older than the retention of samples.
                .replacing("17776368", with: "\(Self.start.microseconds / 100_000_000)")
            #expect(local != example)
            let output = try await ProcessUnderTest.run(
                "/bin/bash", ["-euc", local.replacing("THE-DEVICES-PASSWORD", with: ServiceFixture.deviceKey)])
            #expect(output.contains(#"{"stored":2,"repeated":0,"rejected":[]}"#), "\(output)")
            #expect(output.contains(#""unix":"#))
            try await fixture.expectEachOnce(2)
            #expect(await ingestor.stop() == .exit(0))
        }
    }
}
