import Foundation
import Synchronization

/// A real program that a test starts, watches and signals. The program never outlives the test process.
///
/// ```
/// let ingestor = try ProcessUnderTest.start("aqua-ingestor", environment: settings)
/// try await ingestor.line { $0.contains("ready") }
/// ingestor.signal(SIGKILL)
/// #expect(await ingestor.end == .signal(SIGKILL))
/// ```
package final class ProcessUnderTest: Sendable {
    package enum End: Hashable, Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    package let name: String
    /// The lines of the standard output.
    package let output = Lines()
    /// The lines of the standard error.
    package let errors = Lines()
    private let child: Child
    private let ending: Task<End, Never>

    package var pid: Int32 { child.pid }

    /// - Parameters:
    ///   - executable: A path, or the name of an executable of this package, found beside the test's own.
    ///   - environment: The complete environment; only `PATH` is inherited.
    ///   - input: The complete standard input; at most the capacity of a pipe, 64 KiB.
    package static func start(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:], input: String = ""
    ) throws -> ProcessUnderTest {
        let process = try ProcessUnderTest(executable, arguments, environment, isReaped: true)
        try? process.child.input.write(contentsOf: Data(input.utf8))  // the program may have ended without reading
        try process.child.input.close()
        return process
    }

    /// Like `start`, but the standard input stays open for the lifetime of this object and this process. Its end tells
    /// the program to end.
    package static func startHoldingInput(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> ProcessUnderTest {
        try ProcessUnderTest(executable, arguments, environment, isReaped: false)
    }

    /// Like `start`, for a program that reads further lines from its standard input (`say`).
    package static func startConversation(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> ProcessUnderTest {
        try ProcessUnderTest(executable, arguments, environment, isReaped: true)
    }

    /// Writes a line to the standard input.
    package func say(_ line: String) throws { try child.input.write(contentsOf: Data("\(line)\n".utf8)) }

    /// Runs a program to its end.
    /// - Returns: The standard output.
    /// - Throws: `TestSupportError` with the standard error, unless the program exits with 0.
    @discardableResult
    package static func run(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:], input: String = ""
    ) async throws -> String {
        let process = try start(executable, arguments, environment: environment, input: input)
        guard await process.end == .exit(0) else {
            throw TestSupportError("\(executable) failed (\(await process.end)): \(process.errors.tail())")
        }
        return process.output.all.joined(separator: "\n")
    }

    private init(
        _ executable: String, _ arguments: [String], _ environment: [String: String], isReaped: Bool
    ) throws {
        let path =
            executable.contains("/")
            ? executable : Paths.program(executable).path(percentEncoded: false)
        let inherited = ["PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"]
        let child = try Child.start(path, arguments, environment: inherited.merging(environment) { $1 })
        let outputEnd = output.read(child.output)
        let errorsEnd = errors.read(child.errors)
        let childEnd = onThread { child.wait() }
        let pid = child.pid
        if isReaped { try Reaper.watch(pid) }
        ending = Task {
            await outputEnd.value
            await errorsEnd.value
            let end = await childEnd.value
            if isReaped { try? Reaper.forget(pid) }
            return end
        }
        self.name = URL(filePath: executable).lastPathComponent
        self.child = child
    }

    /// How the program ended, available once it has ended and all of its output has been read.
    package var end: End { get async { await ending.value } }

    package func signal(_ number: Int32) { child.signal(number) }

    /// Sends SIGTERM, and SIGKILL if the program does not end in time.
    @discardableResult
    package func stop(within limit: Duration = .seconds(60)) async -> End {
        signal(SIGTERM)
        let impatience = Task {
            try await Task.sleep(for: limit)
            signal(SIGKILL)
        }
        defer { impatience.cancel() }
        return await end
    }

    /// Waits for a line of the standard output; lines already written count.
    /// - Throws: `TestSupportError` with the tail of the output, if the program ends first or writes nothing for the
    ///   limit.
    @discardableResult
    package func line(
        within limit: Duration = .seconds(120), where matches: @Sendable @escaping (String) -> Bool
    ) async throws -> String {
        let found = try await withDeadline(limit, "a line of \(name)") { [output] in
            await output.stream().first(where: matches)
        } progress: {
            self.output.count + self.errors.count
        } detail: {
            self.tail
        }
        guard let found else { throw TestSupportError("\(name) ended without the awaited line\n\(tail)") }
        return found
    }

    /// The tails of both outputs, for failure messages.
    package var tail: String { "--- \(name)\n\(output.tail())\n\(errors.tail())" }
}
