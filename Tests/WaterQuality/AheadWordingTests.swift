import Instants
import Testing
import Words

@testable import WaterQuality

/// The texts about a limit that will be reached.
@Suite struct AheadWordingTests {
    private func notice(
        _ side: Side? = .low, _ parameter: Parameter = .dissolvedOxygen, value: Float = 6.8, limit: Float = 6,
        unit: Unit? = nil, hour: Int = 15, minute: Int = 10
    ) -> Notice {
        func time(_ hour: Int, _ minute: Int) -> Timestamp {
            Timestamp(unixSeconds: Int64(1_777_636_800 + (hour - 12) * 3_600 + minute * 60))
        }
        let outlook = side.map {
            AheadContent.Outlook(side: $0, value: value, limit: limit, expectedAt: time(hour, minute))
        }
        return Notice(
            deviceName: "Reef", .alarm, .ahead(AheadContent(parameter: parameter, outlook: outlook)),
            since: time(13, 5).civilTime(), at: time(14, 40).civilTime(), now: time(14, 41).civilTime(),
            expected: outlook?.expectedAt.civilTime(), unit: unit)
    }

    private func text(_ notice: Notice, _ purpose: Alert.Purpose = .alarm, _ language: Language = .en) -> String {
        var notice = notice
        notice.purpose = purpose
        let message = notice.message(in: language)
        return "\(message.title) | \(message.body)"
    }

    @Test func anotherDayIsNamed() {
        let tomorrow = notice(hour: 25, minute: 20)
        #expect(text(tomorrow).contains("by 2 May, 01:20."))
        #expect(text(tomorrow, .alarm, Language(locale: "es")).contains("el 2 de mayo a la 1:20"))
        #expect(text(tomorrow, .alarm, Language(locale: "ja")).contains("5月2日1:20"))
        #expect(text(tomorrow, .alarm, Language(locale: "de")).contains("2. Mai, 01:20 Uhr"))
    }

    @Test func itIsToldInThePersonsUnit() {
        let told = text(notice(.high, .temperature, value: 23.1, limit: 24, unit: .fahrenheit))
        #expect(told.contains("above 75.2 °F by") && told.hasSuffix("at 73.6 °F now."), "\(told)")
    }

    @Test func anExplanationNamesIt() {
        var range = PersonalRange(parameter: .temperature, unit: .celsius, minimum: nil, maximum: Steps(240))
        range.ahead = .seconds(7_200)
        func text(_ what: ExplainedStep.What, _ language: Language = .en) -> String {
            ExplainedStep(
                what, what == .heading ? .outOfRange : .none, at: Timestamp(unixSeconds: Int64(0)), range: range
            )
            .text(of: .temperature, in: .celsius, language) { $0.civilTime() }
        }
        #expect(text(.limits).hasSuffix("You hear 2 h ahead that a limit will be reached."))
        #expect(text(.limits, Language(locale: "ja")).contains("2時間"))
        #expect(
            text(.heading)
                == "It was heading for your limit. No alert of that: you had been told that it is outside your limits.")
        #expect(Set(Language.allCases.map { text(.turned, $0) }).count == Language.allCases.count)
    }
}
