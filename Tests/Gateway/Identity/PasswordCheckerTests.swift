import Foundation
import Secrets
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite struct PasswordCheckerTests {
    @Test func `derives the hash of the right password alone, and says whether its costs are outdated`() async throws {
        let checker = PasswordChecker(threads: 2, cost: .quick)
        let hash = try await checker.hash("correct horse").description
        let salt = try #require(PasswordSalt(stored: String(hash[...(hash.lastIndex(of: "$") ?? hash.startIndex)])))
        let right = try await checker.derive("correct horse", by: salt)
        #expect(right.hash == hash && !right.isOutdated)
        #expect(try await checker.derive("another horse", by: salt).hash != hash)
        #expect(try await checker.derive("correct horse", by: nil).hash != hash)
        let strict = PasswordChecker(threads: 1)
        let outdated = try await strict.derive("correct horse", by: salt)
        #expect(outdated.hash == hash && outdated.isOutdated)
    }

    @Test func `no more at once than threads, no more waiting than places, and familiar clients first`() async throws {
        let checker = PasswordChecker(threads: 1, queue: 8, cost: .quick)
        let work = HeldWork()
        try await withThrowingTaskGroup { group in
            group.addTask { try await checker.run(.stranger) { work.run("first") } }
            try await awaitFact("one runs") { work.running == 1 ? true : nil }
            // Strangers have six of the eight places.
            for number in 0..<6 {
                group.addTask { try await checker.run(.stranger) { work.run("stranger") } }
                try await awaitFact("strangers wait") { checker.waiting == number + 1 ? true : nil }
            }
            await #expect(throws: PasswordChecker.Busy.self) { try await checker.run(.stranger) {} }
            for number in 0..<2 {
                group.addTask { try await checker.run(.familiar) { work.run("familiar") } }
                try await awaitFact("familiar clients wait") { checker.waiting == number + 7 ? true : nil }
            }
            await #expect(throws: PasswordChecker.Busy.self) { try await checker.run(.familiar) {} }
            work.release(9)
            try await group.waitForAll()
        }
        #expect(work.most == 1)
        #expect(work.ended == ["first", "familiar", "familiar"] + Array(repeating: "stranger", count: 6))
        // The thread is free again.
        #expect(try await checker.run(.stranger) { true })
    }

    @Test func `as many run at once as there are threads`() async throws {
        let checker = PasswordChecker(threads: 3, cost: .quick)
        let work = HeldWork()
        try await withThrowingTaskGroup { group in
            for _ in 0..<5 { group.addTask { try await checker.run(.stranger) { work.run("any") } } }
            try await awaitFact("three run and two wait") { work.running == 3 && checker.waiting == 2 ? true : nil }
            work.release(5)
            try await group.waitForAll()
        }
        #expect(work.ended.count == 5)
    }

    @Test func `a thread is free again after a failure`() async throws {
        struct Failure: Error {}
        let checker = PasswordChecker(threads: 1, queue: 0, cost: .quick)
        for _ in 0..<3 {
            await #expect(throws: Failure.self) { try await checker.run(.stranger) { throw Failure() } }
        }
        #expect(try await checker.run(.stranger) { true })
    }
}

/// Work that holds its thread until it is released.
private final class HeldWork: Sendable {
    private struct State {
        var running = 0
        var most = 0
        var ended: [String] = []
    }

    private let state = Mutex(State())
    private let gate = DispatchSemaphore(value: 0)

    var running: Int { state.withLock(\.running) }
    var most: Int { state.withLock(\.most) }
    var ended: [String] { state.withLock(\.ended) }

    func run(_ name: String) {
        state.withLock {
            $0.running += 1
            $0.most = max($0.most, $0.running)
        }
        gate.wait()
        state.withLock {
            $0.ended.append(name)
            $0.running -= 1
        }
    }

    func release(_ count: Int) {
        for _ in 0..<count { gate.signal() }
    }
}
