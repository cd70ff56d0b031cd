import Instants
import TestSupport
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-05-01T12:00:00Z", 1_777_636_800_000_000),
        ("2026-05-01T12:00Z", 1_777_636_800_000_000),
        ("2026-05-01 12:00:00z", 1_777_636_800_000_000),
        ("2026-05-01t14:00:00+02:00", 1_777_636_800_000_000),
        ("2026-05-01T14:00:00+0200", 1_777_636_800_000_000),
        ("2026-05-01T14:00:00+02", 1_777_636_800_000_000),
        ("2026-05-01T06:30:00-05:30", 1_777_636_800_000_000),
        ("2026-05-01T12:00:00.5Z", 1_777_636_800_500_000),
        ("2026-05-01T12:00:00,25Z", 1_777_636_800_250_000),
        ("2026-05-01T12:00:00.123456789123456789123Z", 1_777_636_800_123_456),
        ("2000-02-29T00:00:00Z", 951_782_400_000_000),
        ("2024-02-29T23:59:59Z", 1_709_251_199_000_000),
        ("1969-12-31T23:59:59.75Z", -250_000),
        ("1600-02-29T00:00:00Z", -11_670_998_400_000_000),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
        ("2016-12-31T18:59:60.5-05:00", 1_483_228_800_500_000),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000_000),
        ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
        ("1777636800", 1_777_636_800_000_000),
        ("1777636800.25", 1_777_636_800_250_000),
        ("-1.5", -1_500_000),
        ("0", 0),
    ])
    func reads(text: String, microseconds: Int64) {
        #expect(Timestamp(text) == Timestamp(microseconds: microseconds))
    }

    @Test(arguments: [
        "", " ", "Z", "-", ".", "now", "nan", "1e9", "+5", "1777636800.", ".5", "17 77", "1777636800Z",
        "999999999999999999999999", "1777636800000", "-62167219201",
        "2026-05-01", "2026-05-01T12:00:00", "2026-05-01T12Z", "2026-05-01T12:00:00ZZ", " 2026-05-01T12:00:00Z",
        "2026-5-1T12:00:00Z", "26-05-01T12:00:00Z", "2026/05/01T12:00:00Z", "2026-05-01_12:00:00Z",
        "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2024-02-30T00:00:00Z",
        "2026-04-31T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-01-32T00:00:00Z", "2026-05-01T24:00:00Z", "2026-05-01T12:60:00Z", "2026-05-01T12:00:61Z",
        "2026-05-01T12:00:60Z", "2026-05-01T12:00:00.Z", "2026-05-01T12:00:00.5", "2026-05-01T12:00:00+24:00",
        "2026-05-01T12:00:00+02:60", "2026-05-01T12:00:00+2:00", "2026-05-01T12:00:00+02:", "2026-05-01T12:00:00+",
        "2026-05-01T12:00:00Z\0", "２026-05-01T12:00:00Z", "-026-05-01T12:00:00Z", "10000-01-01T00:00:00Z",
        "9999-12-31T12:01-15",
        "0000-01-01T00:00+01",
    ])
    func refuses(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func readsUnixNumbers() {
        #expect(Timestamp(unixSeconds: 1_777_636_800.25)?.microseconds == 1_777_636_800_250_000)
        #expect(Timestamp(unixSeconds: -0.000001)?.microseconds == -1)
        for hostile in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 253_402_300_800, 1.7e12] {
            #expect(Timestamp(unixSeconds: hostile) == nil)
        }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"),
        (1_777_636_800_000_000, "2026-05-01T12:00:00Z"),
        (1_777_636_800_250_000, "2026-05-01T12:00:00.250Z"),
        (1_777_636_800_000_007, "2026-05-01T12:00:00.000007Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (951_782_400_000_000, "2000-02-29T00:00:00Z"),
        (253_402_300_800_000_000, "+010000-01-01T00:00:00Z"),
        (Int64.max, "+294247-01-10T04:00:54.775807Z"),
        (Int64.min, "-290308-12-21T19:59:05.224192Z"),
    ])
    func formats(microseconds: Int64, text: String) {
        #expect(Timestamp(microseconds: microseconds).iso8601 == text)
    }

    @Test func everyDayOfEightHundredYearsFollowsTheDayBefore() throws {
        var expected = try #require(CivilTime(year: 1700, month: 1, day: 1))
        var time = Timestamp(expected)
        var wrong = 0
        for _ in 0..<292_194 {
            if time.civilTime() != expected || Timestamp(expected) != time { wrong += 1 }
            time = time + .seconds(86_400)
            expected =
                CivilTime(year: expected.year, month: expected.month, day: expected.day + 1)
                ?? CivilTime(year: expected.year, month: expected.month + 1, day: 1)
                ?? CivilTime(year: expected.year + 1, month: 1, day: 1) ?? expected
        }
        #expect(wrong == 0 && expected == CivilTime(year: 2500, month: 1, day: 1))
    }

    @Test func whatIsWrittenIsReadBack() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let time = Timestamp(
                microseconds: .random(in: -62_167_219_200_000_000..<253_402_300_800_000_000, using: &random))
            #expect(Timestamp(time.iso8601) == time)
            let offset = Int.random(in: -50_000...50_000, using: &random)
            if case let civil = time.civilTime(secondsFromGMT: offset), (0...9999).contains(civil.year) {
                #expect(Timestamp(civil, secondsFromGMT: offset) == time)
            }
        }
    }

    @Test func hostileBytesNeverTrap() {
        var random = SeededGenerator(seed: 2)
        let alphabet = Array("0123456789-:+.,TZz \0\u{ff}e".utf8)
        for _ in 0..<50_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            // An offset may move a time in the years 0000 to 9999 by a day.
            if let time = Timestamp(utf8: bytes.span) { #expect((-1...10_000).contains(time.civilTime().year)) }
        }
    }

    @Test func arithmeticSaturates() {
        let first = Timestamp(microseconds: .min)
        let last = Timestamp(microseconds: .max)
        let epoch = Timestamp(microseconds: 0)
        #expect(last + .seconds(1) == last)
        #expect(first - .seconds(1) == first)
        #expect(last - first == .microseconds(Int64.max))
        #expect(first - last == .microseconds(Int64.min))
        #expect(epoch + .seconds(Int64.max) == last)
        #expect(epoch - .seconds(Int64.max) == Timestamp(microseconds: -.max))
        #expect(Timestamp(unixSeconds: Int64.max) == last)
        #expect(Timestamp(unixSeconds: Int64.min) == first)
        #expect(epoch + .milliseconds(-1500) == Timestamp(microseconds: -1_500_000))
        #expect(epoch + .seconds(5) - epoch == .seconds(5))
        #expect(epoch < epoch + .microseconds(1))
    }
}
