import Store

/// For how long seats have stood as they are, by this process' own clock: the database's may leap, and would call a holder frozen
/// that works, or leave a frozen one where it sits for hours.
struct SeatWatch: Sendable {
    private struct Sighting {
        var row: ListSeats.Row
        var since: ContinuousClock.Instant
    }

    private var sightings: [Int16: Sighting] = [:]

    /// Takes a look at all seats.
    mutating func observe(_ rows: [ListSeats.Row], at time: ContinuousClock.Instant = .now) {
        var current: [Int16: Sighting] = [:]
        for row in rows {
            let before = sightings[row.seat]
            current[row.seat] = before?.row == row ? before : Sighting(row: row, since: time)
        }
        sightings = current
    }

    /// How long ago this seat was first seen with this holder, or none, and nothing has moved since.
    func stillness(of seat: Int16, at time: ContinuousClock.Instant = .now) -> Duration {
        sightings[seat].map { $0.since.duration(to: time) } ?? .zero
    }
}
