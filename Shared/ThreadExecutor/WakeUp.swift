import CGlibc
import Glibc

/// A file descriptor that makes a poll return from another thread. Closed with its last reference.
package final class WakeUp: Sendable {
    package let descriptor: Int32

    /// - Returns: nil if the process has no descriptors left; `errno` says why.
    package init?() {
        descriptor = aqua_eventfd()
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    package func signal() { eventfd_write(descriptor, 1) }

    package func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }
}
