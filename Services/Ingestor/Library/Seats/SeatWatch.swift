import Backoff
import Store

/// Measures for how long the rows of seats have not changed, by this process' own clock: by the database's, which may leap, a working
/// holder could seem frozen, or a frozen one keep its seat for hours.
///
/// The time between two looks counts up to a bound, because a late look may mean that this process froze itself. And a row changes with
/// a commit: while none ends, as without a synchronous standby, a row that is still says nothing of its holder.
struct SeatWatch: Sendable {
    /// A holder updates its row every five seconds; one that has not for so long is frozen.
    private static let frozenAfter = Duration.seconds(20)
    /// From then on commits have to end, each within the limit, so that a holder had the time for two of its own.
    private static let doubtedAfter = Duration.seconds(10)
    private static let commitLimit = Duration.seconds(3)

    private struct Sighting {
        var row: ListSeats.Row
        var stillFor: Duration
    }

    private let longestStep: Duration
    private var lastLook: ContinuousClock.Instant?
    private var sightings: [Int16: Sighting] = [:]

    /// - Parameter longestStep: What one look can add to the time that a seat was still.
    init(longestStep: Duration) { self.longestStep = longestStep }

    /// - Parameter commit: Commits something small; asked only while there is a doubt about a holder.
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

    /// Whether a holder has not updated its row for so long that it has to be told from one that cannot.
    var doubtsAHolder: Bool { sightings.values.contains { $0.row.isHeld && $0.stillFor >= Self.doubtedAfter } }

    /// No commit ended: each holder has its time once more.
    mutating func excuseHolders() {
        for (seat, sighting) in sightings where sighting.row.isHeld { sightings[seat]?.stillFor = .zero }
    }

    /// - Parameter time: Before the look.
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

    /// The holder of a seat that has stopped updating its row; nil when there is none.
    func frozenHolder(of row: ListSeats.Row) -> Int32? {
        stillness(of: row.seat) >= Self.frozenAfter ? row.holder : nil
    }

    /// For how long the seat's row, with its holder or without one, has not changed.
    func stillness(of seat: Int16) -> Duration { sightings[seat]?.stillFor ?? .zero }
}
