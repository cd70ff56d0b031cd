package import NIOCore

/// How long the other side of a connection may take over each of its parts, so that a slow or silent one holds nothing
/// for long. Other figures than these are for tests.
package struct ConnectionTimeouts: Sendable {
    /// From the connection's start to the end of the first head, the TLS handshake included.
    package var head = TimeAmount.seconds(10)
    /// From the end of a head to the end of its body.
    package var body = TimeAmount.seconds(30)
    /// Between the end of an answer and the next head.
    package var idle = TimeAmount.seconds(60)
    /// For a reader that takes nothing although the socket's buffers are full.
    package var write = TimeAmount.seconds(30)
    /// For a client to read a last answer before the connection is closed.
    package var linger = TimeAmount.seconds(2)

    package init() {}
}
