import FoundationEssentials
package import Instants
import ServiceKit

/// What surrounds a verb: the environment that it reads, the console that it writes to, the clock that it goes by.
package struct OperatorContext: Sendable {
    package let environment: OperatorEnvironment
    package let console: Console
    package let clock: WallClock
    /// How long a verb waits for another service.
    package let patience: Duration

    package init(
        environment: [String: String], console: Console, clock: WallClock = .system, patience: Duration = .seconds(30)
    ) {
        self.environment = OperatorEnvironment(environment)
        self.console = console
        self.clock = clock
        self.patience = patience
    }

    /// Of this process.
    package static let process = OperatorContext(
        environment: ProcessInfo.processInfo.environment, console: .standard)
}
