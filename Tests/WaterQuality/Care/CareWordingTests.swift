import Instants
import Testing
import Words

@testable import WaterQuality

/// Messages about reminders, in people's words.
@Suite struct CareWordingTests {
    private static let now = CivilTime(minuteText: "2027-03-05T18:00")!
    private static let change = CareContent.Item(tank: "Koi pond", name: "Water change", on: "2027-03-05T18:00")

    private static func message(
        _ whole: CareContent.Whole, _ items: [CareContent.Item], in code: String
    ) throws -> Notice.Message {
        let language = try #require(Language(rawValue: code))
        return Notice(
            deviceName: nil, .note, .care(CareContent(whole: whole, items: items)), since: now, at: now, now: now
        )
        .message(in: language)
    }

    @Test func oneIsNamedInTheTitle() throws {
        let message = try Self.message(.init(count: 1), [Self.change], in: "en")
        #expect(message == Notice.Message(title: "Koi pond: Water change", body: "Due since 18:00."))
        var late = Self.change
        (late.on, late.missed) = ("2027-03-03T18:00", 3)
        #expect(
            try Self.message(.init(count: 1), [late], in: "en").body
                == "Due since 3 March, 18:00. Missed 3 times before.")
    }

    @Test func severalAreOneMessageWithALineEach() throws {
        let items = (1...12).map { CareContent.Item(tank: "Tank \($0)", name: "Feed", on: "2027-03-05T18:00") }
        let message = try Self.message(.init(count: 40), items, in: "en")
        let lines = message.body.split(separator: "\n")
        #expect(message.title == "40 things to do for your water" && lines.count == 9)
        #expect(lines.first == "Tank 1: Feed" && lines.last == "and 32 more")
    }

    @Test(arguments: ["en", "de", "es", "ja"])
    func whoDidItIsNamed(_ code: String) throws {
        var done = Self.change
        done.by = "Ana"
        let one = try Self.message(.init(count: 1, replaces: "x"), [done], in: code)
        #expect(one.title.contains("Ana") && one.title.contains("Water change") && one.body == "Koi pond")
        let two = try Self.message(.init(count: 2, replaces: "x"), [done, Self.change], in: code)
        #expect(two.title.contains("2") && two.body.split(separator: "\n").count == 2)
    }

    @Test(arguments: ["en", "de", "es", "ja"])
    func whatWasLeftOutIsNotSaidToBeDone(_ code: String) throws {
        var left = Self.change
        left.skipped = true
        let language = try #require(Language(rawValue: code))
        let one = try Self.message(.init(count: 1, replaces: "x", skipped: true), [left], in: code)
        #expect(one.title == language.text("notice.care_skipped", ["name": "Water change"]))
        let two = try Self.message(.init(count: 2, replaces: "x", skipped: true), [left, Self.change], in: code)
        #expect(two.title == language.text("notice.care_allOver", ["count": "2"]))
        left.by = "Ana"
        let named = try Self.message(.init(count: 1, replaces: "x", skipped: true), [left], in: code)
        #expect(named.title.contains("Ana") && named.title != one.title)
    }

    @Test func moreThanAreCountedMayHaveBeenMissed() throws {
        var late = Self.change
        late.missed = ReminderCourse.mostMissed
        #expect(
            try Self.message(.init(count: 1), [late], in: "en").body
                == "Due since 18:00. Missed 8 times or more before.")
    }

    @Test func aNameThatFillsAScreenIsCut() throws {
        var long = Self.change
        long.tank = String(repeating: "x", count: 64)
        #expect(try Self.message(.init(count: 1), [long], in: "en").title.count == 54)
    }
}
