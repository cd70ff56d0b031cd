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
                isUnstable: true, isAfterWork: true, limitTime: .hours)),
        .range(RangeContent(parameter: .ph, side: .high, value: 8, worst: 9, limit: nil)),
        .silence(SilenceContent(parameter: nil, checkProbe: true)),
        .silence(SilenceContent(parameter: .ph, checkProbe: false)),
        .silence(SilenceContent(parameter: nil, checkProbe: false, hint: .battery(percent: 4))),
        .silence(SilenceContent(parameter: nil, checkProbe: false, hint: .signals(dBm: -88))),
        .fault(FaultContent(parameter: .ph, flatAt: 7)), .fault(FaultContent(parameter: .ph)),
        .fault(FaultContent(parameter: .ph, differsBy: -0.5)),
        .rate(
            RateContent(
                parameter: .temperature, change: .init(by: -3, within: .seconds(2_400), value: 21, limit: 2))),
        .rate(RateContent(parameter: .temperature)),
        .ahead(
            AheadContent(
                parameter: .temperature,
                outlook: .init(side: .high, value: 23, limit: 24, expectedAt: Timestamp(unixSeconds: Int64(60))))),
        .ahead(AheadContent(parameter: .temperature)),
        .byHand(
            ByHandContent(
                parameter: .ammonia, found: .init(side: .high, value: 0.5, limit: 0.25, isCritical: true))),
        .byHand(ByHandContent(parameter: .ammonia)), .test, .other(kind: "forecast", .known(.ph)),
    ]

    @Test(arguments: contents) func comesBackAsItWas(content: Alert.Content) {
        #expect(AlertColumns(content, of: .alarm).content() == content)
    }

    /// The row about the site is no column: it is read with what notes are about.
    @Test func theSiteOfASilenceComesBackAsItWas() throws {
        let site = SilentSite(site: 7, name: "Koi “Farm”", of: 12, missing: ["Pond \"3\""], missingCount: 11)
        let content = Alert.Content.silence(SilenceContent(parameter: nil, checkProbe: false, site: site))
        let columns = AlertColumns(content, of: .recovery)
        #expect(columns.content(about: [columns.site]) == content)
        for unknown in [[], [nil], ["x"], [#"{"site":7}"#]] as [[String?]] {
            #expect(columns.content(about: unknown) == .silence(SilenceContent(parameter: nil, checkProbe: false)))
        }
    }

    @Test func anAllClearAsksNobodyToLookAtAProbe() {
        let fault = Alert.Content.fault(FaultContent(parameter: .ph, flatAt: 7))
        #expect(AlertColumns(fault, of: .alarm).checkProbe && !AlertColumns(fault, of: .recovery).checkProbe)
    }

    private static let whole =
        #"{"from":"2026-11-22","through":"2026-11-28","tanks":2,"alarms":3,"alarmed":1,"open":1,"troubled":1,"silent":0}"#
    private static let tank = #"""
        {"name":"Koi","isSilent":false,"troubles":[{"kind":"range","parameter":7,"side":"low","alarms":3,"goesOn":true}],
        "ranges":[{"parameter":7,"unit":"mg/L","least":6.8,"most":9.1}]}
        """#

    @Test func aSummaryIsReadAsItWasWritten() throws {
        let summary = Alert.Content.summary(
            SummaryContent(
                whole: .init(
                    from: "2026-11-22", through: "2026-11-28", tanks: 2, alarms: 3, alarmed: 1, open: 1, troubled: 1,
                    silent: 0),
                tanks: [
                    .init(
                        name: "Koi",
                        troubles: [.init(kind: "range", parameter: 7, side: "low", alarms: 3, goesOn: true)],
                        isSilent: false, ranges: [.init(parameter: 7, unit: "mg/L", least: 6.8, most: 9.1)])
                ]))
        let columns = AlertColumns(summary, of: .note)
        #expect(columns.content(about: [Self.whole, Self.tank]) == summary)
        for malformed in [[], ["{}"], [Self.whole, "tank"], [Self.tank]] {
            #expect(columns.content(about: malformed) == .other(kind: "summary", nil), "\(malformed)")
        }
    }

    @Test func aReminderIsReadAsItWasWritten() {
        let whole = #"{"count":14}"#
        let item = #"{"tank":"Koi","name":"Feed","activity":"feed","on":"2027-03-05T18:00","missed":2}"#
        let done =
            #"{"tank":"Koi","name":"Feed","activity":"feed","on":"2027-03-05T18:00","missed":0,"by":"Ana","skipped":false}"#
        let columns = AlertColumns(.care(CareContent(whole: .init(count: 1), items: [])), of: .note)
        #expect(
            columns.content(about: [whole, item])
                == .care(
                    CareContent(
                        whole: .init(count: 14),
                        items: [.init(tank: "Koi", name: "Feed", on: "2027-03-05T18:00", missed: 2)])))
        guard case .care(let care) = columns.content(about: [#"{"count":1,"replaces":"a"}"#, done]) else {
            Issue.record("no reminder")
            return
        }
        #expect(care.isDone && care.items[0].by == "Ana")
        for malformed in [[], [whole], [item], [whole, "x"]] {
            #expect(columns.content(about: malformed) == .other(kind: "care", nil), "\(malformed)")
        }
    }

    @Test func aProofSaysNothingButThat() {
        #expect(AlertColumns(.proof, of: .note).content(about: ["webPush"]) == .proof)
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
