import ArgumentParser

/// `aqua broker`
struct BrokerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker", abstract: "The accounts at the broker.",
        subcommands: [BrokerRefill.self, BrokerPassword.self])
}
