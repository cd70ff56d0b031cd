import Backoff
import DatabaseHealth
import Postgres
import ServiceKit
import Store

/// A numbered seat: a session at the broker that one Ingestor at a time uses, for as long as a dedicated database
/// connection holds the seat's lock.
///
/// The broker keeps the session while nobody is connected, so a successor on the seat finds everything that its
/// predecessor left. The session's name is a secret in the seat's row: whoever connects under it takes the session
/// over. Usually there is one seat, for which further Ingestors stand by; where the subscription is shared each takes a
/// seat of its own.
struct Seat: Sendable {
    /// The one seat where the subscription is not shared.
    static let only: Int16 = 0
    /// The seats where the subscription is shared.
    static let shared: ClosedRange<Int16> = 1...255

    let number: Int16
    /// The session's client id. No device can have it: device ids contain no colon.
    let sessionID: String
    private let connection: PostgresConnection
    /// When the seat's reader last left nothing waiting in the broker.
    let level = Level()

    /// The session that deploy/broker/first-session makes at a new broker, so that nothing is lost before an Ingestor comes.
    static let firstSessionID = "aqua:ingestor:first"

    /// Sessions that may hold messages from before the seat had a session of its own: the broker's first, which one
    /// seat alone drains, and the seat's session until version 10 of the schema.
    var formerSessionIDs: [String] {
        let former = "aqua-ingestor-\(number)"
        return [Self.only, Self.shared.lowerBound].contains(number) ? [Self.firstSessionID, former] : [former]
    }

    /// Takes the only seat, or where seats are shared: first one whose session waits for a reader, then any empty one,
    /// then a new one. Holds it while `body` runs.
    /// - Parameters:
    ///   - watch: Observations of earlier attempts: a frozen holder's connections are ended.
    ///   - heartbeat: Beats while a seat is taken, which waits for a commit.
    /// - Throws: `NoSeat` when none is empty.
    static func with(
        _ database: PostgresConfiguration, isShared: Bool, watch: inout SeatWatch, heartbeat: Heartbeat,
        _ body: @Sendable @escaping (Seat) async throws -> Void
    ) async throws {
        try await PostgresConnection.with(database) { connection in
            let seat = try await heartbeat.whileAwaitingDatabase {
                try await choose(isShared: isShared, &watch, connection)
            }
            guard let seat else { throw NoSeat() }
            _ = try await seat.hold {
                try await body($0)
                return .kept
            }
        }
    }

    /// - Returns: nil when no seat is empty; frozen holders are then evicted.
    private static func choose(
        isShared: Bool, _ watch: inout SeatWatch, _ connection: PostgresConnection
    ) async throws -> Seat? {
        let seats = try await watch.look {
            try await connection.execute(ListSeats())
        } commit: {
            try await connection.perform(AwaitEarlierCommits())
        }
        // A commit that was given up ended the connection, and no seat could be recorded either.
        guard connection.isUsable else { return nil }
        for number in isShared ? candidates(seats) : [only] {
            if let seat = try await take(number, connection) { return seat }
        }
        for row in seats where isShared || row.seat == only {
            guard let holder = watch.frozenHolder(of: row) else { continue }
            _ = try await connection.execute(EvictHolder(holder, on: row.seat))
        }
        return nil
    }

    private static func candidates(_ seats: [ListSeats.Row]) -> [Int16] {
        let empty = seats.filter { !$0.isHeld && shared.contains($0.seat) }
        let known = Set(seats.map(\.seat))
        return empty.filter(\.sessionOpen).map(\.seat) + empty.filter { !$0.sessionOpen }.map(\.seat)
            + shared.filter { !known.contains($0) }
    }

    /// Takes this seat unless another Ingestor holds it, and holds it while `body` runs.
    /// - Returns: The state in which `body` left the session; nil when the seat was taken.
    static func with(
        abandoned number: Int16, _ database: PostgresConfiguration,
        _ body: @Sendable @escaping (Seat) async throws -> SessionState
    ) async throws -> SessionState? {
        try await PostgresConnection.with(database) { connection in
            try await take(number, connection)?.hold(body)
        }
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

    /// State of a seat's session at the broker when its Ingestor leaves the seat.
    enum SessionState { case kept, ended }

    /// Runs `body` while signs of life are recorded for the seat, cancels it when the lock is lost, and records at the
    /// end what is left of the session. The lock ends with its connection.
    private func hold(_ body: @Sendable @escaping (Seat) async throws -> SessionState) async throws -> SessionState {
        do {
            let session = try await withThrowingTaskGroup(of: SessionState.self) { group in
                // Fails when the lock is lost.
                group.addTask { try await every(.seconds(5)) { try await record(.kept) } }
                group.addTask { try await body(self) }
                defer { group.cancelAll() }
                return try await group.next() ?? .kept
            }
            if session == .ended { try await record(.ended) } else { try? await record(.kept) }
            return session
        } catch {
            try? await record(.kept)
            throw error
        }
    }

    private func record(_ session: SessionState) async throws {
        try await connection.perform(
            RecordSeat(number, sessionOpen: session == .kept, isLevel: level.isRecent(at: .now)))
    }
}

/// Every seat is held by another Ingestor, so this one stands by.
struct NoSeat: Error, CustomStringConvertible {
    var description: String { "every seat is taken" }
}
