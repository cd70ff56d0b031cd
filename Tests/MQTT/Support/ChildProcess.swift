import Dispatch
import Glibc
import Synchronization

/// A program run by a test.
///
/// Not Foundation's `Process`: its children inherit the blocked signals of the thread that starts them, so that they do not
/// hear SIGTERM, and every pipe end that is open at that moment.
struct ChildProcess {
    let id: pid_t
    /// Writes to the program's standard input while it is open.
    let input: Int32
    /// Reads from the program's standard output.
    let output: Int32

    /// One start at a time, so that no child gets another's pipes before they are marked.
    private static let starting = Mutex(())

    init(_ command: [String]) throws {
        self = try Self.starting.withLock { _ in try Self.start(command) }
    }

    private init(id: pid_t, input: Int32, output: Int32) {
        (self.id, self.input, self.output) = (id, input, output)
    }

    private static func start(_ command: [String]) throws -> ChildProcess {
        var input: [Int32] = [0, 0]
        var output: [Int32] = [0, 0]
        guard pipe(&input) == 0, pipe(&output) == 0 else { throw BrokerFailure(what: "no pipe") }
        for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer {
            close(input[0])
            close(output[1])
        }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, input[0], 0)
        posix_spawn_file_actions_adddup2(&files, output[1], 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        var id: pid_t = 0
        let code = posix_spawnp(&id, command[0], &files, &attributes, arguments, environ)
        guard code == 0 else { throw BrokerFailure(what: "\(command[0]) does not start: error \(code)") }
        return ChildProcess(id: id, input: input[1], output: output[0])
    }

    /// Up to one buffer of what the program prints; waits for it.
    func readOutput() -> String {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(output, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Closes its input, waits for its end and returns its status.
    func finish() async -> Int32 {
        close(input)
        let (id, output) = (id, output)
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var status: Int32 = 0
                waitpid(id, &status, 0)
                close(output)
                continuation.resume(returning: status)
            }
        }
    }
}
