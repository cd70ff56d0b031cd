import TestSupport
import Testing
import WaterQuality

@testable import Notifier

@Suite struct HostLanesTests {
    /// Lanes for three deliveries to a prompt host at once, and one to any other.
    private func lanes(_ change: (inout HostLanes<Int>.Bounds) -> Void = { _ in }) -> HostLanes<Int> {
        var bounds = HostLanes<Int>.Bounds()
        bounds.running = 100
        bounds.runningPerHost = 3
        bounds.runningPerNarrowHost = 1
        bounds.waitingPerSlowHost = 2
        change(&bounds)
        return HostLanes(bounds)
    }

    private func add(_ items: Range<Int>, _ host: String, account: Int64 = 1, _ lanes: inout HostLanes<Int>) -> Bool {
        items.allSatisfy { lanes.add($0, host: host, account: Account.ID(rawValue: account)) }
    }

    private func startAll(_ lanes: inout HostLanes<Int>) -> [Int] {
        var started: [Int] = []
        while let item = lanes.start() { started.append(item) }
        return started
    }

    private func finish(
        _ host: String, account: Int64 = 1, wasSlow: Bool = false, _ lanes: inout HostLanes<Int>
    ) -> [Int] {
        lanes.finish(host: host, account: Account.ID(rawValue: account), wasSlow: wasSlow)
    }

    /// Makes hosts known as prompt.
    private func prove(_ hosts: [String], _ lanes: inout HostLanes<Int>) {
        for host in hosts {
            #expect(add(-1..<0, host, &lanes))
            #expect(startAll(&lanes) == [-1])
            #expect(finish(host, &lanes).isEmpty)
        }
    }

