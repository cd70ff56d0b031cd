import Foundation
import Instants
import Testing

@Suite struct TimestampFormatTests {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000_000, "2000-02-29T00:00:00.000Z"), (1_777_636_800_123_456, "2026-05-01T12:00:00.123Z"),
        (253_402_300_799_999_999, "9999-12-31T23:59:59.999Z"), (-11_644_473_600_000_000, "1601-01-01T00:00:00.000Z"),
    ])
    func milliseconds(microseconds: Int64, expected: String) {
        #expect(Timestamp(microseconds: microseconds).iso8601Milliseconds == expected)
    }

    @Test func agreesWithFoundationOnEveryDayOfFourCenturies() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let firstDifference = (Int64(-25_567)...120_530).first { day in
            let second = day * 86_400 + (day & 0xFFFF)
            return Timestamp(unixSeconds: second).iso8601Milliseconds
                != Date(timeIntervalSince1970: Double(second)).formatted(style)
        }
        #expect(firstDifference == nil)
    }
}
