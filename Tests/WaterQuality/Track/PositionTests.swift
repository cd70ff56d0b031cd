import Testing
import WaterQuality

/// Positions as devices say them, and the distances between them.
@Suite struct PositionTests {
    private func position(_ latitude: Double, _ longitude: Double, _ accuracy: Double? = nil) throws -> Position {
        try Position(latitude: latitude, longitude: longitude, accuracy: accuracy)
    }

    @Test func aPositionHasFiveDecimalsAndWholeMetres() throws {
        let vienna = try position(48.2081234, -16.3738251, 3.2)
        #expect(vienna.latitude == 4_820_812 && vienna.longitude == -1_637_383 && vienna.accuracy == 4)
        #expect(vienna.degrees == (48.20812, -16.37383))
        #expect(try position(-90, 180).accuracy == nil)
        #expect(try position(0, 0.00001) == Position(storedLatitude: 0, longitude: 1, accuracy: nil))
    }

    @Test(
        arguments: [
            (90.00001, 0, nil, Position.Fault.beyondEarth), (0, -180.1, nil, .beyondEarth),
            (.nan, 1, nil, .beyondEarth),
            (1, .infinity, nil, .beyondEarth), (0, 0, nil, .noFix), (-0.0, 0, 5, .noFix), (48, 16, -1, .accuracy),
            (48, 16, 10_000.1, .accuracy), (48, 16, .nan, .accuracy),
        ] as [(Double, Double, Double?, Position.Fault)])
    func whatIsNoPosition(_ latitude: Double, _ longitude: Double, _ accuracy: Double?, _ fault: Position.Fault) {
        #expect(throws: fault) { try position(latitude, longitude, accuracy) }
    }

    /// Check values: a degree of a great circle is 111,195 m; Vienna to Bratislava; across the date line and over a pole.
    @Test(arguments: [
        (0.0, 10.0, 1.0, 10.0, 111_195.0), (60, 10, 60, 11, 55_597), (48.20849, 16.37208, 48.14859, 17.10775, 54_926),
        (10, 179.9, 10, -179.9, 21_901), (89.9, 0, 89.9, 180, 22_239), (1, 1, 1, 1, 0),
    ])
    func distancesAreOfTheSphere(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ metres: Double) throws {
        let found = try position(a, b).distance(to: position(c, d))
        #expect(abs(found - metres) <= metres * 0.005, "\(found)")
    }
}
