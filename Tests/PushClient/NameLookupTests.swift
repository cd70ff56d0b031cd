import Dispatch
import Glibc
import PushTargets
import Synchronization
import TestSupport
import Testing

@testable import PushClient

@Suite struct NameLookupTests {
    private let somebody = AskerID(rawValue: 1)

    /// A resolver that knows one name, counts, and answers on permission.
    private final class Answerer: Sendable {
        let asked = Atomic(0)
        let permits: DispatchSemaphore
        let address: IPAddress

        init(permits: Int) throws {
            self.permits = DispatchSemaphore(value: permits)
            address = try #require(IPAddress("192.0.2.1"))
        }

        func ask(_ name: String) -> [IPAddress] {
            asked.add(1, ordering: .relaxed)
            permits.wait()
            permits.signal()
            return name == "known.example" ? [address] : []
        }

        func lookup(kept: Duration = .seconds(3600), capacity: Int = 8) -> NameLookup {
            NameLookup(kept: kept, capacity: capacity) { self.ask($0) }
        }
    }

    @Test func `a storm to one host asks once`() async throws {
        let answerer = try Answerer(permits: 1)
        let lookup = answerer.lookup()
        try await withThrowingTaskGroup(of: [IPAddress].self) { group in
            for _ in 1...200 {
                group.addTask { try await lookup.addresses(of: "known.example", for: somebody, within: .seconds(60)) }
            }
            for try await addresses in group { #expect(addresses == [answerer.address]) }
        }
        #expect(answerer.asked.load(ordering: .relaxed) == 1)
    }

    @Test func `an answer that has aged is asked for again, and so is one for which there was no room`() async throws {
        for (kept, capacity) in [(Duration.zero, 8), (.seconds(3600), 0)] {
            let answerer = try Answerer(permits: 1)
            let lookup = answerer.lookup(kept: kept, capacity: capacity)
            for _ in 1...3 { _ = try await lookup.addresses(of: "known.example", for: somebody, within: .seconds(60)) }
            #expect(answerer.asked.load(ordering: .relaxed) == 3)
        }
    }

    @Test func `a name without addresses is unknown`() async throws {
        let lookup = try Answerer(permits: 1).lookup()
        await #expect(throws: NameLookup.Failure.unknownName) {
            try await lookup.addresses(of: "unknown.example", for: somebody, within: .seconds(60))
        }
    }

    @Test func `nobody waits longer than the limit, nor asks again meanwhile`() async throws {
        let answerer = try Answerer(permits: 0)
        let lookup = answerer.lookup(kept: .zero)
        for _ in 1...2 {
            await #expect(throws: NameLookup.Failure.timeout) {
                try await lookup.addresses(of: "known.example", for: somebody, within: .milliseconds(10))
            }
        }
        #expect(answerer.asked.load(ordering: .relaxed) <= 1)
        answerer.permits.signal()
        _ = try await lookup.addresses(of: "known.example", for: somebody, within: .seconds(60))
    }

    @Test func `a cancelled wait ends`() async throws {
        let answerer = try Answerer(permits: 0)
        let lookup = answerer.lookup()
        let waiting = Task { try await lookup.addresses(of: "known.example", for: somebody, within: .seconds(3600)) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        answerer.permits.signal()
    }

    /// Only the account that asked loses threads to silent servers.
    @Test func `names that hang hold up no other account, and prompt names nobody`() async throws {
        let hanging = DispatchSemaphore(value: 0)
        let asked = Mutex<Set<String>>([])
        let address = try #require(IPAddress("192.0.2.1"))
        var bounds = LookupLanes.Bounds()
        (bounds.running, bounds.runningUnproven, bounds.runningPerAccount) = (5, 4, 2)
        let lookup = NameLookup(kept: .zero, bounds: bounds) { name in
            asked.withLock { _ = $0.insert(name) }
            if name.hasPrefix("hangs") { hanging.wait() }
            return [address]
        }
        let good = AskerID(rawValue: 100)
        #expect(try await lookup.addresses(of: "known.example", for: good, within: .seconds(60)) == [address])
        func abandon(_ names: Range<Int>, for account: Int64) async {
            for number in names {
                await #expect(throws: NameLookup.Failure.timeout) {
                    try await lookup.addresses(
                        of: "hangs-\(number).example", for: AskerID(rawValue: account), within: .milliseconds(1))
                }
            }
        }
        await abandon(0..<20, for: 1)
        try await awaitFact("two look-ups") { asked.withLock(\.count) == 3 ? true : nil }
        // A new name from another account.
        #expect(try await lookup.addresses(of: "new.example", for: good, within: .seconds(60)) == [address])
        // Occupies all threads for names that are not known as prompt.
        await abandon(20..<40, for: 2)
        try await awaitFact("four look-ups") { asked.withLock(\.count) == 6 ? true : nil }
        #expect(try await lookup.addresses(of: "known.example", for: good, within: .seconds(60)) == [address])
        for _ in 0..<40 { hanging.signal() }
        // All look-ups are made in the end.
        try await awaitFact("all look-ups") { asked.withLock(\.count) == 42 ? true : nil }
    }

    @Test func `who asks for too many at once is told so without waiting`() async throws {
        let answerer = try Answerer(permits: 0)
        var bounds = LookupLanes.Bounds()
        (bounds.runningPerAccount, bounds.waitingPerAccount) = (1, 1)
        let lookup = NameLookup(bounds: bounds) { answerer.ask($0) }
        for name in ["a.example", "b.example"] {
            await #expect(throws: NameLookup.Failure.timeout) {
                try await lookup.addresses(of: name, for: somebody, within: .milliseconds(1))
            }
        }
        await #expect(throws: NameLookup.Failure.timeout) {
            try await lookup.addresses(of: "c.example", for: somebody, within: .seconds(3600))
        }
        answerer.permits.signal()
    }

    @Test func `the system's resolver is told not to wait for long`() {
        NameLookup.boundSystemWaits()
        #expect(getenv("RES_OPTIONS").map { String(cString: $0) } == "timeout:2 attempts:1")
    }

    @Test func `the system's resolver tells all addresses`() throws {
        let loopback = try [#require(IPAddress("127.0.0.1")), #require(IPAddress("::1"))]
        let addresses = NameLookup.system("localhost")
        #expect(!addresses.isEmpty && addresses.allSatisfy(loopback.contains))
        #expect(NameLookup.system("nowhere.invalid").isEmpty)
    }
}
