import Instants
import Testing

/// Days of the calendar.
@Suite struct CivilDayTests {
    @Test func daysAreCountedOverMonthsAndYears() throws {
        let day = try #require(CivilDay("2024-02-28"))
        #expect((day + 1).text == "2024-02-29" && (day + 2).text == "2024-03-01" && (day + 366).text == "2025-02-28")
        #expect(CivilDay(number: 0).text == "1970-01-01" && CivilDay(number: 0).weekday == 4)
        #expect(try #require(CivilDay("2027-01-01")).weekday == 5 && CivilDay(number: -1).weekday == 3)
        #expect(CivilDay(-1, ofMonth: 2027 * 12 + 1)?.text == "2027-02-28")
    }

    @Test(arguments: ["2027-02-29", "2027-13-01", "2027-1-01", "27-01-01", "2027-01-01 ", "+027-01-01", "2027-01-0x"])
    func whatIsNoDayIsNone(_ text: String) { #expect(CivilDay(text) == nil) }

    @Test func momentsAreReadAsTheyAreWritten() throws {
        let time = try #require(CivilTime(minuteText: "2027-03-05T18:07"))
        #expect(time.minuteText == "2027-03-05T18:07" && time.minuteOfDay == 18 * 60 + 7)
        for text in ["2027-03-05T24:00", "2027-03-05 18:00", "2027-03-05T18:60", "2027-03-05T1800Z"] {
            #expect(CivilTime(minuteText: text) == nil, "\(text)")
        }
    }
}
