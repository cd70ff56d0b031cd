import Instants
import TestSupport
import Testing
import WaterQuality

/// Samples as values by hand, and their tracks.
@Suite struct FieldSampleTests {
    private static let begun = Timestamp(unixSeconds: Int64(1_777_636_800))

    private func hand(
        _ id: String, _ values: [FieldValue], _ state: FieldSample.State = .done
    ) throws -> [HandValue] {
        let sampling = try #require(FieldProtocol.builtIn(id))
        return FieldSample(
            protocolID: id, protocolVersion: 1, begunAt: Self.begun, state: state, values: values
        ).handValues(by: sampling)
    }

    @Test func `numbers of parameters are values by hand once the sample is done`() throws {
        let values = [
            FieldValue("temperature", .number(12.5)), FieldValue("water_depth", .number(2)),
            FieldValue("ph", .notMeasured("no meter")), FieldValue("smell", .choice("none")),
        ]
        let found = try hand("river-full", values)
        #expect(found.map(\.parameter) == [.temperature] && found[0].value == 12.5 && found[0].choice == nil)
        #expect(try hand("river-full", values, .begun) == [] && hand("river-full", values, .withdrawn) == [])
    }

    @Test(
        arguments: [
            ("nitrate_class", .choice("1"), "<0.2", 0, 0.2), ("nitrate_class", .choice("3"), "0.5-1", 0.5, 1),
            ("nitrate_class", .choice("7"), ">10", 10, nil),
        ] as [(String, FieldValue.Content, String, Double?, Double?)])
    func `a class is the interval that it stands for`(
        field: String, content: FieldValue.Content, step: String, lower: Double?, upper: Double?
    ) throws {
        let found = try #require(try hand("volunteer", [FieldValue(field, content)]).first)
        #expect(found.choice == step && found.unit == .nitrateNitrogen)
        func canonical(_ bound: Double?) -> Float? {
            bound.flatMap { Parameter.nitrate.canonical($0, in: .nitrateNitrogen) }
        }
        #expect(found.lower == canonical(lower) && found.upper == canonical(upper))
    }

    @Test func `what the method cannot tell is an open interval`() throws {
        let below = try #require(try hand("river-full", [FieldValue("nitrite", .below(0.02))]).first)
        #expect(below.choice == "<0.02" && below.lower == nil && below.upper == 0.02)
        let range = try SafeRange(.nitrite, minimum: nil, maximum: 0.01 as Float)
        #expect(below.finding(by: range) == .inRange, "a part of it is within the limit")
        let above = try #require(try hand("river-full", [FieldValue("nitrate", .above(50))]).first)
        #expect(above.choice == ">50" && above.upper == nil)
        #expect(above.finding(by: try SafeRange(.nitrate, minimum: nil, maximum: 40 as Float)) == .high)
    }

    @Test func `a name that is too long for a step is left out`() throws {
        let found = try #require(try hand("river-full", [FieldValue("nitrite", .below(0.012_345_678_901_234_5))]).first)
        #expect(found.choice == "<")
    }

    @Test func `of several depths the one nearest to the surface counts, of stations the first`() throws {
        let depths = [5, 0.5, 1].map { FieldValue("temperature", depth: $0, .number(20 - $0)) }
        #expect(try hand("depth-profile", depths).map(\.value) == [19.5])
        let stations = [("b", 9.0), ("a", 8.0)].map { FieldValue("temperature", station: $0.0, .number($0.1)) }
        #expect(try hand("fixed-route", stations).map(\.value) == [9])
    }

    // MARK: Tracks

    private func track(_ random: inout SeededGenerator) throws -> FieldTrack {
        var seconds: Int32 = .random(in: -1000...1000, using: &random)
        var (latitude, longitude) = (
            Double.random(in: -89...89, using: &random), Double.random(in: -179...179, using: &random)
        )
        var segments: [[FieldTrack.Point]] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            var points: [FieldTrack.Point] = []
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                seconds += .random(in: 0...30, using: &random)
                latitude += .random(in: -0.0002...0.0002, using: &random)
                longitude += .random(in: -0.0002...0.0002, using: &random)
                let accuracy = Bool.random(using: &random) ? Double.random(in: 0...40, using: &random) : nil
                points.append(
                    FieldTrack.Point(
                        seconds: seconds,
                        position: try Position(latitude: latitude, longitude: longitude, accuracy: accuracy)))
            }
            segments.append(points)
        }
        return FieldTrack(segments)
    }

    @Test func `bytes hold a track as it is, and thinning again changes nothing`() throws {
        var random = SeededGenerator(seed: 97)
        for _ in 0..<300 {
            let track = try track(&random)
            #expect(FieldTrack(bytes: track.bytes) == track)
            #expect(track.ascends)
            let thinned = track.thinned
            #expect(thinned.thinned == thinned && thinned.count <= track.count && thinned.ascends)
            for (kept, all) in zip(thinned.segments, track.segments) {
                #expect(kept.first == all.first && kept.last == all.last, "both ends stay")
            }
        }
    }

    @Test func `no bytes are read beyond the bounds`() {
        var random = SeededGenerator(seed: 98)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            guard let track = FieldTrack(bytes: bytes) else { continue }
            #expect(track.segments.count <= FieldTrack.mostSegments && track.count <= FieldTrack.mostPoints)
            #expect(FieldTrack(bytes: track.bytes) == track)
        }
        #expect(FieldTrack(bytes: [21]) == nil, "too many segments")
        #expect(FieldTrack(bytes: [1, 0x89, 0x27]) == nil, "5,001 points")
        #expect(FieldTrack(bytes: [0, 0]) == nil, "more than a track")
    }
}
