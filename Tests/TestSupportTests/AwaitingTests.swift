import Synchronization
import Testing

@testable import TestSupport

/// Waiting ends with the awaited fact, or fails when there is no progress.
@Suite struct AwaitingTests {
    @Test func whatMovesIsAwaitedForLongerThanTheLimit() async throws {
        // With a time limit of zero, only the number of looks without change ends it.
        let patience = Patience<Int>(.zero, leastLooks: 3)
        for news in 1...100 {
            for _ in 1...3 { patience.look(news) }
            #expect(!patience.hasSeenEnough)
        }
        patience.look(100)
        #expect(patience.hasSeenEnough)
    }

    @Test func aBusyMachineThatSeldomLooksIsGivenTime() {
        let patience = Patience<Bool>(.nanoseconds(1), leastLooks: 500)
        for _ in 1...500 { patience.look(false) }
        #expect(!patience.hasSeenEnough, "the first look is no repetition")
        patience.look(false)
        #expect(patience.hasSeenEnough)
    }

    @Test func newsWithoutEndEndAtLast() async throws {
        let count = Mutex(0)
        let error = try await #require(throws: TestSupportError.self) {
            try await awaitAnswer("a negative number", within: .milliseconds(20)) {
                count.withLock { count in
                    count += 1
                    return count
                }
            } where: {
                $0 < 0
            }
        }
        #expect("\(error)".contains("The last answer: "))
    }

    @Test func nothingNewEndsADeadline() async throws {
        let error = try await #require(throws: TestSupportError.self) {
            try await withDeadline(.milliseconds(1), "never") {
                try await Task.sleep(for: .seconds(3_600))
            } detail: {
                "and why"
            }
        }
        #expect("\(error)".contains("never did not come"))
        #expect("\(error)".contains("and why"))
    }
}
