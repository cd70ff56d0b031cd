import CGlibc
import Foundation
import Glibc
import Synchronization

/// A child process, started with posix_spawn. Foundation's `Process` does not fit: its children inherit the signal mask
/// of the thread that starts them, and threads of the cooperative pool block nearly every signal.
final class Child: Sendable {
    let pid: pid_t
    /// The parent's ends of the child's standard streams.
    let input: FileHandle
    let output: FileHandle
    let errors: FileHandle

    /// While the child has not been waited for, its process id belongs to no other process and can be signalled.
    private let alive = Mutex(true)

    /// Starts a program in a process group of its own, with default signals and no open file but the standard streams.
    static func start(
        _ executable: String, _ arguments: [String], environment: [String: String]
    ) throws -> Child {
        ignoresClosedPipes
        return try starting.withLock { _ in try Child(executable, arguments, environment) }
    }

    /// SIGPIPE is ignored here, so that a child that ends before reading its input does not end this process. Children
    /// start with the default.
    private static let ignoresClosedPipes: Void = { _ = Glibc.signal(SIGPIPE, SIG_IGN) }()

    /// Serialises starts: a child must not inherit another child's pipe before the pipe is marked close-on-exec.
    private static let starting = Mutex(())

    private init(_ executable: String, _ arguments: [String], _ environment: [String: String]) throws {
        let (theirInput, ourInput) = try Self.pipe()
        let (ourOutput, theirOutput) = try Self.pipe()
        let (ourErrors, theirErrors) = try Self.pipe()
        defer { for theirs in [theirInput, theirOutput, theirErrors] { close(theirs) } }
        input = FileHandle(fileDescriptor: ourInput, closeOnDealloc: true)
        output = FileHandle(fileDescriptor: ourOutput, closeOnDealloc: true)
        errors = FileHandle(fileDescriptor: ourErrors, closeOnDealloc: true)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (stream, theirs) in [theirInput, theirOutput, theirErrors].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, theirs, Int32(stream))
        }
        // Descriptors from 3 on, including those that other threads open until the child begins.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        var argv = ([executable] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, executable, &actions, &attributes, &argv, &envp)
        guard code == 0 else {
            throw TestSupportError("\(executable) cannot be started: \(String(cString: strerror(code)))")
        }
        self.pid = pid
    }

    /// A pipe whose ends no child inherits, provided that no child is started meanwhile.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw TestSupportError("There is no pipe to be had") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    func signal(_ number: Int32) {
        alive.withLock { alive in if alive { kill(pid, number) } }
    }

    /// Blocks until the child has ended.
    func wait() -> ProcessUnderTest.End {
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return alive.withLock { alive in
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            alive = false
            let signal = status & 0x7f
            return signal == 0 ? .exit((status >> 8) & 0xff) : .signal(signal)
        }
    }
}
