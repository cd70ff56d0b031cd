import Instants

/// The readings that came together with one, and after it.
struct Company {
    /// The receipt of the next newer reading that did not come together with it.
    var next: Timestamp
    /// Whether it is the newest of those that came together.
    var isLast: Bool

    /// - Parameter readings: In the order of their receipts.
    static func all(of readings: [PastReading]) -> [Company] {
        var newest = Timestamp.distantPast
        // A reading that is no newer than those before changes nothing, and stands between no reading and its alert.
        let areNews = readings.map { past in
            defer { newest = max(newest, past.reading.time) }
            return past.reading.time > newest
        }
        var (next, receipt) = (Timestamp.distantFuture, Timestamp.distantFuture)
        var companies: [Company] = []
        for (past, isNews) in zip(readings, areNews).reversed() {
            let isLast = isNews && past.receivedAt < receipt
            if isLast { (next, receipt) = (receipt, past.receivedAt) }
            companies.append(Company(next: past.receivedAt < receipt ? receipt : next, isLast: isLast))
        }
        return companies.reversed()
    }
}
