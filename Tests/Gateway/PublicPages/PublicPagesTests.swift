import Instants
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Pages that were read lately are read once, whoever asks.
@Suite struct PublicPagesTests {
    private static let page = PublicPage(title: "Pond", days: 1, tanks: [], readAt: Timestamp(microseconds: 1))

    /// Counts how often each page is read.
    private final class Reads: Sendable {
        private let counts = Mutex<[[UInt8]: Int]>([:])
        func count(_ hash: [UInt8]) -> Int { counts.withLock { $0[hash] ?? 0 } }

        func read(_ hash: [UInt8], _ page: PublicPage? = page) -> PublicPage? {
            counts.withLock { $0[hash, default: 0] += 1 }
            return page
        }
    }

    private static func clock(
        _ seconds: Int, after start: ContinuousClock.Instant
    ) -> @Sendable () -> ContinuousClock.Instant {
        { start + .seconds(seconds) }
    }

    @Test func `a crowd reads a page once`() async throws {
        let (pages, reads) = (PublicPages(), Reads())
        try await withThrowingTaskGroup(of: PublicPage?.self) { group in
            for _ in 0..<200 {
                group.addTask { try await pages.page([1]) { reads.read([1]) } }
            }
            for try await page in group { #expect(page?.title == "Pond") }
        }
        #expect(reads.count([1]) == 1)
    }

    @Test func `a page is read again after its time, and nothing is kept of what is not there`() async throws {
        let (pages, reads) = (PublicPages(), Reads())
        let start = ContinuousClock.now
        for seconds in [0, 29, 30, 31, 59] {
            _ = try await pages.page([1], now: Self.clock(seconds, after: start)) { reads.read([1]) }
        }
        #expect(reads.count([1]) == 2)
        for _ in 0..<3 { #expect(try await pages.page([2]) { reads.read([2], nil) } == nil) }
        #expect(reads.count([2]) == 3, "somebody may publish it")
    }

    @Test func `as many are kept as there is room for`() async throws {
        var bounds = PublicPages.Bounds()
        bounds.kept = 2
        let (pages, reads) = (PublicPages(bounds), Reads())
        let start = ContinuousClock.now
        for (seconds, hash) in [(0, [1]), (1, [2]), (2, [3]), (3, [2]), (3, [3]), (4, [1])] as [(Int, [UInt8])] {
            _ = try await pages.page(hash, now: Self.clock(seconds, after: start)) { reads.read(hash) }
        }
        #expect(reads.count([1]) == 2 && reads.count([2]) == 1 && reads.count([3]) == 1)
    }

    @Test func `old values are in no state, and graphs share their points`() {
        #expect(PublicPage.state(nil, hasLimits: true, age: .seconds(900)) == .inRange)
        #expect(PublicPage.state(.high, hasLimits: true, age: .zero) == .high)
        #expect(PublicPage.state(nil, hasLimits: true, age: .seconds(901)) == nil)
        #expect(PublicPage.state(.low, hasLimits: false, age: .zero) == nil)
        #expect(PublicPage.points(besides: 1) == 300 && PublicPage.points(besides: 16) == 300)
        #expect(PublicPage.points(besides: PublicPage.mostGraphs) == 120)
    }
}
