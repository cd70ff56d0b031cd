import FoundationEssentials
import Synchronization

extension OperatorContext {
    /// The same surroundings for a verb that is part of another: what it prints goes to `take`.
    func recording(password: String? = nil, _ take: @escaping @Sendable (String) -> Void) -> OperatorContext {
        let console = Console(
            output: { take($0) }, complaints: { [console] in console.complain(String($0.dropLast())) },
            passwords: { _ in password })
        return OperatorContext(
            environment: environment.variables, console: console, clock: clock, patience: patience)
    }

    /// Runs a verb that prints an object in JSON, and reads that.
    func reading<Object: Decodable>(_ verb: some OperatorCommand) async throws -> Object {
        let printed = Recorded()
        try await verb.run(in: recording { text in printed.text.withLock { $0 += text } })
        return try JSONDecoder().decode(Object.self, from: Data(printed.text.withLock { $0 }.utf8))
    }
}

private final class Recorded: Sendable {
    let text = Mutex("")
}
