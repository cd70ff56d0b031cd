import Glibc

/// A socket that holds a port of the loopback interface for its lifetime, and never sends anything.
package final class BoundSocket: Sendable {
    package let port: Int
    private let descriptor: Int32

    /// - Parameter port: 0 for a free port.
    /// - Returns: nil if the port is taken.
    package init?(port: Int = 0, listens: Bool = false) {
        let descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        guard isBound, !listens || listen(descriptor, 16) == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Whether a client has connected to the listening socket.
    package var wasConnectedTo: Bool {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return false }
        close(connection)
        return true
    }
}
