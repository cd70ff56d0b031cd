/// The growth of the data on disk: each part grows at its recent rate until as much is dropped as is added.
struct DiskForecast: Hashable, Sendable {
    /// One sort of data.
    struct Part: Hashable, Sendable {
        var name: String
        var bytes: Double
        var bytesPerDay: Double
        /// How many days the data are kept; nil for ever.
        var daysKept: Double?

        /// The size at which the part levels off, which is never less than what is stored already; nil if it grows for ever.
        var level: Double? { daysKept.map { max(bytes, bytesPerDay * $0) } }

        func bytes(afterDays days: Double) -> Double {
            let grown = bytes + bytesPerDay * days
            return level.map { min(grown, $0) } ?? grown
        }
    }

    var parts: [Part]
    /// Size of everything else in the database, which hardly changes, and of the write-ahead log at its largest.
    var rest: Double

    var bytes: Double { parts.reduce(rest) { $0 + $1.bytes } }
    var bytesPerDay: Double {
        parts.reduce(0) { $0 + (($1.level ?? .infinity) > $1.bytes ? $1.bytesPerDay : 0) }
    }

    func bytes(afterDays days: Double) -> Double { parts.reduce(rest) { $0 + $1.bytes(afterDays: days) } }

    /// The number of whole days until a disk of this size is full; nil for more than ten years.
    func daysUntilFull(_ size: Double) -> Int? {
        guard bytes(afterDays: Self.horizon) > size else { return nil }
        // The size never falls, so a binary search finds the day.
        var (fits, full) = (0, Int(Self.horizon))
        guard bytes <= size else { return 0 }
        while full - fits > 1 {
            let middle = (fits + full) / 2
            if bytes(afterDays: Double(middle)) > size { full = middle } else { fits = middle }
        }
        return fits
    }

    static let horizon = 3_650.0

    /// The number of days to keep samples so that everything fits for ten years; nil if that is less than 8 days.
    func daysOfSamples(fitting size: Double, samples name: String) -> Int? {
        guard let samples = parts.first(where: { $0.name == name }), samples.bytesPerDay > 0 else { return nil }
        let others = bytes(afterDays: Self.horizon) - samples.bytes(afterDays: Self.horizon)
        let days = Int((size - others) / samples.bytesPerDay) - 1
        return days >= 8 ? days : nil
    }
}
