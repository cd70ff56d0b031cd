import Foundation
import TestSupport
import Testing

extension WholeSystems {
    /// Real water through the whole system, compared with a calculation that shares no code with it.
    struct RecordedSeriesTests {
        @Test func theNaiveCalculationIsOfSubstance() throws {
            for (series, messages, episodes) in [(Recorded.month, 2_500, 50), (.half, 1_250, 30)] {
                let rows = try series.rows()
                #expect(rows.count > messages)
                let expected = ExpectedEpisode.all(of: rows)
                #expect(expected.count > episodes)
                #expect(expected.reduce(0) { $0 + $1.notifications } > 500)
            }
        }

        @Test(.enabled(if: Recorded.whole.isThere, Recorded.absence)) func theWholeSeries() async throws {
            let rows = try Recorded.whole.rows()
            #expect(rows.count > 5_000)
            let month = try Recorded.month.rows()
            #expect(Array(rows.prefix(month.count)) == month)
            try await Pipeline.with { pipeline in
                try pipeline.startServices()
                try await pipeline.replay(.whole)
                try await check(pipeline, .whole)
            }
        }

        @Test func undisturbed() async throws {
            try await Pipeline.with { pipeline in
                try pipeline.startServices()
                try await pipeline.replay(.month)
                try await check(pipeline, .month)
            }
        }

        @Test func twoOfEachService() async throws {
            try await Pipeline.with { pipeline in
                for program in Pipeline.services {
                    try pipeline.start(program)
                    try pipeline.start(program, as: "\(program)-2")
                }
                try await pipeline.replay(.half)
                try await check(pipeline, .half)
            }
        }

        @Test(arguments: ["aqua-ingestor", "aqua-rules", "aqua-notifier"])
        func killedInTheMiddle(service: String) async throws {
            try await Pipeline.with { pipeline in
                try pipeline.startServices()
                let replay = try await pipeline.startReplay(.half)
                for round in 1...3 {
                    let progress =
                        service == "aqua-ingestor" ? "sample" : service == "aqua-rules" ? "alert" : "delivery"
                    try await pipeline.fact("SELECT count(*) > \(round * 50) FROM \(progress)")
                    try await pipeline.kill(service)
                    try pipeline.start(service)
                }
                #expect(await replay.end == .exit(0), "\(replay.tail)")
                try await check(pipeline, .half)
            }
        }

        @Test func stoppedWithAnOpenBatch() async throws {
            try await Pipeline.with { pipeline in
                try pipeline.startServices()
                let replay = try await pipeline.startReplay(.half)
                try await pipeline.fact("SELECT count(*) > 100 FROM sample")
                try await pipeline.cluster.halt(.database)
                #expect(await replay.end == .exit(0), "the broker keeps what nobody takes\n\(replay.tail)")
                let ingestor = try pipeline.process("aqua-ingestor")
                #expect(await ingestor.stop() == .exit(0))
                try await pipeline.cluster.resume(.database)
                try pipeline.start("aqua-ingestor")
                try await check(pipeline, .half)
            }
        }

        @Test func databaseOutage() async throws {
            try await Pipeline.with { pipeline in
                try pipeline.startServices()
                let replay = try await pipeline.startReplay(.half)
                for round in 1...2 {
                    try await pipeline.fact("SELECT count(*) > \(round * 100) FROM sample")
                    try await pipeline.cluster.halt(.database)
                    try await pipeline.cluster.resume(.database)
                }
                #expect(await replay.end == .exit(0), "\(replay.tail)")
                try await check(pipeline, .half)
            }
        }

