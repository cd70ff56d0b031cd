import Foundation
import Secrets
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite struct PasswordCheckerTests {
    @Test func `says right, wrong and outdated`() async throws {
        let checker = PasswordChecker(threads: 2, cost: .quick)
        let hash = try await checker.hash("correct horse")
        #expect(try await checker.check("correct horse", against: hash) == .right(outdated: false))
        #expect(try await checker.check("another horse", against: hash) == .wrong)
        #expect(try await checker.check("correct horse", against: nil) == .wrong)
        let strict = PasswordChecker(threads: 1)
        #expect(try await strict.check("correct horse", against: hash) == .right(outdated: true))
    }

    @Test func `no more at once than threads, no more waiting than places, and familiar clients first`() async throws {
        let checker = PasswordChecker(threads: 1, queue: 8, cost: .quick)
        let gate = DispatchSemaphore(value: 0)
        let running = Mutex((now: 0, most: 0))
        let order = Mutex<[String]>([])
        @Sendable func work(_ name: String) {
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            gate.wait()
            order.withLock { $0.append(name) }
            running.withLock { $0.now -= 1 }
        }
        try await withThrowingTaskGroup { group in
            group.addTask { try await checker.run(.stranger) { work("first") } }
            try await awaitFact("one runs") { running.withLock { $0.now == 1 } ? true : nil }
            // Six of the eight places are for strangers.
            for number in 0..<6 {
                group.addTask { try await checker.run(.stranger) { work("stranger") } }
                try await awaitFact("strangers wait") { checker.waiting == number + 1 ? true : nil }
            }
            await #expect(throws: PasswordChecker.Busy.self) { try await checker.run(.stranger) {} }
            for number in 0..<2 {
                group.addTask { try await checker.run(.familiar) { work("familiar") } }
                try await awaitFact("familiar clients wait") { checker.waiting == number + 7 ? true : nil }
            }
            await #expect(throws: PasswordChecker.Busy.self) { try await checker.run(.familiar) {} }
            for number in 0..<9 {
                gate.signal()
                try await awaitFact("one has ended") { order.withLock { $0.count == number + 1 } ? true : nil }
            }
            try await group.waitForAll()
        }
        #expect(running.withLock(\.most) == 1)
        let expected = ["first", "familiar", "familiar"] + Array(repeating: "stranger", count: 6)
        #expect(order.withLock { $0 } == expected)
        // The thread is free again.
        #expect(try await checker.run(.stranger) { true })
    }

    @Test func `as many run at once as there are threads`() async throws {
        let checker = PasswordChecker(threads: 3, cost: .quick)
        let gate = DispatchSemaphore(value: 0)
        let running = Mutex(0)
        try await withThrowingTaskGroup { group in
            for _ in 0..<5 {
                group.addTask {
                    try await checker.run(.stranger) {
                        running.withLock { $0 += 1 }
                        gate.wait()
                    }
                }
            }
            try await awaitFact("three run and two wait") {
                running.withLock { $0 == 3 } && checker.waiting == 2 ? true : nil
            }
            for _ in 0..<5 { gate.signal() }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0 } == 5)
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
