import Instants
import Operator
import Testing
import WaterQuality

@testable import Rehearsal

@Suite("The replay's time axis")
struct TimelineTests {
    private let now = Timestamp(unixSeconds: Int64(1_777_636_800))
    private let first = Timestamp(unixSeconds: Int64(1_600_000_000))

    @Test("The last row is now, and the spacing is divided")
    func spacing() throws {
        let last = first + .seconds(86_400)
        let timeline = try Timeline(earliest: first, latest: last, now: now, speed: 30)
        #expect(timeline.replayed(last) == now)
        #expect(now - timeline.replayed(last - .seconds(900)) == .seconds(30))
        #expect(now - timeline.replayed(first) == .seconds(2880))
    }

    @Test("A series beyond seven days is refused with the smallest possible speed", arguments: [61.0, 7.0, 270, 7000])
    func tooLong(_ days: Double) throws {
        let last = first + .seconds(Int(days * 86_400))
        let error = #expect(throws: OperatorError.self) {
            try Timeline(earliest: first, latest: last, now: now, speed: 1)
        }
        let text = try #require(error?.description.split(separator: "--speed ").last?.dropLast())
        let named = try #require(Double(text))
        let timeline = try Timeline(earliest: first, latest: last, now: now, speed: named)
        #expect(EventTime(device: timeline.replayed(first), receipt: now).source == .device)
        #expect(throws: OperatorError.self) {
            try Timeline(earliest: first, latest: last, now: now, speed: named - 0.1)
        }
    }
}
