import MQTT

/// The state that callers share with the fleet's thread, under the fleet's lock: queued commands, windows and waiting callers.
///
/// A change that completes calls returns `Settlements`, to be resumed after the lock is released.
struct FleetLedger {
    typealias Token = UInt64
    typealias Waiter = CheckedContinuation<Void, any Error>

    enum Command: Sendable {
        case connect(Int, MQTTConfiguration, FleetMember.Sinks, Token)
        case subscribe(Int, [MQTTSubscription], Token)
        case publish(Int, MQTTMessage, Token?)
        case disconnect(Int, abruptly: Bool, Token)
    }

    enum Admission {
        case accepted(wake: Bool)
        case full
    }

    struct Account {
        var room: Int
        var open = 0
        var refusal: MQTTError?
        /// Messages that wait for room in the window, in order; `wantsAcknowledgement` tells `publish` from `enqueue`.
        var queue: [(message: MQTTMessage, token: Token, wantsAcknowledgement: Bool)] = []
        var drains: [Token] = []
    }

    struct Settlements {
        var all: [(waiter: Waiter, result: Result<Void, any Error>)] = []

        func resume() {
            for settlement in all { settlement.waiter.resume(with: settlement.result) }
        }
    }

    var isStopping = false
    private(set) var hasEnded = false
    private var accounts: [Int: Account] = [:]
    private var commands: [Command] = []
    private var waiters: [Token: Waiter] = [:]
    private var lastToken: Token = 0
    private var lastClient = 0

    // MARK: Callers

    mutating func nextToken() -> Token {
        lastToken += 1
        return lastToken
    }

    mutating func register(_ waiter: Waiter, _ token: Token) { waiters[token] = waiter }

    mutating func append(_ command: Command) throws(MQTTError) -> Settlements {
        guard !hasEnded else { throw MQTTError(.closed) }
        commands.append(command)
        return Settlements()
    }

    mutating func addClient(window: Int) throws(MQTTError) -> Int {
        guard !hasEnded else { throw MQTTError(.closed) }
        guard (1...60_000).contains(window) else {
            throw MQTTError(.invalidConfiguration, "a window holds 1 to 60000 messages")
        }
        lastClient += 1
        accounts[lastClient] = Account(room: window)
        return lastClient
    }

    /// Queues a message if the window has room and no other message waits.
    mutating func admit(_ message: MQTTMessage, as client: Int) throws(MQTTError) -> Admission {
        guard !hasEnded, let account = accounts[client] else { throw MQTTError(.closed) }
        guard account.room > 0, account.queue.isEmpty else { return .full }
        let wake = commands.isEmpty
        accounts[client]?.room -= 1
        accounts[client]?.open += 1
        commands.append(.publish(client, message, nil))
        return .accepted(wake: wake)
    }

    /// Queues a message, now or when the window has room. The broker's acknowledgement settles its token.
    mutating func submit(_ message: MQTTMessage, as client: Int, token: Token) throws(MQTTError) -> Settlements {
        guard accounts[client] != nil else { throw MQTTError(.closed) }
        accounts[client]?.queue.append((message, token, true))
        return advance(client)
    }

    /// Queues a message, now or when the window has room. Its token is settled as soon as it is queued.
    mutating func submitWaiting(_ message: MQTTMessage, as client: Int, token: Token) throws(MQTTError) -> Settlements {
        guard accounts[client] != nil else { throw MQTTError(.closed) }
        accounts[client]?.queue.append((message, token, false))
        return advance(client)
    }

    /// Settles the token once the client has no queued or unacknowledged message.
    mutating func awaitDrained(_ client: Int, token: Token) throws(MQTTError) -> Settlements {
        guard accounts[client] != nil else { throw MQTTError(.closed) }
        accounts[client]?.drains.append(token)
        return advance(client)
    }

    // MARK: The loop

    mutating func takeCommands() -> [Command]? {
        if isStopping { return nil }
        defer { commands = [] }
        return commands
    }

    mutating func settle(_ token: Token, _ result: Result<Void, any Error>) -> Settlements {
        guard let waiter = waiters.removeValue(forKey: token) else { return Settlements() }
        return Settlements(all: [(waiter, result)])
    }

    /// Records acknowledgements of one client.
    mutating func close(
        _ acknowledged: [(token: Token?, error: MQTTError?)], of client: Int
    ) -> Settlements {
        var settled = Settlements()
        for (token, error) in acknowledged {
            accounts[client]?.room += 1
            accounts[client]?.open -= 1
            if let token {
                settled.all += settle(token, error.map { .failure($0) } ?? .success(())).all
            } else if let error, accounts[client]?.refusal == nil {
                accounts[client]?.refusal = error
            }
        }
        settled.all += advance(client).all
        return settled
    }

    /// Ends a client; its callers fail with `closed`.
    mutating func removeClient(_ client: Int) -> Settlements {
        var settled = Settlements()
        guard let account = accounts.removeValue(forKey: client) else { return settled }
        for token in account.queue.map(\.token) + account.drains {
            settled.all += settle(token, .failure(MQTTError(.closed))).all
        }
        return settled
    }

    /// Ends all clients; every waiting call fails with `closed`.
    mutating func end() -> Settlements {
        hasEnded = true
        accounts = [:]
        commands = []
        defer { waiters = [:] }
        return Settlements(all: waiters.values.map { ($0, .failure(MQTTError(.closed))) })
    }

    /// Sends queued messages while the window has room, and settles drains.
    private mutating func advance(_ client: Int) -> Settlements {
        var settled = Settlements()
        guard var account = accounts.removeValue(forKey: client) else { return settled }
        var used = 0
        while account.room > 0, used < account.queue.count {
            let next = account.queue[used]
            used += 1
            // Skips the message of a caller who was cancelled while waiting.
            guard waiters[next.token] != nil else { continue }
            account.room -= 1
            account.open += 1
            commands.append(.publish(client, next.message, next.wantsAcknowledgement ? next.token : nil))
            if !next.wantsAcknowledgement { settled.all += settle(next.token, .success(())).all }
        }
        account.queue.removeFirst(used)
        if account.open == 0, account.queue.isEmpty, !account.drains.isEmpty {
            let result: Result<Void, any Error> = account.refusal.map { .failure($0) } ?? .success(())
            account.refusal = nil
            for token in account.drains { settled.all += settle(token, result).all }
            account.drains = []
        }
        accounts[client] = account
        return settled
    }
}
