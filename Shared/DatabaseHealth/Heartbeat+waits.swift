import Postgres
package import ServiceKit

extension Heartbeat {
    /// Runs a turn of the loop, which also beats for as long as one of its calls waits for the database's answer.
    ///
    /// A program that waits for a commit is well, and killing it helps nobody: its server process goes on waiting, with its locks. That
    /// it cannot work is told by readiness. What beats is the thread that waits on the connection, so that a loop that hangs
    /// anywhere else is still found out.
    package func whileAwaitingDatabase<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await ServerWait.$onTurn.withValue({ self.beat() }, operation: body)
    }
}
