import Instants
import MQTT
import Postgres
import ServiceKit
import Store
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// A database that refuses some messages, for any reason: all others are stored.
@Suite struct RefusedMessageTests {
    /// SQL that refuses water colder than 5 degrees with a given SQLSTATE.
    private static func poison(_ table: String = "sample", when condition: String, _ state: String) -> String {
        """
        CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF \(condition) THEN RAISE EXCEPTION 'poison' USING ERRCODE = '\(state)'; END IF;
            RETURN NEW;
        END $$;
        CREATE TRIGGER poison BEFORE INSERT OR UPDATE ON \(table) FOR EACH ROW EXECUTE FUNCTION poison();
        """
    }

    /// Messages as one read of the broker returns them, with poison at some places.
    private static func batch(
        _ store: StoreFixture, _ messages: [MQTTMessage], _ writer: BatchWriter
    ) async throws -> IngestBatch {
        let heard = SharedDeviceRegistry()
        try await writer.findDevices(of: messages, now: .now, heard)
        return heard.registry.withLock { registry in
            var batch = IngestBatch(receivedAt: .now, history: .seconds(89 * 86_400))
            for message in messages { batch.add(message, &registry) }
            batch.close()
            return batch
        }
    }

    private static func readings(_ count: Int, cold: Set<Int>) -> [MQTTMessage] {
        let start = Timestamp.now.microseconds / 1_000_000 - 3_600
        return (0..<count).map { number in
            .of(
                "tank-\(number % 2 + 1)",
                #"{"time":\#(start + Int64(number)),"temperature":\#(cold.contains(number) ? 1 : 20)}"#,
                responseTopic: "aqua/v1/tank-\(number % 2 + 1)/ack")
        }
    }

