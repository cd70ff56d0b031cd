import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// A fixture whose person has a phone, and shares the device with Ana, who wants to be told of no temperature herself. Time is moved by
/// dating what is stored back.
struct EscalationScene {
    let scene: GatheringScene
    let ana: Account.ID

    var fixture: EngineFixture { scene.fixture }

    /// The chain: Ana after 10 minutes, the phone once more after 20.
    func setChain(agreed: String? = "always") async throws {
        let agreement = agreed.map { "'\($0)'" } ?? "NULL"
        _ = try await fixture.sql(
            """
            INSERT INTO chain_step (slot, device_id, account_id, place, after_minutes, callee, agreed, endpoint_id) VALUES
                (\(fixture.device.slot.rawValue), \(fixture.device.device.rawValue), \(fixture.account.rawValue), 1, 10, \(ana.rawValue),
                    \(agreement), NULL),
                (\(fixture.device.slot.rawValue), \(fixture.device.device.rawValue), \(fixture.account.rawValue), 2, 20, NULL, NULL, 7)
            """)
    }

    func alarm(_ values: [Parameter: Float] = [.temperature: 25], at second: Int = 0) async throws {
        try await scene.take(values, at: second)
    }

    /// Lets time pass for the escalations and what people were told and answered, and looks at all that is due.
    /// - Returns: What came of the steps that were due.
    @discardableResult
    func wait(minutes: Int) async throws -> [CallOutcome] {
        let span = "interval '\(minutes) minutes'"
        _ = try await fixture.sql(
            """
            UPDATE escalation SET alarm_at = alarm_at - \(span), began_at = began_at - \(span), next_at = now(),
                answers_from = answers_from - \(span), held_until = held_until - \(span), over_since = over_since - \(span);
            UPDATE escalation_call SET called_at = called_at - \(span);
            UPDATE water_work SET begins_at = begins_at - \(span), until = until - \(span), ended_at = ended_at - \(span);
            UPDATE snooze SET set_at = set_at - \(span), snoozed_until = snoozed_until - \(span)
            """)
        let report = try await fixture.owner.transaction { try EscalationSweep(policy: scene.policy).perform($0) }
        try await scene.arrive()
        return report.calls.map(\.outcome)
    }

    /// What was told beside alarms: to whom, why, and whose alarm it is.
    func told() async throws -> String {
        try await fixture.sql(
            """
            SELECT string_agg(split_part(p.email, '@', 1) || ' ' || a.purpose || coalesce(' for ' || a.caller_name, '')
                || coalesce(' at ' || a.to_endpoint, '') || coalesce(', ' || a.taker_name || ' is on it', ''), '; ' ORDER BY a.alert_id)
            FROM alert a JOIN account p ON p.account_id = a.account_id WHERE a.purpose IN ('escalation', 'calledOff')
            """)
    }

    /// Says that a person is on it, as the Gateway does.
    func answer(by person: Account.ID, _ said: String = "onIt") async throws -> String {
        let (slot, device, account) = (fixture.device.slot.rawValue, fixture.device.device.rawValue, person.rawValue)
        return try await fixture.sql(
            """
            BEGIN; SELECT name_person(\(account));
            SELECT give_answer(\(slot)::smallint, \(device), 'range', \(Parameter.temperature.rawValue)::smallint, 'high', '\(said)'); COMMIT
            """
        ).split(separator: "\n").last.map(String.init) ?? ""
    }

    func snooze(_ person: Account.ID, for length: String) async throws {
        _ = try await fixture.sql(
            """
            INSERT INTO snooze (slot, device_id, account_id, kind, parameter, side, snoozed_until)
            SELECT slot, device_id, \(person.rawValue), kind, parameter, side, now() + interval '\(length)' FROM escalation
            """)
    }

    static func with(_ body: @Sendable @escaping (EscalationScene) async throws -> Void) async throws {
        try await GatheringScene.with { scene in
            let ana = try await scene.fixture.addPerson("ana")
            try await scene.fixture.join(ana)
            _ = try await scene.fixture.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                VALUES (8, \(ana.rawValue), 'ntfy', 'https://ntfy.example.org/ana', '')
                """)
            _ = try await scene.fixture.sql(
                "UPDATE setting SET maximum = NULL, minimum = NULL WHERE account_id = \(ana.rawValue)")
            try await body(EscalationScene(scene: scene, ana: ana))
        }
    }
}
