import Postgres
import Synchronization

extension PostgresConnection {
    /// Prints a report of a change before it commits the change.
    ///
    /// The report may hold a code that is stored as a hash only, or a secret that is shown once. If the report cannot be
    /// printed, nothing changes.
    /// - Throws: `outputLost` if the report could not be printed; `notCommitted` if the commit failed afterwards.
    func transaction<Told: Report>(
        telling console: Console, _ output: OutputOptions,
        _ body: @Sendable (borrowing PostgresTransaction) throws -> Told
    ) async throws {
        try await transaction(telling: console, json: output.json, body)
    }

    /// The same for a command that has no choice of form.
    func transaction<Told: Report>(
        telling console: Console, json isJSON: Bool, _ body: @Sendable (borrowing PostgresTransaction) throws -> Told
    ) async throws {
        let told = Atomic(false)
        do {
            try await transaction { transaction in
                let report = try body(transaction)
                try console.show(report, json: isJSON)
                told.store(true, ordering: .relaxed)
            }
        } catch let error as OperatorError where error.code == .outputLost {
            throw OperatorError(
                .outputLost, "\(error.description) Nothing was changed: run the command again.", underlying: error)
        } catch let error as PostgresError where told.load(ordering: .relaxed) {
            throw OperatorError(.notCommitted, Self.regret(error), underlying: error)
        }
    }

    private static func regret(_ error: PostgresError) -> String {
        [.connectionLost, .notReplicated].contains(error.code)
            ? "The connection to the database was lost at the last moment: what is printed above may hold or not. "
                + "See `aqua device list`, and run the command again."
            : "The database did not keep the change (\(error.message)): what is printed above does not hold. Run the command again."
    }
}
