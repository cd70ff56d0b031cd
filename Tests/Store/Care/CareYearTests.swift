import Testing

/// A year of a keeper's life on a real database, by the Gateway's and the Notifier's own code, beside a model that knows nothing of either.
@Suite struct CareYearTests {
    /// After each step everybody has been told exactly what the model says: nothing is lost, nothing comes twice, early or late, and what comes
    /// together is one message.
    @Test(.timeLimit(.minutes(10)), arguments: [1, 2] as [UInt64]) func `nothing due is lost or told twice`(
        _ seed: UInt64
    ) async throws {
        try await CareScene.with { scene in
            var year = CareYear(scene, seed: seed)
            try await year.live()
            let wanted = [
                "told kim", "told lee", "clocks", "missed", "several", "replaced", "undone", "done", "done early",
                "done before",
                "skipped", "skipped early", "later",
            ]
            let missing = wanted.filter { year.counts[$0] == nil }
            #expect(missing.isEmpty && year.model.held > 50, "\(year.counts)")
        }
    }

    /// The model's clocks, by the rules of the two countries.
    @Test func `a time that is skipped comes later, and of two the first counts`() {
        let cases = [
            ("2025-03-29", 150, "Europe/Berlin", "2025-03-29 01:30"),
            ("2025-03-30", 150, "Europe/Berlin", "2025-03-30 01:30"),
            ("2025-03-31", 150, "Europe/Berlin", "2025-03-31 00:30"),
            ("2025-10-26", 150, "Europe/Berlin", "2025-10-26 00:30"),
            ("2025-10-27", 150, "Europe/Berlin", "2025-10-27 01:30"),
            ("2025-04-05", 1410, "America/Santiago", "2025-04-06 02:30"),
            ("2025-09-07", 0, "America/Santiago", "2025-09-07 04:00"),
            ("2025-09-08", 0, "America/Santiago", "2025-09-08 03:00"),
        ]
        for (day, minute, zone, instant) in cases {
            #expect(Wall.instant(Wall.day(day), minute, zone) == Wall.instant(instant), "\(day) \(zone)")
        }
    }
}
