package import ArgumentParser

/// A program whose verbs run in a context, and whose errors say what to do: `aqua`, and the rehearsal's.
package protocol OperatorTool: AsyncParsableCommand {}

extension OperatorTool {
    /// Runs one command line, and presents its error.
    /// - Returns: The exit code: 0 for success, 1 for a verb that failed, 64 for an invalid command line.
    package static func run(_ arguments: [String], in context: OperatorContext) async -> Int32 {
        do {
            try await perform(arguments, in: context)
            return 0
        } catch {
            return present(error, on: context.console)
        }
    }

    /// Parses one command line and runs it.
    package static func perform(_ arguments: [String], in context: OperatorContext) async throws {
        let command = try parseAsRoot(arguments)
        switch command {
        case let command as any OperatorCommand:
            try await command.run(in: context)
        case var command as any AsyncParsableCommand:
            try await command.run()
        case var command:
            try command.run()
        }
    }
}
