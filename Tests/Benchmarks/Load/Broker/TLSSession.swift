import CLoad
import Glibc
import TestSupport

/// What the sessions of a fleet share: the authority that they trust.
///
/// OpenSSL itself and not NIO's, because a generator on the cores of the system that it loads must cost as little as it can.
final class TLSContext: Sendable {
    /// Only read after its making; OpenSSL counts references to it atomically.
    nonisolated(unsafe) fileprivate let pointer: OpaquePointer

    init(authorityFile: String) throws {
        guard let pointer = aqua_tls_context(authorityFile) else {
            throw TestSupportError("The authority in \(authorityFile) cannot be read")
        }
        self.pointer = pointer
        // OpenSSL writes to sockets with plain `write`.
        signal(SIGPIPE, SIG_IGN)
    }

    deinit { SSL_CTX_free(pointer) }
}

/// The encryption of one connection. It belongs to one thread.
final class TLSSession {
    private let pointer: OpaquePointer

    /// Shakes hands over a socket that blocks.
    init(_ context: TLSContext, socket: Int32) throws {
        guard let pointer = aqua_tls_connect(context.pointer, socket) else {
            throw TestSupportError("The broker's encryption was not agreed on")
        }
        self.pointer = pointer
    }

    deinit { SSL_free(pointer) }

    /// - Returns: How many bytes were read; 0 when there is nothing now, -1 when the connection has ended.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        Int(aqua_tls_read(pointer, buffer.baseAddress, Int32(buffer.count)))
    }

    /// - Returns: How many bytes were written; 0 when the socket takes none now, -1 when the connection has ended.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        Int(aqua_tls_write(pointer, bytes.baseAddress, Int32(bytes.count)))
    }
}
