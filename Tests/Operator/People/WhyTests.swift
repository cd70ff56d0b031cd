import TestSupport
import Testing

@testable import Operator

/// `aqua why`
@Suite struct WhyTests {
    /// An hour with 20 °C, and with 25.5 °C from its middle on, without any decision.
    private func with(_ body: @Sendable (Instance) async throws -> Void) async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.database.sql(
                """
                UPDATE setting SET valid_from = now() - interval '1 day';
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - (59.5 - n) * interval '1 minute', now() - (59.5 - n) * interval '1 minute',
                    CASE WHEN n < 30 THEN 20 ELSE 25.5 END
                FROM device, generate_series(0, 59) AS n
                """)
            try await body(instance)
        }
    }

    private func why(_ instance: Instance, _ arguments: [String], of person: String = Instance.person) async -> Run {
        await runAqua(["why", person, instance.device] + arguments, environment: instance.environment)
    }

    private func storeEpisode(_ instance: Instance, _ notification: String) async throws {
        try await instance.database.sql(
            """
            INSERT INTO episode (slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at, worst,
                no_recipient)
            SELECT s.slot, 0, s.device_id, account_id, 1, 'range', 'high', min(event_time), max(event_time), 25.5, true
            FROM sample s, account WHERE temperature > 25 GROUP BY s.slot, s.device_id, account_id;
            INSERT INTO transition (slot, episode_id, event_time, decided_at, reason, notification, value)
            SELECT slot, 1, opened_at, opened_at, 'opened', '\(notification)', 25.5 FROM episode
            """)
    }

    @Test func tellsWhatCameAndWhy() async throws {
        try await with { instance in
            try await storeEpisode(instance, "noRecipient")
            let run = try await instance.succeed(why(instance, ["temperature"]))
            #expect(run.output.hasPrefix("temperature of \(instance.device) from "))
            #expect(run.output.contains(": 60 readings\n"))
            let lines = run.output.split(separator: "\n").dropFirst().map { $0.split(separator: "  ").last ?? "" }
            #expect(lines.count == 4)
            #expect(lines.first == "Your limits: 12.0 °C to 24.0 °C.")
            #expect(lines.dropFirst().first?.hasPrefix("20.0 °C, within your limits (30 readings until ") == true)
            #expect(
                lines.dropFirst(2).first
                    == "25.5 °C, above your maximum of 24.0 °C. No alert: there was no place to send it to.")
            #expect(
                lines.last?.hasPrefix("25.5 °C, still above your maximum of 24.0 °C (29 readings until ") == true)
        }
    }

    @Test func aTimeIsExplainedWithWhatIsAroundIt() async throws {
        try await with { instance in
            let before = try await instance.succeed(why(instance, ["temperature", "--at", "45m", "--json"]))
            // From an hour and a quarter ago to a quarter of an hour ago.
            #expect(try before.field("readings") == "45")
            let early = try await instance.succeed(
                why(instance, ["temperature", "--since", "55m", "--until", "50m", "--json"]))
            #expect(try early.field("readings") == "5" && early.field("unit") == "C")
            let nothing = try await instance.succeed(why(instance, ["ph"]))
            #expect(nothing.output.hasPrefix("No ph of \(instance.device) is stored from "))
            #expect(nothing.output.contains("Nothing came until "))
        }
    }

    @Test func whatNobodyDecidedIsSaidSo() async throws {
        try await with { instance in
            let run = try await instance.succeed(why(instance, ["temperature"]))
            #expect(run.output.contains("25.5 °C; no decision on it is stored (30 readings until "))
        }
    }

    @Test func refusesWhatIsNothing() async throws {
        try await with { instance in
            let both = await why(instance, ["temperature", "--at", "1h", "--since", "2h"])
            #expect(both.code == 1 && both.errors.contains("Give --at, or --since and --until, not both."))
            let long = await why(instance, ["temperature", "--since", "8d"])
            #expect(long.code == 1 && long.errors.contains("A week is explained at most"))
            let turned = await why(instance, ["temperature", "--since", "1h", "--until", "2h"])
            #expect(turned.code == 1 && turned.errors.contains("--since is before --until."))
            try await instance.addPeople("eve@example.org")
            let stranger = await why(instance, ["temperature"], of: "eve@example.org")
            #expect(stranger.code == 1 && stranger.errors.contains("does not have the device"))
            try await instance.database.sql("UPDATE ownership SET readings_from = now() + interval '1 hour'")
            let later = await why(instance, ["temperature"])
            #expect(later.code == 1 && later.errors.contains("did not have the device"))
        }
    }
}