    @Test(arguments: [
        "P0001", "XX000", "54000", "54001", "42P01", "42501", "42883", "22003", "23514", "23502", "0A000", "40001",
        "40P01", "55P03", "57014",
    ])
    func oneMessageStopsNoOther(_ state: String) async throws {
        try await StoreFixture.with(devices: ["tank-1", "tank-2"]) { store in
            try await store.database.sql(Self.poison(when: "NEW.temperature < 5", state))
            let messages =
                Self.readings(40, cold: [0, 17, 39]) + [.of("online", subject: "status"), .of("not a reading")]
            try await store.withWriter { writer in
                let batch = try await Self.batch(store, messages, writer)
                let outcome = try await writer.write(batch)
                #expect(outcome.stored == 37 && outcome.refused.count == 3)
                let answers = batch.receipts.map {
                    String(decoding: $0.message(after: outcome).payload, as: UTF8.self)
                }
                for (number, answer) in answers.enumerated() {
                    let isCold = [0, 17, 39].contains(number)
                    #expect(
                        answer == (isCold ? #"{"status":"rejected","reason":"refused"}"# : #"{"status":"stored"}"#),
                        "\(number)")
                }
                #expect(writer.metrics.rejects[.refused].value == 3)
            }
            #expect(try await store.count("count(*) FROM sample") == 37)
            #expect(try await store.evaluated().count == 37, "each once, and in the order in which it came")
            #expect(try await store.count("count(*) FROM device_status") == 1)
            let named = """
                count(*) FROM reject WHERE reason = 'refused' AND detail LIKE '%[\(state)]%'
                    AND topic LIKE 'aqua/v1/tank-_/readings' AND convert_from(payload, 'UTF8') LIKE '%"temperature":1}'
                """
            #expect(try await store.count(named) == 3, "each with its topic and its beginning")
            #expect(try await store.count("count(*) FROM reject") == 3)
            // Their owners see them, too: for one device two, the last of them with its time.
            let counted = """
                SELECT d.hardware_id, r.reason, r.subject, r.messages, r.detail LIKE '%[\(state)]%',
                    convert_from(r.payload, 'UTF8') LIKE '%"temperature":1}', r.topic
                FROM device_reject r JOIN device d USING (slot, device_id) ORDER BY 1, 2
                """
            #expect(
                try await store.database.sql(counted) == """
                    tank-1|malformed||1|f|f|aqua/v1/tank-1/readings
                    tank-1|refused||1|t|t|aqua/v1/tank-1/readings
                    tank-2|refused||2|t|t|aqua/v1/tank-2/readings
                    """)
        }
    }

    /// A message may be alone in its batch, as on a quiet day.
    @Test(arguments: ["P0001", "40P01"]) func aMessageAloneIsSetAsideToo(_ state: String) async throws {
        try await StoreFixture.with(devices: ["tank-1", "tank-2"]) { store in
            try await store.database.sql(Self.poison(when: "NEW.temperature < 5", state))
            try await store.withWriter { writer in
                let batch = try await Self.batch(store, Self.readings(1, cold: [0]), writer)
                #expect(try await writer.write(batch).refused.count == 1)
            }
            #expect(try await store.count("count(*) FROM reject WHERE reason = 'refused'") == 1)
        }
    }

    /// Any part of a message may be refused.
    @Test(arguments: [
        ("device_status", "NEW.device_id > 0"), ("device_reject", "NEW.topic LIKE '%tank-1/readings'"),
        ("temperature_probe", "true"),
    ])
    func whatGoesWithReadingsHoldsNoneUp(_ table: String, _ condition: String) async throws {
        try await StoreFixture.with(devices: ["tank-1", "tank-2"]) { store in
            try await store.database.sql(Self.poison(table, when: condition, "P0001"))
            let messages: [MQTTMessage] =
                Self.readings(4, cold: []) + [
                    .of("online", subject: "status"), .of("no reading"),
                    .of(
                        #"{"DS18B20-1":{"Id":"00000566CC39","Temperature":23},"TempUnit":"C"}"#, subject: "tele/SENSOR"),
                ]
            try await store.withWriter { writer in
                let batch = try await Self.batch(store, messages, writer)
                #expect(try await writer.write(batch).stored == 5)
            }
            #expect(try await store.count("count(*) FROM sample") == 5)
            #expect(try await store.count("count(*) FROM device_status") == (table == "device_status" ? 0 : 1))
            #expect(try await store.count("count(*) FROM temperature_probe") == (table == "temperature_probe" ? 0 : 1))
            let statusRejects = "count(*) FROM reject WHERE topic = 'aqua/v1/tank-1/status' AND reason = 'refused'"
            #expect(try await store.count(statusRejects) == (table == "device_status" ? 1 : 0))
        }
    }

    /// A device whose rejects cannot be counted does not hide other devices' rejects.
    @Test func whatIsSetAsideHidesNothing() async throws {
        try await StoreFixture.with(devices: ["tank-1", "tank-2"]) { store in
            try await store.database.sql(
                """
                CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''poison''; END';
                CREATE TRIGGER poison BEFORE INSERT ON sample FOR EACH ROW WHEN (NEW.temperature < 5) EXECUTE FUNCTION poison();
                CREATE TRIGGER poison BEFORE INSERT ON device_reject FOR EACH ROW WHEN (NEW.topic LIKE '%tank-1/readings')
                    EXECUTE FUNCTION poison();
                """)
            try await store.withWriter { writer in
                let batch = try await Self.batch(store, Self.readings(8, cold: [0, 1, 2, 3, 5]), writer)
                let outcome = try await writer.write(batch)
                #expect(outcome.stored == 3 && outcome.refused.count == 5)
            }
            #expect(try await store.count("count(*) FROM reject WHERE topic = 'aqua/v1/tank-2/readings'") == 3)
            #expect(try await store.database.sql("SELECT reason, messages FROM device_reject") == "refused|3")
        }
    }

    /// If all messages are refused alike nothing is set aside, and all of them come again.
    @Test(arguments: ["P0001", "XX000", "42P01", "57014", "40P01"])
    func whatConcernsAllIsNobodysFault(_ state: String) async throws {
        try await StoreFixture.with(devices: ["tank-1", "tank-2"]) { store in
            try await store.database.sql(Self.poison(when: "true", state))
            try await store.withWriter { writer in
                for messages in [Self.readings(9, cold: []), Self.readings(1, cold: [])] {
                    let batch = try await Self.batch(store, messages, writer)
                    await #expect(throws: PostgresError.self) { _ = try await writer.write(batch) }
                }
            }
            #expect(try await store.count("count(*) FROM sample") == 0)
            #expect(try await store.count("count(*) FROM reject") == 0)
        }
    }

    /// A fault of the server passes, however long it takes: until then a failing message waits.
    @Test(arguments: ["53100", "53200", "53300", "57P03", "58030", "25006", "08006"])
    func theServersFaultIsWaitedFor(_ state: String) async throws {
        try await StoreFixture.with(devices: ["tank-1", "tank-2"]) { store in
            try await store.database.sql(
                "CREATE SEQUENCE attempts; GRANT USAGE ON SEQUENCE attempts TO aqua_ingestor;"
                    + Self.poison(when: "NEW.temperature < 5 AND nextval('attempts') < 7", state))
            try await store.withWriter { writer in
                let batch = try await Self.batch(store, Self.readings(3, cold: [1]), writer)
                let outcome = try await writer.write(batch)
                #expect(outcome.stored == 3 && outcome.refused.isEmpty)
            }
            #expect(try await store.count("count(*) FROM reject") == 0)
        }
    }
}
