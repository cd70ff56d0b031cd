import TestSupport
import Testing

@testable import PublicHTTP

@Suite struct GuessBookTests {
    private static let rates = GuessRates(
        pair: BucketRate(burst: 3, interval: .seconds(60)), subject: BucketRate(burst: 5, interval: .seconds(600)),
        origin: BucketRate(burst: 8, interval: .seconds(20)))

    private var book = GuessBook(rates)

    private func guess(_ subject: String, _ origin: String?, familiar: String? = nil) -> Guess {
        Guess(subject: subject, origin: origin, familiar: familiar)
    }

    @Test mutating func `a burst, and then one an interval`() {
        let one = guess("ada", "a")
        for _ in 0..<3 { #expect(book.admit(one, at: .seconds(100)) == nil) }
        #expect(book.admit(one, at: .seconds(100)) == .seconds(60))
        #expect(book.admit(one, at: .seconds(159)) == .seconds(1))
        #expect(book.admit(one, at: .seconds(160)) == nil)
        #expect(book.admit(one, at: .seconds(160)) == .seconds(60))
    }

    @Test mutating func `a refused guess costs nothing`() {
        for _ in 0..<3 { _ = book.admit(guess("ada", "a"), at: .zero) }
        for _ in 0..<1000 { #expect(book.admit(guess("ada", "a"), at: .zero) != nil) }
        // The subject still has two guesses for strangers, the origin five.
        #expect(book.admit(guess("ada", "b"), at: .zero) == nil)
        #expect(book.admit(guess("ada", "b"), at: .zero) == nil)
        #expect(book.admit(guess("eve", "a"), at: .zero) == nil)
        #expect(book.admit(guess("ada", "b"), at: .zero) != nil)
    }

    @Test mutating func `a stranger never locks the owner out`() {
        for number in 0..<10_000 { _ = book.admit(guess("ada", "stranger\(number)"), at: .zero) }
        #expect(book.admit(guess("ada", "a new place"), at: .zero) != nil)
        // From her own telephone, even at an address that she shares with the strangers.
        let own = guess("ada", "stranger1", familiar: "her telephone")
        for _ in 0..<100 {
            #expect(book.admit(own, at: .zero) == nil)
            book.succeed(own)
        }
    }

    /// Behind a shared address, one client that guesses at many accounts does not stop the others.
    @Test mutating func `guesses from no origin have no bucket of an origin`() {
        for number in 0..<100 { #expect(book.admit(guess("person\(number)", nil), at: .zero) == nil) }
        #expect(book.admit(guess("ada", nil), at: .zero) == nil)
        for _ in 0..<8 { _ = book.admit(guess("person\(Int.random(in: 1000...9_999_999))", "a"), at: .zero) }
        #expect(book.admit(guess("ada", "a"), at: .zero) != nil, "one of its own has")
    }

    @Test mutating func `a familiar client has bounds too`() {
        let own = guess("ada", "a", familiar: "her telephone")
        for _ in 0..<3 { #expect(book.admit(own, at: .zero) == nil) }
        #expect(book.admit(own, at: .zero) == .seconds(60))
        // The client is familiar with this account only, and so is its bucket.
        #expect(book.admit(guess("eve", "a", familiar: "her telephone"), at: .zero) == nil)
    }

    @Test mutating func `a right password costs nothing`() {
        for number in 0..<1000 {
            let guess = guess("person\(number)", "office")
            #expect(book.admit(guess, at: .zero) == nil)
            book.succeed(guess)
        }
    }

    @Test mutating func `one place guesses at few people`() {
        let admitted = (0..<100).count { book.admit(guess("person\($0)", "a"), at: .zero) == nil }
        #expect(admitted == 8)
    }

    @Test func `the memory is bounded, and a flood brings no emptied bucket back`() {
        var rates = Self.rates
        rates.capacity = 100
        var book = GuessBook(rates)
        for _ in 0..<3 { _ = book.admit(guess("ada", "a"), at: .zero) }
        for number in 0..<10_000 { _ = book.admit(guess("s\(number)", "o\(number)"), at: .zero) }
        #expect(book.count <= 400)
        #expect(book.admit(guess("ada", "a"), at: .zero) == .seconds(60))
        // The flood is over: new keys have room again.
        for number in 0..<50 { #expect(book.admit(guess("n\(number)", "n\(number)"), at: .seconds(6000)) == nil) }
    }

    /// In any sequence, nobody gets more than a burst and one an interval.
    @Test(arguments: 0..<20)
    func `no sequence yields more than the rate`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var book = GuessBook(Self.rates)
        var now = Duration.zero
        var admitted: [String: [Duration]] = [:]
        for _ in 0..<2000 {
            now += .seconds(Int.random(in: 0...30, using: &random))
            let subject = "s\(Int.random(in: 0..<4, using: &random))"
            let origin = "o\(Int.random(in: 0..<4, using: &random))"
            if book.admit(guess(subject, origin), at: now) == nil {
                for key in ["\(subject) \(origin)", subject, origin] { admitted[key, default: []].append(now) }
            }
        }
        for (key, times) in admitted {
            let rate = key.contains(" ") ? Self.rates.pair : key.hasPrefix("s") ? Self.rates.subject : Self.rates.origin
            for (index, first) in times.enumerated() {
                for (count, last) in times[index...].enumerated() {
                    #expect(count < rate.burst || last - first >= rate.interval * (count + 1 - rate.burst), "\(key)")
                }
            }
        }
    }

    @Test func `a limit follows its clock`() {
        let clock = ManualClock()
        let limit = GuessLimit(Self.rates, clock: clock)
        for _ in 0..<3 { #expect(limit.admit(guess("ada", "a")) == nil) }
        #expect(limit.admit(guess("ada", "a")) == .seconds(60))
        clock.advance(by: .seconds(60))
        #expect(limit.admit(guess("ada", "a")) == nil)
    }
}
