import Testing

@testable import WaterQuality

/// Outlines of zones.
@Suite struct ZoneOutlineTests {
    private typealias Corner = ZoneOutline.Corner

    /// - Parameter places: Latitudes and longitudes, in degrees.
    private static func outline(_ places: [(Double, Double)]) throws(ZoneOutline.Fault) -> ZoneOutline {
        try ZoneOutline(places.map { Corner(latitude: $0.0, longitude: $0.1) })
    }

    @Test func `an outline is stored as it was drawn`() throws {
        let river = try Self.outline([(48.2, 16.3), (48.3, 16.3), (48.3, 16.4), (48.25, 16.35)])
        #expect(ZoneOutline(stored: river.stored) == river)
        #expect(river.stored.prefix(2) == [48_200_000, 16_300_000])
        #expect(river.corners[3].degrees == (48.25, 16.35))
    }

    @Test func `corners have bounds`() {
        #expect(throws: ZoneOutline.Fault.tooFew) { try Self.outline([(0, 0), (1, 1)]) }
        let many = (0...200).map { (place: Int) in
            (Double(place % 2 == 0 ? place : 0) / 10, Double(place) / 10)
        }
        #expect(throws: ZoneOutline.Fault.tooMany) { try Self.outline(many) }
        #expect(throws: ZoneOutline.Fault.repeated) { try Self.outline([(0, 0), (1, 1), (0, 0), (1, 0)]) }
        #expect(throws: ZoneOutline.Fault.tooWide) { try Self.outline([(0, -179), (1, 179), (2, 0)]) }
        let ends = Corner(latitude: .infinity, longitude: -.infinity)
        #expect(ends == Corner(latitude: 90, longitude: -180))
        #expect(Corner(latitude: .nan, longitude: 0) == Corner(latitude: 0, longitude: 0))
    }

    @Test(arguments: [
        [(0, 0), (1, 1), (0, 1), (1, 0)],  // a bow
        [(0, 0), (0, 2), (0, 1)],  // no inside
        [(0, 0), (0, 4), (4, 4), (4, 3), (0, 3), (4, 2)],  // a corner on a side
        [(0, 0), (0, 4), (2, 4), (2, 2), (2, 3), (4, 0)],  // folds back
        [(0, 0), (0, 4), (1, 4), (1, 3), (0, 3), (0, 2), (1, 1)],  // two sides on one line
    ])
    func `sides do not meet`(places: [(Double, Double)]) {
        #expect(throws: ZoneOutline.Fault.crossing) { try Self.outline(places) }
    }

    @Test func `a star is an outline, whichever way round it is drawn`() throws {
        let star = (0..<200).map { place in
            let (angle, radius) = (Double(place) * 1.8, place % 2 == 0 ? 2.0 : 1.0)
            return (latitude: radius * Self.sine(angle), longitude: radius * Self.sine(angle + 90))
        }
        for places in [star, star.reversed()] {
            let outline = try Self.outline(places.map { ($0.latitude, $0.longitude) })
            #expect(outline.corners.count == 200)
        }
    }

    /// The sine of an angle in degrees, by its series: tests of the domain use no Foundation.
    private static func sine(_ degrees: Double) -> Double {
        let turned = degrees.truncatingRemainder(dividingBy: 360)
        let angle = (turned > 180 ? turned - 360 : turned) * Double.pi / 180
        var (term, sum) = (angle, angle)
        for place in 1...16 {
            term *= -angle * angle / Double(2 * place * (2 * place + 1))
            sum += term
        }
        return sum
    }
}
