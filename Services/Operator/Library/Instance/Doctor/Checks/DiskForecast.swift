/// What the disk will hold as time goes on: each sort of data grows by what it grew of late, until as much goes as comes.
struct DiskForecast: Hashable, Sendable {
    /// One sort of data.
    struct Part: Hashable, Sendable {
        var name: String
        var bytes: Double
        var bytesPerDay: Double
        /// For how many days it is kept; nil: for ever.
        var daysKept: Double?

        /// What it levels at; what lies there already does not go before its time.
        var level: Double? { daysKept.map { max(bytes, bytesPerDay * $0) } }

        func bytes(afterDays days: Double) -> Double {
            let grown = bytes + bytesPerDay * days
            return level.map { min(grown, $0) } ?? grown
        }
    }

    var parts: [Part]
    /// What neither grows much nor goes: everything else in the database, and the write-ahead log at its largest.
    var rest: Double

    var bytes: Double { parts.reduce(rest) { $0 + $1.bytes } }
    var bytesPerDay: Double {
        parts.reduce(0) { $0 + (($1.level ?? .infinity) > $1.bytes ? $1.bytesPerDay : 0) }
    }

    func bytes(afterDays days: Double) -> Double { parts.reduce(rest) { $0 + $1.bytes(afterDays: days) } }

    /// How many whole days pass until a disk of this size is full; nil when it takes more than ten years.
    func daysUntilFull(_ size: Double) -> Int? {
        guard bytes(afterDays: Self.horizon) > size else { return nil }
        // It only grows, so that halving finds the day.
        var (fits, full) = (0, Int(Self.horizon))
        guard bytes <= size else { return 0 }
        while full - fits > 1 {
            let middle = (fits + full) / 2
            if bytes(afterDays: Double(middle)) > size { full = middle } else { fits = middle }
        }
        return fits
    }

    static let horizon = 3_650.0

    /// For how many days samples can be kept so that all of it fits for ten years; nil when not even 8 days can.
    func daysOfSamples(fitting size: Double, samples name: String) -> Int? {
        guard let samples = parts.first(where: { $0.name == name }), samples.bytesPerDay > 0 else { return nil }
        let others = bytes(afterDays: Self.horizon) - samples.bytes(afterDays: Self.horizon)
        let days = Int((size - others) / samples.bytesPerDay) - 1
        return days >= 8 ? days : nil
    }
}
