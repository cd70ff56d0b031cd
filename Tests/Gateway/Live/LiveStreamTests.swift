import NIOHTTP1
import Routes
import Synchronization
import TestSupport
import Testing

@testable import Gateway

/// Event streams over HTTP, fed by rows and notifications like those of the other services.
@Suite(.timeLimit(.minutes(10))) struct LiveStreamTests {
    /// Runs a gateway that checks everything once a second.
    private static func with(_ body: @Sendable @escaping (GatewayUnderTest) async throws -> Void) async throws {
        try await GatewayUnderTest.with({ $0.settings.liveRound = 1 }, body)
    }

    @Test func everybodyHearsOfTheirOwnDevicesWhileTheyHaveThem() async throws {
        try await Self.with { gateway in
            let (anna, bob) = (
                try await gateway.person("anna@example.com"), try await gateway.person("bob@example.com")
            )
            try await gateway.link("tank-1", to: anna)
            try await gateway.link("tank-1", to: bob, role: "watcher")
            try await gateway.link("tank-2", to: bob)
            try await EventStream.with(gateway, anna) { annas in
                try await EventStream.with(gateway, bob) { bobs in
                    try await gateway.store(7.1, of: "tank-1")
                    try await annas.reading(7.1)
                    try await bobs.reading(7.1)
                    try await gateway.store(6.1, of: "tank-2")
                    try await bobs.reading(6.1)
                    try await gateway.unlink("tank-1", from: bob)
                    try await gateway.store(7.2, of: "tank-1")
                    try await annas.reading(7.2)
                    try await gateway.store(6.2, of: "tank-2")
                    try await bobs.reading(6.2)
                    // His devices have changed.
                    try await bobs.event("resync") { $0.name == "resync" }
                    #expect(annas.readings == [7.1, 7.2])
                    #expect(bobs.readings == [7.1, 6.1, 6.2])
                    #expect(annas.all.allSatisfy { $0.device == nil || $0.device == "tank-1" })
                }
            }
        }
    }

    /// A screen is told when readings come late, and when they are timely again; so is one that opens later.
    @Test func readingsThatComeLateAreTold() async throws {
        try await Self.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.link("tank-1", to: anna)
            func seat(levelFor age: String) async throws {
                try await gateway.database.sql(
                    """
                    INSERT INTO ingest_seat (seat, session_open, level_at) VALUES (0, true, now() - interval '\(age)')
                    ON CONFLICT (seat) DO UPDATE SET level_at = excluded.level_at
                    """)
            }
            @Sendable func states(_ stream: EventStream) -> [Bool] {
                stream.all.filter { $0.name == "intake" }.map { $0.data["lateSince"] != .null }
            }
            try await seat(levelFor: "20 s")
            try await EventStream.with(gateway, anna) { stream in
                #expect(states(stream) == [false])
                try await seat(levelFor: "70 s")
                try await awaitFact("readings are late") { states(stream) == [false, true] ? true : nil }
                let told = try #require(stream.all.last { $0.name == "intake" })
                #expect(told.data["lateSince"]?.string?.isEmpty == false && (Int64(told.id) ?? 0) > 0)
                try await EventStream.with(gateway, anna) { later in #expect(states(later) == [true]) }
                try await seat(levelFor: "1 s")
                try await awaitFact("readings are in time") { states(stream) == [false, true, false] ? true : nil }
            }
        }
    }

    /// Without the sweep, which comes only once an hour here.
    @Test func whatIsSetUpElsewhereIsToldAtOnce() async throws {
        let unswept = GatewayUnderTest.adjusting { $0.settings.liveRound = 3_600 }
        try await GatewayUnderTest.with(unswept) { gateway in
            let anna = try await gateway.person("anna@example.com")
            let bob = try await gateway.person("bob@example.com")
            try await gateway.device("tank-1", of: anna)
            try await gateway.link("tank-1", to: bob, role: "watcher")
            try await EventStream.with(gateway, anna) { annas in
                try await EventStream.with(gateway, bob) { bobs in
                    var told = 0
                    func expectTold(_ what: String) async throws {
                        told += 1
                        let count = told
                        try await awaitFact(what) {
                            annas.all.count { $0.name == "resync" } >= count ? true : nil
                        }
                    }
                    // The first look at their setups comes with the first look at their devices.
                    try await gateway.store(7.1, of: "tank-1")
                    try await annas.reading(7.1)
                    try await bobs.reading(7.1)
                    let parameter = try await gateway.request(.GET, "/api/v1/devices/tank-1/parameters/ph", anna)
                    let changed = try await gateway.request(
                        .PATCH, "/api/v1/devices/tank-1/parameters/ph", anna,
                        json: ["maximum": 8.1], headers: ["If-Match": try #require(parameter[header: "ETag"])])
                    #expect(changed.status == 200, "\(changed.text)")
                    try await expectTold("a limit")
                    try await gateway.database.sql(
                        "UPDATE account SET colour_scheme = 'dark', settings_version = settings_version + 1 WHERE account_id = \(anna.account)"
                    )
                    try await expectTold("a setting of the person")
                    try await gateway.database.sql(
                        "UPDATE ownership SET name = 'Tank', version = version + 1 WHERE account_id = \(anna.account)")
                    try await expectTold("a name")
                    try await gateway.database.sql(
                        """
                        INSERT INTO snooze (slot, device_id, parameter, account_id, kind, side, snoozed_until)
                        SELECT slot, device_id, 1, \(anna.account), 'range', 'high', now() + interval '1 hour' FROM device
                        """)
                    try await expectTold("a snooze")
                    try await gateway.database.sql("UPDATE snooze SET ended_at = now()")
                    try await expectTold("a snooze that was cancelled")
                    let entry = "/api/v1/devices/tank-1/journal/00000000-0000-4000-8000-000000000001"
                    let written = try await gateway.request(
                        .PUT, entry, anna, json: ["kind": "note", "at": "2026-05-01T12:00:00Z"])
                    #expect(written.status == 201, "\(written.text)")
                    try await expectTold("an entry of the journal")
                    // Whoever shares the tank is told as well: once, and of the journal alone.
                    try await bobs.event("an entry of another") { $0.name == "resync" }
                    #expect(try await gateway.request(.DELETE, entry, anna).status == 204)
                    try await expectTold("an entry that was removed")
                    let test: JSON = [
                        "at": "2026-05-01T12:00:00Z", "kit": .null, "values": [["parameter": "ph", "value": 7.4]],
                    ]
                    let tests = "/api/v1/devices/tank-1/tests/00000000-0000-4000-8000-000000000002"
                    #expect(try await gateway.request(.PUT, tests, anna, json: test).status == 201)
                    try await expectTold("a test by hand, which the journal lists")
                    try await gateway.link("tank-2", to: anna)
                    try await expectTold("a new device")
                    try await gateway.unlink("tank-2", from: anna)
                    try await expectTold("a device that is gone")
                    #expect(bobs.all.filter { $0.name == "resync" }.allSatisfy { $0.parts == ["journal"] })
                }
            }
        }
    }

    @Test func aReadingThatNobodyToldOfIsFoundByTheSweep() async throws {
        try await Self.with { gateway in
            let anna = try await gateway.person()
            try await gateway.link("tank-1", to: anna)
            try await EventStream.with(gateway, anna) { stream in
                try await gateway.store(7.1, of: "tank-1", isNotified: false)
                try await stream.reading(7.1)
            }
        }
    }

    @Test func whoComesBackHearsWhatTheyMissed() async throws {
        try await Self.with { gateway in
            let anna = try await gateway.person()
            try await gateway.link("tank-1", to: anna)
            var id = ""
            try await EventStream.with(gateway, anna) { stream in
                try await gateway.store(7.1, of: "tank-1")
                id = try await stream.event("a reading") { $0.name == "reading" }.id
            }
            for value in [7.2, 7.3] { try await gateway.store(value, of: "tank-1") }
            try await EventStream.with(gateway, anna, after: id) { stream in
                let missed = stream.all.prefix { $0.name != "ready" }.compactMap(\.ph)
                #expect(missed.suffix(2) == [7.2, 7.3])
                #expect(stream.all.prefix { $0.name != "ready" }.allSatisfy { $0.id == id })
            }
            // Ids from another database's time, or from long ago.
            for id in ["1", "9000000000000000000"] {
                try await EventStream.with(gateway, anna, after: id) { stream in
                    #expect(stream.all.first { $0.name != "intake" }?.name == "resync")
                }
            }
            let reply = try await gateway.request(.GET, "/api/v1/live", anna, headers: ["Last-Event-ID": "x"])
            #expect(reply.status == 422)
        }
    }

    @Test func whoMissedTooMuchReadsEverythingAnew() async throws {
        try await Self.with { gateway in
            let anna = try await gateway.person()
            try await gateway.link("tank-1", to: anna)
            var id = ""
            try await EventStream.with(gateway, anna) { stream in
                try await gateway.store(7.1, of: "tank-1")
                id = try await stream.event("a reading") { $0.name == "reading" }.id
            }
            let end = try await gateway.database.sql("SELECT now()")
            func store(_ numbers: ClosedRange<Int>) async throws {
                try await gateway.database.sql(
                    """
                    INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                    SELECT slot, 0, device_id, '\(end)'::timestamptz - n * interval '1 ms', now(), 7.2
                    FROM device, generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n
                    """)
            }
            try await store(1...900)
            try await EventStream.with(gateway, anna, after: id) { #expect($0.readings.count >= 900) }
            try await store(901...1_100)
            try await EventStream.with(gateway, anna, after: id) { stream in
                #expect(stream.all.first { $0.name != "intake" }?.name == "resync")
            }
        }
    }

    @Test func episodesAlertsAndStatusesAreToldToWhomTheyConcern() async throws {
        try await Self.with { gateway in
            let (anna, bob) = (
                try await gateway.person("anna@example.com"), try await gateway.person("bob@example.com")
            )
            for person in [anna, bob] {
                try await gateway.link("tank-1", to: person, role: person.account == anna.account ? "owner" : "watcher")
            }
            try await EventStream.with(gateway, anna) { annas in
                try await EventStream.with(gateway, bob) { bobs in
                    try await gateway.database.sql(
                        """
                        BEGIN;
                        INSERT INTO device_status (slot, device_id, online, changed_at)
                        SELECT slot, device_id, false, now() FROM device;
                        INSERT INTO episode (
                            slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at)
                        SELECT slot, 1, device_id, \(anna.account), 1, 'range', 'high', now(), now() FROM device
                        UNION ALL SELECT slot, NULL, device_id, \(anna.account), 2, 'silence', NULL, now(), now() FROM device
                        UNION ALL SELECT slot, 1, device_id, \(anna.account), 3, 'rate', NULL, now(), now() FROM device;
                        INSERT INTO alert (slot, parameter, device_id, account_id, alert_id, episode_id, kind, purpose, side,
                            value, limit_value, opened_at, event_time, uid)
                        SELECT slot, 1, device_id, \(anna.account), 1, 1, 'range', 'alarm', 'high', 9.1, 8.5, now(), now(),
                            '01970000-0000-7000-8000-000000000001' FROM device;
                        SELECT pg_notify('alert', '');
                        COMMIT
                        """)
                    let alert = try await annas.event("the alert") { $0.name == "alert" }
                    #expect(alert.data["alert"]?.string == "01970000-0000-7000-8000-000000000001")
                    #expect(alert.data["value"]?.number == 9.1)
                    #expect(alert.data["state"]?.string == "decided")
                    #expect(alert.data["kind"]?.string == "range")
                    let episode = try await annas.event("the episode") { $0.name == "episode" }
                    #expect(episode.data["state"]?.string == "open")
                    #expect(episode.data["side"]?.string == "high" && episode.data["kind"]?.string == "range")
                    for (kind, parameter) in [("silence", nil), ("rate", "ph")] {
                        let trouble = try await annas.event("the \(kind)") {
                            $0.name == "trouble" && $0.data["kind"]?.string == kind
                        }
                        #expect(trouble.data["state"]?.string == "open" && trouble.device == "tank-1")
                        #expect(trouble.data["parameter"]?.string == parameter)
                    }
                    for stream in [annas, bobs] {
                        let device = try await stream.event("the status") { $0.name == "device" }
                        #expect(device.data["online"]?.bool == false)
                    }
                    try await gateway.database.sql(
                        """
                        BEGIN;
                        UPDATE episode SET closed_at = now(), closed_because = 'recovered' WHERE kind <> 'silence';
                        UPDATE alert SET state = 'delivered';
                        SELECT pg_notify('delivery', '');
                        COMMIT
                        """)
                    try await annas.event("the delivery") { $0.data["state"]?.string == "delivered" }
                    for name in ["episode", "trouble"] {
                        let end = try await annas.event("the end of the \(name)") {
                            $0.name == name && $0.data["state"]?.string == "closed"
                        }
                        #expect(end.data["kind"]?.string == (name == "episode" ? "range" : "rate"))
                    }
                    #expect(!bobs.all.contains { ["alert", "episode", "trouble"].contains($0.name) })
                }
            }
        }
    }

    @Test func aStreamEndsWithItsSessionAndOthersGoOn() async throws {
        try await Self.with { gateway in
            let (anna, bob) = (
                try await gateway.person("anna@example.com"), try await gateway.person("bob@example.com")
            )
            try await EventStream.with(gateway, anna) { annas in
                try await EventStream.with(gateway, bob) { bobs in
                    try await gateway.database.sql(
                        """
                        UPDATE session SET ended_at = now(), ended_because = 'signedOut' WHERE account_id = \(anna.account)
                        """)
                    try await annas.end()
                    #expect(!bobs.isOver)
                    await gateway.stop()
                    try await bobs.end()
                }
            }
        }
    }

    @Test func aStreamEndsWithItsPersonalToken() async throws {
        try await Self.with { gateway in
            let anna = try await gateway.person()
            let program = GatewayUnderTest.Person(
                account: anna.account, email: anna.email, session: anna.session,
                token: try await gateway.personalToken(anna, scope: "read"))
            try await EventStream.with(gateway, anna) { annas in
                try await EventStream.with(gateway, program) { programs in
                    try await gateway.database.sql("UPDATE personal_token SET revoked_at = now()")
                    try await programs.end()
                    #expect(!annas.isOver)
                }
            }
        }
    }

    @Test func aPersonHasEightStreams() async throws {
        try await Self.with { gateway in
            let (anna, bob) = (
                try await gateway.person("anna@example.com"), try await gateway.person("bob@example.com")
            )
            try await Self.open(LiveBoard.mostOfPerson, gateway, anna) {
                let reply = try await gateway.request(.GET, "/api/v1/live", anna)
                #expect(reply.status == 429)
                #expect(reply.code == "too-many-streams")
                #expect(reply[header: "Retry-After"] == "60")
                try await EventStream.with(gateway, bob) { _ in }
            }
        }
    }

    private final class Answers: Sendable {
        let counts = Mutex((opened: 0, refused: 0))
    }

    /// A refused person is told at once, and cannot take an empty stream for one that ended.
    @Test func aNinthStreamOfTheSameMomentIsRefused() async throws {
        try await Self.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let answered = Answers()
            let all = LiveBoard.mostOfPerson + 4
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<all {
                    group.addTask {
                        do {
                            try await EventStream.with(gateway, anna) { _ in
                                answered.counts.withLock { $0.opened += 1 }
                                try await awaitFact("all answers") {
                                    answered.counts.withLock { $0.opened + $0.refused } == all ? true : nil
                                }
                            }
                        } catch let error as TestSupportError where error.description.contains("429") {
                            answered.counts.withLock { $0.refused += 1 }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(answered.counts.withLock { $0.opened } == LiveBoard.mostOfPerson)
            try await awaitFact("a place that was given back") {
                do {
                    try await EventStream.with(gateway, anna) { _ in }
                    return true
                } catch is TestSupportError {
                    return nil
                }
            }
        }
    }

    private static func open(
        _ count: Int, _ gateway: GatewayUnderTest, _ person: GatewayUnderTest.Person,
        _ body: () async throws -> Void
    ) async throws {
        guard count > 0 else { return try await body() }
        try await EventStream.with(gateway, person) { _ in try await open(count - 1, gateway, person, body) }
    }
}
