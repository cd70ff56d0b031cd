import Testing

@testable import PublicHTTP

@Suite struct RateLimiterTests {
    @Test func aBucketHoldsItsQuotaAndFillsUpEvenly() {
        let limiter = RateLimiter<Int>(RatePolicy("test", quota: 3, window: .seconds(60)))
        let start = ContinuousClock.now
        #expect((0..<3).map { _ in limiter.take(1, at: start).remaining } == [2, 1, 0])
        let refused = limiter.take(1, at: start)
        #expect(!refused.isAllowed)
        #expect(refused.wait == .seconds(20))
        #expect(limiter.take(2, at: start).isAllowed)
        #expect(!limiter.take(1, at: start + .seconds(19)).isAllowed)
        #expect(limiter.take(1, at: start + .seconds(20)).isAllowed)
        #expect(!limiter.take(1, at: start + .seconds(20)).isAllowed)
        #expect(limiter.take(1, at: start + .seconds(300)).remaining == 2)
    }

    @Test func itsMemoryIsBoundedAndAnEmptyBucketIsNotForgottenAtOnce() {
        let limiter = RateLimiter<Int>(RatePolicy("test", quota: 1), most: 20)
        let start = ContinuousClock.now
        #expect(limiter.take(-1, at: start).isAllowed)
        for key in 0..<10 { _ = limiter.take(key, at: start) }
        #expect(!limiter.take(-1, at: start).isAllowed)
        for key in 0..<1000 { _ = limiter.take(key, at: start) }
        #expect(limiter.keyCount <= 20)
    }
}
