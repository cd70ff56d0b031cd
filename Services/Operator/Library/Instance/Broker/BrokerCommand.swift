import ArgumentParser

/// `aqua broker`
struct BrokerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker", abstract: "The services' accounts at the broker.",
        subcommands: [BrokerPassword.self])
}
