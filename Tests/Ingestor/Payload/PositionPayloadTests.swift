import Instants
import Testing
import WaterQuality

@testable import Ingestor

/// Positions in messages: the water was measured, whatever is wrong with where.
@Suite struct PositionPayloadTests {
    private static let vienna = Position(storedLatitude: 4_820_812, longitude: 1_637_382, accuracy: 4)

    @Test(arguments: [
        #"{"ph":7.9,"position":{"latitude":48.20812,"longitude":16.37382,"accuracy":3.2}}"#,
        #"{"position":{"longitude":"16.37382","hdop":[1,{"x":2}],"accuracy":"4","latitude":"48.20812"},"readings":{"ph":7.9}}"#,
        #"{"ts":1777636800000,"values":{"ph":7.9,"position":{"latitude":48.20812,"longitude":16.37382,"accuracy":4}}}"#,
    ])
    func aPositionStandsBesideReadingsOrAmongThem(_ text: String) throws {
        let payload = try ReadingsPayload(text: text)
        #expect(payload.position == Self.vienna && payload.readings == Readings([.ph: 7.9]) && payload.faults.isEmpty)
    }

    @Test(arguments: [
        #""position":7"#, #""position":"48.2,16.4""#, #""position":[48.2,16.4]"#, #""position":true"#,
        #""position":nan"#,
        #""position":{}"#, #""position":{"latitude":48.2}"#, #""position":{"latitude":null,"longitude":16}"#,
        #""position":{"latitude":nan,"longitude":16}"#, #""position":{"latitude":91,"longitude":16}"#,
        #""position":{"latitude":48,"longitude":-180.5}"#, #""position":{"latitude":0,"longitude":0.0}"#,
        #""position":{"latitude":48,"longitude":16,"accuracy":-1}"#,
        #""position":{"latitude":48,"longitude":16,"accuracy":20000}"#,
    ])
    func onlyABadPositionIsRejected(_ bad: String) throws {
        for text in [#"{\#(bad),"ph":7.9}"#, #"{"ph":7.9,\#(bad)}"#] {
            let payload = try ReadingsPayload(text: text)
            #expect(payload.readings == Readings([.ph: 7.9]) && payload.position == nil, "\(text)")
            #expect(
                payload.faults.map(\.reason) == [.badPosition] && payload.faults[0].subject == "position", "\(text)")
            #expect(!payload.faults[0].detail.contains("48"), "where somebody is stands in no list of faults")
        }
    }

    @Test func nullIsNoPositionAndNoFault() throws {
        let payload = try ReadingsPayload(text: #"{"position":null,"ph":7.9}"#)
        #expect(payload.position == nil && payload.faults.isEmpty)
    }

    @Test func whatIsNoJSONIsMalformed() {
        for text in [#"{"position":{"latitude":48.2"#, #"{"position":{"latitude"48}}"#] {
            #expect(throws: RejectReason.malformed) { try ReadingsPayload(text: text) }
        }
    }
}
