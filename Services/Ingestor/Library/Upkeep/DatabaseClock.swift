import Instants
import Postgres
import Synchronization

/// The database's clock as a service knows it between two looks: the time it told, plus the time since by a monotonic clock.
///
/// Receipts use this clock, because everything that compares them does: a machine whose own clock is ahead would make
/// devices seem heard in the future, and what they send now seem old.
final class DatabaseClock: Sendable {
    private let known = Mutex<(time: Timestamp, at: ContinuousClock.Instant)?>(nil)
    /// Used until the database was asked for the first time.
    private let own: WallClock

    init(until own: WallClock) { self.own = own }

    var wall: WallClock { WallClock { [self] in now(at: .now) } }

    func now(at instant: ContinuousClock.Instant) -> Timestamp {
        known.withLock { known in known.map { $0.time + $0.at.duration(to: instant) } } ?? own.now()
    }

    /// Asks the database three times. The fastest answer counts, dated to the middle between question and answer.
    func ask(_ pool: PostgresPool) async throws {
        try await pool.withConnection { connection in
            var soonest: Duration?
            for _ in 0..<3 {
                let before = ContinuousClock.now
                guard let time = try await connection.execute(ReadClock()).first else { return }
                let took = before.duration(to: .now)
                if let soonest, took >= soonest { continue }
                soonest = took
                note(time, at: before + took / 2)
            }
        }
    }

    func note(_ time: Timestamp, at instant: ContinuousClock.Instant) {
        known.withLock { $0 = (time, instant) }
    }
}
