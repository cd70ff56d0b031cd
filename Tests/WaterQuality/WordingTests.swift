import Instants
import Testing
import Words

@testable import WaterQuality

@Suite struct WordingTests {
    static let now = CivilTime(year: 2026, month: 5, day: 4, hour: 15, minute: 20)

    /// - Parameters:
    ///   - day: Of its beginning, like the hour.
    func notice(
        _ purpose: Alert.Purpose, _ content: Alert.Content, unit: Unit? = nil, day: Int = 4, hour: Int = 9
    ) throws -> Notice {
        let now = try #require(Self.now)
        return Notice(
            deviceName: content == .test ? nil : "Reef", purpose, content,
            since: try #require(CivilTime(year: 2026, month: 5, day: day, hour: hour, minute: 5)), at: now, now: now,
            expected: CivilTime(year: 2026, month: 5, day: 5, hour: 1, minute: 10), unit: unit)
    }

    private func range(
        _ parameter: Parameter = .temperature, _ side: Side = .high, _ value: Float = 26.3, _ limit: Float = 24,
        worst: Float? = nil, checkProbe: Bool = false, isCritical: Bool = false, isUnstable: Bool = false,
        isAfterWork: Bool = false
    ) -> Alert.Content {
        .range(
            RangeContent(
                parameter: parameter, side: side, value: value, worst: worst ?? value, limit: limit,
                checkProbe: checkProbe, isCritical: isCritical, isUnstable: isUnstable,
                isAfterWork: isAfterWork))
    }

    private func silence(_ parameter: Parameter? = nil, isConnected: Bool = false) -> Alert.Content {
        .silence(SilenceContent(parameter: parameter, checkProbe: isConnected))
    }

    private func fault(_ parameter: Parameter, flatAt: Float? = nil) -> Alert.Content {
        .fault(FaultContent(parameter: parameter, flatAt: flatAt))
    }

    private func text(_ notices: [Notice], _ language: Language) -> String {
        notices.map { notice in
            let message = notice.message(in: language)
            return "\(message.title)\n  \(message.body)"
        }.joined(separator: "\n")
    }

    private func rate(by: Float?, to value: Float = 27.4) -> Alert.Content {
        let change = by.map { RateContent.Change(by: $0, within: .seconds(2_390), value: value, limit: 3) }
        return .rate(RateContent(parameter: .temperature, change: change))
    }

    private func ahead(_ side: Side?, _ parameter: Parameter, _ value: Float, _ limit: Float) -> Alert.Content {
        let outlook = side.map {
            AheadContent.Outlook(side: $0, value: value, limit: limit, expectedAt: Timestamp(unixSeconds: Int64(0)))
        }
        return .ahead(AheadContent(parameter: parameter, outlook: outlook))
    }

    private func notices() throws -> [Notice] {
        let critical = range(.temperature, .high, 31.2, 30, worst: 32, isCritical: true)
        let unstable = range(.dissolvedOxygen, .low, 5.9, 6, worst: 5.8, isUnstable: true)
        return [
            try notice(.alarm, range()),
            try notice(.alarm, range(), unit: .fahrenheit, day: 3),
            try notice(.alarm, range(.ph, .low, 7.2, 7.5), hour: 1),
            try notice(.alarm, range(.salinity, .high, 21.3, 7, checkProbe: true)),
            try notice(.reminder, range(.ammonia, .high, 0.27, 0.25, worst: 0.31)),
            try notice(.reminder, range(.dissolvedOxygen, .low, 5.5, 7, worst: 5.5)),
            try notice(.recovery, range(.alkalinity, .low, 62, 50), day: 3),
            try notice(.recovery, range(.silicate, .high, 0.1, 0.05)),
            try notice(.alarm, range(.dissolvedOxygen, .low, 2.1, 3, isCritical: true)),
            try notice(.reminder, critical, day: 3), try notice(.recovery, critical, day: 3),
            try notice(.alarm, range(.dissolvedOxygen, .low, 5.9, 6, isAfterWork: true)),
            try notice(.reminder, range(.temperature, .high, 31.2, 30, worst: 32, isCritical: true, isAfterWork: true)),
            try notice(.alarm, unstable), try notice(.reminder, unstable), try notice(.recovery, unstable),
            try notice(.alarm, silence()), try notice(.alarm, silence(isConnected: true), day: 3),
            try notice(.reminder, silence(), day: 3), try notice(.recovery, silence(), day: 3),
            try notice(.alarm, silence(.ph, isConnected: true)),
            try notice(.reminder, silence(.dissolvedOxygen, isConnected: true), day: 3),
            try notice(.alarm, silence(.temperature)), try notice(.recovery, silence(.temperature), day: 3),
            try notice(.alarm, fault(.ph)), try notice(.reminder, fault(.dissolvedOxygen), day: 3),
            try notice(.recovery, fault(.temperature), day: 3),
            try notice(.alarm, fault(.ph, flatAt: 7.2), day: 3),
            try notice(.reminder, fault(.dissolvedOxygen, flatAt: 8.1), day: 3),
            try notice(.recovery, fault(.temperature, flatAt: 24.3), unit: .fahrenheit, day: 3),
            try notice(.alarm, .fault(FaultContent(parameter: .ph, differsBy: 0.46)), day: 3),
            try notice(.alarm, .fault(FaultContent(parameter: .temperature, differsBy: -0.6)), unit: .fahrenheit),
            try notice(.reminder, .fault(FaultContent(parameter: .dissolvedOxygen, differsBy: 0.9)), day: 3),
            try notice(.alarm, rate(by: 3.2)), try notice(.reminder, rate(by: -3.2, to: 21.4)),
            try notice(.recovery, rate(by: nil)),
            try notice(.alarm, ahead(.low, .dissolvedOxygen, 6.8, 6)),
            try notice(.alarm, ahead(.high, .temperature, 23.1, 24)),
            try notice(.recovery, ahead(nil, .dissolvedOxygen, 0, 0)),
            // A kind of a newer version
            try notice(.alarm, .other(kind: "forecast", nil)),
            try notice(.recovery, .other(kind: "forecast", .known(.ph))),
            try notice(.ended, range()), try notice(.test, .test),
            try notice(.past, range()), try notice(.past, silence(), day: 3), try notice(.past, rate(by: nil)),
        ]
    }

