import Glibc
package import NIOCore

/// This module's errors.
package struct ServiceKitError: Error, CustomStringConvertible {
    package enum Code: String, Sendable {
        case addressInUse = "address_in_use"
        case cannotListen = "cannot_listen"
    }

    package let code: Code
    /// The fault and its remedy, for people.
    package let description: String
    package let underlying: any Error
    package let file: String
    package let line: Int

    /// Always false: nothing here is retried, although a restart may find the port free.
    package var isRetriable: Bool { false }

    /// The error of a server whose address cannot be bound.
    /// - Parameter variable: The setting of the address.
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
