import Instants
import Testing
import Words

@testable import WaterQuality

/// Messages about devices of one owner that fell silent at once.
@Suite struct SiteWordingTests {
    private static func notices(
        _ names: [String], _ purpose: Alert.Purpose = .alarm, checkProbe: Bool = false, hints: [SilenceHint?] = [nil],
        of site: SilentSite
    ) throws -> [Notice] {
        let now = try #require(CivilTime(year: 2026, month: 5, day: 4, hour: 14, minute: 8))
        return try names.enumerated().map { index, name in
            let since = try #require(CivilTime(year: 2026, month: 5, day: 4, hour: 14, minute: 1 + index % 2))
            return Notice(
                deviceName: name, purpose,
                .silence(
                    SilenceContent(
                        parameter: nil, checkProbe: checkProbe, hint: hints[index % hints.count], site: site)),
                since: since, at: now, now: now)
        }
    }

    private static let ponds = (1...12).map { "Pond \($0)" }
    private static let farm = SilentSite(site: 7, name: "Koi farm", of: 12)

    private static func message(_ notices: [Notice], in language: Language = .en) -> Notice.Message {
        NoticeGroup(notices, isDigest: false).message(in: language)
    }

    @Test func aFarmWithoutPowerIsOneSentence() throws {
        let message = Self.message(try Self.notices(Self.ponds, of: Self.farm))
        #expect(message.title == "Koi farm: 12 of 12 devices are silent")
        #expect(
            message.body == """
                Nothing was heard of them after 14:02: it is probably their power or their network.
                Pond 1, Pond 2, Pond 3, Pond 4, Pond 5, Pond 6, Pond 7, Pond 8, Pond 9, Pond 10
                and 2 more
                """)
    }

    @Test func thoseOfAPersonHaveNoHeading() throws {
        var own = Self.farm
        (own.name, own.of) = (nil, 4)
        let message = Self.message(try Self.notices(["Koi", "Reef", "Bog"], .reminder, checkProbe: true, of: own))
        #expect(message.title == "3 of 4 devices are still silent")
        #expect(
            message.body == "Nothing was heard of them after 14:02, though they are connected.\nKoi, Reef, Bog")
    }

    /// The last words of all bear it out, or none is told.
    @Test func theirLastWordsAreToldWhereAllAgree() throws {
        let agreed = try Self.notices(
            ["Koi", "Reef", "Bog"], hints: [.battery(percent: 4), .battery(percent: 2), .battery(percent: 7)],
            of: Self.farm)
        #expect(Self.message(agreed).body.contains("Their batteries were at 7 % or less."))
        let restarts = try Self.notices(
            ["Koi", "Reef", "Bog"], hints: [.restarts(aDay: 9), .restarts(aDay: 4), .restarts(aDay: 7)], of: Self.farm)
        #expect(Self.message(restarts).body.contains("4 times a day or more"))
        let one = try Self.notices(["Koi", "Reef", "Bog"], hints: [.battery(percent: 4), nil], of: Self.farm)
        #expect(!Self.message(one).body.contains("%"))
    }

    @Test func thatAllAreBackIsOneSentence() throws {
        let message = Self.message(try Self.notices(Self.ponds, .recovery, of: Self.farm))
        #expect(message.title == "Koi farm: All 12 devices are heard again")
        #expect(message.body == "They had fallen silent at 14:02.")
    }

    @Test func thatSomeAreBackNamesTheOthers() throws {
        var rest = Self.farm
        (rest.missing, rest.missingCount) = (["Pond 3", "Pond 5"], 2)
        let message = Self.message(try Self.notices(Array(Self.ponds.prefix(3)), .recovery, of: rest))
        #expect(message.title == "Koi farm: 10 of 12 devices are heard again")
        #expect(message.body == "They had fallen silent at 14:02.\nStill silent: Pond 3, Pond 5")
        let alone = try #require(try Self.notices(["Pond 4"], .recovery, of: rest).first)
        #expect(alone.message(in: .en).body.hasSuffix("Still silent: Pond 3, Pond 5"))
        let last = try #require(try Self.notices(["Pond 4"], .recovery, of: Self.farm).first)
        #expect(last.message(in: .en).body.hasSuffix("All 12 that fell silent at once are back."))
    }

    /// Alerts that joined the message later know more of the site.
    @Test func theNewestKnowsTheMost() throws {
        var before = Self.farm
        (before.missing, before.missingCount) = (["Pond 2"], 1)
        let notices =
            try Self.notices(["Pond 1"], .recovery, of: before) + Self.notices(["Pond 2"], .recovery, of: Self.farm)
        #expect(Self.message(notices).title == "Koi farm: All 12 devices are heard again")
    }

    /// What is told with anything else, or of two owners, is a list as ever; so is a digest.
    @Test func whatIsMixedIsAList() throws {
        var other = Self.farm
        other.site = 8
        let mixed = try Self.notices(["Koi"], of: Self.farm) + Self.notices(["Reef"], of: other)
        #expect(Self.message(mixed).title == "Koi: Several alerts")
        let digest = NoticeGroup(try Self.notices(["Koi", "Reef"], of: Self.farm), isDigest: true).message(in: .en)
        #expect(digest.title == "2 alerts waited")
    }

    /// A browser takes away the line of each that is heard again, so that each names its device.
    @Test func eachHasALineOfItsOwn() throws {
        let group = NoticeGroup(try Self.notices(Self.ponds, of: Self.farm), isDigest: false)
        #expect(group.lines(in: .en).count == SilentSite.mostNames && group.more == 2)
        #expect(group.lines(in: .en).first == "Pond 1: No readings")
    }

    @Test(arguments: Language.allCases) func allLanguagesHaveTheWords(language: Language) throws {
        let kinds: [SilenceHint?] = [.battery(percent: 5), .restarts(aDay: 5), .signal(dBm: -85), .signals(dBm: -85)]
        for hint in kinds {
            let notices = try Self.notices(["Koi", "Reef", "Bog"], hints: [hint], of: Self.farm)
            let message = Self.message(notices, in: language)
            #expect(message.title.contains("12") && message.title.contains("3"))
            #expect(message.body.contains("14:02") && message.body.contains("5") && !message.body.contains("notice."))
        }
        var rest = Self.farm
        (rest.missing, rest.missingCount) = (Array(Self.ponds.prefix(10)), 11)
        let back = Self.message(try Self.notices(["Koi", "Reef"], .recovery, of: rest), in: language)
        #expect(back.body.contains("Pond 10") && !back.body.contains("{") && !back.body.contains("notice."))
    }
}