    /// Every message in every language, for reading.
    @Test(arguments: Language.allCases) func `a message reads as its snapshot`(_ language: Language) throws {
        try Snapshot.expect(text(try notices(), language) + "\n", "messages", language)
    }

    /// A place whose value is missing stays as it is, and so does a key without a text.
    @Test(arguments: Language.allCases) func `no place is left without its value`(_ language: Language) throws {
        for parameter in Parameter.allCases {
            for side in [Side.low, .high] {
                for (isCritical, isUnstable) in [(false, false), (true, false), (false, true), (true, true)] {
                    let content = range(
                        parameter, side, 1, 2, worst: side == .low ? 0.5 : 3, checkProbe: true, isCritical: isCritical,
                        isUnstable: isUnstable, isAfterWork: !isUnstable && side == .low)
                    for purpose in [Alert.Purpose.alarm, .reminder, .recovery, .past] {
                        try complete(notice(purpose, content), language)
                    }
                }
            }
            for content in [
                silence(parameter), fault(parameter), fault(parameter, flatAt: 1),
                .fault(FaultContent(parameter: parameter, differsBy: 1)),
                .other(kind: "forecast", .known(parameter)),
            ] {
                for purpose in [Alert.Purpose.alarm, .reminder, .recovery, .past] {
                    try complete(notice(purpose, content), language)
                }
            }
        }
        for notice in try notices() { try complete(notice, language) }
    }

    private func complete(_ notice: Notice, _ language: Language) throws {
        let message = notice.message(in: language)
        for text in [message.title, message.body] {
            #expect(!text.contains("{") && text.firstMatch(of: #/(water|notice)\.[a-z]/#) == nil, "\(text)")
        }
    }

    /// The app's advice stands in the alert too.
    @Test(arguments: Language.allCases) func `an alert out of range says what to do`(_ language: Language) throws {
        let action = language.text("water.dissolved_oxygen_lowAction")
        let content = range(.dissolvedOxygen, .low, 5.5, 7)
        for purpose in [Alert.Purpose.alarm, .reminder] {
            #expect(try notice(purpose, content).message(in: language).body.hasSuffix(action))
        }
        #expect(try !notice(.recovery, content).message(in: language).body.contains(action))
    }

    @Test(arguments: [
        (Parameter.temperature, Float(25.611), Unit.fahrenheit, "78.1 °F"),
        (.temperature, -40, .fahrenheit, "-40.0 °F"),
        (.temperature, -0.04, .celsius, "0.0 °C"), (.temperature, -0.5, .celsius, "-0.5 °C"),
        (.ammonia, 0.004, .ppm, "0.00 ppm"), (.ammonia, 0.05, .ppm, "0.05 ppm"), (.hardness, 530, .ppm, "530 ppm"),
        (.ph, 8.45, .ph, "8.5"), (.ph, 8.3, .celsius, "8.3"), (.salinity, 1e30, .ppt, "100000.0 ppt"),
    ])
    func showsSensorPrecision(parameter: Parameter, value: Float, unit: Unit, text: String) {
        #expect(parameter.text(value, in: unit, .en) == text)
    }
}
