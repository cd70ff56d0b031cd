import CMosquitto
import Glibc

/// libmosquitto's process-wide start.
enum MQTTLibrary {
    /// Runs once, under Swift's lock for globals, as `mosquitto_lib_init` is not thread safe.
    ///
    /// The library writes to sockets with plain `write`, so a broker that went away would otherwise end the process with
    /// SIGPIPE.
    static let start: Void = {
        mosquitto_lib_init()
        signal(SIGPIPE, SIG_IGN)
    }()
}

/// A file descriptor that makes a poll return from another thread. Closed with its last reference.
package final class WakeUp: Sendable {
    package let descriptor: Int32

    package init() throws(MQTTError) {
        descriptor = aqua_eventfd()
        guard descriptor >= 0 else {
            throw MQTTError(.invalidConfiguration, "the limit on open files is too low", detail: "eventfd \(errno)")
        }
    }

    deinit { close(descriptor) }

    package func signal() { eventfd_write(descriptor, 1) }

    package func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }
}
