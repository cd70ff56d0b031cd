import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// The rules beside people's limits, across claims, engines and stored state. The default maximum of temperature is 24.
struct WatchRulesTests {
    /// No interval between alerts, so that a missing alert is missing for another reason.
    private static let eager = AlertPolicy(throttle: .microseconds(1))

    @Test func aSnoozeWithholdsAlertsOfItsSideAndSaysSo() async throws {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            try await fixture.hand([.temperature: 20], at: .now)
            try await fixture.claim(memory, Self.eager)
            try await fixture.snooze(.temperature, .high)
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(memory, Self.eager)
            #expect(try await fixture.sql("SELECT reason, notification FROM transition") == "opened|snoozed")
            #expect(try await fixture.alerts() == "", "and the engine that remembers the device has noticed")
            // The other side, and other parameters, alert.
            try await fixture.hand([.temperature: 10, .ph: 5], at: .now)
            try await fixture.claim(SharedMemory(), Self.eager)
            #expect(try await fixture.alerts() == "alarm 0 low, alarm 1 low")
            try await fixture.hand([.temperature: 26], at: .now)
            try await fixture.claim(memory, Self.eager)
            #expect(try await fixture.alerts() == "alarm 0 low, alarm 1 low")
            // After its cancellation the next reading alerts at once.
            try await fixture.cancelSnooze(.temperature, .high)
            try await fixture.hand([.temperature: 26], at: .now)
            try await fixture.claim(memory, Self.eager)
            #expect(try await fixture.alerts() == "alarm 0 low, alarm 1 low, alarm 0 high")
        }
    }

    @Test func aSnoozeEndsByItself() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.snooze(.temperature, .high)
            _ = try await fixture.sql(
                "UPDATE snooze SET set_at = now() - interval '1 hour', snoozed_until = now() - interval '1 second'")
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(SharedMemory())
            #expect(try await fixture.alerts() == "alarm 0 high")
        }
    }

    @Test func aSnoozeIsItsPersonsAlone() async throws {
        try await EngineFixture.with { fixture in
            let lee = try await fixture.addPerson("lee")
            try await fixture.join(lee)
            try await fixture.snooze(.temperature, .high)
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(SharedMemory())
            #expect(try await fixture.sql("SELECT account_id FROM alert") == "\(lee.rawValue)")
        }
    }

    @Test func anAcknowledgementWithholdsRemindersUntilItsEpisodeIsOver() async throws {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(memory, Self.eager)
            try await fixture.acknowledge(.temperature, .high)
            try await fixture.hand([.temperature: 26], at: .now)
            // Another engine continues from the stored state.
            let other = SharedMemory()
            try await fixture.claim(other, Self.eager)
            #expect(try await fixture.alerts() == "alarm 0 high")
            // The episode ends and another begins, within one claim and within two.
            for claims in [1, 2] {
                let before = try await fixture.alerts()
                try await fixture.hand([.temperature: 20], at: .now)
                if claims == 2 { try await fixture.claim(other, Self.eager) }
                try await fixture.hand([.temperature: 27], at: .now)
                try await fixture.claim(other, Self.eager)
                #expect(try await fixture.alerts() == before + ", alarm 0 high", "in \(claims)")
                try await fixture.acknowledge(.temperature, .high)
            }
        }
    }

    /// Somebody who shares the device is on it: who was told is not reminded, whoever is told later is, and so is everybody when it is
    /// much worse. The range is 18 to 24.
    @Test func anAnswerHoldsRemindersOfAllWhoWereTold() async throws {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            let (lee, mia) = (try await fixture.addPerson("lee"), try await fixture.addPerson("mia"))
            for person in [lee, mia] { try await fixture.join(person) }
            try await fixture.setRules("minimum = 180, maximum = 240")
            _ = try await fixture.sql(
                "UPDATE setting SET maximum = 260 WHERE parameter = 0 AND account_id = \(mia.rawValue)")
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(memory, Self.eager)
            #expect(try await fixture.told() == [fixture.account, lee])
            try await fixture.answer("onIt", as: lee)
            try await fixture.hand([.temperature: 25.5], at: .now)
            try await fixture.claim(memory, Self.eager)
            #expect(try await fixture.told() == [fixture.account, lee])
            #expect(
                try await fixture.sql("SELECT string_agg(DISTINCT answered_by::text, ',') FROM snooze")
                    == "\(lee.rawValue)")
            // Mia, who bears more, hears of it all the same, and the others of what is worse by 1.5.
            try await fixture.hand([.temperature: 26.3], at: .now)
            try await fixture.claim(SharedMemory(), Self.eager)
            #expect(try await fixture.told() == [fixture.account, lee, mia])
            try await fixture.hand([.temperature: 26.5], at: .now)
            try await fixture.claim(memory, Self.eager)
            #expect(try await fixture.told() == [fixture.account, lee, mia, fixture.account, lee, mia])
        }
    }

    /// Nobody is on it any more: the next reading reminds.
    @Test func whoCannotHoldsNobodyBack() async throws {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            let lee = try await fixture.addPerson("lee")
            try await fixture.join(lee)
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(memory, Self.eager)
            for said in ["onIt", "cannot"] { try await fixture.answer(said, as: lee) }
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(memory, Self.eager)
            #expect(try await fixture.told() == [fixture.account, lee, fixture.account, lee])
        }
    }

    /// The all-clear of a delivered alarm is sent during a snooze too.
    @Test func theAllClearComesAllTheSame() async throws {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(memory)
            _ = try await fixture.sql("UPDATE alert SET state = 'delivered'")
            try await fixture.snooze(.temperature, .high)
            try await fixture.hand([.temperature: 20], at: .now, receivedAt: .now - .seconds(5))
            try await fixture.claim(memory)
            _ = try await fixture.sql(
                "UPDATE episode SET closed_at = now() - interval '1 hour', recovery_due_at = now() - interval '1 hour'")
            let report = try await fixture.owner.transaction {
                try RecoverySweep(policy: AlertPolicy()).perform($0, now: .now)
            }
            #expect(report.notices.map(\.purpose) == [.recovery])
        }
    }

    @Test func unlinkingADeviceEndsSnoozes() async throws {
        try await EngineFixture.with { fixture in
            let lee = try await fixture.addPerson("lee")
            try await fixture.join(lee)
            try await fixture.snooze(.temperature, .high)
            try await fixture.snooze(.temperature, .high, of: lee)
            _ = try await fixture.owner.execute(EndWatching(device: fixture.device, account: lee))
            #expect(
                try await fixture.sql("SELECT account_id FROM snooze WHERE ended_at IS NULL")
                    == "\(fixture.account.rawValue)")
            try await fixture.join(lee)
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(SharedMemory())
            #expect(try await fixture.sql("SELECT account_id FROM alert") == "\(lee.rawValue)")
        }
    }

    @Test func aSilenceIsSnoozedAndAcknowledged() async throws {
        try await EngineFixture.with { fixture in
            let key = SnoozeKey(
                device: fixture.device, account: fixture.account, kind: .silence, parameter: nil, side: nil)
            let state: @Sendable () async throws -> Snooze? = {
                try await fixture.owner.transaction { transaction in
                    var ledger = Ledger()
                    try ledger.load([.silence], of: [fixture.device], for: [], mostAnHour: nil, transaction)
                    return ledger.snoozes(
                        of: Subject(
                            device: fixture.device, parameter: nil, account: fixture.account, kind: .silence))[nil]
                }
            }
            #expect(try await state() == nil)
            try await fixture.owner.transaction { try $0.setSnooze(key, at: .now, until: .now + .seconds(600)) }
            #expect(try await state()?.isAcknowledgement == false)
            // An acknowledgement of another silence, which is over.
            try await fixture.owner.transaction {
                try $0.setSnooze(key, acknowledging: Episode.ID(rawValue: 7), at: .now, until: .now + .seconds(600))
            }
            #expect(try await state() == nil)
            _ = try await fixture.sql(
                """
                INSERT INTO episode (slot, device_id, account_id, episode_id, kind, opened_at, last_at)
                VALUES (\(fixture.device.slot.rawValue), \(fixture.device.device.rawValue), \(fixture.account.rawValue), 7,
                    'silence', now(), now())
                """)
            #expect(try await state()?.isAcknowledgement == true)
        }
    }

    /// Two engines take turns, so that each has to read from the stored state how long the value has been out of range.
    @Test func aDelayHoldsOverClaimsAndEngines() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.setRules("delay_seconds = 120")
            let memories = [SharedMemory(), SharedMemory()]
            let start = Timestamp.now - .seconds(300)
            for (index, second) in [0, 30, 60, 90, 119].enumerated() {
                try await fixture.hand([.temperature: 25], at: start + .seconds(second))
                try await fixture.claim(memories[index % 2], Self.eager)
            }
            #expect(try await fixture.alerts() == "")
            #expect(try await fixture.sql("SELECT reason, notification FROM transition") == "opened|delayed")
            // A late batch changes nothing; the first reading of the hundred-and-twentieth second alerts.
            try await fixture.hand([
                ([.temperature: 25], start + .seconds(100)), ([.temperature: 25], start + .seconds(118)),
            ])
            try await fixture.claim(memories[0], Self.eager)
            #expect(try await fixture.alerts() == "")
            try await fixture.hand([.temperature: 25], at: start + .seconds(120))
            try await fixture.claim(memories[1], Self.eager)
            #expect(try await fixture.alerts() == "alarm 0 high")
        }
    }

    /// Values beyond 30 degrees are critical.
    @Test func aCriticalValueBreaksThroughOnceAndIsStored() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.setRules("delay_seconds = 3600, critical_maximum = 300")
            let memory = SharedMemory()
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(memory)
            try await fixture.snooze(.temperature, .high)
            #expect(try await fixture.alerts() == "")
            try await fixture.hand([.temperature: 30], at: .now)
            try await fixture.claim(memory)
            #expect(try await fixture.alerts() == "", "equal is within")
            try await fixture.hand([.temperature: 31], at: .now)
            try await fixture.claim(memory)
            let told = "alarm|high|31|30|t"
            #expect(try await fixture.sql("SELECT purpose, side, value, limit_value, critical FROM alert") == told)
            #expect(try await fixture.sql("SELECT critical FROM episode") == "t")
            // Once, whichever engine continues and whether or not the alert has been delivered.
            for state in ["decided", "delivered"] {
                _ = try await fixture.sql("UPDATE alert SET state = '\(state)'")
                try await fixture.hand([.temperature: 31], at: .now)
                try await fixture.claim(SharedMemory(), Self.eager)
                #expect(try await fixture.sql("SELECT count(*) FROM alert") == "1", "\(state)")
            }
        }
    }

    /// A critical alert names the critical limit, so a value within it would contradict the rest of its text.
    @Test func aPendingCriticalAlertTakesCriticalValuesAlone() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.setRules("critical_maximum = 300")
            let memory = SharedMemory()
            let start = Timestamp.now - .seconds(60)
            // Within one claim, and once it is stored.
            try await fixture.hand([([.temperature: 31], start), ([.temperature: 29], start + .seconds(1))])
            try await fixture.claim(memory)
            let text = "SELECT value, worst, limit_value FROM alert"
            #expect(try await fixture.sql(text) == "31|31|30")
            try await fixture.hand([.temperature: 29], at: start + .seconds(2))
            try await fixture.claim(memory)
            #expect(try await fixture.sql(text) == "31|31|30")
            try await fixture.hand([.temperature: 32], at: start + .seconds(3))
            try await fixture.claim(memory)
            #expect(try await fixture.sql(text) == "32|32|30")
        }
    }

    /// A trembling probe opens an episode each time; the charge shows that the last alert was critical.
    @Test func aCriticalAlertHoldsTheNextForFiveMinutes() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.setRules("critical_maximum = 300")
            let start = Timestamp.now - .seconds(600)
            var told: [Int] = []
            for minute in 0..<8 {
                try await fixture.hand(
                    [.temperature: minute.isMultiple(of: 2) ? 31 : 20], at: start + .seconds(60 * minute))
                try await fixture.claim(SharedMemory())
                if try await fixture.sql("SELECT count(*) FROM alert") == "\(told.count + 1)" { told.append(minute) }
                _ = try await fixture.sql("UPDATE alert SET state = 'delivered'")
            }
            #expect(told == [0, 6])
        }
    }

    /// The all-clear names the limit that was left, not the critical one.
    @Test func theAllClearNamesTheLimit() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.setRules("critical_maximum = 300")
            try await fixture.hand([([.temperature: 31], .now - .seconds(10)), ([.temperature: 20], .now)])
            try await fixture.claim(SharedMemory())
            _ = try await fixture.sql(
                "UPDATE alert SET state = 'delivered'; UPDATE episode SET recovery_due_at = now()")
            let due = try await fixture.owner.transaction {
                try $0.execute(TakeDueRecoveries(limit: 10, floors: BatchFloors.none))
            }
            guard case .range(let content)? = due.first?.content else {
                Issue.record("\(due)")
                return
            }
            #expect(due.count == 1 && content.limit == 24)
        }
    }
}

