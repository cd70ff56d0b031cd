import Glibc
package import NIOCore

/// What goes wrong in this module.
package struct ServiceKitError: Error, CustomStringConvertible {
    package enum Code: String, Sendable {
        case addressInUse = "address_in_use"
        case cannotListen = "cannot_listen"
    }

    package let code: Code
    /// For people: what is wrong and what to do.
    package let description: String
    package let underlying: any Error
    package let file: String
    package let line: Int

    /// A port may become free while the process is restarted; nothing here is tried again by itself.
    package var isRetriable: Bool { false }

    /// An address that a server wants and does not get.
    /// - Parameter variable: The setting that the address came from.
    package static func cannotListen(
        on address: HostAndPort, variable: Variable, cause: IOError, file: String = #fileID, line: Int = #line
    ) -> ServiceKitError {
        if cause.errnoCode == EADDRINUSE {
            return ServiceKitError(
                code: .addressInUse,
                description: "port \(address.port) on \(address.host) is taken by another process: "
                    + "stop that one or set \(variable.rawValue) to a free port",
                underlying: cause, file: file, line: line)
        }
        return ServiceKitError(
            code: .cannotListen,
            description: "cannot listen on \(address) (\(String(cString: strerror(cause.errnoCode)))): "
                + "set \(variable.rawValue) to an address of this machine and a port that this user may open",
            underlying: cause, file: file, line: line)
    }
}
