import Backoff
import Store

/// Measures how long the rows of seats have not changed, by this process' own clock: by the database's, which may leap,
/// a working holder could seem frozen, or a frozen one keep its seat for hours.
///
/// The time between two looks counts up to a bound, because a late look may mean that this process itself froze. A row
/// changes only with a commit: while no commit ends, as without a synchronous standby, an unchanged row says nothing
/// about its holder.
struct SeatWatch: Sendable {
    /// A holder updates its row every five seconds; one that has not for this long is frozen.
    private static let frozenAfter = Duration.seconds(20)
    /// From this stillness on commits are tested, each within the limit, so that a holder had time for two commits of its own.
    private static let doubtedAfter = Duration.seconds(10)
    private static let commitLimit = Duration.seconds(3)

    private struct Sighting {
        var row: ListSeats.Row
        var stillFor: Duration
    }

    private let longestStep: Duration
    private var lastLook: ContinuousClock.Instant?
    private var sightings: [Int16: Sighting] = [:]

    /// - Parameter longestStep: Most that one look can add to a seat's stillness.
    init(longestStep: Duration) { self.longestStep = longestStep }

    /// - Parameter commit: Makes a small commit; called only while a holder is in doubt.
    mutating func look(
        _ find: () async throws -> [ListSeats.Row], commit: @escaping @Sendable () async throws -> Void
    ) async throws -> [ListSeats.Row] {
        let time = ContinuousClock.now
        let rows = try await find()
        observe(rows, at: time)
        guard doubtsAHolder else { return rows }
        do {
            try await withTimeout(Self.commitLimit, commit)
        } catch {
            try Task.checkCancellation()
            excuseHolders()
        }
        return rows
    }

    /// Whether a holder is overdue, so that stalled commits have to be ruled out.
    var doubtsAHolder: Bool { sightings.values.contains { $0.row.isHeld && $0.stillFor >= Self.doubtedAfter } }

    /// Restarts every holder's time, because no commit ended.
    mutating func excuseHolders() {
        for (seat, sighting) in sightings where sighting.row.isHeld { sightings[seat]?.stillFor = .zero }
    }

    /// - Parameter time: Taken before the look.
    mutating func observe(_ rows: [ListSeats.Row], at time: ContinuousClock.Instant) {
        let step = min(lastLook?.duration(to: time) ?? .zero, longestStep)
        lastLook = time
        var current: [Int16: Sighting] = [:]
        for row in rows {
            let before = sightings[row.seat].flatMap { $0.row == row ? $0.stillFor + step : nil }
            current[row.seat] = Sighting(row: row, stillFor: before ?? .zero)
        }
        sightings = current
    }

    /// The holder of a seat if it has stopped updating its row; otherwise nil.
    func frozenHolder(of row: ListSeats.Row) -> Int32? {
        stillness(of: row.seat) >= Self.frozenAfter ? row.holder : nil
    }

    /// How long the seat's row has not changed, whether it is held or not.
    func stillness(of seat: Int16) -> Duration { sightings[seat]?.stillFor ?? .zero }
}
