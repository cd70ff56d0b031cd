import MQTT
import MQTTFleet
import TestSupport

extension ChaosStage {
    /// Lets a device misbehave; each round has a device of its own for it.
    func misbehave(
        _ kind: Fault.Mischief, _ round: Round, _ generator: inout SeededGenerator
    ) async throws -> MischiefRecord {
        try await withOddDevice(round) { record, send in
            for payload in payloads(kind, &record, &generator) { try await send(payload) }
        }
    }

    /// Sends messages that the database refuses, at random among others of the same device, until the round ends.
    func poison(_ round: Round, _ generator: inout SeededGenerator) async throws -> MischiefRecord {
        // The trigger refuses water below 8 degrees; no device of the suite measures less than 10.
        try await system.database.sql(
            """
            CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF NEW.temperature < 8 THEN
                    RAISE EXCEPTION 'poison' USING ERRCODE = (ARRAY[
                        'P0001', 'XX000', '54001', '42P01', '42501', '22003', '23514', '40001', '40P01', '57014'
                    ])[1 + floor(random() * 10)::integer];
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER poison BEFORE INSERT ON sample FOR EACH ROW EXECUTE FUNCTION poison();
            """)
        let record = try await withOddDevice(round) { record, send in
            let end = ContinuousClock.now + round.length
            var time = 0
            repeat {
                time = max(wallClock(), time + 1)
                let isPoison = Bool.random(using: &generator)
                if isPoison { record.refused += 1 } else { record.times.insert(time) }
                let temperature = isPoison ? "\(Int.random(in: -5...7, using: &generator)).5" : "14.5"
                try await send(
                    Array(#"{"time":\#(LedgerReading.seconds(time)),"temperature":\#(temperature),"ph":8}"#.utf8))
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...100, using: &generator)))
            } while ContinuousClock.now < end
        }
        // Waits before the trigger is dropped, because the messages would be accepted then.
        try await awaitFact("the last word on what the database refuses") {
            let waiting = try await system.database.sql(
                """
                SELECT \(record.refused) > (SELECT count(*) FROM reject
                    WHERE reason = 'refused' AND topic = 'aqua/v1/\(record.device)/readings')
                """)
            return waiting == "f" ? true : nil
        }
        try await system.database.sql("DROP TRIGGER poison ON sample; DROP FUNCTION poison()")
        return record
    }

    private func withOddDevice(
        _ round: Round, _ body: (inout MischiefRecord, (_ payload: [UInt8]) async throws -> Void) async throws -> Void
    ) async throws -> MischiefRecord {
        let device = "mischief-\(round.number)"
        let password = try await system.addDevice(device, of: Self.email, name: "Odd \(round.number)")
        let client = try await fleet.add(
            MQTTConfiguration(
                endpoint: try MQTTEndpoint(url: system.cluster.broker.url), clientID: device,
                credentials: MQTTCredentials(user: device, password: password), keepAlive: 5))
        var record = MischiefRecord()
        record.device = device
        try await body(&record) { payload in
            try await fleet.enqueue(MQTTMessage(topic: "aqua/v1/\(device)/readings", payload: payload), as: client)
        }
        try await fleet.drain(client)
        try await fleet.remove(client)
        return record
    }

    /// The messages to send; `record` receives those that have to be stored.
    private func payloads(
        _ kind: Fault.Mischief, _ record: inout MischiefRecord, _ generator: inout SeededGenerator
    ) -> [[UInt8]] {
        let now = wallClock()
        // Readings within all limits, distinguished by their temperature.
        func flat(_ number: Int) -> String { "\"temperature\":\(14 + number % 9).\(number / 9 % 10),\"ph\":8" }
        func timed(_ time: Int, _ number: Int = 0) -> [UInt8] {
            Array(#"{"time":\#(LedgerReading.seconds(time)),"readings":{\#(flat(number))}}"#.utf8)
        }
        switch kind {
        case .garbage:
            record.times = [now]
            return Garbage.payloads(&generator) + [timed(now)] + Garbage.payloads(&generator)
        case .duplicates:
            record.times = Set((0..<5).map { now - $0 * 1_000_000 })
            let times = (0..<100).map { _ in now - Int.random(in: 0..<5, using: &generator) * 1_000_000 }
            return (Array(record.times) + times).enumerated().map { timed($1, $0) }
        case .oldTimes:
            let days = 86_400 * 1_000_000
            // Times that are too old or in the future; the last one is just believed.
            let times = [0, now - 8 * days, now - 30 * days, now + 10 * 60 * 1_000_000, now + 400 * days]
            record.timedByReceipt = times.count
            record.times = [now - 6 * days]
            return times.enumerated().map { timed($1, $0) } + record.times.map { timed($0) }
        case .noTime:
            record.timedByReceipt = 50
            return (0..<50).map { Array("{\(flat($0))}".utf8) }
        case .flood:
            // A backlog of a day, within the limit for one device.
            let times = (0..<2880).map { now - (2880 - $0) * 30 * 1_000_000 }
            record.times = Set(times)
            return times.enumerated().map { timed($1, $0) }
        }
    }
}

/// Payloads that no firmware should send.
enum Garbage {
    static func payloads(_ generator: inout SeededGenerator) -> [[UInt8]] {
        let texts = [
            "", "{", "}", "[]", "null", "NaN", "{\"readings\":{}}", "{\"readings\":null}", "{\"temperature\":\"warm\"}",
            "{\"temperature\":1e999}", "{\"temperature\":-127}", "{\"time\":\"yesterday\",\"colour\":3}",
            "{\"temperature\":{\"value\":3,\"unit\":\"stone\"}}", "{\"ph\":\"\\u0000\"}", "{\"time\":{},\"ph\":[]}",
            String(repeating: "[", count: 4_000), String(repeating: "{\"readings\":", count: 300),
            "{\"" + String(repeating: "a", count: 4_000) + "\":1}",
        ]
        let noise = (0..<20).map { _ in
            (0..<Int.random(in: 1...2_000, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        return texts.map { Array($0.utf8) } + noise
    }
}
