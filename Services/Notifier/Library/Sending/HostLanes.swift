import Backoff
import WaterQuality

/// Decides which delivery is sent next: a bounded number at once, bounded per host and per account too, and each account's part of a
/// host in turn.
///
/// A host that answers slowly gets a narrow lane with a short queue, one that has not answered yet a narrow lane, and each
/// sort of them has a share of what there is, so that they delay nobody else. A prompt one may have much, because most
/// people of an installation may well be behind one and the same service; but no account has more than its share,
/// however many hosts it names.
struct HostLanes<Item> {
    struct Bounds: Sendable {
        var running = 256
        var runningPerAccount = 16
        var runningPerHost = 32
        /// At one host that is not known to be prompt.
        var runningPerNarrowHost = 4
        /// At all hosts together that have not answered yet.
        var runningUnproven = 128
        /// At all slow hosts together.
        var runningSlow = 64
        var waitingPerSlowHost = 32
        var waitingSlow = 128
    }

    /// What is known of a host: its last answer came soon, or late or not at all.
    enum Repute: Hashable, Sendable { case prompt, unproven, slow }

    /// What one account sends to one host.
    private struct Lane: Hashable {
        let host: String
        let account: Account.ID
    }

    /// Something of which there is a bounded number.
    private struct Share {
        var running = 0
        /// Lanes that wait for one of it to end.
        var blocked: [Lane] = []
    }

    private struct Host {
        var repute: Repute
        var waiting = 0
        var share = Share()
        /// The running ones by the host's repute when they began, if it was not prompt.
        var began: [Repute: Int] = [:]
    }

    private let bounds: Bounds
    /// The waiting items, in order. Each lane here has one place, in `turns` or among the blocked.
    private var lanes: [Lane: [Item]] = [:]
    private var hosts: [String: Host] = [:]
    private var accounts: [Account.ID: Share] = [:]
    /// The shares of all hosts of a repute together, if it is not prompt.
    private var narrow: [Repute: Share] = [.unproven: Share(), .slow: Share()]
    private var turns: [Lane] = []
    private var reputes = RecentMemory<String, Repute>(most: 8192)
    private(set) var waiting = 0
    private(set) var running = 0
    private var waitingSlow = 0

    init(_ bounds: Bounds) {
        self.bounds = bounds
    }

    /// - Returns: False when the host is slow and enough wait for it, or for slow hosts.
    mutating func add(_ item: Item, host name: String, account: Account.ID) -> Bool {
        var host = hosts[name] ?? Host(repute: reputes[name] ?? .unproven)
        if host.repute == .slow {
            guard host.waiting < bounds.waitingPerSlowHost, waitingSlow < bounds.waitingSlow else { return false }
            waitingSlow += 1
        }
        host.waiting += 1
        hosts[name] = host
        waiting += 1
        let lane = Lane(host: name, account: account)
        if lanes[lane] == nil { turns.append(lane) }
        lanes[lane, default: []].append(item)
        return true
    }

    /// Takes the next one that may start now; `finish` must follow.
    mutating func start() -> Item? {
        while running < bounds.running, !turns.isEmpty {
            let lane = turns.removeFirst()
            guard let host = hosts[lane.host], lanes[lane] != nil else { continue }
            // Whoever has to wait for one thing leaves its place in the queue for another to the next.
            if host.share.running >= limit(host) {
                hosts[lane.host]!.share.blocked.append(lane)
                wakeNext(of: lane.account)
            } else if accounts[lane.account]?.running ?? 0 >= bounds.runningPerAccount {
                accounts[lane.account]!.blocked.append(lane)
                wakeNext(at: lane.host)
            } else if host.repute != .prompt, narrow[host.repute]!.running >= limit(host.repute) {
                narrow[host.repute]!.blocked.append(lane)
            } else {
                return begin(lane, host.repute)
            }
        }
        return nil
    }

    private mutating func begin(_ lane: Lane, _ repute: Repute) -> Item {
        let item = lanes[lane]!.removeFirst()
        if lanes[lane]!.isEmpty { lanes[lane] = nil } else { turns.append(lane) }
        waiting -= 1
        running += 1
        hosts[lane.host]!.waiting -= 1
        hosts[lane.host]!.share.running += 1
        accounts[lane.account, default: Share()].running += 1
        if repute == .slow { waitingSlow -= 1 }
        if repute != .prompt {
            hosts[lane.host]!.began[repute, default: 0] += 1
            narrow[repute]!.running += 1
        }
        return item
    }

