import Glibc
import ThreadExecutor

extension MQTTConnection {
    package enum Readiness {
        case ready
        /// The peer has closed or reset; there may still be bytes to read.
        case hungUp
        case timedOut
    }

    /// Blocks this thread until the socket has something to read (or takes something), `wakeUp` is signalled, or the
    /// deadline has passed. Never writes.
    func wait(writing: Bool, _ wakeUp: WakeUp?, until deadline: ContinuousClock.Instant?) -> Readiness {
        // poll takes -1 for "not this one".
        var descriptors = [
            pollfd(fd: socket, events: Int16(writing ? POLLIN | POLLOUT : POLLIN), revents: 0),
            pollfd(fd: wakeUp?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        // Polls for writing only: bytes that wait to be read would turn the wait into a busy loop.
        if writing, wakeUp == nil { descriptors[0].events = Int16(POLLOUT) }
        let found = poll(&descriptors, 2, Self.milliseconds(until: deadline))
        if found == 0 { return .timedOut }
        return descriptors[0].revents & Int16(POLLHUP | POLLERR) != 0 ? .hungUp : .ready
    }

    /// One step between the start of connecting and the CONNACK.
    package func proceedConnecting(_ readiness: Readiness) throws(MQTTError) {
        if readiness == .timedOut { throw MQTTError(.timeout) }
        if readiness == .hungUp, let error = socketError() { throw error }
        // A TLS handshake goes on in `read`, whichever way its bytes go.
        _ = try read()
        if inbox.connected == nil, wantsToWrite { try write() }
        // The library reports a connection that ends during the handshake as a reason to wait.
        if readiness == .hungUp, inbox.connected == nil {
            throw MQTTError(configuration.endpoint.isSecure ? .tls : .connectionLost)
        }
    }

    /// The kernel's error of a failed connect; nil if the connection was established and has ended.
    private func socketError() -> MQTTError? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &length) == 0, code != 0 else { return nil }
        return MQTTError(code == ECONNRESET ? .connectionLost : .unreachable, detail: String(cString: strerror(code)))
    }

    /// Milliseconds until the deadline, rounded up so that a wait does not end early; -1 makes poll wait for ever.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return 0 }
        return Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up)))
    }

    /// Whether the inbox holds a full batch: this many messages or bytes.
    func holds(_ maximum: Int, _ bytes: Int) -> Bool {
        inbox.messages.count >= maximum || inbox.messageBytes >= bytes
    }

    package func takeMessages() -> [MQTTMessage] {
        let messages = inbox.messages
        inbox.messages = []
        inbox.messages.reserveCapacity(messages.count)
        inbox.messageBytes = 0
        return messages
    }

    package func takeAnswers() -> [(packet: Int32, error: MQTTError?)] {
        defer { inbox.answered.removeAll(keepingCapacity: true) }
        return inbox.answered
    }

    package func takePublished() -> [(packet: Int32, error: MQTTError?)] {
        defer { inbox.published.removeAll(keepingCapacity: true) }
        return inbox.published
    }

    func forgetPublished() { inbox.published.removeAll(keepingCapacity: true) }
}
