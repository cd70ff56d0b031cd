/// Decides which name is looked up next.
///
/// A name whose servers do not answer occupies a thread until the resolver gives up. So an account has few look-ups at
/// once, and accounts take turns; names that hung the last time share few threads; and some threads are reserved for
/// names that were answered promptly, whatever else hangs.
struct LookupLanes {
    /// The last behaviour of a name's servers.
    enum Repute: Sendable { case prompt, unknown, hung }

    struct Bounds: Sendable {
        /// The most threads: a container may have 128 of all kinds.
        var running = 48
        /// The share of names that are not known for prompt answers.
        var runningUnproven = 40
        var runningHung = 6
        var runningPerAccount = 4
        var waiting = 1024
        var waitingPerAccount = 32
    }

    private struct Lookup {
        let repute: Repute
        /// The account on whose turn the look-up started; nil while it waits.
        var startedFor: AskerID?
    }

    private struct Asker {
        /// Names that wait. Other accounts may have had them started or answered since.
        var waiting: [String] = []
        var running = 0
    }

    private let bounds: Bounds
    private var lookups: [String: Lookup] = [:]
    private var askers: [AskerID: Asker] = [:]
    /// Accounts with waiting names, each once.
    private var turns: [AskerID] = []
    private var waiting = 0
    private(set) var running = 0
    private var runningUnproven = 0
    private var runningHung = 0

    init(_ bounds: Bounds = Bounds()) {
        self.bounds = bounds
    }

    /// Queues a name. A name that already waits for another account waits for both, and takes the first turn of either.
    /// - Returns: False if too many names wait; this one will not be looked up.
    mutating func add(_ name: String, _ repute: Repute, for account: AskerID) -> Bool {
        let known = lookups[name]
        guard known?.startedFor == nil else { return true }
        var asker = askers[account] ?? Asker()
        if asker.waiting.contains(name) {
            // The name was answered on another account's turn, and is wanted again.
            if known == nil { lookups[name] = Lookup(repute: repute) }
            return true
        }
        guard waiting < bounds.waiting, asker.waiting.count < bounds.waitingPerAccount else { return known != nil }
        if asker.waiting.isEmpty { turns.append(account) }
        asker.waiting.append(name)
        waiting += 1
        askers[account] = asker
        if known == nil { lookups[name] = Lookup(repute: repute) }
        return true
    }

    /// Takes the next name that may be looked up now; call `finish` afterwards.
    mutating func start() -> String? {
        guard running < bounds.running else { return nil }
        for _ in turns.indices {
            let account = turns.removeFirst()
            guard var asker = askers[account] else { continue }
            let before = asker.waiting.count
            asker.waiting.removeAll { lookups[$0].map { $0.startedFor != nil } ?? true }
            waiting -= before - asker.waiting.count
            let index = asker.running < bounds.runningPerAccount ? asker.waiting.firstIndex(where: mayStart) : nil
            let name = index.map { asker.waiting.remove(at: $0) }
            if let name {
                waiting -= 1
                asker.running += 1
                lookups[name]?.startedFor = account
                count(lookups[name], 1)
            }
            keep(asker, account)
            if !asker.waiting.isEmpty { turns.append(account) }
            if let name { return name }
        }
        return nil
    }

    /// Records the end of a started look-up.
    mutating func finish(_ name: String) {
        guard let lookup = lookups.removeValue(forKey: name), let account = lookup.startedFor,
            var asker = askers[account]
        else { preconditionFailure("only what was started ends") }
        count(lookup, -1)
        asker.running -= 1
        keep(asker, account)
    }

    private func mayStart(_ name: String) -> Bool {
        switch lookups[name]?.repute {
        case nil: false
        case .prompt: true
        case .unknown: runningUnproven < bounds.runningUnproven
        case .hung: runningUnproven < bounds.runningUnproven && runningHung < bounds.runningHung
        }
    }

    private mutating func count(_ lookup: Lookup?, _ change: Int) {
        running += change
        if lookup?.repute != .prompt { runningUnproven += change }
        if lookup?.repute == .hung { runningHung += change }
    }

    /// Keeps an account while it waits for a name or has one looked up.
    private mutating func keep(_ asker: Asker, _ account: AskerID) {
        askers[account] = asker.waiting.isEmpty && asker.running == 0 ? nil : asker
    }
}
