import Testing

@testable import SensorThings

@Suite struct QueryOptionsTests {
    private static func read(
        _ parameters: [(String, String)], of set: EntitySet = .things, isEntity: Bool = false
    ) throws(SensorThingsFault) -> QueryOptions {
        try QueryOptions(parameters.map { (name: $0.0, value: Optional($0.1)) }, of: set, isEntity: isEntity)
    }

    private static func fault(
        _ name: String, _ value: String, of set: EntitySet = .things, isEntity: Bool = false
    ) -> SensorThingsFault? {
        do {
            _ = try read([(name, value)], of: set, isEntity: isEntity)
            return nil
        } catch {
            return error
        }
    }

    @Test func optionsReadBack() throws {
        let queries: [(EntitySet, [(String, String)])] = [
            (.things, []), (.things, [("$top", "5"), ("$skip", "10"), ("$count", "true")]),
            (.things, [("$select", "name,id,Datastreams"), ("$orderby", "name desc,id")]),
            (.things, [("$filter", "name eq 'a;b,c)'"), ("$expand", "Datastreams,Locations")]),
            (
                .things,
                [("$expand", "Datastreams($filter=name eq 'a;b)';$orderby=id desc;$top=1;$select=name),Locations")]
            ),
            (
                .things,
                [
                    (
                        "$expand",
                        "Datastreams/Observations($top=1;$orderby=phenomenonTime desc),Datastreams/ObservedProperty"
                    )
                ]
            ),
            (.things, [("$expand", "Datastreams($expand=Sensor,Observations($expand=FeatureOfInterest))")]),
            (.observations, [("$expand", "Datastream($expand=Thing($expand=Locations))")]),
        ]
        for (set, query) in queries {
            let options = try Self.read(query, of: set)
            let written = options.parameters(of: set)
            #expect(try Self.read(written.map { ($0.name, $0.value) }, of: set) == options, "\(written)")
        }
    }

    @Test func pathsInExpandAreTheSameAsExpandsInside() throws {
        let path = try Self.read([("$expand", "Datastreams/Sensor,Datastreams/ObservedProperty")])
        let nested = try Self.read([("$expand", "Datastreams($expand=Sensor,ObservedProperty)")])
        #expect(path == nested && path.expand.count == 1 && path.expand[0].options.expand.count == 2)
    }

    @Test func pagesAreBounded() throws {
        #expect(try Self.read([]).limit == QueryOptions.defaultTop)
        #expect(try Self.read([("$top", "1000000")]).limit == QueryOptions.mostTop)
        #expect(try Self.read([("$top", "0")]).limit == 0)
        #expect(try Self.read([("$skip", "7")]).resumed(at: 107).skip == 107)
        #expect(Self.fault("$skip", "1000001")?.code == "too-large")
    }

    @Test(arguments: [
        ("$top", "-1", "not-a-number"), ("$top", "x", "not-a-number"), ("$top", "+1", "not-a-number"),
        ("$count", "yes", "not-a-truth"),
        ("$select", "name,colour", "unknown-property"), ("$select", "", "unknown-property"),
        ("$orderby", "colour", "unknown-property"),
        ("$orderby", "name up", "order"), ("$orderby", "", "order"), ("$orderby", "id,id,id,id,id,id", "order"),
        ("$expand", "Sensors", "unknown-link"), ("$expand", "", "unknown-link"),
        ("$expand", "Datastreams(", "unexpected-end"),
        ("$expand", "Datastreams($top=1", "unexpected-end"), ("$expand", "Datastreams)x", "unexpected-end"),
        ("$expand", "Datastreams($top)", "option"), ("$expand", "Datastreams($level=1)", "unknown-option"),
        ("$expand", "Datastreams()x", "option"), ("$expand", "Datastreams($skiptoken=1)", "unknown-option"),
        ("$expand", "Datastreams/Observations/Datastream/Thing", "too-deep"), ("$filter", "name eq", "unexpected-end"),
        ("$nothing", "1", "unknown-option"), ("top", "1", "unknown-option"), ("$skiptoken", "", "token"),
    ]) func faultsAreNamed(_ name: String, _ value: String, _ code: String) throws {
        let fault = try #require(Self.fault(name, value))
        #expect(fault.code == code && fault.kind == .malformed, "\(fault)")
    }

    @Test(arguments: ["$resultFormat", "$search", "$apply"]) func optionsOfOthersAreUnsupported(_ name: String) throws {
        #expect(try #require(Self.fault(name, "dataArray")).kind == .unsupported)
    }

    @Test func oneEntityIsNeitherFilteredNorPaged() throws {
        for name in ["$filter", "$orderby", "$top", "$skip", "$count"] {
            #expect(Self.fault(name, "1", isEntity: true)?.code == "not-of-an-entity", "\(name)")
        }
        #expect(try Self.read([("$select", "name"), ("$expand", "Locations")], isEntity: true).select == ["name"])
    }

    @Test func nothingIsSaidTwice() {
        #expect(throws: SensorThingsFault.self) { try Self.read([("$top", "1"), ("$top", "2")]) }
        #expect(throws: SensorThingsFault.self) {
            try QueryOptions([(name: "$top", value: nil)], of: .things, isEntity: false)
        }
    }
}