extension EngineFixture {
    fileprivate func key(_ parameter: Parameter, _ side: Side, of person: Account.ID?) -> SnoozeKey {
        SnoozeKey(device: device, account: person ?? account, kind: .range, parameter: parameter, side: side)
    }

    fileprivate func snooze(_ parameter: Parameter, _ side: Side, of person: Account.ID? = nil) async throws {
        let key = key(parameter, side, of: person)
        try await owner.transaction { try $0.setSnooze(key, at: .now, until: .now + .seconds(3_600)) }
    }

    fileprivate func acknowledge(_ parameter: Parameter, _ side: Side) async throws {
        let key = key(parameter, side, of: nil)
        try await owner.transaction { transaction in
            let episode = try transaction.execute(FindOpenEpisode(key))
            #expect(episode.count == 1)
            try transaction.setSnooze(key, acknowledging: episode[0], at: .now, until: .now + .seconds(3_600))
        }
    }

    fileprivate func cancelSnooze(_ parameter: Parameter, _ side: Side) async throws {
        #expect(try await owner.perform(EndSnooze(key(parameter, side, of: nil))) == 1)
    }

    /// Answers the last alarm of a person.
    fileprivate func answer(_ said: String, as person: Account.ID) async throws {
        let outcome = try await sql(
            """
            WITH named AS MATERIALIZED (SELECT set_config('aqua.account', '\(person.rawValue)', true))
            SELECT give_answer(a.slot, a.device_id, a.kind, a.parameter, a.side, '\(said)') FROM named, alert a
            WHERE a.account_id = \(person.rawValue) ORDER BY a.alert_id DESC LIMIT 1
            """)
        #expect(outcome == "done")
    }

    /// Who was told, in that order; of one reading in the order of people.
    fileprivate func told() async throws -> [Account.ID] {
        let text = try await sql("SELECT string_agg(account_id::text, ' ' ORDER BY decided_at, account_id) FROM alert")
        return text.split(separator: " ").compactMap { Int64($0) }.map(Account.ID.init(rawValue:))
    }

    fileprivate func setRules(_ rules: String) async throws {
        _ = try await sql("UPDATE setting SET \(rules) WHERE parameter = 0 AND valid_until IS NULL")
    }

    fileprivate func alerts() async throws -> String {
        try await sql(
            "SELECT string_agg(concat_ws(' ', purpose, parameter, side), ', ' ORDER BY alert_id) FROM alert")
    }
}