    /// One that was started has ended.
    /// - Returns: Those that need not wait any longer, because the host turned out to be slow.
    mutating func finish(host name: String, account: Account.ID, wasSlow: Bool) -> [Item] {
        guard var host = hosts[name], host.share.running > 0, accounts[account]?.running ?? 0 > 0 else {
            preconditionFailure("only what was started ends")
        }
        let before = host.repute
        running -= 1
        host.share.running -= 1
        // Which of a host's requests it was does not matter.
        if let repute = host.began.first(where: { $0.value > 0 })?.key {
            host.began[repute]! -= 1
            narrow[repute]!.running -= 1
        }
        host.repute = wasSlow ? .slow : .prompt
        reputes[name] = host.repute
        if before == .slow { waitingSlow -= host.waiting }
        if wasSlow { waitingSlow += host.waiting }
        hosts[name] = host
        accounts[account]!.running -= 1
        let excess = wasSlow ? removeExcess(of: name) : []
        wakeNext(at: name)
        if before != .prompt, !wasSlow { widen(name) }
        wakeNext(of: account)
        for repute in narrow.keys where !narrow[repute]!.blocked.isEmpty {
            turns.append(narrow[repute]!.blocked.removeFirst())
        }
        forget(host: name, account: account)
        return excess
    }

    /// How many of each account wait or have been started.
    var outstanding: [Account.ID: Int] {
        lanes.reduce(into: accounts.mapValues(\.running)) { counts, lane in
            counts[lane.key.account, default: 0] += lane.value.count
        }
    }

    /// Takes all that have not started.
    mutating func removeWaiting() -> [Item] {
        let items = lanes.values.flatMap(\.self)
        lanes = [:]
        turns = []
        for name in hosts.keys {
            hosts[name]!.share.blocked = []
            hosts[name]!.waiting = 0
        }
        for account in accounts.keys { accounts[account]!.blocked = [] }
        for repute in narrow.keys { narrow[repute]!.blocked = [] }
        (waiting, waitingSlow) = (0, 0)
        return items
    }

    private func limit(_ host: Host) -> Int {
        host.repute == .prompt ? bounds.runningPerHost : bounds.runningPerNarrowHost
    }

    private func limit(_ repute: Repute) -> Int {
        switch repute {
        case .prompt: bounds.running
        case .unproven: bounds.runningUnproven
        case .slow: bounds.runningSlow
        }
    }

    /// The excess of a slow host: the last items of its longest lanes.
    private mutating func removeExcess(of name: String) -> [Item] {
        guard let host = hosts[name] else { return [] }
        let most = min(bounds.waitingPerSlowHost, max(0, bounds.waitingSlow - (waitingSlow - host.waiting)))
        guard host.waiting > most else { return [] }
        let count = host.waiting - most
        var own = lanes.filter { $0.key.host == name }
        var excess: [Item] = []
        while excess.count < count, let longest = own.max(by: { $0.value.count < $1.value.count })?.key {
            excess.append(own[longest]!.removeLast())
        }
        for (lane, items) in own { lanes[lane] = items.isEmpty ? nil : items }
        hosts[name]!.waiting -= excess.count
        waiting -= excess.count
        waitingSlow -= excess.count
        // A lane without items loses its place.
        func isLost(_ lane: Lane) -> Bool { lane.host == name && own[lane]!.isEmpty }
        turns.removeAll(where: isLost)
        hosts[name]!.share.blocked.removeAll(where: isLost)
        for account in Set(own.keys.map(\.account)) { accounts[account]?.blocked.removeAll(where: isLost) }
        for repute in narrow.keys { narrow[repute]!.blocked.removeAll(where: isLost) }
        return excess.reversed()
    }

    /// All of a host's lanes may go on that were held up because it was not known to be prompt.
    private mutating func widen(_ name: String) {
        turns += hosts[name]!.share.blocked
        hosts[name]!.share.blocked = []
        for repute in narrow.keys {
            turns += narrow[repute]!.blocked.filter { $0.host == name }
            narrow[repute]!.blocked.removeAll { $0.host == name }
        }
    }

    private mutating func wakeNext(at name: String) {
        guard let host = hosts[name], !host.share.blocked.isEmpty else { return }
        turns.append(hosts[name]!.share.blocked.removeFirst())
    }

    private mutating func wakeNext(of account: Account.ID) {
        guard let share = accounts[account], !share.blocked.isEmpty, share.running < bounds.runningPerAccount else {
            return
        }
        turns.append(accounts[account]!.blocked.removeFirst())
    }

    /// Hosts and accounts that nothing is done for; what a host is like is remembered apart.
    private mutating func forget(host name: String, account: Account.ID) {
        if let host = hosts[name], host.waiting == 0, host.share.running == 0 { hosts[name] = nil }
        if let share = accounts[account], share.running == 0, share.blocked.isEmpty { accounts[account] = nil }
    }
}
