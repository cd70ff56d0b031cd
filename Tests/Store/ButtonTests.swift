import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor
@testable import Store

/// Presses of a device's button, with the Ingestor's rights.
@Suite struct ButtonTests {
    /// Ann's device, which Bob watches: the temperature is too high for both, and Ann was told of its silence as well.
    private struct Scene: Sendable {
        let fixture: SchemaFixture
        let ingestor: PostgresConnection
        let device: DeviceKey
        let ann: Account.ID
        let bob: Account.ID

        static func with(shows: Bool = true, _ body: @Sendable (Scene) async throws -> Void) async throws {
            try await SchemaFixture.with { fixture in
                let device = try await fixture.addDevice("tank-1")
                let (ann, bob) = (try await fixture.addAccount("ann"), try await fixture.addAccount("bob"))
                try await fixture.link(device, to: ann)
                try await fixture.database.sql(
                    """
                    UPDATE ownership SET shows_on_device = \(shows);
                    INSERT INTO ownership (slot, device_id, account_id, role, name)
                        SELECT slot, device_id, \(bob.rawValue), 'watcher', 'Pond' FROM device;
                    INSERT INTO episode (
                        slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, worst, alert_id)
                    SELECT slot, device_id, 0, account_id, account_id, 'range', 'high', now(), now(), 31, account_id FROM ownership;
                    INSERT INTO episode (slot, device_id, account_id, episode_id, kind, opened_at, last_at, alert_id)
                        SELECT slot, device_id, \(ann.rawValue), 100, 'silence', now(), now(), 100 FROM device;
                    -- what nobody was told of yet is no alarm
                    INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, opened_at, last_at)
                        SELECT slot, device_id, 1, \(ann.rawValue), 101, 'fault', now(), now() FROM device
                    """)
                let ingestor = try await SchemaFixture.connect(fixture.database, .ingestor)
                try await body(Scene(fixture: fixture, ingestor: ingestor, device: device, ann: ann, bob: bob))
                await ingestor.close()
            }
        }

        func press(
            _ id: String, _ answer: ButtonPress.Answer = .onIt, of device: DeviceKey? = nil
        ) async throws -> ButtonPress.Outcome? {
            try await ingestor.execute(PressButton(ButtonPress(id: id, answer: answer), of: device ?? self.device))
                .first
        }

        func ask(_ query: String) async throws -> String { try await fixture.database.sql(query) }
        func wait() async throws { _ = try await ask("UPDATE device_button SET pressed_at = now() - interval '3 s'") }
    }

    private static let held = """
        SELECT string_agg(concat_ws(' ', account_id = answered_by, kind), ',' ORDER BY account_id, kind) FROM snooze
        WHERE ended_at IS NULL AND answered_by IS NOT NULL
        """

