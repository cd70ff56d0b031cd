import CMosquitto
import Glibc
package import ThreadExecutor

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

extension WakeUp {
    /// - Throws: `invalidConfiguration` when the system gives no more descriptors.
    package static func forConnection() throws(MQTTError) -> WakeUp {
        guard let wakeUp = WakeUp() else {
            throw MQTTError(.invalidConfiguration, "the limit on open files is too low", detail: "eventfd \(errno)")
        }
        return wakeUp
    }
}
