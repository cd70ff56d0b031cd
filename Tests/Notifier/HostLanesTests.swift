import Testing

@testable import Notifier

@Suite struct HostLanesTests {
    private func lanes(running: Int = 100) -> HostLanes<Int> {
        HostLanes(.init(running: running, runningPerHost: 3, runningPerSlowHost: 1, waitingPerSlowHost: 2))
    }

    private func add(_ item: Int, _ host: String, _ lanes: inout HostLanes<Int>) -> Bool {
        lanes.add(item, host: host)
    }

    private func startAll(_ lanes: inout HostLanes<Int>) -> [Int] {
        var started: [Int] = []
        while let item = lanes.start() { started.append(item) }
        return started
    }

    @Test func `bounded in all, and freed by an end`() {
        var lanes = lanes(running: 2)
        for item in 0..<5 { #expect(add(item, "\(item)", &lanes)) }
        #expect(startAll(&lanes) == [0, 1])
        #expect(lanes.waiting == 3)
        #expect(lanes.finish(host: "0", wasSlow: false).isEmpty)
        #expect(startAll(&lanes) == [2])
    }

    @Test func `bounded per host, hosts in turn`() {
        var lanes = lanes()
        for item in 0..<5 { #expect(add(item, "a", &lanes)) }
        for item in 10..<12 { #expect(add(item, "b", &lanes)) }
        #expect(startAll(&lanes) == [0, 10, 1, 11, 2])
        #expect(lanes.finish(host: "a", wasSlow: false).isEmpty)
        #expect(startAll(&lanes) == [3])
    }

    @Test func `a slow host's lane is narrow and short`() {
        var lanes = lanes()
        for item in 0..<8 { #expect(add(item, "a", &lanes)) }
        #expect(startAll(&lanes) == [0, 1, 2])
        // Five wait, of whom two may.
        #expect(lanes.finish(host: "a", wasSlow: true) == [5, 6, 7])
        #expect(startAll(&lanes) == [])
        #expect(!add(9, "a", &lanes))
        #expect(add(10, "b", &lanes))
        #expect(lanes.finish(host: "a", wasSlow: true).isEmpty)
        #expect(lanes.finish(host: "a", wasSlow: true).isEmpty)
        #expect(startAll(&lanes) == [10, 3])
        #expect(lanes.finish(host: "a", wasSlow: false).isEmpty)
        for item in 20..<24 { #expect(add(item, "a", &lanes)) }
        #expect(startAll(&lanes) == [4, 20, 21])
    }

    @Test func `is remembered as slow while idle`() {
        var lanes = lanes()
        #expect(add(0, "a", &lanes))
        #expect(startAll(&lanes) == [0])
        #expect(lanes.finish(host: "a", wasSlow: true).isEmpty)
        #expect(add(1, "a", &lanes))
        #expect(add(2, "a", &lanes))
        #expect(!add(3, "a", &lanes))
        #expect(startAll(&lanes) == [1])
    }

    @Test func `gives back what has not started`() {
        var lanes = lanes()
        for item in 0..<5 { #expect(add(item, "a", &lanes)) }
        #expect(startAll(&lanes) == [0, 1, 2])
        #expect(lanes.removeWaiting() == [3, 4])
        #expect(lanes.waiting == 0)
        #expect(lanes.finish(host: "a", wasSlow: false).isEmpty)
        #expect(startAll(&lanes) == [])
    }

    /// Whatever happens, nothing starts twice or is lost, and the bounds hold.
    @Test(arguments: 0..<50)
    func `random histories`(seed: UInt64) {
        var generator = SplitMix(state: seed)
        var lanes = lanes(running: 5)
        var running: [(host: String, item: Int)] = []
        var accepted: Set<Int> = []
        var seen: Set<Int> = []
        for item in 0..<500 {
            let hostNumber = Int.random(in: 0..<4, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                let item = item * 10 + hostNumber
                if lanes.add(item, host: "\(hostNumber)") { accepted.insert(item) }
            case 1:
                while let started = lanes.start() {
                    #expect(seen.insert(started).inserted)
                    running.append(("\(started % 10)", started))
                }
            default:
                guard !running.isEmpty else { continue }
                let ended = running.remove(at: Int.random(in: 0..<running.count, using: &generator))
                let isSlow = Bool.random(using: &generator)
                for excess in lanes.finish(host: ended.host, wasSlow: isSlow) { #expect(seen.insert(excess).inserted) }
            }
            #expect(lanes.running == running.count)
            #expect(running.count <= 5)
            #expect(Dictionary(grouping: running, by: \.host).values.allSatisfy { $0.count <= 3 })
        }
        seen.formUnion(lanes.removeWaiting())
        #expect(seen == accepted)
    }
}

/// A generator whose sequence a seed determines.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
