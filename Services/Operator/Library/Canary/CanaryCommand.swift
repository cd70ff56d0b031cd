import ArgumentParser

struct CanaryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "canary",
        abstract: "A device of your own whose alarms show that alarms arrive.",
        discussion: """
            Its water leaves the range again and again, and its alarm goes the whole way to a webhook of yours. The Notifier says when one \
            last arrived, and calls AQUA_HEARTBEAT_URL for each, so that a service outside notices when they stop.

            To set it up:  aqua canary create --webhook https://alerts.example.org/canary
                           aqua canary prepare DIRECTORY
                           aqua canary run DIRECTORY
            To end it:     aqua account delete canary@aquamonitor.invalid --confirm canary@aquamonitor.invalid
            """,
        subcommands: [CanaryCreate.self, CanaryPrepare.self, CanaryRun.self])
}
