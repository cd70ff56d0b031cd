import Instants
import Testing
import Words

@testable import WaterQuality

/// Summaries of a person's water, and the note by which a way shows that it works.
@Suite struct SummaryWordingTests {
    private static func message(_ content: Alert.Content, in language: String) throws -> Notice.Message {
        let language = try #require(Language(rawValue: language))
        let now = try #require(CivilTime(year: 2026, month: 11, day: 29, hour: 8, minute: 0))
        return Notice(deviceName: nil, .note, content, since: now, at: now, now: now).message(in: language)
    }

    private static func summary(
        _ tanks: [SummaryContent.Tank], days: (String, String) = ("2026-11-28", "2026-11-28"), of count: Int? = nil
    ) -> SummaryContent {
        let troubles = tanks.map(\.troubles)
        return SummaryContent(
            whole: .init(
                from: days.0, through: days.1, tanks: count ?? tanks.count,
                alarms: troubles.joined().reduce(0) { $0 + $1.alarms },
                alarmed: troubles.count { $0.contains { $0.alarms > 0 } },
                open: troubles.joined().count(where: \.goesOn),
                troubled: troubles.count { $0.contains(where: \.goesOn) },
                silent: tanks.count(where: \.isSilent)),
            tanks: tanks)
    }

    private static func tank(
        _ name: String, _ troubles: [SummaryContent.Trouble] = [], isSilent: Bool = false,
        ranges: [SummaryContent.Range] = [oxygen]
    ) -> SummaryContent.Tank {
        .init(name: name, troubles: troubles, isSilent: isSilent, ranges: ranges)
    }

    private static let oxygen = SummaryContent.Range(
        parameter: Parameter.dissolvedOxygen.rawValue, unit: "mg/L", least: 6.8, most: 9.1)

    private static func low(_ alarms: Int, goesOn: Bool = false) -> SummaryContent.Trouble {
        .init(
            kind: "range", parameter: Parameter.dissolvedOxygen.rawValue, side: "low", alarms: alarms, goesOn: goesOn)
    }

    @Test func `all is well, with the least and the greatest value`() throws {
        let message = try Self.message(.summary(Self.summary([Self.tank("Koi pond")])), in: "en")
        #expect(message.title == "All well")
        #expect(message.body.hasPrefix("On 28 November\nKoi pond: "))
        #expect(message.body.contains(" 6.8 to 9.1 "))
        let german = try Self.message(.summary(Self.summary([Self.tank("Koi pond")])), in: "de")
        #expect(german.title == "Alles in Ordnung" && german.body.contains(" 6,8 bis 9,1 "))
    }

    @Test func `alarms that are over are counted, and where`() throws {
        let one = Self.summary([Self.tank("Koi pond", [Self.low(3)]), Self.tank("Reef")])
        #expect(try Self.message(.summary(one), in: "en").title == "3 alarms in Koi pond, all over by now")
        #expect(try Self.message(.summary(one), in: "en").body.contains(" low 3 times"))
        let two = Self.summary([Self.tank("Koi pond", [Self.low(2)]), Self.tank("Reef", [Self.low(1)])])
        #expect(try Self.message(.summary(two), in: "en").title == "3 alarms in 2 tanks, all over by now")
        #expect(try Self.message(.summary(two), in: "ja").title == "水槽2槽で警報3件、すべて解消済み")
        #expect(try Self.message(.summary(two), in: "es").title == "3 alarmas en 2 acuarios, todas terminadas")
    }

    @Test func `what goes on is named where it is one, and counted where there are more`() throws {
        let one = Self.summary([Self.tank("Koi pond", [Self.low(1, goesOn: true)]), Self.tank("Reef", [Self.low(4)])])
        let title = try Self.message(.summary(one), in: "en").title
        #expect(title.hasPrefix("Koi pond: ") && title.contains("still low"))
        let both = [Self.low(0, goesOn: true)]
        let two = Self.summary([Self.tank("Koi pond", both), Self.tank("Reef", both)])
        #expect(try Self.message(.summary(two), in: "en").title == "2 alarms in 2 tanks go on")
    }

