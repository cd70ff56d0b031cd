package import ArgumentParser
import ServiceKit

/// The operator's tool: `aqua VERB ...`.
package struct Aqua: OperatorTool {
    package static let configuration = CommandConfiguration(
        commandName: "aqua",
        abstract: "Sets up and looks after an AquaMonitor instance.",
        discussion: """
            Where the instance is, the environment says: AQUA_DATABASE_URL, AQUA_DATABASE_PASSWORD_FILE, AQUA_MQTT_URL, \
            AQUA_MQTT_USER, AQUA_MQTT_PASSWORD_FILE, AQUA_DEVICE_KEY_FILE, AQUA_SECRET_KEY_FILE. Each verb reads only \
            those that it needs.

            A new instance:  aqua migrate && aqua doctor
            A new person:    aqua account add ada@example.org < password.txt
            A new device:    aqua device add pond-1
                             aqua device link ada@example.org 7KQ2-M8XD-0R4T --name 'Garden pond'
            To try it out:   aqua-rehearsal demo, which is a tool of its own
            """,
        version: Build.version,
        groupedSubcommands: [
            CommandGroup(
                name: "Instance",
                subcommands: [
                    Migrate.self, Doctor.self, Reseal.self, Pending.self, BrokerCommand.self, CertificateCommand.self,
                    CanaryCommand.self,
                    EnrollerCommand.self, AuditCommand.self,
                ]),
            CommandGroup(
                name: "People and devices",
                subcommands: [
                    AccountCommand.self, ProjectCommand.self, DeviceCommand.self, RangeCommand.self,
                    EndpointCommand.self, Alerts.self,
                    Why.self, SnoozeCommand.self, WorkCommand.self, HistoryCommand.self, ImportCommand.self,
                ]),
        ])

    package init() {}
}
