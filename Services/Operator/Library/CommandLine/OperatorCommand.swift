package import ArgumentParser

/// A verb of the tool. Tests call its `run(in:)` too.
package protocol OperatorCommand: AsyncParsableCommand {
    func run(in context: OperatorContext) async throws
}

extension OperatorCommand {
    package mutating func run() async throws { try await run(in: .process) }
}
