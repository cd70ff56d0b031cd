import Testing

@testable import WaterQuality

/// What a parameter changed by between two windows.
@Suite struct PlaceChangeTests {
    /// A day of hours whose values follow the sun around a mean.
    private static func day(_ mean: Double, swing: Double = 0, hours: Range<Int> = 0..<24) -> [ChangePart] {
        hours.map { hour in
            ChangePart(hour: Int16(hour), mean: mean + swing * (hour < 12 ? -1 : 1))
        }
    }

    @Test func `a change is that of the medians`() throws {
        let change = try #require(
            PlaceChange(of: .temperature, before: Self.day(20), after: Self.day(21.5), wished: 24))
        #expect(change.before == 20 && change.after == 21.5 && change.difference == 1.5 && change.noise == 0)
    }

    /// A window that has afternoons alone would tell a warming that is none.
    @Test func `hours are compared with the same hours of the day`() throws {
        let whole = Self.day(20, swing: 3)
        let afternoons = Self.day(20, swing: 3, hours: 12..<24)
        let change = try #require(PlaceChange(of: .temperature, before: whole, after: afternoons, wished: 24))
        #expect(change.difference == 0 && change.before == 23)
        #expect(
            PlaceChange(of: .temperature, before: Self.day(20, hours: 0..<12), after: afternoons, wished: 24) == nil)
    }

    @Test(arguments: [
        (24, 5, false), (24, 6, true), (1, 1, true), (2, 1, false), (2, 2, true), (31, 7, false), (31, 8, true),
    ])
    func `a quarter of a window has to be there`(wished: Int, there: Int, isEnough: Bool) {
        let full = (0..<wished).map { ChangePart(hour: wished <= 24 ? Int16($0) : 0, mean: 7) }
        let part = Array(full.prefix(there))
        #expect((PlaceChange(of: .ph, before: full, after: part, wished: wished) != nil) == isEnough)
        #expect((PlaceChange(of: .ph, before: part, after: full, wished: wished) != nil) == isEnough)
    }

    /// The daily wave is no noise, for both days have it; days that differ from each other are.
    @Test func `noise is what hours changed differently, and how days differ`() throws {
        let wave = try #require(
            PlaceChange(of: .temperature, before: Self.day(20, swing: 4), after: Self.day(21, swing: 4), wished: 24))
        #expect(wave.noise == 0)
        let days = [18, 19, 20, 21, 22].map { ChangePart(hour: 0, mean: $0) }
        let calm = (0..<5).map { _ in ChangePart(hour: 0, mean: 21) }
        let change = try #require(PlaceChange(of: .temperature, before: days, after: calm, wished: 5))
        #expect(change.difference == 1)
        #expect(abs(change.noise - 2 * 2.0.squareRoot() / 5.0.squareRoot()) < 1e-9)
        #expect(ChangeScale(of: .temperature).class(of: change.difference, noise: change.noise) == .same)
    }

    @Test func `a change is the difference of the numbers that are shown`() throws {
        let change = try #require(
            PlaceChange(
                of: .dissolvedOxygen, before: [ChangePart(hour: 0, mean: 8.66)],
                after: [ChangePart(hour: 0, mean: 6.54)],
                wished: 1))
        #expect(change.before == 8.7 && change.after == 6.5)
        let byHand = PlaceChange(of: .ph, before: 7.4499998, after: 7.4)
        #expect(byHand.before == 7.5 && byHand.after == 7.4)
    }

    /// Whatever the order of the hours, and whichever window is first.
    @Test func `courses at random are symmetric`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let before = Self.day(20).map {
                ChangePart(hour: $0.hour, mean: $0.mean + .random(in: -3...3, using: &random))
            }
            let after = before.shuffled().map {
                ChangePart(hour: $0.hour, mean: $0.mean + .random(in: -3...3, using: &random))
            }
            let there = PlaceChange(of: .temperature, before: before, after: after, wished: 24)
            let back = PlaceChange(of: .temperature, before: after.shuffled(), after: before, wished: 24)
            #expect(there?.before == back?.after && there?.after == back?.before)
            #expect(abs((there?.noise ?? 0) - (back?.noise ?? 1)) < 1e-9)
        }
    }
}
