import Foundation
import Gateway
import Postgres
import Secrets
import Store
import TestSupport

/// The cost of row-level security: the same transactions in the Gateway's role, with the policies and without, in turn.
struct RowSecurityCost: Sendable {
    let database: TestDatabase
    let people: GatewayPeople

    private static let turns = 40
    /// No further turns, each with and without, begin after so long: whoever has 200 devices reads the last values of all of them.
    private static let atMost = Duration.seconds(60)
    private static let transactions = 100
    /// The executions not counted, in which a connection makes its plans.
    private static let warmUp = 10

    /// - Returns: The milliseconds of a transaction that names its person, reads the last values of their device and
    ///   lists their alerts.
    func measure(_ generator: inout SeededGenerator) async throws -> (secured: Distribution, open: Distribution) {
        var secured: [Duration] = []
        var open: [Duration] = []
        let begun = ContinuousClock.now
        for turn in 0..<Self.turns {
            let isSecured = turn.isMultiple(of: 2)
            if isSecured, ContinuousClock.now - begun > Self.atMost { break }
            try await set(isSecured)
            let connection = try await database.connect(.gateway)
            for number in 0..<Self.warmUp + Self.transactions {
                let hash = people.hashes[Int.random(in: 0..<people.hashes.count, using: &generator)]
                let start = ContinuousClock.now
                let found = try await connection.transaction { transaction in
                    guard let person = try transaction.execute(EnterToken(hash: hash)).first else { return 0 }
                    _ = try transaction.execute(
                        PageAlerts(of: person.account, below: .newest, PageAlerts.Filter(), limit: 50))
                    return try transaction.execute(LatestReadings()).count
                }
                let took = ContinuousClock.now - start
                guard found > 0 else { throw TestSupportError("A person has no last values") }
                if number >= Self.warmUp {
                    if isSecured { secured.append(took) } else { open.append(took) }
                }
            }
            await connection.close()
        }
        try await set(true)
        return (Distribution(secured), Distribution(open))
    }

    private func set(_ isSecured: Bool) async throws {
        try await database.sql(
            """
            DO $$ DECLARE held regclass; BEGIN
                FOR held IN SELECT DISTINCT polrelid::regclass FROM pg_policy LOOP
                    EXECUTE format('ALTER TABLE %s \(isSecured ? "ENABLE" : "DISABLE") ROW LEVEL SECURITY', held);
                    COMMIT; -- one lock at a time, beside services that read
                END LOOP;
            END $$
            """)
    }
}
