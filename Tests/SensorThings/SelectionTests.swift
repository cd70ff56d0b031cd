import Testing
import WaterQuality

@testable import SensorThings

@Suite struct SelectionTests {
    private static let ids: [(EntitySet, EntityID)] = [
        (.things, .number(7)), (.featuresOfInterest, .number(7)), (.datastreams, .text("tank-1:temperature")),
        (.datastreams, .text("tank-1:dissolved_oxygen:hand")),
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
        (.datastreams, .number(448)), (.datastreams, .text("tank-1:level")), (.datastreams, .text("tank-1:pH")),
        (.datastreams, .text("tank-1:ph:probe")), (.datastreams, .text("tank 1:ph")), (.datastreams, .text(":ph")),
        (.datastreams, .text("tank-1:ph:hand:hand")), (.datastreams, .text("tank-1:do_sat")),
        (.observedProperties, .number(32)),
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
        #expect(try follow(.text("tank-1:ph"), .datastreams, "Thing").hardwareID?.text == "tank-1")
        #expect(try follow(.text("tank-1:ph:hand"), .datastreams, "Sensor").isByHand == true)
        #expect(
            try follow(.text("tank-1:ph:hand"), .datastreams, "ObservedProperty").id(in: .observedProperties)
                == .number(1))
        #expect(try follow(.text("tank-1:ph"), .datastreams, "ObservedProperty").hardwareID == nil)
        #expect(try follow(.text("449-5"), .observations, "Datastream").datastream == 449)
        #expect(
            try follow(.text("449-5"), .observations, "FeatureOfInterest").id(in: .featuresOfInterest) == .number(7))
        #expect(try follow(.text("7-5"), .historicalLocations, "Locations").id(in: .locations) == .text("7-5"))
        #expect(try follow(.number(7), .things, "Locations").isPresent)
        #expect(try !follow(.text("7-5"), .historicalLocations, "Locations").isPresent)
        #expect(try follow(.number(1), .observedProperties, "Datastreams").device == nil)
        let stream = try follow(.text("tank-1:ph"), .datastreams, "Observations")
        #expect(stream.isOfOneDatastream && stream.datastreamName?.description == "tank-1:ph")
        #expect(try !follow(.number(7), .featuresOfInterest, "Observations").isOfOneDatastream)
    }

    @Test func contradictionsAreNobody() throws {
        var thing = try #require(Selection(.number(7), of: .things))
        thing.hardwareID = Device.HardwareID("tank-1")
        #expect(thing.joined(try #require(Selection(.text("tank-1:ph"), of: .datastreams)))?.datastream == 449)
        #expect(thing.joined(try #require(Selection(.text("tank-2:ph"), of: .datastreams))) == nil)
    }
}
