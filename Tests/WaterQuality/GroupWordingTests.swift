import Instants
import Testing
import Words

@testable import WaterQuality

/// Messages about several alerts, and about what was over before it was told.
@Suite struct GroupWordingTests {
    private static func notice(
        _ purpose: Alert.Purpose, _ content: Alert.Content, device: String = "Reef", isYesterday: Bool = false
    ) throws -> Notice {
        let now = try #require(CivilTime(year: 2026, month: 5, day: 4, hour: 7, minute: 0))
        let since = try #require(CivilTime(year: 2026, month: 5, day: isYesterday ? 3 : 4, hour: 2, minute: 10))
        let at = try #require(CivilTime(year: 2026, month: 5, day: isYesterday ? 3 : 4, hour: 2, minute: 22))
        return Notice(deviceName: device, purpose, content, since: since, at: at, now: now)
    }

    private static func range(
        _ parameter: Parameter, _ side: Side, _ value: Float, _ limit: Float, isCritical: Bool = false
    )
        -> Alert.Content
    {
        .range(
            RangeContent(
                parameter: parameter, side: side, value: value, worst: value, limit: limit, isCritical: isCritical))
    }

    private static let oxygen = range(.dissolvedOxygen, .low, 4.1, 6)
    private static let ph = range(.ph, .high, 9.1, 8.4)

    @Test func whatBeginsAtOnceIsALineEach() throws {
        let group = NoticeGroup(
            [
                try Self.notice(.alarm, Self.oxygen), try Self.notice(.alarm, Self.ph),
                try Self.notice(.alarm, .silence(SilenceContent(parameter: .nitrate, checkProbe: true))),
            ], isDigest: false)
        let message = group.message(in: .en)
        #expect(message.title == "Reef: Several alerts")
        #expect(
            message.body == """
                Oxygen is low: 4.1 ppm, below your minimum of 6.0 ppm since 02:10.
                pH is high: 9.1, above your maximum of 8.4 since 02:10.
                Nitrate is silent
                """)
    }

    @Test func whatIsCriticalHeadsItByName() throws {
        let critical = try Self.notice(.alarm, Self.range(.dissolvedOxygen, .low, 2.1, 3, isCritical: true))
        let group = NoticeGroup([critical, try Self.notice(.alarm, Self.ph)], isDigest: false)
        #expect(group.message(in: .en).title == critical.message(in: .en).title)
    }

    @Test func aDigestNamesTheDevices() throws {
        let group = NoticeGroup(
            [try Self.notice(.alarm, Self.oxygen), try Self.notice(.past, Self.ph, device: "Koi")], isDigest: true)
        let message = group.message(in: .en)
        #expect(message.title == "2 alerts waited")
        #expect(
            message.body == """
                Reef: Oxygen is low: 4.1 ppm, below your minimum of 6.0 ppm since 02:10.
                Koi: pH is high (02:10 to 02:22, over)
                """)
    }

    @Test func aDigestOfWhatIsOverSaysSo() throws {
        let group = NoticeGroup(
            [try Self.notice(.past, Self.ph), try Self.notice(.recovery, Self.oxygen)], isDigest: true)
        #expect(group.message(in: .en).title == "2 alerts waited, all over by now")
    }

    @Test(arguments: Language.allCases) func moreThanThereIsRoomForIsCounted(language: Language) throws {
        let notices = try (0..<9).map { _ in try Self.notice(.alarm, Self.ph) }
        let group = NoticeGroup(notices, isDigest: true)
        let lines = group.message(in: language).body.split(separator: "\n")
        #expect(lines.count == NoticeGroup.mostLines + 1 && lines.last?.contains("3") == true)
        #expect(group.more == 3)
    }

    @Test func whatWasOverSaysFromWhenToWhenAndHowFar() throws {
        let message = try Self.notice(.past, Self.oxygen).message(in: .en)
        #expect(message.title == "Reef: Oxygen is low (over by now)")
        #expect(message.body == "From 02:10 to 02:22. Lowest: 4.1 ppm.")
        let silent = try Self.notice(
            .past, .silence(SilenceContent(parameter: nil, checkProbe: false)), isYesterday: true)
        #expect(silent.message(in: .en).body == "From 3 May, 02:10 to 3 May, 02:22.")
    }
}
