package import NIOCore

/// The timeouts for the client's side of a connection, so that a slow or silent client holds nothing for long. Only
/// tests use other figures.
package struct ConnectionTimeouts: Sendable {
    /// From the connection's start to the end of the first head, the TLS handshake included.
    package var head = TimeAmount.seconds(10)
    /// From the end of a head to the end of its body.
    package var body = TimeAmount.seconds(30)
    /// Between the end of an answer and the next head.
    package var idle = TimeAmount.seconds(60)
    /// For a reader that takes nothing while the socket's buffers are full.
    package var write = TimeAmount.seconds(30)
    /// For a client to read the last answer before the connection is closed.
    package var linger = TimeAmount.seconds(2)

    package init() {}
}
