import Synchronization

/// What stands in a file that an operator may exchange while the process runs, such as a password.
///
/// It is read anew when it is used for a new connection, or when what was read before does not fit any more: no signal and
/// no restart is needed. While the file cannot be read, as in the middle of its being written, the last content holds.
package final class Renewable<Value: Sendable>: Sendable {
    private let last: Mutex<Value>
    private let read: @Sendable () -> Value?

    /// - Parameter read: Reads the file; nil when it cannot be used.
    package init(_ value: Value, read: @escaping @Sendable () -> Value? = { nil }) {
        last = Mutex(value)
        self.read = read
    }

    /// As it was read last.
    package var current: Value { last.withLock { $0 } }

    /// Reads it anew.
    package func renewed() -> Value {
        let value = read()
        return last.withLock { last in
            if let value { last = value }
            return last
        }
    }
}
