import Instants
import Store
import Testing
import WaterQuality

/// What an alert says, in the columns of its row.
@Suite struct AlertColumnsTests {
    private static let contents: [Alert.Content] = [
        .range(
            RangeContent(
                parameter: .ph, side: .low, value: 7.2, worst: 7.1, limit: 7.5, checkProbe: true, isCritical: true,
                isUnstable: true)),
        .range(RangeContent(parameter: .ph, side: .high, value: 8, worst: 9, limit: nil)),
        .silence(SilenceContent(parameter: nil, checkProbe: true)),
        .silence(SilenceContent(parameter: .ph, checkProbe: false)),
        .fault(FaultContent(parameter: .ph, flatAt: 7)), .fault(FaultContent(parameter: .ph)),
        .rate(
            RateContent(
                parameter: .temperature, change: .init(by: -3, within: .seconds(2_400), value: 21, limit: 2))),
        .rate(RateContent(parameter: .temperature)),
        .ahead(
            AheadContent(
                parameter: .temperature,
                outlook: .init(side: .high, value: 23, limit: 24, expectedAt: Timestamp(unixSeconds: Int64(60))))),
        .ahead(AheadContent(parameter: .temperature)), .test, .other(kind: "forecast", .known(.ph)),
    ]

    @Test(arguments: contents) func comesBackAsItWas(content: Alert.Content) {
        #expect(AlertColumns(content, of: .alarm).content() == content)
    }

    @Test func anAllClearAsksNobodyToLookAtAProbe() {
        let fault = Alert.Content.fault(FaultContent(parameter: .ph, flatAt: 7))
        #expect(AlertColumns(fault, of: .alarm).checkProbe && !AlertColumns(fault, of: .recovery).checkProbe)
    }

    /// A whole device is not silent because a newer version knows one more parameter.
    @Test func whatIsNotKnownIsTakenForNothingElse() {
        var columns = AlertColumns(.silence(SilenceContent(parameter: .ph, checkProbe: false)), of: .alarm)
        columns.parameter = 99
        #expect(columns.content() == .other(kind: "silence", .other(99)))
        columns = AlertColumns(Self.contents[0], of: .alarm)
        columns.side = nil
        #expect(columns.content() == .other(kind: "range", .known(.ph)))
    }
}