    @Test func `bounded in all, and freed by an end`() {
        var lanes = lanes { $0.running = 2 }
        for item in 0..<5 { #expect(add(item..<item + 1, "\(item)", &lanes)) }
        #expect(startAll(&lanes) == [0, 1])
        #expect(lanes.waiting == 3)
        #expect(finish("0", &lanes).isEmpty)
        #expect(startAll(&lanes) == [2])
    }

    @Test func `bounded per host, hosts in turn`() {
        var lanes = lanes()
        prove(["a", "b"], &lanes)
        #expect(add(0..<5, "a", &lanes))
        #expect(add(10..<12, "b", &lanes))
        #expect(startAll(&lanes) == [0, 10, 1, 11, 2])
        #expect(finish("a", &lanes).isEmpty)
        #expect(startAll(&lanes) == [3])
    }

    @Test func `bounded per account over all its hosts, which delays nobody else at the same hosts`() {
        var lanes = lanes { $0.runningPerAccount = 2 }
        prove(["a", "b", "c"], &lanes)
        #expect(add(0..<3, "a", account: 1, &lanes))
        #expect(add(10..<13, "b", account: 1, &lanes))
        #expect(add(20..<22, "a", account: 2, &lanes))
        #expect(add(30..<31, "c", account: 1, &lanes))
        #expect(startAll(&lanes) == [0, 10, 20, 21])
        #expect(finish("b", account: 1, &lanes).isEmpty)
        #expect(startAll(&lanes).count == 1)
        #expect(finish("a", account: 2, &lanes).isEmpty)
        #expect(startAll(&lanes).isEmpty)
    }

    @Test func `one that has not answered yet has a narrow lane, and all such hosts a share`() {
        var lanes = lanes { $0.runningUnproven = 2 }
        prove(["prompt"], &lanes)
        for host in 0..<4 { #expect(add(host * 10..<host * 10 + 2, "\(host)", &lanes)) }
        #expect(startAll(&lanes) == [0, 10])
        #expect(add(50..<52, "prompt", &lanes))
        #expect(startAll(&lanes) == [50, 51])
        #expect(finish("0", &lanes).isEmpty)
        // The next host, and the rest of the one that has answered.
        #expect(Set(startAll(&lanes)) == [20, 1])
    }

    @Test func `slow hosts have a share too, and a bounded queue together`() {
        var lanes = lanes {
            $0.runningSlow = 1
            $0.waitingSlow = 3
        }
        for host in ["a", "b"] {
            #expect(add(0..<1, host, &lanes))
            #expect(startAll(&lanes) == [0])
            #expect(finish(host, wasSlow: true, &lanes).isEmpty)
        }
        #expect(add(1..<3, "a", &lanes))
        #expect(add(11..<12, "b", &lanes))
        #expect(!add(12..<13, "b", &lanes))
        #expect(startAll(&lanes) == [1])
        #expect(add(20..<21, "unproven", &lanes))
        #expect(startAll(&lanes) == [20])
        #expect(finish("a", wasSlow: true, &lanes).isEmpty)
        #expect(startAll(&lanes).count == 1)
    }

    @Test func `a slow host's lane is narrow and short`() {
        var lanes = lanes()
        prove(["a", "b"], &lanes)
        #expect(add(0..<8, "a", &lanes))
        #expect(startAll(&lanes) == [0, 1, 2])
        // Five wait, but only two may.
        #expect(finish("a", wasSlow: true, &lanes) == [5, 6, 7])
        #expect(startAll(&lanes) == [])
        #expect(!add(9..<10, "a", &lanes))
        #expect(add(10..<11, "b", &lanes))
        #expect(finish("a", wasSlow: true, &lanes).isEmpty)
        #expect(finish("a", wasSlow: true, &lanes).isEmpty)
        #expect(Set(startAll(&lanes)) == [10, 3])
        #expect(finish("a", &lanes).isEmpty)
        #expect(add(20..<24, "a", &lanes))
        #expect(startAll(&lanes) == [4, 20, 21])
    }

    @Test func `is remembered as slow while idle`() {
        var lanes = lanes()
        #expect(add(0..<1, "a", &lanes))
        #expect(startAll(&lanes) == [0])
        #expect(finish("a", wasSlow: true, &lanes).isEmpty)
        #expect(add(1..<3, "a", &lanes))
        #expect(!add(3..<4, "a", &lanes))
        #expect(startAll(&lanes) == [1])
    }

    @Test func `gives back what has not started`() {
        var lanes = lanes()
        #expect(add(0..<5, "a", &lanes))
        #expect(startAll(&lanes) == [0])
        #expect(lanes.removeWaiting() == [1, 2, 3, 4])
        #expect(lanes.waiting == 0)
        #expect(finish("a", &lanes).isEmpty)
        #expect(startAll(&lanes) == [])
    }

    /// In any history nothing starts twice, is lost or is left over, and the bounds hold.
    @Test(arguments: 0..<200)
    func `random histories`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var lanes = lanes {
            $0.running = 7
            $0.runningPerAccount = 4
            $0.runningUnproven = 3
            $0.runningSlow = 2
            $0.waitingSlow = 5
        }
        var running: [(item: Int, host: Int, account: Int)] = []
        var accepted: Set<Int> = []
        var seen: Set<Int> = []
        func finish(_ index: Int, wasSlow: Bool) {
            let ended = running.remove(at: index)
            for item in self.finish("\(ended.host)", account: Int64(ended.account), wasSlow: wasSlow, &lanes) {
                #expect(seen.insert(item).inserted)
            }
        }
        func start() {
            while let item = lanes.start() {
                #expect(seen.insert(item).inserted)
                running.append((item, item / 10 % 10, item % 10))
            }
        }
        for number in 0..<500 {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1:
                let (host, account) = (
                    Int.random(in: 0..<5, using: &generator), Int.random(in: 0..<3, using: &generator)
                )
                let item = number * 100 + host * 10 + account
                if lanes.add(item, host: "\(host)", account: Account.ID(rawValue: Int64(account))) {
                    accepted.insert(item)
                }
            case 2: start()
            default:
                guard !running.isEmpty else { continue }
                finish(Int.random(in: 0..<running.count, using: &generator), wasSlow: .random(using: &generator))
            }
            #expect(lanes.running == running.count)
            #expect(lanes.waiting == accepted.count - seen.count)
            #expect(running.count <= 7)
            #expect(Dictionary(grouping: running, by: \.host).values.allSatisfy { $0.count <= 3 })
            #expect(Dictionary(grouping: running, by: \.account).values.allSatisfy { $0.count <= 4 })
        }
        if Bool.random(using: &generator) {
            // All waiting deliveries get their turn.
            while lanes.waiting > 0 || !running.isEmpty {
                start()
                guard !running.isEmpty else { break }
                finish(0, wasSlow: .random(using: &generator))
            }
        } else {
            seen.formUnion(lanes.removeWaiting())
        }
        #expect(seen == accepted)
    }
}
