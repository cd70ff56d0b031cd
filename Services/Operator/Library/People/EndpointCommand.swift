import ArgumentParser

struct EndpointCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "endpoint", abstract: "Where a person is alerted.",
        subcommands: [EndpointAdd.self, EndpointRemove.self, EndpointRotateSecret.self, EndpointTest.self])
}
