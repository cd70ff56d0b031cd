import Instants
import Testing

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

    @Test func itIsToldInEachLanguage() {
        let rising = notice(.high, .temperature, value: 23.1, limit: 24)
        #expect(
            text(notice())
                == "Reef: dissolved oxygen is falling | At this rate it will be below 6.0 ppm by 15:10. It is at 6.8 ppm now."
        )
        #expect(
            text(rising)
                == "Reef: temperature is rising | At this rate it will be above 24.0 °C by 15:10. It is at 23.1 °C now."
        )
        #expect(
            text(notice(nil), .recovery)
                == "Reef: dissolved oxygen not expected to reach your limit soon | It has turned or slowed down since 14:40. It had been heading for your limit since 13:05."
        )
        #expect(
            text(notice(), .alarm, .es)
                == "Reef: el oxígeno disuelto está bajando | A este ritmo, hacia las 15:10 estará por debajo de 6,0 ppm. Ahora está en 6,8 ppm."
        )
        #expect(
            text(rising, .alarm, .es)
                == "Reef: la temperatura está subiendo | A este ritmo, hacia las 15:10 estará por encima de 24,0 °C. Ahora está en 23,1 °C."
        )
        #expect(
            text(notice(nil), .recovery, .es)
                == "Reef: el oxígeno disuelto ya no alcanzaría pronto tu límite | Cambió de rumbo o va más despacio desde las 14:40. Iba hacia tu límite desde las 13:05."
        )
        #expect(
            text(notice(), .alarm, .ja)
                == "Reef：溶存酸素量が下がっています | このままでは15:10頃に6.0 ppmを下回ります。現在の測定値は6.8 ppmです。")
        #expect(
            text(rising, .alarm, .ja)
                == "Reef：水温が上がっています | このままでは15:10頃に24.0°Cを上回ります。現在の測定値は23.1°Cです。")
        #expect(
            text(notice(nil), .recovery, .ja)
                == "Reef：溶存酸素量はすぐには範囲を外れない見込みです | 14:40に向きが変わったか、変化がゆるやかになりました。13:05から範囲の外に向かっていました。")
    }

    @Test func anotherDayIsNamed() {
        let tomorrow = notice(hour: 25, minute: 20)
        #expect(text(tomorrow).contains("by 2 May, 01:20."))
        #expect(text(tomorrow, .alarm, .es).contains("hacia el 2 de mayo a la 1:20 estará"))
        #expect(text(tomorrow, .alarm, .ja).contains("5月2日1:20頃に"))
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
        #expect(text(.limits, .es).hasSuffix("Se te avisa 2 h antes de alcanzar un límite."))
        #expect(text(.limits, .ja).hasSuffix("範囲を外れる見込みの2時間前に通知します。"))
        #expect(
            text(.heading)
                == "It was heading for your limit. No alert of that: you had been told that it is outside your limits.")
        #expect(Set(Language.allCases.map { text(.turned, $0) }).count == 3)
    }
}
