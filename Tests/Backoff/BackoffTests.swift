import Backoff
import TestSupport
import Testing

@Suite struct BackoffTests {
    private let base = Duration.milliseconds(100)
    private let cap = Duration.seconds(10)

    @Test func boundsDoubleUpToTheCap() {
        let backoff = Backoff(base: base, cap: cap)
        let bounds = (0..<9).map { backoff.bound(afterFailures: $0) }
        #expect(bounds == [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000].map { .milliseconds($0) })
        #expect(backoff.bound(afterFailures: .max) == cap)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func delaysStayWithinTheirBounds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var backoff = Backoff(base: base, cap: cap)
        for failure in 0..<20 {
            let bound = backoff.bound(afterFailures: failure)
            let delay = backoff.next(using: &generator)
            #expect(delay >= .zero && delay <= bound)
        }
        #expect(backoff.failures == 20)
    }

    @Test func jitterSpreadsOverTheWholeBound() {
        var generator = SeededGenerator(seed: 1)
        let delays = (0..<1_000).map { _ in
            var backoff = Backoff(base: base, cap: cap)
            return backoff.next(using: &generator)
        }
        #expect(delays.count { $0 < base / 4 } > 150)
        #expect(delays.count { $0 > base * 3 / 4 } > 150)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func halfOfTheBoundCanBeMadeCertain(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var backoff = Backoff(base: base, cap: .seconds(5), jitter: .half)
        for bound in [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000].map({ Duration.milliseconds($0) }) {
            let delay = backoff.next(using: &generator)
            #expect(delay >= bound / 2 && delay <= bound)
        }
    }

    @Test func aSuccessStartsOver() {
        var backoff = Backoff(base: base, cap: cap)
        for _ in 0..<10 { _ = backoff.next() }
        backoff.reset()
        #expect(backoff.failures == 0)
        #expect(backoff.next() <= base)
    }
}
