import Testing
import WaterQuality

/// Newer values in the text of an alert that is still on its way.
@Suite struct ReplacedTextTests {
    private static func alarm(
        _ value: Float, limit: Float, of time: LimitPeriod.Time? = nil, isCritical: Bool = false,
        isUnstable: Bool = false,
        isAfterWork: Bool = false
    ) -> RangeContent {
        RangeContent(
            parameter: .temperature, side: .high, value: value, worst: value, limit: limit, isCritical: isCritical,
            isUnstable: isUnstable, isAfterWork: isAfterWork, limitTime: time)
    }

    private static func replaced(
        _ alarm: RangeContent, by newer: RangeContent, ofSameEpisode: Bool = true
    ) -> RangeContent? {
        var content = Alert.Content.range(alarm)
        content.replaceText(by: .range(newer), ofSameEpisode: ofSameEpisode)
        return content.range
    }

    @Test func theLimitIsThatOfTheNewerValue() throws {
        let newer = Self.alarm(26, limit: 22, of: .hours)
        #expect(Self.replaced(Self.alarm(25, limit: 24), by: newer) == newer)
    }

    @Test func aPlainAlarmGoesOnToNameThePlainLimit() throws {
        let found = try #require(
            Self.replaced(Self.alarm(25, limit: 24), by: Self.alarm(31, limit: 30, isCritical: true)))
        #expect(found.value == 31 && found.limit == 24 && !found.isCritical)
    }

    @Test func thatItIsUnstableStays() throws {
        let found = try #require(
            Self.replaced(Self.alarm(25, limit: 24, isUnstable: true), by: Self.alarm(26, limit: 24)))
        #expect(found.value == 26 && found.isUnstable)
    }

    @Test func whatGoesOnAfterWorkIsSaidOfItsEpisodeAlone() {
        func said(was: Bool, isNow: Bool, ofSameEpisode: Bool) -> Bool? {
            Self.replaced(
                Self.alarm(25, limit: 24, isAfterWork: was), by: Self.alarm(26, limit: 24, isAfterWork: isNow),
                ofSameEpisode: ofSameEpisode)?.isAfterWork
        }
        #expect(said(was: true, isNow: false, ofSameEpisode: true) == true)
        #expect(said(was: false, isNow: true, ofSameEpisode: true) == true)
        #expect(said(was: false, isNow: false, ofSameEpisode: true) == false)
        #expect(said(was: true, isNow: false, ofSameEpisode: false) == false)
        #expect(said(was: false, isNow: true, ofSameEpisode: false) == true)
    }
}
