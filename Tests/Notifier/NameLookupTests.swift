import Dispatch
import PushTargets
import Synchronization
import Testing

@testable import Notifier

@Suite struct NameLookupTests {
    /// A resolver that knows one name, counts, and answers when it may.
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
                group.addTask { try await lookup.addresses(of: "known.example", within: .seconds(60)) }
            }
            for try await addresses in group { #expect(addresses == [answerer.address]) }
        }
        #expect(answerer.asked.load(ordering: .relaxed) == 1)
    }

    @Test func `an answer that has aged is asked for again, and so is one for which there was no room`() async throws {
        for (kept, capacity) in [(Duration.zero, 8), (.seconds(3600), 0)] {
            let answerer = try Answerer(permits: 1)
            let lookup = answerer.lookup(kept: kept, capacity: capacity)
            for _ in 1...3 { _ = try await lookup.addresses(of: "known.example", within: .seconds(60)) }
            #expect(answerer.asked.load(ordering: .relaxed) == 3)
        }
    }

    @Test func `a name without addresses is unknown`() async throws {
        let lookup = try Answerer(permits: 1).lookup()
        await #expect(throws: NameLookup.Failure.unknownName) {
            try await lookup.addresses(of: "unknown.example", within: .seconds(60))
        }
    }

    @Test func `nobody waits longer than the limit, nor asks again meanwhile`() async throws {
        let answerer = try Answerer(permits: 0)
        let lookup = answerer.lookup(kept: .zero)
        for _ in 1...2 {
            await #expect(throws: NameLookup.Failure.timeout) {
                try await lookup.addresses(of: "known.example", within: .milliseconds(10))
            }
        }
        #expect(answerer.asked.load(ordering: .relaxed) <= 1)
        answerer.permits.signal()
        _ = try await lookup.addresses(of: "known.example", within: .seconds(60))
    }

    @Test func `a cancelled wait ends`() async throws {
        let answerer = try Answerer(permits: 0)
        let lookup = answerer.lookup()
        let waiting = Task { try await lookup.addresses(of: "known.example", within: .seconds(3600)) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        answerer.permits.signal()
    }

    @Test func `the system's resolver tells all addresses`() throws {
        let loopback = try [#require(IPAddress("127.0.0.1")), #require(IPAddress("::1"))]
        let addresses = NameLookup.system("localhost")
        #expect(!addresses.isEmpty && addresses.allSatisfy(loopback.contains))
        #expect(NameLookup.system("nowhere.invalid").isEmpty)
    }
}
