import TestSupport
import Testing

@testable import Operator

@Suite struct SnoozeTests {
    @Test func aSnoozeIsSetShownAndCancelled() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            func snooze(_ arguments: String...) async -> Run {
                await instance.snooze([arguments[0], Instance.person] + arguments.dropFirst())
            }
            #expect(await snooze("list").output == "\(Instance.person) has snoozed nothing.\n")
            let set = try await instance.succeed(
                snooze("set", instance.device, "temperature", "--side", "high", "--for", "2h"))
            #expect(set.output.contains("temperature  high"))
            let stored =
                "SELECT kind, parameter, side, snoozed_until - set_at, ended_at IS NULL FROM snooze ORDER BY snooze_id"
            #expect(try await instance.database.sql(stored) == "range|0|high|02:00:00|t")
            try await instance.succeed(snooze("set", instance.device, "--for", "1h"))
            let list = try await instance.succeed(snooze("list", "--json"))
            #expect(list.output.contains(#""kind" : "silence""#) && list.output.contains(#""side" : "high""#))
            let left = try await instance.succeed(snooze("cancel", instance.device, "temperature", "--side", "high"))
            #expect(left.output.contains("silence") && !left.output.contains("temperature"))
            let none = await snooze("cancel", instance.device, "temperature", "--side", "high")
            #expect(none.code == 1 && none.errors.contains("It is not snoozed. aqua snooze list \(Instance.person)"))
        }
    }

    @Test func aFastChangeIsSnoozedByItself() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let set = try await instance.succeed(
                instance.snooze(["set", Instance.person, instance.device, "temperature", "--rate", "--for", "2h"]))
            #expect(set.output.contains("rate of temperature"))
            #expect(
                try await instance.database.sql("SELECT kind, parameter, side IS NULL FROM snooze") == "rate|0|t")
        }
    }

    @Test func whatIsToldAheadIsSnoozedByItself() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let set = try await instance.succeed(
                instance.snooze(["set", Instance.person, instance.device, "temperature", "--ahead", "--for", "2h"]))
            #expect(set.output.contains("ahead of temperature"))
            #expect(
                try await instance.database.sql("SELECT kind, parameter, side IS NULL FROM snooze") == "ahead|0|t")
        }
    }

    @Test func aParameterThatOnlyANewerVersionKnowsIsShownByItsNumber() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.database.sql(
                """
                INSERT INTO snooze (slot, device_id, account_id, kind, parameter, snoozed_until)
                SELECT slot, device_id, account_id, 'silence', 99, now() + interval '1 hour' FROM ownership
                """)
            let list = try await instance.succeed(instance.snooze(["list", Instance.person]))
            #expect(list.output.contains("silence of 99"), "\(list.output)")
        }
    }

    @Test func onlyWhatGoesOnIsAcknowledged() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let arguments = ["set", Instance.person, instance.device, "temperature", "--side", "high", "--until-over"]
            let none = await instance.snooze(arguments)
            #expect(none.code == 1 && none.errors.contains("Nothing of it goes on now."))
            try await instance.openEpisode()
            let set = try await instance.succeed(instance.snooze(arguments))
            #expect(set.output.contains("it is over, or "))
            #expect(
                try await instance.database.sql("SELECT episode_id, snoozed_until - set_at FROM snooze") == "1|1 day")
        }
    }

    @Test(
        arguments: [
            (["--side", "high"], "Say for how long"),
            (["--side", "high", "--for", "2h", "--until-over"], "Say for how long"),
            (["--side", "high", "--for", "8d"], "from a minute to a week"),
            (["--side", "high", "--for", "30s"], "from a minute to a week"),
        ])
    func howLongIsChecked(_ arguments: [String], _ error: String) async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let run = await instance.snooze(["set", Instance.person, instance.device, "temperature"] + arguments)
            #expect(run.code == 1 && run.errors.contains(error), "\(run.errors)")
            let side = await instance.snooze(["set", Instance.person, instance.device, "--side", "low", "--for", "1h"])
            #expect(side.errors.contains("Name the parameter"))
            let both = await instance.snooze([
                "set", Instance.person, instance.device, "ph", "--fault", "--rate", "--for", "1h",
            ])
            #expect(both.errors.contains("Give one of --side, --fault, --rate, --ahead and --by-hand."))
        }
    }
}

extension Instance {
    fileprivate func snooze(_ arguments: [String]) async -> Run {
        await runAqua(["snooze"] + arguments, environment: environment)
    }
}
