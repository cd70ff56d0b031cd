import Postgres
package import ServiceKit

extension Heartbeat {
    /// Runs one turn of the loop, and keeps beating while a call in it waits for the database's answer.
    ///
    /// A program that waits for a commit is alive, and killing it does not help: its server process goes on waiting,
    /// with its locks. Readiness reports that it cannot work. The beat comes from the thread that waits on the
    /// connection, so a loop that hangs anywhere else is still detected.
    package func whileAwaitingDatabase<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await ServerWait.$onTurn.withValue({ self.beat() }, operation: body)
    }
}
