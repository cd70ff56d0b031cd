import Instants
import TestSupport
import Testing
import WaterQuality

@Suite struct TimeSpanTests {
    @Test(arguments: [
        ("2026-05-01T12:00:00Z", "2026-05-01T12:00:00Z/2026-05-01T12:00:00Z"),
        ("2026-05-01T14:00:00+02:00", "2026-05-01T12:00:00Z/2026-05-01T12:00:00Z"),
        ("2026-05-01", "2026-05-01T00:00:00Z/2026-05-01T23:59:59.999999Z"),
        ("2026-05-01/2026-05-02", "2026-05-01T00:00:00Z/2026-05-02T23:59:59.999999Z"),
        ("2026-05-01T12:00:00Z/..", "2026-05-01T12:00:00Z/.."), ("../2026-05-01T12:00:00Z", "../2026-05-01T12:00:00Z"),
        ("2026-05-01T12:00:00Z/", "2026-05-01T12:00:00Z/.."), ("/2026-05-01T12:00:00Z", "../2026-05-01T12:00:00Z"),
    ])
    func `a span is a moment, a day, or two of which one may be open`(_ text: String, _ read: String) throws {
        #expect(try #require(TimeSpan(text)).text == read)
    }

    @Test(arguments: [
        "", "..", "/", "../..", "yesterday", "2026-02-30", "2026-05-01T12:00:00", "2026-05-01/2026-04-30",
        "2026-05-01T12:00:00Z/2026-05-01T11:59:59Z", "2026-05-01/2026-05-02/2026-05-03", "2026-05-01Z/..",
        " /2026-05-01",
    ])
    func `what is no span is refused`(_ text: String) {
        #expect(TimeSpan(text) == nil)
    }

    @Test func `a span has both of its ends`() throws {
        let span = try #require(TimeSpan("2026-05-01T12:00:00Z/2026-05-01T13:00:00Z"))
        let noon = try #require(Timestamp("2026-05-01T12:00:00Z"))
        #expect(span.contains(noon) && span.contains(noon + .seconds(3_600)))
        #expect(!span.contains(noon - .microseconds(1)) && !span.contains(noon + .seconds(3_601)))
        #expect(TimeSpan.always.contains(.distantFuture) && TimeSpan.always.contains(.distantPast))
    }

    @Test func `the text of a span reads back as the same`() throws {
        var generator = SeededGenerator(seed: 37)
        for _ in 0..<500 {
            let ends = (0..<2).map { _ in
                Timestamp(
                    microseconds: Int64.random(in: -60_000_000_000_000_000...200_000_000_000_000_000, using: &generator)
                )
            }.sorted()
            let text = "\(ends[0].iso8601)/\(ends[1].iso8601)"
            let span = try #require(TimeSpan(text), "\(text)")
            #expect(span.from == ends[0] && span.until == ends[1] && TimeSpan(span.text) == span, "\(text)")
        }
    }
}
