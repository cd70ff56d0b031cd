import Postgres
import Store

/// A numbered seat: a client id at the broker that one Ingestor at a time uses, for as long as this connection to the
/// database holds its lock.
///
/// The broker keeps a session for each client id, also while nobody is connected, so a successor on the same seat finds
/// all that a predecessor left. Usually there is one seat, and further Ingestors stand by for it; where the
/// subscription is shared each takes a seat of its own.
struct Seat: Sendable {
    /// The seat of the one that works when nothing is shared.
    static let only: Int16 = 0
    /// The seats where the subscription is shared.
    static let shared: ClosedRange<Int16> = 1...255
    /// Who has not stirred for so long while it holds a seat is frozen. It stirs every five seconds.
    static let frozenAfter: Int64 = 20

    let number: Int16
    private let connection: PostgresConnection

    var clientID: String { "aqua-ingestor-\(number)" }

    /// Takes the only seat, or where seats are shared: first one whose session waits for a reader, then any empty
    /// one, then a new one.
    /// - Throws: `NoSeat` when none is empty.
    static func take(_ database: PostgresConfiguration, isShared: Bool) async throws -> Seat {
        let connection = try await PostgresConnection.connect(database)
        do {
            let seats = try await connection.execute(ListSeats())
            for number in isShared ? candidates(seats) : [only] {
                if let seat = try await take(number, connection) { return seat }
            }
            for row in seats where isShared || row.seat == only {
                guard let holder = row.holder, row.secondsSinceHeld >= frozenAfter else { continue }
                _ = try await connection.execute(EvictHolder(holder))
            }
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
        throw NoSeat()
    }

    private static func candidates(_ seats: [ListSeats.Row]) -> [Int16] {
        let empty = seats.filter { !$0.isHeld && shared.contains($0.seat) }
        let known = Set(seats.map(\.seat))
        return empty.filter(\.sessionOpen).map(\.seat) + empty.filter { !$0.sessionOpen }.map(\.seat)
            + shared.filter { !known.contains($0) }
    }

    /// Takes this seat if its session is open and nobody sits there.
    static func take(abandoned number: Int16, _ database: PostgresConfiguration) async throws -> Seat? {
        let connection = try await PostgresConnection.connect(database)
        if let seat = try await take(number, connection) { return seat }
        await connection.close()
        return nil
    }

    private static func take(_ number: Int16, _ connection: PostgresConnection) async throws -> Seat? {
        guard try await connection.execute(TakeSeat(number)).first == true else { return nil }
        try await connection.perform(RecordSeat(number, sessionOpen: true))
        return Seat(number: number, connection: connection)
    }

    /// Returns when the lock is lost, with the error that tells it; checks every few seconds.
    func hold() async throws -> Never {
        while true {
            try await Task.sleep(for: .seconds(5))
            try await connection.perform(RecordSeat(number, sessionOpen: true))
        }
    }

    /// Gives the seat back; its session stays at the broker.
    func leave() async {
        // The lock ends with the connection, whatever becomes of this statement.
        _ = try? await connection.perform(RecordSeat(number, sessionOpen: true))
        await connection.close()
    }

    /// Gives the seat back after its session at the broker was ended.
    func leaveForGood() async throws {
        try await connection.perform(RecordSeat(number, sessionOpen: false))
        await connection.close()
    }
}

/// Somebody sits on every seat: this Ingestor stands by.
struct NoSeat: Error, CustomStringConvertible {
    var description: String { "every seat is taken" }
}