    @Test func `a silent device is no good news`() throws {
        let silent = Self.summary([Self.tank("Quarantine", isSilent: true, ranges: []), Self.tank("Reef")])
        let message = try Self.message(.summary(silent), in: "en")
        #expect(message.title == "No readings from Quarantine")
        #expect(message.body.contains("Quarantine: no readings"))
        // What goes on is said once.
        let silence = SummaryContent.Trouble(kind: "silence", parameter: nil, side: nil, alarms: 1, goesOn: true)
        let told = Self.summary([Self.tank("Quarantine", [silence], isSilent: true, ranges: [])])
        let lines = try Self.message(.summary(told), in: "en").body
        #expect(lines.hasSuffix("\nQuarantine: No readings (goes on)"), "\(lines)")
        #expect(try Self.message(.summary(told), in: "en").title == "Quarantine: Still no readings")
    }

    @Test func `a week says both of its ends, and how many tanks have no line`() throws {
        let tanks = (1...12).map { Self.tank("Tank \($0)") }
        let week = Self.summary(tanks, days: ("2026-11-22", "2026-11-28"), of: 17)
        let lines = try Self.message(.summary(week), in: "en").body.split(separator: "\n")
        #expect(lines.first == "22 November to 28 November")
        #expect(lines.count == 8 && lines.last == "and 11 more")
    }

    @Test(arguments: Language.allCases)
    func `however much there is to say, all services take it`(language: Language) throws {
        let troubles = Alert.Kind.allCases.map {
            SummaryContent.Trouble(kind: $0.rawValue, parameter: 0, side: "high", alarms: 12, goesOn: true)
        }
        let ranges = Parameter.allCases.map {
            SummaryContent.Range(parameter: $0.rawValue, unit: "nonsense", least: 1, most: 12)
        }
        let tanks = (1...12).map { _ in
            Self.tank(String(repeating: "鯉", count: 64), troubles, isSilent: true, ranges: ranges)
        }
        let message = try Self.message(.summary(Self.summary(tanks, of: 900)), in: language.rawValue)
        #expect(message.body.count <= 920 && message.title.count <= 120, "\(message)")
        #expect(!message.body.contains("{") && !message.body.contains("notice."), "\(message.body)")
    }

    @Test func `what a newer version knows is told in plain words`() throws {
        let newer = SummaryContent.Trouble(kind: "forecast", parameter: 99, side: "left", alarms: 1, goesOn: false)
        let range = SummaryContent.Range(parameter: 99, unit: "x", least: 1, most: 2)
        let message = try Self.message(
            .summary(Self.summary([Self.tank("Koi pond", [newer], ranges: [range])])), in: "en")
        #expect(message.title == "1 alarm in Koi pond, over by now" && message.body.contains("Koi pond: "))
        #expect(!message.body.contains("99"))
    }

    @Test func `a mail has what happened as sentences, and all values in a table`() throws {
        let language = try #require(Language(rawValue: "en"))
        let report = Self.summary([
            Self.tank("Koi pond", [Self.low(2)], ranges: [Self.oxygen, Self.oxygen]), Self.tank("Reef"),
        ])
        .report(in: language)
        #expect(report.head == ["Tank", "Reading", "Lowest", "Highest"])
        #expect(report.rows.map(\.first) == ["Koi pond", "", "Reef"])
        #expect(report.rows.allSatisfy { $0.count == 4 && $0[2].hasPrefix("6.8 ") && $0[3].hasPrefix("9.1 ") })
        #expect(report.text.contains("Koi pond: ") && !report.text.contains("Reef"))
    }

    @Test(arguments: [
        ("en", "AquaMonitor still reaches you here"), ("de", "AquaMonitor erreicht dich hier weiterhin"),
        ("es", "AquaMonitor sigue llegando hasta aquí"), ("ja", "AquaMonitorの通知はここに届いています"),
    ])
    func `a way shows that it works, and asks for nothing`(language: String, title: String) throws {
        let message = try Self.message(.proof, in: language)
        #expect(message.title == title && !message.body.isEmpty)
    }
}
