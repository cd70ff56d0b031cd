import Foundation
import HTTPTypes
import Instants
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Addresses at which calendar programs read reminders.
@Suite struct CalendarFeedTests {
    private static func address(
        _ scene: PersonScene, as person: PersonScene.Person, _ body: JSON = ["name": "Tanks"]
    ) async throws -> String {
        let made = try await scene.call("createCalendarFeed", as: person, body: body)
        #expect(made.status == 201, "\(made.json.text)")
        let address = try #require(made.json["address"]?.string)
        return "/calendar/" + address.split(separator: "/").last!
    }

    @Test func `a calendar has what is to be done and was, and nothing of others`() async throws {
        try await ReminderRoutesTests.with { scene in
            let today = try await ReminderRoutesTests.due(scene)
            _ = try await scene.call(
                "actOnReminder", as: scene.bob, path: ReminderRoutesTests.act(1),
                body: ["what": "done", "on": .string(today)])
            let path = try await Self.address(scene, as: scene.ada, ["name": "Tanks", "alarms": true])
            let reply = try await scene.gateway.request(.GET, path)
            #expect(
                reply.status == 200 && reply.headers.first(name: "Content-Type") == "text/calendar; charset=utf-8",
                "\(reply.text)")
            #expect(reply.headers.first(name: "Cache-Control") == "private, max-age=900")
            #expect(
                reply.headers.first(name: "X-Robots-Tag") == "noindex" && reply.headers.first(name: "Set-Cookie") == nil
            )
            let events = try await Self.events(reply.text)
            #expect(events.count > 300 && events.filter { $0.contains("✓") }.count == 1, "\(events.prefix(4))")
            #expect(events.allSatisfy { $0.contains("Water change") && $0.contains("Koi") })
            #expect(
                !reply.text.contains("RRULE") && !reply.text.contains("VTIMEZONE")
                    && reply.text.contains("BEGIN:VALARM"))
            let tag = try #require(reply.headers.first(name: "ETag"))
            let known = try await scene.gateway.request(.GET, path, headers: ["If-None-Match": tag])
            #expect(known.status == 304 && known.body.isEmpty)
            let head = try await scene.gateway.request(.HEAD, path)
            #expect(head.status == 200 && head.body.isEmpty && head.headers.first(name: "ETag") == tag)
            #expect(try await scene.ask("SELECT fetched_at IS NOT NULL FROM calendar_feed") == "t")
            // A change raises SEQUENCE, so that programs take it.
            let sequence = try #require(reply.text.firstMatch(of: /SEQUENCE:(\d+)/)?.1)
            _ = try await scene.call("undoCareAct", as: scene.bob, path: ReminderRoutesTests.act(1))
            let later = try await scene.gateway.request(.GET, path).text
            #expect(try #require(Int(later.firstMatch(of: /SEQUENCE:(\d+)/)?.1 ?? "")) > Int(sequence)!)
            // Bob's own has his name for the tank; who has left it reads nothing of it.
            let bobs = try await Self.address(scene, as: scene.bob)
            #expect(try await scene.gateway.request(.GET, bobs).text.contains("Water change"))
            try await scene.database.sql("UPDATE ownership SET unlinked_at = now() WHERE role = 'watcher'")
            #expect(try await !scene.gateway.request(.GET, bobs).text.contains("Water change"))
        }
    }

    @Test func `of many reminders a calendar has fewer days, and it never fails for their number`() async throws {
        let shortest = try #require(FedCalendar.spans.last)
        #expect(ListPersonReminders.most * (shortest.back + shortest.ahead + 1) <= CareCalendar.most)
        try await ReminderRoutesTests.with { scene in
            try await scene.database.sql(
                """
                INSERT INTO reminder (slot, tank_id, device_id, reminder_id, name, activity, every, step, at_time, zone, starts_on, since,
                    looked_at, planned_at)
                SELECT slot, tank_id, device_id, gen_random_uuid(), 'Feed ' || n, 'feed', 'day', 1, '08:00', 'UTC', '2026-01-01', now(), now(), now()
                FROM ownership, generate_series(1, 60) n WHERE role = 'owner'
                """)
            let reply = try await scene.gateway.request(.GET, try await Self.address(scene, as: scene.ada))
            #expect(reply.status == 200)
            let events = reply.text.components(separatedBy: "BEGIN:VEVENT").count - 1
            #expect((60 * 179...60 * 182).contains(events), "half a year of each, not \(events)")
        }
    }

    @Test func `an address that is none, or is revoked, is not found`() async throws {
        try await ReminderRoutesTests.with { scene in
            let path = try await Self.address(scene, as: scene.ada)
            for wrong in [
                "/calendar/x.ics", String(path.dropLast(4)), path.replacingOccurrences(of: "aqc_", with: "aqp_"),
            ] {
                #expect(try await scene.gateway.request(.GET, wrong).status == 404, "\(wrong)")
            }
            let feed = try await scene.ask("SELECT feed_id FROM calendar_feed")
            #expect(try await scene.call("removeCalendarFeed", as: scene.bob, path: ["feed": feed]).status == 404)
            #expect(try await scene.call("removeCalendarFeed", as: scene.ada, path: ["feed": feed]).status == 204)
            #expect(try await scene.gateway.request(.GET, path).status == 404)
            #expect(try await scene.ask("SELECT count(*) FROM calendar_feed") == "0")
        }
    }

    @Test func `a person has ten addresses, and their secrets are stored nowhere`() async throws {
        try await ReminderRoutesTests.with { scene in
            let path = try await Self.address(scene, as: scene.ada)
            for _ in 2...10 { _ = try await Self.address(scene, as: scene.ada) }
            let refused = try await scene.call("createCalendarFeed", as: scene.ada, body: ["name": "Tanks"])
            #expect(refused.status == 409 && refused.code == "too-many-calendar-feeds", "\(refused.json.text)")
            let list = try await scene.call("listCalendarFeeds", as: scene.ada).json
            let secret = try #require(path.firstMatch(of: /aqc_(\w+)/)?.1)
            #expect(list.array?.count == 10 && !list.text.contains(secret))
        }
    }

    // MARK: As other programs read it

    @Test func `long lines are folded after 75 octets, and text is escaped`() async throws {
        let name = String(repeating: "水", count: 60) + ", ; \\ \nx"
        let event = ICalendar.Event(
            uid: "a@b", sequence: 3, changedAt: .init(unixSeconds: 1_800_000_000),
            at: .init(unixSeconds: 1_800_000_000), summary: name,
            description: "", category: "Feed", alarm: name)
        let text = ICalendar(name: name, link: "https://a.example/care", events: [event]).text
        #expect(text.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(!text.replacingOccurrences(of: "\r\n", with: "").contains("\n"))
        let events = try await Self.events(text)
        #expect(
            events == ["2027-01-15T08:00:00+00:00 \(name.replacingOccurrences(of: "\n", with: "\\n"))"], "\(events)")
    }

    /// The events as icalendar and recurring-ical-events read them, which have to agree.
    private static func events(_ text: String) async throws -> [String] {
        let script = """
            import sys, icalendar, recurring_ical_events
            calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
            assert not calendar.errors, calendar.errors
            events = list(calendar.walk("VEVENT"))
            assert len({e["UID"] for e in events}) == len(events), "a UID twice"
            for event in events:
                assert not event.errors, event.errors
                for alarm in event.walk("VALARM"):
                    assert alarm["DESCRIPTION"], "an alarm without words"
            found = recurring_ical_events.of(calendar).between((1990, 1, 1), (2200, 1, 1))
            assert len(found) == len(events), (len(found), len(events))
            for event in sorted(events, key=lambda e: e["DTSTART"].dt):
                print(event["DTSTART"].dt.isoformat(), str(event["SUMMARY"]).replace("\\n", "\\\\n"))
            """
        return try await ProcessUnderTest.run(Paths.python, ["-c", script], input: text).split(separator: "\n").map(
            String.init)
    }
}
