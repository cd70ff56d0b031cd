import Instants
import SensorThings
import Testing

@testable import Gateway

/// A filter's bounds on times say which days are looked into: never less than it lets through.
@Suite struct ObservedPeriodTests {
    private static func time(_ text: String) -> Timestamp { Timestamp(text) ?? .distantPast }

    private static let whole = time("2026-10-01T00:00:00Z")..<time("2026-12-01T00:00:00Z")

    @Test(arguments: [
        ("phenomenonTime ge 2026-11-01T00:00:00Z", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"),
        ("2026-11-01T00:00:00Z lt phenomenonTime", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"),
        ("resultTime lt 2026-11-01T00:00:00Z", "2026-10-01T00:00:00Z", "2026-11-01T00:00:00.000001Z"),
        (
            "phenomenonTime gt 2026-11-01T00:00:00Z and result gt 3 and phenomenonTime le 2026-11-02T00:00:00Z",
            "2026-11-01T00:00:00Z", "2026-11-02T00:00:00.000001Z"
        ),
        ("phenomenonTime eq 2026-11-01T00:00:00Z", "2026-11-01T00:00:00Z", "2026-11-01T00:00:00.000001Z"),
        // What is behind an "or" bounds nothing, nor does what is not said of a time.
        ("phenomenonTime gt 2026-11-01T00:00:00Z or result gt 3", "2026-10-01T00:00:00Z", "2026-12-01T00:00:00Z"),
        ("not phenomenonTime gt 2026-11-01T00:00:00Z", "2026-10-01T00:00:00Z", "2026-12-01T00:00:00Z"),
        ("phenomenonTime ne 2026-11-01T00:00:00Z", "2026-10-01T00:00:00Z", "2026-12-01T00:00:00Z"),
        ("phenomenonTime gt 2020-01-01T00:00:00Z", "2026-10-01T00:00:00Z", "2026-12-01T00:00:00Z"),
    ]) func boundsAreTaken(_ filter: String, _ from: String, _ until: String) throws {
        let known = FindObservedPeriod.Row(period: Self.whole, lags: 0...0)
        let narrowed = known.narrowed(by: try FilterParser.read(filter, of: .observations))
        #expect(narrowed == Self.time(from)..<Self.time(until))
    }

    @Test func clocksThatAreBehindAreHeeded() throws {
        let known = FindObservedPeriod.Row(period: Self.whole, lags: -60...3600)
        let filter = "phenomenonTime ge 2026-11-01T00:00:00Z and phenomenonTime lt 2026-11-02T00:00:00Z"
        let narrowed = known.narrowed(by: try FilterParser.read(filter, of: .observations))
        #expect(narrowed == Self.time("2026-10-31T23:00:00Z")..<Self.time("2026-11-02T00:01:00.000001Z"))
        let never = try FilterParser.read("phenomenonTime gt 2027-01-01T00:00:00Z", of: .observations)
        #expect(known.narrowed(by: never).isEmpty)
        #expect(known.narrowed(by: nil) == Self.whole)
    }
}
