import Testing

@testable import SensorThings

@Suite struct SelectionTests {
    private static let ids: [(EntitySet, EntityID)] = [
        (.things, .number(7)), (.featuresOfInterest, .number(7)), (.datastreams, .number(448)),
        (.datastreams, .number(480)),
        (.sensors, .number(14)), (.sensors, .number(15)), (.observedProperties, .number(0)),
        (.observedProperties, .number(31)),
        (.locations, .text("7-1790000000000000")), (.historicalLocations, .text("7-0")),
        (.observations, .text("448-1790000000000000")),
        (.observations, .text("480-0f0e0d0c-0b0a-0908-0706-050403020100")),
    ]

    @Test func idsReadBack() throws {
        for (set, id) in Self.ids {
            let selection = try #require(Selection(id, of: set), "\(set) \(id)")
            #expect(selection.id(in: set) == id, "\(set) \(id)")
        }
    }

    /// An entity has one id, written in one way.
    @Test(arguments: [
        (EntitySet.things, EntityID.number(0)), (.things, .number(-7)), (.things, .number(1 << 40)),
        (.things, .text("7")),
        (.datastreams, .number(63)), (.datastreams, .number(-1)), (.observedProperties, .number(32)),
        (.observedProperties, .number(-1)),
        (.locations, .number(7)), (.locations, .text("7")), (.locations, .text("07-1")), (.locations, .text("7-01")),
        (.locations, .text("7-+1")), (.observations, .text("448-")), (.observations, .text("-1")),
        (.observations, .text("448--1")), (.observations, .text("448-9223372036854775806")),
        (.locations, .text("7-9223372036854775807")),
        (.observations, .text("448-0f0e0d0c-0b0a-0908-0706-050403020100")),
        (.observations, .text("480-1790000000000000")),
        (.observations, .text("480-0F0E0D0C-0B0A-0908-0706-050403020100")),
        (.observations, .text("480-0f0e0d0c0b0a09080706050403020100----")),
    ]) func nothingElseIsAnID(_ set: EntitySet, _ id: EntityID) {
        #expect(Selection(id, of: set) == nil)
    }

    @Test func linksAreArithmetic() throws {
        func follow(_ id: EntityID, _ set: EntitySet, _ name: String) throws -> Selection {
            try #require(Selection(id, of: set)).following(try #require(set.link(name)), from: set)
        }
        #expect(try follow(.number(449), .datastreams, "Thing").id(in: .things) == .number(7))
        #expect(try follow(.number(449), .datastreams, "Sensor").id(in: .sensors) == .number(14))
        #expect(try follow(.number(481), .datastreams, "Sensor").id(in: .sensors) == .number(15))
        #expect(try follow(.number(481), .datastreams, "ObservedProperty").id(in: .observedProperties) == .number(1))
        #expect(try follow(.text("449-5"), .observations, "Datastream").id(in: .datastreams) == .number(449))
        #expect(
            try follow(.text("449-5"), .observations, "FeatureOfInterest").id(in: .featuresOfInterest) == .number(7))
        #expect(try follow(.text("7-5"), .historicalLocations, "Locations").id(in: .locations) == .text("7-5"))
        #expect(try follow(.number(7), .things, "Locations").isPresent)
        #expect(try !follow(.text("7-5"), .historicalLocations, "Locations").isPresent)
        #expect(try follow(.number(1), .observedProperties, "Datastreams").device == nil)
        #expect(try follow(.number(449), .datastreams, "Observations").datastream == 449)
    }

    @Test func contradictionsAreNobody() throws {
        let thing = try #require(Selection(.number(7), of: .things))
        #expect(thing.joined(try #require(Selection(.number(449), of: .datastreams)))?.datastream == 449)
        #expect(thing.joined(try #require(Selection(.number(513), of: .datastreams))) == nil)
    }
}
