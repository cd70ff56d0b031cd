import Glibc
import Synchronization

/// The destination of finished log lines.
package protocol LogOutput: Sendable {
    /// Takes one line with its line break; lines from different threads never mix.
    func write(_ line: [UInt8])
}

/// A file descriptor, usually standard output.
package final class FileLogOutput: LogOutput {
    /// Standard output, which containers and supervisors collect.
    package static let standardOutput = FileLogOutput(descriptor: STDOUT_FILENO)

    private let descriptor: Mutex<Int32>

    /// - Parameter descriptor: The file's descriptor, which its owner keeps open.
    package init(descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    /// Writes the whole line, with one call unless the kernel takes less; a line without a reader is lost.
    package func write(_ line: [UInt8]) {
        descriptor.withLock { descriptor in
            line.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let taken = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    if taken > 0 {
                        rest = rest.dropFirst(taken)
                    } else if !waitUntilWritable(descriptor) {
                        return
                    }
                }
            }
        }
    }

    private func waitUntilWritable(_ descriptor: Int32) -> Bool {
        if errno == EINTR { return true }
        guard errno == EAGAIN else { return false }
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, -1) >= 0 || errno == EINTR
    }
}
