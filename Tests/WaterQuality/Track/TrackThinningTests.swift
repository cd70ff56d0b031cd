import Instants
import Testing
import WaterQuality

/// The positions of a device that are kept.
@Suite struct TrackThinningTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_636_800))

    /// A position so many metres north of a place.
    private static func place(_ metres: Double, accuracy: Double? = nil) -> Position {
        // A hundred-thousandth of a degree is 1.11195 m.
        Position(
            storedLatitude: 4_800_000 + Int32((metres / 1.11195).rounded()), longitude: 1_600_000,
            accuracy: accuracy.map { Int16($0) })
    }

    private static func reasons(
        _ steps: [(seconds: Int64, metres: Double)], accuracy: Double? = nil
    ) -> [TrackThinning.Reason?] {
        var thinning = TrackThinning()
        return steps.map { thinning.take(place($0.metres, accuracy: accuracy), at: start + .seconds($0.seconds)) }
    }

    @Test func whatIsFartherThanAStepIsKept() {
        #expect(Self.reasons([(0, 0), (30, 13), (60, 16), (90, 29), (120, 33)]) == [.first, nil, .moved, nil, .moved])
    }

    @Test func inaccuratePositionsHaveToBeFarther() {
        #expect(Self.reasons([(0, 0), (30, 38), (60, 42)], accuracy: 40) == [.first, nil, .moved])
    }

    @Test func aSlowDriftIsKeptAfterFiveMinutes() {
        #expect(
            Self.reasons([(0, 0), (240, 8), (300, 8), (330, 8), (3_000, 12)]) == [.first, nil, .drifted, nil, nil])
        #expect(Self.reasons([(0, 0), (300, 8)], accuracy: 30) == [.first, nil], "a third of the accuracy is more")
    }

    @Test func whatStandsStillIsKeptOnceAnHour() {
        let day = (0..<2_880).map { (seconds: Int64($0 * 30), metres: Double($0 % 3)) }
        let kept = Self.reasons(day).compactMap(\.self)
        #expect(kept.first == .first && kept.dropFirst().allSatisfy { $0 == .still } && kept.count == 24)
    }

    /// However fast a device moves and sends, and whichever way its clock jumps.
    @Test func keptPositionsAreSecondsApart() {
        let all = (0..<600).map { (seconds: Int64($0), metres: Double($0) * 100) }
        #expect(Self.reasons(all).count { $0 != nil } == 120)
        #expect(Self.reasons([(0, 0), (0, 500), (-3, 500), (-6, 500)]) == [.first, nil, nil, .moved])
    }

    /// Of a backlog that comes newest first each piece counts.
    @Test func backlogsCountInAnyOrder() {
        let way = (0..<20).map { (seconds: Int64($0 * 60), metres: Double($0) * 20) }
        #expect(Self.reasons(way.reversed()) == [.first] + Array(repeating: .moved, count: 19))
    }

    @Test func aReadingIsWhereTheDeviceWasLast() {
        var course = TrackCourse()
        #expect(course.position(at: Self.start) == nil)
        let points = [0, 600, 1_200].map {
            TrackPoint(time: Self.start + .seconds($0), position: Self.place(Double($0)))
        }
        course.add(Array(points[..<2]))
        course.add(Array(points[2...]))
        func metres(_ seconds: Int) -> Position? { course.position(at: Self.start + .seconds(seconds)) }
        #expect(metres(-1) == nil)
        #expect(metres(0) == Self.place(0) && metres(599) == Self.place(0) && metres(600) == Self.place(600))
        #expect(
            metres(1_200 + 3_900) == Self.place(1_200) && metres(1_200 + 3_901) == nil, "an hour and a late message")
        course.forget(before: Self.start + .seconds(600 + 3_900 + 1))
        #expect(metres(700) == nil && metres(1_300) == Self.place(1_200))
    }
}
