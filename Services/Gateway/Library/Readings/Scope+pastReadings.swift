import Instants
import Postgres
import Routes
import Store
import WaterQuality

extension Scope {
    /// The person's watch of a parameter of a device that they have or had.
    /// - Throws: `Problem(.notFound)`, for an unknown device as for one that was never theirs.
    func watch(_ parameter: Parameter, of device: Device.HardwareID) async throws -> WatchSubject {
        try await transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
            guard let subject = try transaction.execute(FindWatchSubject(parameter, of: device, for: account)).first
            else {
                throw Problem(.notFound)
            }
            return subject
        }
    }

    /// The readings of a watch in a period, each piece in a transaction of its own.
    /// - Parameters:
    ///   - most: Approximate number of readings; the newest are taken.
    ///   - withHistory: Whether history, on which engines never decide, is included.
    func pastReadings(
        of watch: WatchKey, in period: Range<Timestamp>, most: Int = PastReadings.most, withHistory: Bool = false
    ) async throws -> PastReadings {
        let job = try services.heavy.job(of: watch.account)
        var past = PastReadings(of: watch.parameter, in: period, most: most)
        while let page = past.nextPage() {
            try Task.checkCancellation()
            past.add(
                try await job.turn {
                    try await transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
                        try transaction.execute(ReadPastValues(watch, in: page, withHistory: withHistory))
                    }
                })
        }
        return past
    }
}
