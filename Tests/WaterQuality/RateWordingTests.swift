import Instants
import Testing
import Words

@testable import WaterQuality

/// The texts about a value that changes fast.
@Suite struct RateWordingTests {
    private func notice(
        _ parameter: Parameter = .temperature, by: Float? = 3.2, seconds: Int64 = 2_390, to value: Float = 27.4,
        limit: Float = 3, unit: Unit? = nil
    ) -> Notice {
        func local(_ hour: Int, _ minute: Int) -> CivilTime {
            Timestamp(unixSeconds: Int64(1_777_636_800 + (hour - 12) * 3_600 + minute * 60)).civilTime()
        }
        let change = by.map { RateContent.Change(by: $0, within: .seconds(seconds), value: value, limit: limit) }
        return Notice(
            deviceName: "Reef", .alarm, .rate(RateContent(parameter: parameter, change: change)), since: local(13, 5),
            at: local(14, 40), now: local(14, 41), unit: unit)
    }

    private func text(_ notice: Notice, _ purpose: Alert.Purpose = .alarm, _ language: Language = .en) -> String {
        var notice = notice
        notice.purpose = purpose
        let message = notice.message(in: language)
        return "\(message.title) | \(message.body)"
    }

    @Test func aDifferenceIsToldWithoutTheOffset() {
        let text = text(notice(unit: .fahrenheit))
        #expect(text.contains("It rose by 5.8 °F within 40 min, to 81.3 °F. Your limit is 5.4 °F in an hour."))
        #expect(self.text(notice(unit: .kelvin)).contains("by 3.2 K within 40 min, to 300.6 K."))
        let change = RateContent.Change(by: -3.2, within: .seconds(2_390), value: 21.4, limit: 3)
        let told = RateContent(parameter: .temperature, change: change).told(in: .fahrenheit)
        #expect(told?.values.number(-3.2) == -5.8)
    }

    /// A thousandth of specific gravity is a different salinity at each point of the scale.
    @Test func alongACurveItIsToldInTheCanonicalUnit() {
        let told = text(notice(.salinity, by: 2.1, to: 35, limit: 2, unit: .specificGravity))
        #expect(told.contains("It rose by 2.1 ppt within 40 min, to 35.0 ppt. Your limit is 2.0 ppt in an hour."))
    }

    @Test func aMinuteIsTheLeast() {
        #expect(text(notice(seconds: 20)).contains("within 1 min,"))
        #expect(text(notice(seconds: 90)).contains("within 2 min,"))
    }

    /// Two ppm of alkalinity are 0.11 dKH and one is 0.06: with one decimal, both would read 0.1.
    @Test func aCoarseUnitTellsTheChangeFromTheLimit() {
        let told = text(notice(.alkalinity, by: 2, to: 120, limit: 1, unit: .carbonateHardness))
        #expect(told.contains("by 0.11 dKH") && told.contains("limit is 0.06 dKH"), "\(told)")
    }

    @Test func anExplanationNamesIt() {
        var range = PersonalRange(parameter: .temperature, unit: .fahrenheit, minimum: nil, maximum: Steps(240))
        range.changePerHour = Steps(30)
        func text(_ what: ExplainedStep.What, _ language: Language = .en) -> String {
            ExplainedStep(
                what, what == .changing ? .outOfRange : .none, at: Timestamp(unixSeconds: Int64(0)), range: range
            )
            .text(of: .temperature, in: .fahrenheit, language) { $0.civilTime() }
        }
        #expect(text(.limits).hasSuffix("You hear of a change of more than 5.4 °F in an hour."))
        #expect(text(.limits, Language(locale: "es")).contains("5,4 °F"))
        #expect(
            text(.changing)
                == "It changed faster than your limit. No alert of that: you had been told that it is outside your limits."
        )
        #expect(Set(Language.allCases.map { text(.steady, $0) }).count == Language.allCases.count)
    }
}
