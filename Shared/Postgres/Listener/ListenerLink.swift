import CLibpq
import Glibc
import ThreadExecutor

/// A connection that only listens, with a thread that waits on its socket.
actor ListenerLink {
    private let executor: ThreadExecutor
    private let wakeUp: WakeUp
    private var session: Session?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(name: String) throws(PostgresError) {
        executor = ThreadExecutor(name: "pg-\(name)")
        guard let wakeUp = WakeUp() else {
            throw PostgresError(.connectionFailed, "no eventfd, errno \(errno); raise the limit on open files")
        }
        self.wakeUp = wakeUp
    }

    func open(_ configuration: PostgresConfiguration, channels: [String]) throws {
        let session = try Session(configuration)
        for channel in channels { try session.listen(channel) }
        self.session = session
    }

    /// Forwards notifications until the task is cancelled.
    /// - Throws: `connectionLost`.
    func forward(to mailbox: EventMailbox) async throws {
        let wakeUp = wakeUp
        try await withTaskCancellationHandler {
            // A method of the actor, because a closure that captures no actor would leave this thread.
            try blockThread(mailbox)
        } onCancel: {
            wakeUp.signal()
        }
        session = nil
    }

    private func blockThread(_ mailbox: EventMailbox) throws {
        while !Task.isCancelled, let session {
            try session.takeNotifications(into: mailbox)
            try session.requireCurrent()
            guard aqua_poll_two(session.socket, wakeUp.descriptor, ServerWait.turnMilliseconds) >= 0 else {
                throw PostgresError(.connectionLost, "poll failed with errno \(errno)")
            }
        }
    }
}

extension Session {
    /// Runs `LISTEN`, which takes an identifier, not a parameter; libpq quotes it.
    fileprivate func listen(_ channel: String) throws(PostgresError) {
        guard let identifier = PQescapeIdentifier(handle, channel, channel.utf8.count) else {
            throw PostgresError(.configuration, "\(channel) cannot be the name of a channel")
        }
        defer { PQfreemem(identifier) }
        try executeScript("LISTEN \(String(cString: identifier))")
    }

    fileprivate func takeNotifications(into mailbox: EventMailbox) throws(PostgresError) {
        guard consumeInput() else { throw PostgresError(lost: handle) }
        while let notification = PQnotifies(handle) {
            let channel = String(cString: notification.pointee.relname)
            let payload = String(cString: notification.pointee.extra)
            PQfreemem(notification)
            mailbox.post { $0.insert(channel: channel, payload: payload) }
        }
    }
}
