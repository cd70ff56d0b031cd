/// Sends mail by the operator's server, over a few connections that are kept from mail to mail.
package actor MailClient {
    /// At once. Servers take few connections from one client, and a mail takes a fraction of a second.
    static let mostConnections = 8
    /// After which a connection that nobody needs is closed, before the server does.
    private static let idleTime = Duration.seconds(30)

    private typealias Waiting = (number: Int, continuation: CheckedContinuation<MailConnection?, Never>)

    private let server: MailServer
    private let patience: Duration
    private var count = 0
    private var idle: [(connection: MailConnection, since: ContinuousClock.Instant)] = []
    private var waiting: [Waiting] = []
    private var numbers = 0
    private var trimming: Task<Void, Never>?

    /// - Parameter patience: For one mail: for a connection, and as long again for what is sent over it.
    package init(_ server: MailServer, patience: Duration = .seconds(15)) {
        self.server = server
        self.patience = patience
    }

    /// Connects to a server and proves who we are, and sends nothing.
    /// - Returns: `accepted` where mail could be sent.
    package static func examine(_ server: MailServer, within patience: Duration) async -> MailReply {
        await MailConnection(server).examine(within: patience)
    }

    package func send(_ message: MailMessage) async -> MailReply {
        guard let connection = await connection() else { return .noConnection(.timeout) }
        let reply = await connection.send(message, within: patience)
        release(connection)
        return reply
    }

    /// A connection that is free, as soon as one is; nil if none is in time.
    private func connection() async -> MailConnection? {
        if let last = idle.popLast() { return last.connection }
        if count < Self.mostConnections {
            count += 1
            return MailConnection(server)
        }
        numbers += 1
        let number = numbers
        let alarm = Task {
            do { try await Task.sleep(for: patience) } catch { return }
            giveUp(number)
        }
        defer { alarm.cancel() }
        return await withCheckedContinuation { waiting.append((number, $0)) }
    }

    private func giveUp(_ number: Int) {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: index).continuation.resume(returning: nil)
    }

    private func release(_ connection: MailConnection) {
        guard waiting.isEmpty else { return waiting.removeFirst().continuation.resume(returning: connection) }
        idle.append((connection, .now))
        guard trimming == nil else { return }
        trimming = Task { [weak self] in
            while await self?.trim() == true { try? await Task.sleep(for: Self.idleTime / 2) }
        }
    }

    /// Closes what nobody has needed for a while.
    /// - Returns: Whether there is anything left to close.
    private func trim() -> Bool {
        let before = idle.count
        idle.removeAll { .now - $0.since >= Self.idleTime }
        count -= before - idle.count
        if count == 0 { trimming = nil }
        return trimming != nil
    }
}
