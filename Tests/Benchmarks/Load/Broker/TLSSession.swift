import CLoad
import Glibc
import TestSupport

/// The TLS state that a fleet's sessions share: the trusted authority.
///
/// Uses OpenSSL itself and not NIO's TLS: a generator on the cores of the loaded system must cost as little as
/// possible.
final class TLSContext: Sendable {
    /// Never changes after its creation; OpenSSL counts its references atomically.
    nonisolated(unsafe) fileprivate let pointer: OpaquePointer

    init(authorityFile: String) throws {
        guard let pointer = aqua_tls_context(authorityFile) else {
            throw TestSupportError("The authority in \(authorityFile) cannot be read")
        }
        self.pointer = pointer
        // OpenSSL writes to sockets with plain `write`, which would raise SIGPIPE.
        signal(SIGPIPE, SIG_IGN)
    }

    deinit { SSL_CTX_free(pointer) }
}

/// The TLS session of one connection, owned by one thread.
final class TLSSession {
    private let pointer: OpaquePointer

    /// Performs the handshake over a blocking socket.
    init(_ context: TLSContext, socket: Int32) throws {
        guard let pointer = aqua_tls_connect(context.pointer, socket) else {
            throw TestSupportError("The broker's encryption was not agreed on")
        }
        self.pointer = pointer
    }

    deinit { SSL_free(pointer) }

    /// - Returns: The number of bytes read; 0 if none is available, -1 if the connection has ended.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        Int(aqua_tls_read(pointer, buffer.baseAddress, Int32(buffer.count)))
    }

    /// - Returns: The number of bytes written; 0 if the socket accepts none, -1 if the connection has ended.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        Int(aqua_tls_write(pointer, bytes.baseAddress, Int32(bytes.count)))
    }
}
