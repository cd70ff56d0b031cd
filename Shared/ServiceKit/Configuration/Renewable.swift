import Synchronization

/// The content of a file that an operator may replace while the process runs, such as a password.
///
/// The file is read anew for each new connection, or when its former content no longer works: no signal and no restart
/// is needed. While the file cannot be read, for example half-written, its last content is used.
package final class Renewable<Value: Sendable>: Sendable {
    private let last: Mutex<Value>
    private let read: @Sendable () -> Value?

    /// - Parameter read: Reads the file; nil if it cannot be used.
    package init(_ value: Value, read: @escaping @Sendable () -> Value? = { nil }) {
        last = Mutex(value)
        self.read = read
    }

    /// The content that was read last.
    package var current: Value { last.withLock { $0 } }

    /// Reads the file anew.
    package func renewed() -> Value {
        let value = read()
        return last.withLock { last in
            if let value { last = value }
            return last
        }
    }
}
