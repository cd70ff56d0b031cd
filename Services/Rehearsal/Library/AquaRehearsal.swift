package import ArgumentParser
import Operator
import ServiceKit

/// The rehearsal's tool: `aqua-rehearsal VERB ...`. It acts as devices and as a receiver of alerts, and is not part of production.
package struct AquaRehearsal: OperatorTool {
    package static let configuration = CommandConfiguration(
        commandName: "aqua-rehearsal",
        abstract: "Tries an AquaMonitor instance out: publishes as its devices, and receives its alerts.",
        discussion: """
            Where the instance is, the environment says, by the variables of aqua. Each verb reads only those that it needs.

            Publishing as a device ends that device's own connection.
            """,
        version: Build.version,
        subcommands: [Demo.self, Listen.self, Simulate.self, Replay.self])

    package init() {}
}
