import Testing

@testable import SensorThings

@Suite struct ResourcePathTests {
    @Test(arguments: [
        "Things", "Things(7)", "Things(7)/Datastreams", "Things(7)/Datastreams('tank-1:ph')/Observations",
        "Datastreams('tank-1:ph')/Thing/Locations",
        "Observations('449-1790000000000000')", "Observations('449-1790000000000000')/Datastream/ObservedProperty",
        "Things(7)/name", "Things(7)/properties", "Observations('449-1')/result/$value", "Things/$ref",
        "Things(7)/Locations/$ref",
        "Datastreams('tank-1:ph:hand')/unitOfMeasurement", "FeaturesOfInterest(7)/feature",
    ]) func pathsReadBack(_ text: String) throws {
        #expect(try ResourcePath(text).description == text)
    }

    @Test(arguments: [
        "", "/", "Thing", "things", "Things(", "Things()", "Things(7", "Things('7'", "Things(+7)", "Things(07)",
        "Things(7)/", "Things//",
        "Things/Datastreams", "Things/name", "Things(7)/Sensors", "Datastreams(1)/Thing(7)", "Things(7)/id",
        "Things(7)/name/x",
        "Things(7)/name/$value/x", "Things/$value", "Things/$ref/x", "Observations('a'b')",
        "Things(99999999999999999999)",
        "Datastreams(1)/Thing/Datastreams(1)/Thing/Datastreams(1)/Thing/Datastreams(1)/Thing/Datastreams",
    ]) func otherPathsLeadNowhere(_ text: String) {
        #expect(throws: SensorThingsFault.notFound) { try ResourcePath(text) }
    }

    @Test func oneEntityIsToldFromSeveral() throws {
        #expect(try ResourcePath("Datastreams(1)/Thing").isEntity)
        #expect(try ResourcePath("Datastreams(1)/Thing").set == .things)
        #expect(try !ResourcePath("Things(1)/Datastreams").isEntity)
    }

    /// Every link leads to a set that leads back.
    @Test func linksGoBothWays() {
        for set in EntitySet.allCases {
            #expect(Set(set.links.map(\.name)).count == set.links.count)
            for link in set.links { #expect(link.target.links.contains { $0.target == set }, "\(set) \(link.name)") }
        }
    }
}
