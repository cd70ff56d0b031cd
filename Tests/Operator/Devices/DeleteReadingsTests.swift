import Operator
import TestSupport
import Testing

@Suite struct DeleteReadingsTests {
    /// Without a number it counts; with the number that it counted it deletes.
    @Test func anOperatorLooksBeforeTheyDelete() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph, temperature)
                SELECT slot, 0, device_id, now() - n * interval '1 minute', now(), 7, 20 FROM device, generate_series(1, 30) AS n
                """)
            let verb = ["device", "delete-readings", instance.device, "--since", "2h", "--parameter", "ph"]
            func run(_ more: String...) async -> Run {
                await runAqua(verb + more, environment: instance.environment)
            }
            let looked = await run()
            #expect(
                looked.output.contains("It would delete 30 readings of 30 messages"), "\(looked.output)\(looked.errors)"
            )
            #expect(try await instance.database.sql("SELECT count(ph) FROM sample") == "30")
            let other = await run("--readings", "29")
            #expect(other.code == 1 && other.errors.contains("There are 30 readings in it now."), "\(other.errors)")
            let done = await run("--readings", "30", "--reason", "in the air")
            #expect(done.code == 0 && done.output.contains("Deleted: 30 readings"), "\(done.output)\(done.errors)")
            #expect(try await instance.database.sql("SELECT count(ph), count(temperature) FROM sample") == "0|30")
            #expect(
                try await instance.database.sql("SELECT note, account_id IS NULL FROM deletion") == "in the air|t",
                "it is known, and by nobody of the people")
        }
    }
}
