import Instants
import Testing
import WaterQuality

@testable import Operator

@Suite("Times of recordings")
struct TimeTests {
    @Test(
        "A format reads times of its form",
        arguments: [
            ("%Y-%m-%d %H:%M", "2019-01-01 00:15", "2019-01-01T00:15:00Z"),
            ("%d/%m/%Y %H:%M", "7/2/2021 0:05", "2021-02-07T00:05:00Z"),
            ("%m/%d/%Y %H:%M", "7/2/2021 0:05", "2021-07-02T00:05:00Z"),
            ("%d.%m.%y %H:%M:%S", "02.07.21 23:59:59", "2021-07-02T23:59:59Z"),
            ("%d.%m.%y", "02.07.70", "1970-07-02T00:00:00Z"),
            ("%m/%d/%Y %I:%M %p", "7/2/2021 12:05 AM", "2021-07-02T00:05:00Z"),
            ("%m/%d/%Y %I:%M %p", "7/2/2021 12:05 pm", "2021-07-02T12:05:00Z"),
            ("%m/%d/%Y %I:%M %p", "7/2/2021 1:05 PM", "2021-07-02T13:05:00Z"),
            ("%Y%m%dT%H%M%S%z", "20210702T010203+0530", "2021-07-01T19:32:03Z"),
            ("%Y-%m-%d %H:%M:%S.%f%z", "2021-07-02 01:02:03.1234567-02", "2021-07-02T03:02:03.123456Z"),
            ("%Y-%m-%d %H:%M%z", "2021-07-02 01:02Z", "2021-07-02T01:02:00Z"),
            ("%Y-%m-%d %H:%M%z", "2021-07-02 01:02z", "2021-07-02T01:02:00Z"),
            ("100%% %Y-%m-%d", "100%   2021-07-02", "2021-07-02T00:00:00Z"),
        ])
    func reads(_ pattern: String, _ text: String, _ expected: String) throws {
        let times = TimeReading(format: try TimeFormat(pattern), zone: .utc)
        #expect(times.instant(text)?.iso8601 == expected)
    }

    @Test(
        "A format refuses everything else",
        arguments: [
            ("%Y-%m-%d %H:%M", "2019-01-01"), ("%Y-%m-%d %H:%M", "2019-01-01 00:15 "),
            ("%Y-%m-%d %H:%M", "2019-02-29 00:15"), ("%Y-%m-%d %H:%M", "2019-01-01 24:00"),
            ("%d/%m/%Y", "7/13/2021"), ("%Y-%m-%d", "19-01-01"), ("%Y-%m-%d %I %p", "2019-01-01 13 PM"),
            ("%Y-%m-%d %I %p", "2019-01-01 0 AM"), ("%Y%m%d%H%M", "2021712015"), ("%d%m%Y", "722021"),
            ("%Y-%m-%d %H:%M", "2021-07-0200:15"), ("%Y-%m-%d%z", "2019-01-01+1"), ("%Y-%m-%d", "２019-01-01"),
        ])
    func refuses(_ pattern: String, _ text: String) throws {
        #expect(TimeReading(format: try TimeFormat(pattern), zone: .utc).instant(text) == nil)
    }

    @Test(
        "Without a format the usual forms are read",
        arguments: [
            ("2021-07-02T00:15:00Z", "2021-07-02T00:15:00Z"), ("2021-07-02T00:15:00+02:00", "2021-07-01T22:15:00Z"),
            ("2021-07-02 00:15", "2021-07-02T05:15:00Z"), ("2021-07-02T00:15:30.25", "2021-07-02T05:15:30.250Z"),
            ("2021-07-02", "2021-07-02T05:00:00Z"), ("7/2/2021 0:15", "2021-07-02T05:15:00Z"),
            ("07/02/2021 00:15:30", "2021-07-02T05:15:30Z"), ("1625184900", "2021-07-02T00:15:00Z"),
            ("1625184900.5", "2021-07-02T00:15:00.500Z"),
        ])
    func usual(_ text: String, _ expected: String) throws {
        let zone = try #require(Zone("-05:00"))
        #expect(TimeReading(format: nil, zone: zone).instant(text)?.iso8601 == expected)
    }

    @Test("Day-first dates are not taken for month-first ones")
    func dayFirst() {
        #expect(TimeReading(format: nil, zone: .utc).instant("13/2/2021 0:15") == nil)
    }

    @Test(
        "Summer time: a doubled hour is the first, a missing hour is read as if it existed",
        arguments: [
            ("2021-03-28 01:59", "2021-03-28T00:59:00Z"), ("2021-03-28 02:30", "2021-03-28T01:30:00Z"),
            ("2021-03-28 03:00", "2021-03-28T01:00:00Z"), ("2021-10-31 02:30", "2021-10-31T00:30:00Z"),
            ("2021-10-31 03:00", "2021-10-31T02:00:00Z"), ("2021-07-02 00:00", "2021-07-01T22:00:00Z"),
            ("2021-12-02 00:00", "2021-12-01T23:00:00Z"),
        ])
    func summerTime(_ text: String, _ expected: String) throws {
        let zone = try #require(Zone("Europe/Madrid"))
        #expect(TimeReading(format: nil, zone: zone).instant(text)?.iso8601 == expected)
    }

    @Test("Invalid zones", arguments: ["", "Madrid", "Europe/Nowhere", "+1", "+25:00", "02:00"])
    func zones(_ text: String) { #expect(Zone(text) == nil) }

    @Test(
        "Invalid formats",
        arguments: ["%H:%M", "%Y-%m", "%Y-%m-%d %", "%Y-%m-%d %Q", "%Y-%m-%d %I", "%Y-%m-%d %p"])
    func formats(_ pattern: String) { #expect(throws: TimeFormat.Fault.self) { try TimeFormat(pattern) } }
}
