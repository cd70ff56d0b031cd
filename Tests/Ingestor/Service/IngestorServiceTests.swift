import Foundation
import Instants
import MQTT
import MQTTFleet
import Postgres
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// The real program between real servers: messages that the broker handed over are stored, whatever happens in between.
@Suite struct IngestorServiceTests {
    private static let start = Timestamp.now - .seconds(86_400)

    @Test func readingsBecomeRowsAndTheRestIsTold() async throws {
        try await ServiceFixture.with(devices: ["tank-1", "tank-2"]) { fixture in
            let ingestor = try await fixture.startIngestor()
            let tank = try await fixture.connect("tank-1", secure: true)
            let poison: [[UInt8]] = [
                [], [0], Array("{".utf8), Array(#"{"ph":"\u0000"}"#.utf8),
            ]
            for payload in poison {
                try await fixture.fleet.publish(
                    MQTTMessage(topic: "aqua/v1/tank-1/readings", payload: payload), as: tank)
            }
            // The broker refuses messages too large for an Ingestor, and blocks nobody.
            await #expect(throws: MQTTError(.messageTooLarge)) {
                try await fixture.fleet.publish(
                    .of(String(repeating: " ", count: ReadingsPayload.largest + 1)), as: tank)
            }
            let messages: [MQTTMessage] = [
                .of(#"{"temperature":{"value":77,"unit":"°F"},"ph":7.9}"#),
                .of(#"{"time":\#(Self.start.microseconds / 1_000_000),"readings":{"ph":8,"colour":"green"}}"#),
                .of("online", subject: "status"), .of("perhaps", subject: "status"),
            ]
            for message in messages { try await fixture.fleet.publish(message, as: tank) }
            try await fixture.store.await(
                "(SELECT sum(messages) FROM device_reject) = 6 AND (SELECT count(*) FROM sample) = 2")
            #expect(
                try await fixture.database.sql(
                    "SELECT flags, temperature, ph, event_time = received_at FROM sample ORDER BY event_time")
                    == "0||8|f\n1|25|7.9|t")
            #expect(
                try await fixture.database.sql("SELECT reason, messages FROM device_reject ORDER BY 1")
                    == "malformed|3\nstatus|1\nunknownParameter|1\nwrongType|1")
            #expect(try await fixture.database.sql("SELECT online FROM device_status") == "t")
            // A device that loses its power has a will; a device added later is heard soon.
            try await fixture.fleet.publish(.of("offline", subject: "status"), as: tank)
            try await fixture.store.await("NOT online FROM device_status")
            try await fixture.cluster.broker.addDevice("late", password: "the key of a device")
            let late = try await fixture.connect("late")
            try await fixture.fleet.publish(.of("late", #"{"ph":7}"#), as: late)
            try await fixture.store.await("EXISTS (SELECT FROM reject WHERE reason = 'unknownDevice')")
            _ = try await StoreFixture.addDevice("late", fixture.store.owner)
            try await awaitFact("a reading of the late device") {
                try await fixture.fleet.publish(.of("late", #"{"ph":\#(Double.random(in: 7...8))}"#), as: late)
                return try await fixture.database.sql("SELECT count(*) FROM sample") == "2" ? nil : true
            }
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// 4,096 messages: the memory of a batch does not depend on the number of messages waiting at the broker.
    @Test func batchesAreBoundedHoweverMuchWaits() async throws {
        try await ServiceFixture.with { fixture in
            let ingestor = try await fixture.startIngestor()
            try await fixture.withCommitsHeldUp {
                try await fixture.publish(0..<10_000, since: Self.start)
            }
            try await fixture.awaitStored(10_000)
            let batches = try await fixture.database.sql(
                "SELECT max(messages) <= 4096, sum(messages) FROM evaluation_batch")
            #expect(batches == "t|10000")
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// The machine's clock is hours or days wrong: receipts use the database's clock, so that no device seems heard in
    /// the future, and nothing recent seems old.
    @Test(arguments: [7_200, 8 * 86_400, -8 * 86_400]) func receiptsAreOfTheDatabasesClock(seconds: Int) async throws {
        try await ServiceFixture.with { fixture in
            let wrong = WallClock { WallClock.system.now() + .seconds(seconds) }
            try await fixture.withIngestor(clock: wrong) {
                let now = Timestamp.now
                let tank = try await fixture.connect("tank-1")
                for payload in [
                    #"{"time":\#(now.microseconds / 1_000_000),"temperature":26.3}"#, #"{"temperature":26.4}"#,
                ] {
                    try await fixture.fleet.publish(.of(payload), as: tank)
                }
                try await fixture.fleet.publish(.of("online", subject: "status"), as: tank)
                try await fixture.awaitStored(2)
                let near = "BETWEEN now() - interval '5 minutes' AND now() + interval '1 s'"
                #expect(
                    try await fixture.store.count(
                        "count(*) FROM sample WHERE received_at \(near) AND event_time \(near)") == 2)
                #expect(try await fixture.store.evaluated().count == 2, "both are of now")
                try await fixture.store.await("EXISTS (SELECT FROM device_status WHERE changed_at \(near))")
            }
        }
    }

    @Test func receiptsComeAfterTheCommit() async throws {
        try await ServiceFixture.with { fixture in
            let ingestor = try await fixture.startIngestor()
            let tank = try await fixture.connect("tank-1")
            try await fixture.fleet.subscribe([MQTTSubscription("aqua/v1/tank-1/ack")], as: tank)
            var answers = tank.messages.makeAsyncIterator()
            let timed = #"{"time":\#(Self.start.microseconds / 1_000_000),"ph":7.9}"#
            let asked: [(payload: String, answer: String, stored: Int)] = [
                (timed, #"{"status":"stored"}"#, 1), (timed, #"{"status":"repeated"}"#, 1),
                (#"{"ph":8}"#, #"{"status":"stored"}"#, 2), (#"{"ph":8}"#, #"{"status":"repeated"}"#, 2),
                ("nonsense", #"{"status":"rejected","reason":"malformed"}"#, 2),
            ]
            for (number, question) in asked.enumerated() {
                let correlation = Array("question \(number)".utf8) + [0, 0xFF]
                try await fixture.fleet.publish(
                    .of(question.payload, responseTopic: "aqua/v1/tank-1/ack", correlationData: correlation), as: tank)
                let answer = try #require(await answers.next())
                #expect(try await fixture.store.count("count(*) FROM sample") == question.stored)
                #expect(String(decoding: answer.payload, as: UTF8.self) == question.answer)
                #expect(answer.correlationData == correlation)
            }
            // Requests for answers elsewhere get none, and topics that brokers refuse do not end the connection.
            for topic in [
                "aqua/v1/tank-2/ack", "aqua/v1/tank-1/" + String(repeating: "/", count: 210), "aqua/v1/tank-1/readings",
            ] {
                try await fixture.fleet.publish(.of(#"{"nitrate":1}"#, responseTopic: topic), as: tank)
            }
            try await fixture.fleet.publish(.of(timed, responseTopic: "aqua/v1/tank-1/ack"), as: tank)
            #expect(await answers.next()?.payload == Array(#"{"status":"repeated"}"#.utf8))
            #expect(await ingestor.stop() == .exit(0))
            #expect(!ingestor.output.all.contains { $0.contains("tried again") }, "\(ingestor.tail)")
        }
    }

    @Test func killedBeforeTheCommitItGetsEverythingAgain() async throws {
        try await ServiceFixture.with { fixture in
            let first = try await fixture.startIngestor()
            try await fixture.withCommitsHeldUp {
                try await fixture.publish(0..<300, since: Self.start)
                try await fixture.store.await(StoreFixture.aBackendWaits)
                first.signal(SIGKILL)
                #expect(await first.end == .signal(SIGKILL))
            }
            let second = try await fixture.startIngestor()
            try await fixture.awaitStored(300)
            #expect(await second.stop() == .exit(0))
            try await fixture.expectEachOnce(300)
        }
    }

    @Test func withoutADatabaseTheBrokerKeepsEverything() async throws {
        try await ServiceFixture.with { fixture in
            let first = try await fixture.startIngestor()
            await fixture.store.owner.close()
            try await fixture.cluster.halt(.database)
            try await fixture.publish(0..<200, since: Self.start)
            first.signal(SIGKILL)
            _ = await first.end
            // An Ingestor that starts now waits for the database, and can be stopped meanwhile.
            let second = try ProcessUnderTest.start("aqua-ingestor", environment: fixture.environment())
            try await second.line { $0.contains("tried again") && $0.contains("preparing") }
            #expect(await second.stop() == .exit(0))
            let third = try ProcessUnderTest.start("aqua-ingestor", environment: fixture.environment())
            try await third.line { $0.contains("tried again") }
            try await fixture.cluster.resume(.database)
            try await fixture.awaitStored(200)
            // An Ingestor that was at work before continues by itself.
            try await fixture.cluster.halt(.database)
            try await fixture.publish(200..<300, since: Self.start)
            try await fixture.cluster.resume(.database)
            try await fixture.awaitStored(300)
            #expect(await third.stop() == .exit(0))
            #expect(try await fixture.store.count("count(DISTINCT nitrate) FROM sample") == 300)
            #expect(try await fixture.store.count("sum(messages) FROM evaluation_batch") == 300)
        }
    }

    @Test func askedToStopItCommitsAnOpenBatchOrLeavesItToTheBroker() async throws {
        try await ServiceFixture.with { fixture in
            let first = try await fixture.startIngestor()
            try await fixture.withCommitsHeldUp {
                try await fixture.publish(0..<100, since: Self.start)
                try await fixture.store.await(StoreFixture.aBackendWaits)
                first.signal(SIGTERM)
                try await first.line { $0.contains("Stopping") }
            }
            #expect(await first.end == .exit(0))
            #expect(try await fixture.store.count("count(*) FROM sample") > 0, "what it had read is committed")

            let second = try await fixture.startIngestor()
            try await fixture.awaitStored(100)
            try await fixture.withCommitsHeldUp {
                try await fixture.publish(100..<200, since: Self.start)
                try await fixture.store.await(StoreFixture.aBackendWaits)
                // The commit is blocked: it is given up, in order and in time.
                #expect(await second.stop() == .exit(0))
            }
            #expect(try await fixture.store.count("count(*) FROM sample") == 100)
            let third = try await fixture.startIngestor()
            try await fixture.awaitStored(200)
            #expect(await third.stop() == .exit(0))
            try await fixture.expectEachOnce(200)
        }
    }

    @Test func oneWorksAndAnotherTakesOverWhenItDies() async throws {
        try await ServiceFixture.with { fixture in
            let first = try await fixture.startIngestor()
            let second = try await fixture.startStandby()
            try await fixture.publish(0..<50, since: Self.start)
            try await fixture.awaitStored(50)
            first.signal(SIGKILL)
            try await fixture.publish(50..<100, since: Self.start)
            try await second.line { $0.contains("Listening") }
            try await fixture.awaitStored(100)
            try await fixture.expectEachOnce(100)
            #expect(await second.stop() == .exit(0))
        }
    }

    @Test func aFrozenOneIsReplacedAndStandsByWhenItWakes() async throws {
        try await ServiceFixture.with { fixture in
            let frozen = try await fixture.startIngestor()
            let second = try await fixture.startStandby()
            frozen.signal(SIGSTOP)
            // The Ingestor froze while the database's clock was ahead: whether it has updated its row is judged without
            // any wall clock.
            try await fixture.database.sql("UPDATE ingest_seat SET last_held_at = now() + interval '3 hours'")
            try await second.line { $0.contains("Listening") }
            try await fixture.publish(0..<50, since: Self.start)
            try await fixture.awaitStored(50)
            frozen.signal(SIGCONT)
            try await frozen.line { $0.contains("Standing by") }
            try await fixture.publish(50..<100, since: Self.start)
            try await fixture.awaitStored(100)
            try await fixture.expectEachOnce(100)
            #expect(await frozen.stop() == .exit(0))
            #expect(await second.stop() == .exit(0))
        }
    }

    /// One of them dies or freezes.
    @Test(arguments: [SIGKILL, SIGSTOP]) func twoShareTheWorkAndAnEmptySeatIsDrained(_ signal: Int32) async throws {
        let devices = (0..<8).map { "tank-\($0)" }
        try await ServiceFixture.with(devices: devices) { fixture in
            let environment = fixture.environment().merging(["AQUA_MQTT_SHARE": "on"]) { $1 }
            let address = try #require(environment["AQUA_LISTEN"])
            let lost = try await fixture.startIngestor(environment)
            try await fixture.withSharingIngestor(seatGrace: .milliseconds(100)) {
                try await fixture.store.await("count(*) = 2 FROM ingest_seat WHERE session_open")
                try await fixture.publish(0..<50, from: devices, since: Self.start)
                try await fixture.awaitStored(400)
                let stored = try await awaitFact("what the other has stored") {
                    let metrics = try await ProcessUnderTest.run("/usr/bin/curl", ["-s", "http://\(address)/metrics"])
                    return metrics.split(separator: "\n").first { $0.hasPrefix("aqua_ingestor_stored_total ") }?
                        .split(separator: " ").last.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
                }
                #expect(stored < 400)

                // The broker goes on delivering to the lost one, until somebody empties its seat.
                lost.signal(signal)
                try await fixture.publish(50..<100, from: devices, since: Self.start)
                try await fixture.awaitStored(800)
                try await fixture.store.await("(SELECT count(*) FROM ingest_seat WHERE session_open) = 1")
            }
            lost.signal(SIGKILL)
            _ = await lost.end
            try await fixture.expectEachOnce(800)
        }
    }

    @Test func whatKeepsItFromStartingIsNamedWithoutSecrets() async throws {
        try await ServiceFixture.with { fixture in
            try await Paths.withTemporaryDirectory { directory in
                let guess = directory.appending(path: "guess").path(percentEncoded: false)
                let secret = "not-the-right-password-at-all"
                #expect(
                    FileManager.default.createFile(
                        atPath: guess, contents: Data(secret.utf8), attributes: [.posixPermissions: 0o600]))
                var secrets = [secret]
                for role in [TestDatabase.Role.ingestor, .rules] { secrets.append(try fixture.database.password(role)) }
                secrets.append(try fixture.cluster.broker.password(TestBroker.ingestor))

                func run(
                    as role: TestDatabase.Role = .ingestor, _ changes: [String: String] = [:], until words: String
                ) async throws -> ProcessUnderTest {
                    let ingestor = try ProcessUnderTest.start(
                        "aqua-ingestor", environment: fixture.environment(role).merging(changes) { $1 })
                    try await ingestor.line { $0.contains(words) }
                    return ingestor
                }
                let wrongPassword = try await run(
                    ["AQUA_DATABASE_PASSWORD_FILE": guess], until: "password authentication failed for user")
                #expect(await wrongPassword.stop() == .exit(0), "it may be mended while we wait")
                let wrongRole = try await run(as: .rules, until: "this role may not do that")
                #expect(await wrongRole.end == .exit(1))
                let wrongKey = try await run(
                    ["AQUA_MQTT_PASSWORD_FILE": guess], until: "the broker does not authorize this client")
                #expect(await wrongKey.stop() == .exit(0), "it may be mended while we wait")
                // The schema may be migrated while the program waits.
                try await fixture.database.sql(
                    """
                    CREATE TABLE taken AS SELECT * FROM schema_migration ORDER BY number DESC LIMIT 1;
                    DELETE FROM schema_migration WHERE number = (SELECT number FROM taken);
                    """)
                let behind = try await run(until: "run `aqua migrate`")
                try await fixture.database.sql("INSERT INTO schema_migration TABLE taken")
                try await behind.line { $0.contains("Listening") }
                #expect(behind.output.all.count { $0.contains("The database lacks migration") } == 1)
                #expect(await behind.stop() == .exit(0))
                try await fixture.database.sql(
                    "INSERT INTO schema_migration SELECT number + 1, name, checksum FROM taken")
                let ahead = try await run(until: "which this program does not know")
                #expect(await ahead.end == .exit(1))
                for ingestor in [wrongPassword, wrongRole, wrongKey, behind, ahead] {
                    for line in ingestor.output.all + ingestor.errors.all {
                        #expect(!secrets.contains { line.contains($0) })
                    }
                }
            }
        }
    }
}
