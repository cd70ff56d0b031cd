import ArgumentParser

/// A verb of the tool. Tests call its `run(in:)` too.
protocol OperatorCommand: AsyncParsableCommand {
    func run(in context: OperatorContext) async throws
}

extension OperatorCommand {
    mutating func run() async throws { try await run(in: .process) }
}
