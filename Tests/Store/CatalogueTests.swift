import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

/// The schema repeats the catalogue of parameters. These tests compare the two.
@Suite struct CatalogueTests {
    @Test func columnsAreTheParametersNames() async throws {
        try await SchemaFixture.with { fixture in
            let columns = try await fixture.database.sql(
                """
                SELECT attname FROM pg_attribute
                WHERE attrelid = 'sample'::regclass AND attnum > 0 AND attname NOT LIKE 'filled%' AND attname <> 'deleted'
                ORDER BY attnum DESC LIMIT \(Parameter.allCases.count)
                """)
            #expect(columns.split(separator: "\n").reversed().map(String.init) == Parameter.allCases.map(\.name))
        }
    }

    @Test(arguments: ["sample_hour", "sample_day"]) func rollUpsHaveFiveColumnsForEachParameter(
        _ table: String
    ) async throws {
        try await SchemaFixture.with { fixture in
            let columns = try await fixture.database.sql(
                "SELECT attname, atttypid::regtype FROM pg_attribute WHERE attrelid = '\(table)'::regclass AND attnum > 3"
            )
            let types = [
                ("sum", "double precision"), ("min", "real"), ("max", "real"), ("count", "integer"),
                ("flagged", "integer"),
            ]
            let expected = Parameter.allCases.flatMap { parameter in
                types.map { "\(parameter.name)_\($0.0)|\($0.1)" }
            }
            #expect(Set(columns.split(separator: "\n").map(String.init)) == Set(expected + ["worked|integer"]))
        }
    }

    @Test func everyParameterHasASettingAndNoOtherNumberHas() async throws {
        try await SchemaFixture.with { fixture in
            let account = try await fixture.addAccount("kim")
            let device = try await fixture.addDevice("tank-1")
            try await fixture.link(device, to: account)
            let numbers = try await fixture.database.sql(
                "SELECT string_agg(parameter::text, ',' ORDER BY parameter) FROM setting")
            #expect(numbers == Parameter.allCases.map { "\($0.rawValue)" }.joined(separator: ","))
            for number in [-1, Parameter.allCases.count] {
                await #expect(throws: TestSupportError.self) {
                    try await fixture.database.sql("UPDATE setting SET parameter = \(number) WHERE parameter = 0")
                }
            }
        }
    }

    /// Limits around both ends of each absolute range, and in reversed order. Schema and domain refuse the same ones.
    @Test func theSchemaTakesTheLimitsThatTheDomainTakes() async throws {
        try await SchemaFixture.with { fixture in
            let account = try await fixture.addAccount("kim")
            let device = try await fixture.addDevice("tank-1")
            try await fixture.link(device, to: account)
            for parameter in Parameter.allCases {
                let key = WatchKey(device: device, parameter: parameter, account: account)
                try await fixture.owner.perform(EndSetting(key))
                var version: Int32 = 1
                for (minimum, maximum) in Self.limits(of: parameter) {
                    let range = try? SafeRange(
                        parameter, minimum: minimum.map(Steps.init), maximum: maximum.map(Steps.init))
                    version += 1
                    let setting = ReadSetting.Row(
                        version: version, unit: parameter.defaults.unit.rawValue, minimum: minimum, maximum: maximum,
                        colour: "red", position: 0)
                    let fault = await Self.fault { try await fixture.owner.perform(AddSetting(key, setting)) }
                    if fault == nil { try await fixture.owner.perform(EndSetting(key)) }
                    let limits = "\(parameter) \(minimum.map(String.init) ?? "-") \(maximum.map(String.init) ?? "-")"
                    #expect((fault == nil) == (range != nil), "\(limits)")
                    #expect(fault == nil || fault == .checkViolation, "\(limits)")
                }
            }
        }
    }

    private static func limits(of parameter: Parameter) -> [(Int32?, Int32?)] {
        let (low, high) = (parameter.absoluteRange.lowerBound.count, parameter.absoluteRange.upperBound.count)
        let ends: [Int32?] = [nil, low - 1, low, low + 1, high - 1, high, high + 1]
        return ends.flatMap { minimum in ends.map { (minimum, $0) } }
    }

    private static func fault(_ body: () async throws -> Int) async -> PostgresError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? PostgresError)?.code ?? .unexpectedAnswer
        }
    }
}
