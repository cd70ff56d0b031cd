import Instants
import Postgres
import Store
import WaterQuality

/// Stores the rows read from files, part by part. Each part is stored whole or not at all, so that an import can be repeated.
struct Importer {
    let connection: PostgresConnection
    let bounds: FindImportBounds.Row
    /// Parameters with values.
    let parameters: ParameterSet
    let isReplacing: Bool
    /// Whether this is a dry run, which stores nothing.
    let isRehearsal: Bool
    let console: Console

    /// The outcomes of rows, counted.
    struct Result {
        var outcomes: [ImportPlan.Kind: ImportOutcome] = [:]
        /// Rows from a former owner's time, or from before 1970.
        var tooEarly = 0
        /// Rows of the latest days, which the device itself sends.
        var tooRecent = 0
        var bounds: FindImportBounds.Row
    }

    /// Earliest time to store: nothing before it is shown anywhere.
    static let epoch = Timestamp(microseconds: 0)

    private static let attempts = 10

    func perform() async throws -> Result {
        var result = Result(bounds: bounds)
        let since = max(bounds.ownedSince, Self.epoch)
        result.tooEarly = try await connection.perform(DiscardImportedRows(except: since ..< .distantFuture))
        result.tooRecent = try await connection.perform(DiscardImportedRows(except: .distantPast..<bounds.until))
        let plan = ImportPlan(
            try await connection.execute(ListImportedDays(of: bounds.device)), messagesSince: bounds.messagesSince,
            hoursSince: bounds.hoursSince)
        let firstLimits = try await connection.execute(FindFirstLimits(of: bounds.device)).first ?? nil
        let rows = plan.parts.reduce(0) { $0 + $1.rows }
        var (done, progress) = (Int64(0), Progress())
        for part in plan.parts {
            result.outcomes[part.kind, default: ImportOutcome()] += try await trying {
                try await store(part, limitsSince: firstLimits ?? .distantFuture)
            }
            done += part.rows
            progress.tellNow(
                console, "\(done) of \(rows) rows stored, up to \(part.period.upperBound.iso8601).")
        }
        return result
    }

    /// Retries while a lock is held: work on a partition or a roll-up is soon done.
    private func trying<Value>(_ work: () async throws -> Value) async throws -> Value {
        for _ in 1..<Self.attempts {
            do { return try await work() } catch let error as PostgresError
                where [.lockNotAvailable, .deadlock].contains(error.code)
            {
                try await Task.sleep(for: .seconds(1))
            }
        }
        return try await work()
    }

    private func store(_ part: ImportPlan.Part, limitsSince: Timestamp) async throws -> ImportOutcome {
        if !isRehearsal {
            switch part.kind {
            case .messages: _ = try await connection.execute(MakePartitionsOfDays(part.days))
            case .hours: _ = try await connection.execute(MakePastHourPartitions(part.period))
            case .days: break
            }
        }
        let work = PartStep(
            part: part, device: bounds.device, parameters: parameters, isReplacing: isReplacing,
            isRehearsal: isRehearsal,
            limitsSince: limitsSince)
        return try await connection.transaction { try work.perform($0) }
    }
}

/// The transaction that stores a part.
struct PartStep: Sendable {
    let part: ImportPlan.Part
    let device: DeviceKey
    let parameters: ParameterSet
    let isReplacing: Bool
    let isRehearsal: Bool
    let limitsSince: Timestamp

    func perform(_ transaction: PostgresTransaction) throws -> ImportOutcome {
        switch part.kind {
        case .messages: try storeMessages(transaction)
        case .hours: try storeRollUps(transaction, CompareImportedHours.init)
        case .days: try storeRollUps(transaction, CompareImportedDays.init)
        }
    }

    private func storeMessages(_ transaction: PostgresTransaction) throws -> ImportOutcome {
        let messages = ImportedMessages(of: device, in: part.period, replacing: isReplacing)
        let outcome = try transaction.execute(CompareImportedMessages(messages)).first ?? ImportOutcome()
        if !isRehearsal, outcome.new + outcome.changed > 0 {
            try transaction.perform(StoreImportedMessages(messages))
        }
        return outcome
    }

    private func storeRollUps<Comparison: Statement>(
        _ transaction: PostgresTransaction, _ comparison: (ImportedRollUps) -> Comparison
    ) throws -> ImportOutcome where Comparison.Row == ImportOutcome {
        if !isRehearsal { _ = try transaction.execute(LockRollUps()) }
        let rollUps = ImportedRollUps(of: device, in: part.period, replacing: isReplacing)
        let outcome = try transaction.execute(comparison(rollUps)).first ?? ImportOutcome()
        guard !isRehearsal, outcome.new + outcome.changed > 0 else { return outcome }
        if part.kind == .days {
            try transaction.perform(StoreImportedDays(rollUps, judged: part.unknown))
        } else {
            try transaction.perform(StoreImportedHours(rollUps, judged: part.unknown))
            try transaction.perform(RollUpImportedDays(of: device, in: part.period))
            try measureOutside(transaction)
        }
        for day in part.unknown { try ReviewStep().review(day, of: device, parameters, transaction) }
        return outcome
    }

    /// Measures the time outside limits that were in force, as for every hour that is rolled up.
    private func measureOutside(_ transaction: PostgresTransaction) throws {
        for day in part.unknown where day + RollUpSchedule.day > limitsSince {
            for hour in 0..<24 {
                let claimed = ClaimedHour(slot: device.slot, start: day + RollUpSchedule.hour * hour)
                _ = try OutsideStep(hour: claimed, devices: [device.device]).perform(transaction)
            }
        }
    }
}
