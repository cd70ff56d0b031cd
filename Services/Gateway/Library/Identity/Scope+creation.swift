import Postgres
import Routes
import WaterQuality

extension Scope {
    /// Runs `body`, which creates something, like `transaction`, and keeps the answer for repeats in the same
    /// transaction.
    func creation<Value>(
        _ encoding: AnswerEncoding<Value>, file: String = #fileID, line: UInt = #line,
        _ body: @Sendable (PostgresTransaction, Account.ID) throws -> Answer<Value>
    ) async throws -> Answer<Value> {
        try await transaction(file: file, line: line) { transaction, account in
            let answer = try body(transaction, account)
            try claim?.complete(encoding(answer), account, transaction)
            return answer
        }
    }
}
