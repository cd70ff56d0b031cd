/// Whose turn it is: a bounded number at once, bounded per host too, hosts in turn.
///
/// A host that answers slowly gets a narrow lane with a short queue, so that it delays nobody else; a fast one may use
/// all there is, because most people of an installation may well be behind one and the same service.
struct HostLanes<Item> {
    struct Bounds: Sendable {
        var running = 256
        var runningPerHost = 32
        var runningPerSlowHost = 4
        var waitingPerSlowHost = 32
    }

    private struct Lane {
        var waiting: [Item] = []
        var running = 0
        var isSlow = false
        /// Has its place in `turns`.
        var hasTurn = false
    }

    private let bounds: Bounds
    private var lanes: [String: Lane] = [:]
    /// Hosts that may start something, each once.
    private var turns: [String] = []
    private(set) var waiting = 0
    private(set) var running = 0

    init(_ bounds: Bounds) {
        self.bounds = bounds
    }

    /// - Returns: False when the host is slow and enough wait for it.
    mutating func add(_ item: Item, host: String) -> Bool {
        var lane = lanes[host] ?? Lane()
        guard !lane.isSlow || lane.waiting.count < bounds.waitingPerSlowHost else { return false }
        lane.waiting.append(item)
        waiting += 1
        keep(lane, host)
        return true
    }

    /// Takes the next one that may start now; `finish` must follow.
    mutating func start() -> Item? {
        while running < bounds.running, !turns.isEmpty {
            let host = turns.removeFirst()
            guard var lane = lanes[host] else { continue }
            lane.hasTurn = false
            guard mayStart(lane) else {
                keep(lane, host)
                continue
            }
            let item = lane.waiting.removeFirst()
            lane.running += 1
            waiting -= 1
            running += 1
            keep(lane, host)
            return item
        }
        return nil
    }

    /// One that was started has ended.
    /// - Returns: Those that need not wait any longer, because the host turned out to be slow.
    mutating func finish(host: String, wasSlow: Bool) -> [Item] {
        guard var lane = lanes[host], lane.running > 0 else {
            preconditionFailure("only what was started ends")
        }
        lane.running -= 1
        running -= 1
        lane.isSlow = wasSlow
        var excess: [Item] = []
        if wasSlow, lane.waiting.count > bounds.waitingPerSlowHost {
            excess = Array(lane.waiting[bounds.waitingPerSlowHost...])
            lane.waiting.removeLast(excess.count)
            waiting -= excess.count
        }
        keep(lane, host)
        return excess
    }

    /// Takes all that have not started.
    mutating func removeWaiting() -> [Item] {
        var items: [Item] = []
        for (host, var lane) in lanes {
            items += lane.waiting
            lane.waiting = []
            keep(lane, host)
        }
        waiting = 0
        return items
    }

    private func mayStart(_ lane: Lane) -> Bool {
        !lane.waiting.isEmpty && lane.running < (lane.isSlow ? bounds.runningPerSlowHost : bounds.runningPerHost)
    }

    /// A lane is remembered while it is in use or slow, and has a turn if it may start something.
    private mutating func keep(_ lane: Lane, _ host: String) {
        var lane = lane
        if !lane.hasTurn, mayStart(lane) {
            lane.hasTurn = true
            turns.append(host)
        }
        let isUsed = !lane.waiting.isEmpty || lane.running > 0 || lane.hasTurn
        lanes[host] = isUsed || lane.isSlow ? lane : nil
    }
}
