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
final class WakeUp: Sendable {
    let descriptor: Int32

    init() throws(MQTTError) {
        descriptor = aqua_eventfd()
        guard descriptor >= 0 else {
            throw MQTTError(.invalidConfiguration, "the limit on open files is too low", detail: "eventfd \(errno)")
        }
    }

    deinit { close(descriptor) }

    func signal() { eventfd_write(descriptor, 1) }

    func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }
}
