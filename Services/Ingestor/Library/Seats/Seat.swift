import Postgres
import Store

/// A numbered seat: a session at the broker that one Ingestor at a time uses, for as long as this connection to the database
/// holds its lock.
///
/// The broker keeps the session also while nobody is connected, so a successor on the same seat finds all that a predecessor
/// left. Its name is a secret of the seat's row: whoever connects under it takes the session over. Usually there is one seat, and further Ingestors stand by for it; where the
/// subscription is shared each takes a seat of its own.
struct Seat: Sendable {
    /// The seat of the one that works when nothing is shared.
    static let only: Int16 = 0
    /// The seats where the subscription is shared.
    static let shared: ClosedRange<Int16> = 1...255

    let number: Int16
    /// The client id of its session. No device may be called so: an id of theirs has no colon.
    let sessionID: String
    private let connection: PostgresConnection

    /// The session's name until version 10 of the schema, the same in every installation.
    var formerSessionID: String { "aqua-ingestor-\(number)" }

    /// Takes the only seat, or where seats are shared: first one whose session waits for a reader, then any empty
    /// one, then a new one.
    /// - Parameter watch: What earlier attempts saw: the connections of a holder that is frozen are ended.
    /// - Throws: `NoSeat` when none is empty.
    static func take(
        _ database: PostgresConfiguration, isShared: Bool, watch: inout SeatWatch
    ) async throws -> Seat {
        let connection = try await PostgresConnection.connect(database)
        do {
            let seats = try await watch.look { try await connection.execute(ListSeats()) }
            for number in isShared ? candidates(seats) : [only] {
                if let seat = try await take(number, connection) { return seat }
            }
            for row in seats where isShared || row.seat == only {
                guard let holder = watch.frozenHolder(of: row) else { continue }
                _ = try await connection.execute(EvictHolder(holder, on: row.seat))
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
        let proposal = "aqua:ingestor:\(number):" + hexadecimal(.random(in: 0 ... .max))
        guard let session = try await connection.execute(OpenSeat(number, proposal: proposal)).first else { return nil }
        return Seat(number: number, sessionID: session, connection: connection)
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// Runs `body` as one that others see at work, and ends it when the lock is lost.
    func whileHeld(_ body: @Sendable @escaping () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await hold() }
            group.addTask(operation: body)
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Returns when the lock is lost, with the error that tells it; checks every few seconds.
    private func hold() async throws -> Never {
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