        /// Checks that samples, episodes, notifications and deliveries are exactly those of the calculation.
        private func check(_ pipeline: Pipeline, _ series: Recorded) async throws {
            let rows = try series.rows()
            let expected = ExpectedEpisode.all(of: rows)
            let distinct = Set(rows.map(\.minute)).count
            try await pipeline.settle(messages: distinct)
            let database = pipeline.database
            #expect(try await database.sql("SELECT count(*) FROM sample") == "\(distinct)", "stored once each")
            #expect(try await database.sql("SELECT (SELECT count(*) FROM reject) + count(*) FROM device_reject") == "0")

            let found = try await episodes(pipeline, until: try #require(rows.map(\.minute).max()))
            #expect(found.count == expected.count)
            let counts = try await database.sql(
                """
                SELECT count(*) FILTER (WHERE state = 'delivered'), count(*) FILTER (WHERE state = 'cancelled'), count(*)
                FROM alert
                """
            ).split(separator: "|").compactMap { Int($0) }
            let (delivered, cancelled) = (counts[0], counts[1])
            for (found, expected) in zip(found, expected) {
                var expected = expected
                if cancelled > 0 { expected.notifications = found.notifications }
                if found != expected { Issue.record("found \(found), expected \(expected)") }
            }

            // Time runs so fast here that an alarm may be over before it can be sent: it then gives its charge back, and
            // the next reading out of range alarms. This never makes more alerts arrive than otherwise.
            let notifications = expected.reduce(0) { $0 + $1.notifications }
            #expect(delivered + cancelled == counts[2])
            #expect(delivered <= notifications && notifications <= counts[2])
            if cancelled == 0 { #expect(delivered == notifications) }
            // An alert that arrived, but whose record a kill prevented, is cancelled all the same.
            let identifiers = Set(pipeline.sink.received.compactMap { $0.header("webhook-id") })
            #expect(
                (delivered...delivered + cancelled).contains(identifiers.count), "one webhook id for each notification")
            try await verifySignatures(pipeline)
        }

        /// The episodes in the database, with times in minutes of the series.
        private func episodes(_ pipeline: Pipeline, until last: Int) async throws -> [ExpectedEpisode] {
            let table = try await pipeline.database.sql(
                """
                WITH series AS (SELECT max(event_time) AS now FROM sample)
                SELECT parameter, side,
                    \(last) - round(extract(epoch FROM now - opened_at) * \(Pipeline.speed) / 60),
                    \(last) - round(extract(epoch FROM now - closed_at) * \(Pipeline.speed) / 60),
                    round(worst * 10), (SELECT count(*) FROM alert a WHERE a.episode_id = e.episode_id)
                FROM episode e, series ORDER BY parameter, opened_at
                """)
            let names = [0: "temperature", 1: "ph", 7: "dissolved_oxygen", 8: "salinity"]
            return try table.split(separator: "\n").map { line in
                let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                return ExpectedEpisode(
                    parameter: try #require(Int(cells[0]).flatMap { names[$0] }), side: String(cells[1]),
                    openedAt: try #require(Int(cells[2])), closedAt: Int(cells[3]), worst: try #require(Int(cells[4])),
                    notifications: try #require(Int(cells[5])))
            }
        }

        /// Verifies everything that arrived with an independent implementation of Standard Webhooks.
        private func verifySignatures(_ pipeline: Pipeline) async throws {
            guard let python = ProcessInfo.processInfo.environment["AQUA_TEST_PYTHON"] else {
                return withKnownIssue("AQUA_TEST_PYTHON names no Python with standardwebhooks; deploy/test sets it") {
                    Issue.record("signatures were not verified by an independent implementation")
                }
            }
            let lines = try pipeline.sink.received.map { request in
                let object = [
                    "id": request.header("webhook-id") ?? "", "timestamp": request.header("webhook-timestamp") ?? "",
                    "signature": request.header("webhook-signature") ?? "",
                    "body": String(decoding: request.body, as: UTF8.self),
                ]
                return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
            }
            let file = pipeline.path("webhooks")
            try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: true, encoding: .utf8)
            let script = """
                import json, sys
                from datetime import datetime, timezone
                from standardwebhooks.webhooks import Webhook
                secret, count = sys.stdin.read().strip(), 0
                for line in open(sys.argv[1], encoding="utf-8"):
                    w = json.loads(line)
                    # Not verify: it wants the time of sending to be of the last five minutes.
                    sent_at = datetime.fromtimestamp(int(w["timestamp"]), tz=timezone.utc)
                    count += Webhook(secret).sign(w["id"], sent_at, w["body"]) == w["signature"]
                print(count)
                """
            let verified = try await ProcessUnderTest.run(
                python, ["-c", script, file], input: pipeline.webhookSecret)
            #expect(verified == "\(lines.count)")
        }
    }
}
