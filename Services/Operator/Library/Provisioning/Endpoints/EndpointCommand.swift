import ArgumentParser

struct EndpointCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "endpoint", abstract: "Where a person is alerted.",
        subcommands: [EndpointAdd.self, EndpointRotateSecret.self, EndpointTest.self])
}
