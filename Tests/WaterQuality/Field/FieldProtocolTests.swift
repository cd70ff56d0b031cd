import Testing
import WaterQuality
import Words

/// Protocols that are built in, and what they make of values.
@Suite struct FieldProtocolTests {
    @Test func `each has an id of its own, words in each language, and fields that can be answered`() {
        let all = FieldProtocol.catalogue
        #expect(Set(all.map { "\($0.id) \($0.version)" }).count == all.count)
        for sampling in all {
            #expect(Set(sampling.fields.map(\.id)).count == sampling.fields.count, "\(sampling.id)")
            for language in Language.allCases {
                let texts = [sampling.name, sampling.help].compactMap(\.self) + sampling.fields.flatMap(Self.texts)
                for text in texts {
                    let shown = text.text(in: language)
                    #expect(!shown.isEmpty && !shown.hasPrefix("sampling.") && !shown.hasPrefix("water."), "\(text)")
                }
            }
            for field in sampling.fields {
                let name = "\(sampling.id) \(field.id)"
                #expect(field.choices.isEmpty == (field.kind != .choice && field.kind != .class), "\(name)")
                #expect(field.counted.isEmpty == (field.kind != .count), "\(name)")
                #expect(field.each != .station || sampling.stations > 0, "\(name)")
                #expect(field.each != .depth || sampling.hasDepths, "\(name)")
                #expect(field.meanOf.allSatisfy { sampling.field($0)?.kind == .number }, "\(name)")
                guard let parameter = field.parameter else { continue }
                #expect(field.unit.flatMap(Unit.init(rawValue:)).map(parameter.accepts) == true, "\(name)")
            }
        }
    }

    @Test func `each fits into one sample at all its stations, or at forty depths`() {
        for sampling in FieldProtocol.catalogue {
            let most = sampling.fields.filter(\.meanOf.isEmpty).reduce(0) { sum, field in
                switch field.each {
                case .sample: sum + 1
                case .station: sum + sampling.stations
                case .depth: sum + 40
                }
            }
            #expect(most <= FieldSample.mostValues, "\(sampling.id): \(most)")
        }
    }

    private static func texts(_ field: FieldProtocol.Field) -> [FieldText] {
        [field.label, field.help].compactMap(\.self) + field.choices.map(\.label) + field.counted.map(\.label)
    }

    @Test func `a version is found, and none that there is not`() {
        #expect(FieldProtocol.builtIn("river-quick")?.version == 1)
        #expect(FieldProtocol.builtIn("river-quick", version: 2) == nil && FieldProtocol.builtIn("pond") == nil)
    }

    private static let river = FieldProtocol.builtIn("river-full")!
    private static let route = FieldProtocol.builtIn("fixed-route")!
    private static let profile = FieldProtocol.builtIn("depth-profile")!

    @Test(
        arguments: [
            (river, [FieldValue("temperature", .number(12.5)), FieldValue("ph", .notMeasured("no meter"))], nil),
            (river, [FieldValue("nothing", .number(1))], .noField),
            (river, [FieldValue("temperature", .number(12)), FieldValue("temperature", .number(13))], .repeated),
            (river, [FieldValue("temperature", .text("warm"))], .otherKind(.text)),
            (river, [FieldValue("temperature", .number(61))], .above(maximum: 60)),
            (river, [FieldValue("nitrate", .below(-1))], .below(minimum: 0)),
            (river, [FieldValue("level", .choice("odd"))], .noChoice(["dry", "low", "normal", "high", "flood"])),
            (river, [FieldValue("temperature", station: "1", .number(12))], .station),
            (river, [FieldValue("temperature", depth: 2, .number(12))], .depth),
            (
                route,
                [
                    FieldValue("temperature", station: "1", .number(9)),
                    FieldValue("temperature", station: "2", .number(8)),
                ],
                nil
            ),
            (route, [FieldValue("temperature", .number(9))], .station),
            (route, (0...30).map { FieldValue("ph", station: "\($0)", .number(7)) }, .manyStations(most: 30)),
            (
                profile,
                [FieldValue("temperature", depth: 0, .number(9)), FieldValue("temperature", depth: 5, .number(8))], nil
            ),
            (profile, [FieldValue("secchi_mean", .number(3))], .noField),
        ] as [(FieldProtocol, [FieldValue], SampleFault?)])
    func `the first value that cannot be is told`(sampling: FieldProtocol, values: [FieldValue], fault: SampleFault?) {
        #expect(sampling.fault(of: values)?.fault == fault)
    }

    @Test func `a required field is missing, unless it says why it was not measured`() {
        #expect(Self.river.missing(in: []) == ["temperature"])
        #expect(Self.river.missing(in: [FieldValue("temperature", .notMeasured("broken"))]) == [])
    }

    @Test func `the depth of Secchi's disk is the mean of both, and none of one`() throws {
        let lake = try #require(FieldProtocol.builtIn("lake-secchi"))
        let down = FieldValue("secchi_down", .number(3.2))
        #expect(lake.means(of: [down]) == [])
        #expect(
            lake.means(of: [down, FieldValue("secchi_up", .number(2.8))]) == [FieldValue("secchi_mean", .number(3))])
    }
}