    @Test func onItAnswersEveryAlarmOfTheOwner() async throws {
        try await Scene.with { scene in
            let outcome = try await scene.press("1")
            #expect(outcome == .done)
            #expect(try await scene.ask(Self.held) == "t range,t silence,f range")
            #expect(
                try await scene.ask("SELECT count(*) FROM snooze WHERE answered_by <> \(scene.ann.rawValue)") == "0")
        }
    }

    @Test func snoozeIsTheOwnersAloneAndKeepsALongerOne() async throws {
        try await Scene.with { scene in
            _ = try await scene.ask(
                """
                INSERT INTO snooze (slot, device_id, account_id, kind, snoozed_until)
                    SELECT slot, device_id, \(scene.ann.rawValue), 'silence', now() + interval '5 h' FROM device
                """)
            #expect(try await scene.press("1", .snooze) == .done)
            #expect(
                try await scene.ask(
                    """
                    SELECT string_agg(concat_ws(' ', kind, side, round(extract(epoch FROM snoozed_until - now()) / 3600)), ',' ORDER BY kind)
                    FROM snooze WHERE ended_at IS NULL AND account_id = \(scene.ann.rawValue) AND answered_by IS NULL
                    """) == "range high 1,silence 5")
            #expect(try await scene.ask("SELECT count(*) FROM snooze WHERE account_id = \(scene.bob.rawValue)") == "0")
        }
    }

    /// What begins after it has an episode of its own, which nothing holds.
    @Test func aSnoozeEndsWithWhatGoesOn() async throws {
        try await Scene.with { scene in
            _ = try await scene.press("1", .snooze)
            let episodes = try await scene.ask(
                "SELECT string_agg(episode_id::text, ',' ORDER BY episode_id) FROM snooze")
            #expect(episodes == "\(scene.ann.rawValue),100")
        }
    }

    static let turns: [(ButtonPress.Answer, ButtonPress.Answer)] = [
        (.onIt, .onIt), (.onIt, .snooze), (.snooze, .onIt), (.snooze, .snooze),
    ]

    /// Whoever has the device's key keeps neither its owner nor watchers from reminders.
    @Test(arguments: turns) func nothingIsHeldTwiceUnlessItWasToldSince(
        _ first: ButtonPress.Answer, _ second: ButtonPress.Answer
    ) async throws {
        try await Scene.with { scene in
            let holding = "SELECT count(*) FROM snooze WHERE ended_at IS NULL AND snoozed_until > now()"
            _ = try await scene.press("1", first)
            let held = try await scene.ask("SELECT min(snoozed_until) FROM snooze")
            try await scene.wait()
            let outcome = try await scene.press("2", second)
            let longest = try await scene.ask("SELECT max(snoozed_until) FROM snooze WHERE ended_at IS NULL")
            #expect(outcome == .done && longest == held)
            _ = try await scene.ask(
                """
                UPDATE episode SET opened_at = now() - interval '3 h';
                UPDATE snooze SET set_at = now() - interval '2 h', snoozed_until = now() - interval '1 h'
                """)
            try await scene.wait()
            _ = try await scene.press("3", second)
            let again = try await scene.ask(holding)
            #expect(again == "0", "the hour is over, and nobody was told since")
            _ = try await scene.ask("UPDATE episode SET opened_at = now() - interval '1 min' WHERE kind = 'range'")
            try await scene.wait()
            _ = try await scene.press("4", second)
            let told = try await scene.ask(holding)
            #expect(told == (second == .onIt ? "2" : "1"), "and not what was not told")
        }
    }

    @Test func aPressCountsOnceAndTheRateIsBounded() async throws {
        try await Scene.with { scene in
            #expect(try await scene.press("a") == .done)
            #expect(try await scene.press("b") == .repeated, "too soon")
            try await scene.wait()
            #expect(try await scene.press("b") == .done)
            try await scene.wait()
            // Two that take turns are both known.
            for _ in 0..<3 {
                #expect(try await scene.press("a") == .repeated)
                #expect(try await scene.press("b") == .repeated)
            }
            for number in 0..<20 {
                try await scene.wait()
                #expect(try await scene.press("\(number)") == .done)
            }
            #expect(try await scene.ask("SELECT cardinality(presses) FROM device_button") == "16")
            // A database's clock that was ahead holds no press up.
            _ = try await scene.ask("UPDATE device_button SET pressed_at = now() + interval '3 hours'")
            #expect(try await scene.press("later") == .done)
        }
    }

    @Test func withoutTheOwnersWishNothingIsAnswered() async throws {
        try await Scene.with(shows: false) { scene in
            let outcome = try await scene.press("1")
            #expect(outcome == .off)
            #expect(try await scene.ask("SELECT count(*) FROM snooze") == "0")
            #expect(try await scene.ask("SELECT count(*) FROM device_button") == "0")
            #expect(try await scene.ingestor.execute(ListDisplays()).isEmpty)
            #expect(try await scene.ingestor.execute(ReadDisplays([scene.device])).isEmpty)
            #expect(try await scene.ingestor.execute(ReadLatestOfDisplays(of: [scene.device])).isEmpty)
        }
    }

    @Test func anotherDevicesAlarmsStayAndSoDoesWhoIsNamed() async throws {
        try await Scene.with { scene in
            let other = try await scene.fixture.addDevice("tank-2")
            try await scene.fixture.link(other, to: scene.ann)
            _ = try await scene.ask("UPDATE ownership SET shows_on_device = true WHERE role = 'owner'")
            #expect(try await scene.press("1", of: other) == .done)
            #expect(try await scene.ask("SELECT count(*) FROM snooze") == "0")
            #expect(try await scene.ask("SELECT current_setting('aqua.account', true)") == "")
        }
    }

    /// A watcher never lets a device show anything.
    @Test func onlyAnOwnersDeviceShows() async throws {
        try await Scene.with { scene in
            await #expect(throws: TestSupportError.self) {
                _ = try await scene.ask("UPDATE ownership SET shows_on_device = true WHERE role = 'watcher'")
            }
        }
    }

    /// A list of all displays costs too much for every name that anybody changes.
    @Test func whichDevicesShowIsToldWhenThatChanges() async throws {
        try await Scene.with { scene in
            let listener = PostgresListener(
                try SchemaFixture.configuration(scene.fixture.database, .ingestor), channels: [Channel.display])
            let device = scene.device.device.rawValue
            try await listener.withEvents { events in
                var iterator = events.makeAsyncIterator()
                let first = await iterator.next()
                #expect(first == .mayHaveMissed)
                func expect(_ notices: String..., after change: String) async throws {
                    // Names tell nothing.
                    _ = try await scene.ask(
                        "UPDATE ownership SET name = 'Koi', version = version + 1; \(change); NOTIFY display, 'end'")
                    for notice in notices + ["end"] {
                        let event = await iterator.next()
                        #expect(event == .notified(channel: Channel.display, payload: notice), "\(change)")
                    }
                }
                try await expect("list", after: "UPDATE ownership SET shows_on_device = false")
                try await expect(after: "UPDATE ownership SET unlinked_at = now() WHERE role = 'owner'")
                try await expect(after: "UPDATE ownership SET unlinked_at = NULL WHERE role = 'owner'")
                try await expect("list", after: "UPDATE ownership SET shows_on_device = true WHERE role = 'owner'")
                try await expect(
                    "\(device)", after: "UPDATE episode SET alert_id = alert_id + 1 WHERE kind = 'silence'")
                try await expect("list", after: "UPDATE ownership SET unlinked_at = now() WHERE role = 'owner'")
                try await expect("list", after: "UPDATE ownership SET unlinked_at = NULL WHERE role = 'owner'")
                try await expect("list", after: "DELETE FROM setting; DELETE FROM ownership WHERE role = 'owner'")
                try await expect(
                    "list",
                    after: """
                        INSERT INTO ownership (slot, device_id, account_id, role, name, shows_on_device)
                            SELECT slot, device_id, \(scene.ann.rawValue), 'owner', 'Pond', true FROM device
                        """)
            }
        }
    }

    @Test func whatIsShownIsTheOwnersInTheirOrder() async throws {
        try await Scene.with { scene in
            _ = try await scene.ask(
                "UPDATE account SET time_zone = 'Asia/Tokyo', display_name = 'Ann B.' WHERE account_id = \(scene.ann.rawValue)"
            )
            #expect(try await scene.press("1") == .done)
            let shown = try #require(try await scene.ingestor.execute(ReadDisplays([scene.device])).first)
            #expect(shown.name == "Pond" && shown.utcOffset == 9 * 3_600)
            #expect(shown.ranges.count == Parameter.allCases.count)
            #expect(shown.troubles.map(\.kind) == [.known(.range), .known(.silence), .known(.fault)])
            #expect(shown.troubles.map(\.side) == [.high, nil, nil])
            #expect(shown.troubles.map(\.answer?.name) == ["Ann B.", "Ann B.", nil])
            #expect(shown.troubles.map { $0.toldAt != nil } == [true, true, false])
        }
    }
}
