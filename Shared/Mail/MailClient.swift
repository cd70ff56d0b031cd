import Synchronization

/// Sends mail by the operator's server, over a few connections that are kept from mail to mail.
package actor MailClient {
    /// At once. Servers take few connections from one client, and a mail takes a second or less.
    static let mostConnections = 8
    /// After which a connection that nobody needs is closed, before the server does.
    private static let idleTime = Duration.seconds(30)
    /// How long nobody signs in after a refused sign-in: servers bar whoever tries again and again.
    private static let rest = Duration.seconds(60)

    private typealias Waiting = (number: Int, continuation: CheckedContinuation<MailConnection?, Never>)

    private let server: MailServer
    private let patience: Duration
    private var count = 0
    private var idle: [(connection: MailConnection, since: ContinuousClock.Instant)] = []
    private var waiting: [Waiting] = []
    private var numbers = 0
    private var isTrimming = false
    private var restsUntil: ContinuousClock.Instant?

    /// - Parameter patience: For a connection to be free, and as long again for what is sent over it.
    package init(_ server: MailServer, patience: Duration = .seconds(15)) {
        self.server = server
        self.patience = patience
    }

    /// Connects to a server and proves who we are, and sends nothing.
    /// - Returns: `accepted` where mail could be sent.
    package static func examine(_ server: MailServer, within patience: Duration) async -> MailReply {
        await MailConnection(server).examine(within: patience)
    }

    /// Sends one mail. Where the caller is cancelled it is given up within a second.
    package func send(_ message: MailMessage) async -> MailReply {
        if let restsUntil, ContinuousClock.now < restsUntil { return .loginRefused }
        guard let connection = await connection() else { return .noConnection(.timeout) }
        let patience = patience
        let reply = await withTaskCancellationHandler {
            Task.isCancelled ? .noConnection(.timeout) : await connection.send(message, within: patience)
        } onCancel: {
            connection.giveUp()
        }
        restsUntil = reply == .loginRefused ? .now + Self.rest : nil
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
        return await withTaskCancellationHandler {
            let alarm = alarm(number)
            defer { alarm.cancel() }
            return await withCheckedContinuation { waiting.append((number, $0)) }
        } onCancel: {
            // Not a child: nobody is there to wait for it.
            Task { await self.giveUp(number) }
        }
    }

    /// Has somebody wait no longer than they may. Not a child task: whoever waits in a continuation waits for none.
    private func alarm(_ number: Int) -> Task<Void, Never> {
        Task {
            do { try await Task.sleep(for: patience) } catch { return }
            giveUp(number)
        }
    }

    private func giveUp(_ number: Int) {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: index).continuation.resume(returning: nil)
    }

    private func release(_ connection: MailConnection) {
        guard waiting.isEmpty else { return waiting.removeFirst().continuation.resume(returning: connection) }
        idle.append((connection, .now))
        guard !isTrimming else { return }
        isTrimming = true
        // Not a child task: it outlives the one that sent, and ends with this client.
        Task { [weak self] in
            while await self?.trim() == true { try? await Task.sleep(for: Self.idleTime / 2) }
        }
    }

    /// Closes what nobody has needed for a while.
    /// - Returns: Whether there is anything left to close.
    private func trim() -> Bool {
        let before = idle.count
        idle.removeAll { .now - $0.since >= Self.idleTime }
        count -= before - idle.count
        isTrimming = count > 0
        return isTrimming
    }
}
