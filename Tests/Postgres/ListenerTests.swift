import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ListenerTests {
    struct Notify: Statement {
        static let sql = "SELECT FROM pg_notify($1, $2)"
        let channel: String
        let payload: String
        func bind(_ parameters: inout Parameters) {
            parameters.append(channel)
            parameters.append(payload)
        }
    }
    struct TerminateListeners: Statement {
        static let sql = """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'LISTEN%'
            """
        static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
    }

    @Test func notificationsArriveInOrder() async throws {
        let configuration = try await TestCluster.database()
        let sender = try await PostgresConnection.connect(configuration)
        let listener = PostgresListener(configuration, channels: ["alert", "Odd \"name\""])
        try await listener.withEvents { events in
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == .mayHaveMissed)
            for payload in ["1", "2", ""] {
                try await sender.perform(Notify(channel: "alert", payload: payload))
                #expect(await iterator.next() == .notified(channel: "alert", payload: payload))
            }
            try await sender.perform(Notify(channel: "Odd \"name\"", payload: "水"))
            #expect(await iterator.next() == .notified(channel: "Odd \"name\"", payload: "水"))
        }
    }

    @Test func aLostConnectionIsReplacedAndTold() async throws {
        let configuration = try await TestCluster.database()
        let sender = try await PostgresConnection.connect(configuration)
        let (failures, report) = AsyncStream.makeStream(of: PostgresError.self)
        let listener = PostgresListener(configuration, channels: ["alert"]) { report.yield($0) }
        try await listener.withEvents { events in
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == .mayHaveMissed)
            for round in 1...3 {
                #expect(try await sender.execute(TerminateListeners()) == [true])
                #expect(await iterator.next() == .mayHaveMissed)
                try await sender.perform(Notify(channel: "alert", payload: "\(round)"))
                #expect(await iterator.next() == .notified(channel: "alert", payload: "\(round)"))
            }
        }
        report.finish()
        let codes = await failures.reduce(into: []) { $0.append($1.code) }
        #expect(codes == [.connectionLost, .connectionLost, .connectionLost])
    }

    /// How many are delivered depends on the consumer's speed; none vanishes without an overflow.
    @Test func aFloodIsToldOrOverflows() async throws {
        let configuration = try await TestCluster.database()
        let sender = try await PostgresConnection.connect(configuration)
        let listener = PostgresListener(configuration, channels: ["flood"], payloadLimit: 4)
        try await listener.withEvents { events in
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == .mayHaveMissed)
            try await sender.transaction { transaction in
                for number in 1...1000 { try transaction.perform(Notify(channel: "flood", payload: "\(number)")) }
            }
            var missing = Set((1...1000).map { PostgresEvent.notified(channel: "flood", payload: "\($0)") })
            while !missing.isEmpty, let event = await iterator.next() {
                if event == .overflow(channel: "flood") { break }
                #expect(missing.remove(event) != nil)
            }
        }
    }

    @Test func cancellationEndsTheEventsAndTheListener() async throws {
        let configuration = try await TestCluster.database()
        let (started, starter) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await PostgresListener(configuration, channels: ["alert"]).withEvents { events in
                var count = 0
                for await _ in events {
                    count += 1
                    starter.yield()
                }
                return count
            }
        }
        for await _ in started { break }
        task.cancel()
        #expect(try await task.value == 1)
    }
}
