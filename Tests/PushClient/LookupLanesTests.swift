import TestSupport
import Testing

@testable import PushClient

@Suite struct LookupLanesTests {
    private static let bounds = LookupLanes.Bounds(
        running: 6, runningUnproven: 4, runningHung: 1, runningPerAccount: 2, waiting: 12, waitingPerAccount: 5)

    private func account(_ number: Int) -> AskerID { AskerID(rawValue: Int64(number)) }

    private func add(_ name: String, _ repute: LookupLanes.Repute, _ number: Int, _ lanes: inout LookupLanes) -> Bool {
        lanes.add(name, repute, for: account(number))
    }

    private func startAll(_ lanes: inout LookupLanes) -> [String] {
        var started: [String] = []
        while let name = lanes.start() { started.append(name) }
        return started
    }

    @Test func `accounts take turns, each with few at once`() {
        var lanes = LookupLanes(Self.bounds)
        for name in ["a", "b", "c"] { #expect(add(name, .prompt, 1, &lanes)) }
        #expect(add("d", .prompt, 2, &lanes))
        #expect(startAll(&lanes) == ["a", "d", "b"])
        lanes.finish("a")
        #expect(startAll(&lanes) == ["c"])
    }

    @Test func `names that are not known to be prompt leave threads to those that are`() {
        var lanes = LookupLanes(Self.bounds)
        for number in 0..<6 { #expect(add("\(number)", .unknown, number, &lanes)) }
        for name in ["a", "b"] { #expect(add(name, .prompt, 9, &lanes)) }
        #expect(startAll(&lanes) == ["0", "1", "2", "3", "a", "b"])
    }

    @Test func `names that hung share few threads`() {
        var lanes = LookupLanes(Self.bounds)
        for number in 0..<3 { #expect(add("\(number)", .hung, number, &lanes)) }
        #expect(add("new", .unknown, 0, &lanes))
        #expect(startAll(&lanes) == ["0", "new"])
        lanes.finish("0")
        #expect(startAll(&lanes) == ["1"])
    }

    /// Otherwise an account could delay another's host for everybody, by asking for it behind names that hang.
    @Test func `a name that several ask for takes the first turn of any`() {
        var lanes = LookupLanes(Self.bounds)
        for name in ["x", "y", "shared"] { #expect(add(name, .unknown, 1, &lanes)) }
        #expect(startAll(&lanes) == ["x", "y"])
        #expect(add("shared", .unknown, 2, &lanes))
        #expect(startAll(&lanes) == ["shared"])
        lanes.finish("x")
        #expect(startAll(&lanes).isEmpty)
    }

    @Test func `a name that was answered on another's turn may be asked for anew`() {
        var lanes = LookupLanes(Self.bounds)
        for name in ["x", "y", "shared"] { #expect(add(name, .prompt, 1, &lanes)) }
        #expect(add("shared", .prompt, 2, &lanes))
        #expect(startAll(&lanes) == ["x", "shared", "y"])
        lanes.finish("shared")
        #expect(add("shared", .prompt, 1, &lanes))
        #expect(startAll(&lanes).isEmpty, "two run for the account")
        lanes.finish("x")
        #expect(startAll(&lanes) == ["shared"])
    }

    /// While all threads run, no account gets a turn at which it would notice the answer.
    @Test func `a name that was answered while all threads ran may be asked for anew`() {
        var bounds = Self.bounds
        bounds.running = 3
        var lanes = LookupLanes(bounds)
        for name in ["x", "y", "shared"] { #expect(add(name, .prompt, 1, &lanes)) }
        #expect(startAll(&lanes) == ["x", "y"])
        #expect(add("shared", .prompt, 2, &lanes))
        #expect(startAll(&lanes) == ["shared"])
        lanes.finish("shared")
        #expect(add("shared", .prompt, 1, &lanes))
        lanes.finish("x")
        #expect(startAll(&lanes) == ["shared"])
    }

    /// In any history no name is looked up twice at once or left over, and the bounds hold.
    @Test(arguments: 0..<200)
    func `random histories`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var lanes = LookupLanes(Self.bounds)
        let reputes: [LookupLanes.Repute] = [.prompt, .unknown, .hung]
        var asked: Set<Int> = []
        var running: Set<Int> = []
        func start() {
            while let name = lanes.start() {
                let number = Int(name) ?? -1
                #expect(asked.contains(number))
                #expect(running.insert(number).inserted)
            }
        }
        func finish() {
            guard let ended = running.sorted().randomElement(using: &generator) else { return }
            running.remove(ended)
            asked.remove(ended)
            lanes.finish("\(ended)")
        }
        for _ in 0..<500 {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                let number = Int.random(in: 0..<20, using: &generator)
                let asker = account(Int.random(in: 0..<5, using: &generator))
                if lanes.add("\(number)", reputes[number % 3], for: asker) { asked.insert(number) }
            case 1: start()
            default: finish()
            }
            #expect(lanes.running == running.count)
            #expect(running.count <= 6)
            #expect(running.count { $0 % 3 != 0 } <= 4)
            #expect(running.count { $0 % 3 == 2 } <= 1)
        }
        while !asked.isEmpty {
            start()
            guard !running.isEmpty else { break }
            finish()
        }
        #expect(asked.isEmpty)
    }
}
