import CMosquitto
import Glibc
package import ThreadExecutor

/// The process-wide set-up of libmosquitto.
enum MQTTLibrary {
    /// Runs once, under Swift's lock for globals, because `mosquitto_lib_init` is not thread safe.
    ///
    /// The library writes to sockets with plain `write`, so SIGPIPE would end the process when a broker goes away.
    static let start: Void = {
        mosquitto_lib_init()
        signal(SIGPIPE, SIG_IGN)
    }()
}

extension WakeUp {
    /// - Throws: `invalidConfiguration` when the process has no descriptors left.
    package static func forConnection() throws(MQTTError) -> WakeUp {
        guard let wakeUp = WakeUp() else {
            throw MQTTError(.invalidConfiguration, "the limit on open files is too low", detail: "eventfd \(errno)")
        }
        return wakeUp
    }
}
