import Postgres
import Store

/// A numbered seat: a client id at the broker that one Ingestor at a time uses, for as long as this connection to the
/// database holds its lock.
///
/// The broker keeps a session for each client id and hands it a share of the messages, also while nobody is connected.
/// Seats keep their number small and let a successor find what a predecessor left.
struct Seat: Sendable {
    /// More Ingestors than this cannot work on one broker.
    static let count: Int16 = 256

    let number: Int16
    private let connection: PostgresConnection

    var clientID: String { "aqua-ingestor-\(number)" }

    /// Takes a seat: first one whose session waits for a reader, then any empty one, then a new one.
    static func take(_ database: PostgresConfiguration) async throws -> Seat {
        let connection = try await PostgresConnection.connect(database)
        let seats = try await connection.execute(ListSeats())
        let empty = seats.filter { !$0.isHeld }
        let known = Set(seats.map(\.seat))
        let candidates =
            empty.filter(\.sessionOpen).map(\.seat) + empty.filter { !$0.sessionOpen }.map(\.seat)
            + (0..<count).filter { !known.contains($0) }
        for number in candidates {
            if let seat = try await take(number, connection) { return seat }
        }
        await connection.close()
        throw NoSeat()
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

/// All seats are taken.
struct NoSeat: Error, CustomStringConvertible {
    var description: String { "all \(Seat.count) seats are taken: run fewer Ingestors on this broker" }
}
