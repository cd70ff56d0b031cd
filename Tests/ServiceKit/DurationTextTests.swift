import ServiceKit
import Testing

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("90s", .seconds(90)), ("5 s", .seconds(5)), ("30m", .seconds(1_800)),
        ("30min", .seconds(1_800)), ("2h", .seconds(7_200)), ("7d", .seconds(604_800)), ("0s", .zero),
        ("-5s", .seconds(-5)),
    ])
    func reads(text: String, expected: Duration) {
        #expect(parseDuration(text) == expected)
    }

    @Test(arguments: ["0s", "1ms", "1500ms", "90s", "30m", "2h", "7d", "-5s", "39223372036850s"])
    func writesWhatItReads(text: String) throws {
        #expect(durationText(try #require(parseDuration(text))) == text)
    }

    @Test(arguments: [
        "", "30", "m", "30 minutes", "1.5h", "1h30m", "30M", "3٣s", "5 s x", "9223372036854775807d", "0x10s", "--5s",
    ])
    func refuses(text: String) {
        #expect(parseDuration(text) == nil)
    }
}
