import Glibc
import People

/// The streams that a verb writes to and reads from.
package struct Console: Sendable {
    private let output: @Sendable (String) throws -> Void
    private let complaints: @Sendable (String) -> Void
    private let passwords: @Sendable (_ prompt: String) throws -> String?
    /// Whether input is typed by a person, who may mistype it.
    let isInteractive: Bool

    /// - Parameters:
    ///   - output: Takes whole lines; throws when its reader is gone.
    ///   - complaints: Takes whole lines for standard error.
    ///   - passwords: Reads a line without echoing it; nil at the end of the input.
    package init(
        output: @escaping @Sendable (String) throws -> Void, complaints: @escaping @Sendable (String) -> Void,
        isInteractive: Bool = false, passwords: @escaping @Sendable (_ prompt: String) throws -> String?
    ) {
        self.output = output
        self.complaints = complaints
        self.passwords = passwords
        self.isInteractive = isInteractive
    }

    /// Writes a line, or several, to standard output.
    func print(_ text: String) throws { try output(Self.shown(text) + "\n") }

    /// Writes a line, or several, to standard error.
    package func complain(_ text: String) { complaints(Self.shown(text) + "\n") }

    /// Spells out control characters: some text was written by strangers, and a terminal would obey it.
    private static func shown(_ text: String) -> String {
        VisibleText.spelledOut(text) { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }
    }

    func readPassword(prompt: String) throws -> String? { try passwords(prompt) }
}

extension Console {
    /// The process's own standard streams. When their reader is gone, `print` throws; the process gets no SIGPIPE.
    package static let standard: Console = {
        signal(SIGPIPE, SIG_IGN)
        return Console(
            output: { text in
                guard write(text, to: STDOUT_FILENO) else {
                    throw OperatorError(.outputLost, "The output could not be written, for nobody reads it.")
                }
            },
            complaints: { _ = write($0, to: STDERR_FILENO) },
            isInteractive: isatty(STDIN_FILENO) == 1,
            passwords: readPasswordFromStandardInput)
    }()

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Prompts at a terminal, with its echo off; reads one line from anything else.
    private static func readPasswordFromStandardInput(prompt: String) throws -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() }
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else {
            throw OperatorError(
                .invalidInput, "This terminal would show the password. Send it through a pipe or from a file.")
        }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        _ = write(prompt, to: STDERR_FILENO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            _ = write("\n", to: STDERR_FILENO)
        }
        return readLine()
    }
}
