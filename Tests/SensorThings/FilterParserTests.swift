import Instants
import TestSupport
import Testing

@testable import SensorThings

@Suite struct FilterParserTests {
    private static func read(_ text: String, _ set: EntitySet = .observations) throws -> FilterExpression {
        try FilterParser.read(text, of: set)
    }

    private static func fault(_ text: String, _ set: EntitySet = .observations) -> SensorThingsFault? {
        do {
            _ = try FilterParser.read(text, of: set)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("result gt 3 or result lt 1 and result ne 2", "result gt 3.0 or result lt 1.0 and result ne 2.0"),
        ("(result gt 3 or result lt 1) and result ne 2", "(result gt 3.0 or result lt 1.0) and result ne 2.0"),
        ("not result gt 3 and result lt 1", "not result gt 3.0 and result lt 1.0"),
        ("not (result gt 3 and result lt 1)", "not (result gt 3.0 and result lt 1.0)"),
        ("result add 1 mul 2 gt 3", "result add 1.0 mul 2.0 gt 3.0"),
        ("(result add 1) mul 2 gt 3", "(result add 1.0) mul 2.0 gt 3.0"),
        ("result sub (1 sub 2) gt 3", "result sub (1.0 sub 2.0) gt 3.0"),
        ("-result lt -(2 add 1)", "-result lt -(2.0 add 1.0)"),
        ("phenomenonTime ge 2026-11-01T00:00:00Z", "phenomenonTime ge 2026-11-01T00:00:00.000Z"),
        ("resultTime lt 2026-11-01T02:00:00+02:00", "resultTime lt 2026-11-01T00:00:00.000Z"),
        ("Datastream/@iot.id eq 'tank-1:ph'", "Datastream/id eq 'tank-1:ph'"),
        ("id eq '449-1'", "id eq '449-1'"), ("(result gt 3) eq true", "(result gt 3.0) eq true"),
        ("result gt 1e3", "result gt 1000.0"), ("year(phenomenonTime) eq 2026", "year(phenomenonTime) eq 2026.0"),
        ("phenomenonTime lt now()", "phenomenonTime lt now()"),
    ]) func observationsAreFiltered(_ text: String, _ canonical: String) throws {
        let expression = try Self.read(text)
        let written = expression.text(in: .observations)
        #expect(try Self.read(written) == expression)
        #expect(try Self.read(canonical) == expression)
    }

    @Test(arguments: [
        "startswith(name,'Koi')", "substringof('o''i',name)", "Thing/name eq 'Pond'",
        "length(tolower(trim(concat(name,'x')))) gt 3",
        "Thing/properties/hardwareId eq 'tank-1'", "substring(name,1) eq 'oi'", "substring(name,1,2) eq 'oi'",
        "indexof(name,'i') ge 0 and endswith(Thing/name,'d')", "unitOfMeasurement/symbol eq '°C'",
        "ObservedProperty/id eq 1",
    ]) func textsAreFiltered(_ text: String) throws {
        let expression = try Self.read(text, .datastreams)
        #expect(try Self.read(expression.text(in: .datastreams), .datastreams) == expression)
    }

    @Test(arguments: [
        "geo.intersects(location,geography'POLYGON((10 50,11 50,11 51,10 51,10 50))')",
        "st_within(location,geography'POLYGON ((10 50, 10 51, 11 51, 11 50, 10 50))')",
    ]) func boxesAreRead(_ text: String) throws {
        let box = GeoBox(west: 10, south: 50, east: 11, north: 51)
        guard case .call(_, let arguments) = try Self.read(text, .locations),
            case .literal(.box(let read))? = arguments.last
        else {
            Issue.record("another filter")
            return
        }
        #expect(arguments.first == .field(.place))
        #expect(read == box)
    }

    @Test(arguments: [
        ("", "unexpected-end"), ("result", "not-a-truth"), ("result gt", "unexpected-end"),
        ("result gt 3 4", "unexpected"),
        ("result gt 'a'", "not-a-number"), ("name eq 'a'", "unknown-property"),
        ("Datastream/name eq 'a'", "unknown-property"),
        ("result gt 3 gt 2", "unexpected"), ("phenomenonTime gt 3", "not-a-time"),
        ("phenomenonTime gt 2026-13-01T00:00:00Z", "not-a-time"),
        ("phenomenonTime gt 2026-11-01T00:00:00", "not-a-time"), ("id eq 'a", "text-without-end"),
        ("id eq 'a\u{0}'", "nul-character"),
        ("result gt 1e999", "not-a-number"), ("result gt 0x10", "not-a-number"),
        ("nothing(result)", "unknown-function"),
        ("round(result,1) gt 3", "arguments"), ("round() gt 3", "arguments"), ("result gt 3;", "unexpected-character"),
        ("result = 3", "unexpected-character"), ("money'3' gt 3", "unknown-literal"), ("result gt 3)", "unexpected"),
        ("(result gt 3", "unexpected-end"), ("not result", "not-a-truth"), ("-id eq 3", "not-a-number"),
        ("Datastream/id eq 449", "not-a-text"),
    ]) func faultsAreNamed(_ text: String, _ code: String) throws {
        let fault = try #require(Self.fault(text))
        #expect(fault.code == code && fault.kind == .malformed, "\(fault)")
    }

    /// What the standard knows and this service does not is told from what nobody knows.
    @Test(arguments: FilterFunction.unsupported.sorted()) func functionsOfTheStandardAreToldByName(
        _ name: String
    ) throws {
        let fault = try #require(Self.fault("\(name)(phenomenonTime) eq 1"))
        #expect(fault.kind == .unsupported && fault.subject == name)
    }

    @Test(arguments: [
        "geo.intersects(location,geography'POINT(10 50)')",
        "geo.intersects(location,geography'POLYGON((10 50,11 50,11 51,10 50))')",
        "geo.intersects(location,geography'POLYGON((10 50,11 50,12 51,10 51,10 50))')", "st_within(location,location)",
    ]) func otherAreasThanBoxesAreUnsupported(_ text: String) throws {
        #expect(try #require(Self.fault(text, .locations)).kind == .unsupported)
    }

    @Test func boundsHold() throws {
        let deep = String(repeating: "(", count: FilterParser.deepest)
        let closed = String(repeating: ")", count: FilterParser.deepest)
        #expect(throws: Never.self) { try Self.read("\(deep)result gt 1\(closed)") }
        #expect(Self.fault("(\(deep)result gt 1\(closed))")?.code == "too-deep")
        #expect(Self.fault(String(repeating: "not ", count: 21) + "result gt 1")?.code == "too-deep")
        #expect(Self.fault("result gt " + String(repeating: "-", count: 21) + "1")?.code == "too-deep")
        let long = String(repeating: " ", count: FilterParser.longest)
        #expect(Self.fault("result gt 1" + long)?.code == "too-long")
        let many = "result gt 1" + String(repeating: " or result gt 1", count: 100)
        #expect(throws: Never.self) { try Self.read(many) }
    }

    /// What was read is written and read back as it was, whatever it is.
    @Test(arguments: EntitySet.allCases) func filtersReadBack(_ set: EntitySet) throws {
        var random = SeededGenerator(seed: 37)
        for _ in 0..<500 {
            let expression = RandomFilter(set: set).make(.truth, depth: 4, &random)
            let text = expression.text(in: set)
            guard text.utf8.count <= FilterParser.longest else { continue }
            let read = try FilterParser.read(text, of: set)
            #expect(read == expression, "\(text)")
        }
    }
}

/// Makes filters that the grammar allows.
private struct RandomFilter {
    let set: EntitySet

    func make(_ type: ValueType, depth: Int, _ random: inout SeededGenerator) -> FilterExpression {
        if depth == 0 || Int.random(in: 0..<4, using: &random) == 0 { return leaf(type, &random) }
        switch (type, Int.random(in: 0..<4, using: &random)) {
        case (.truth, 0): return .not(make(.truth, depth: depth - 1, &random))
        case (.truth, 1):
            let operation: FilterOperator = Bool.random(using: &random) ? .and : .or
            return .binary(
                operation, make(.truth, depth: depth - 1, &random), make(.truth, depth: depth - 1, &random))
        case (.truth, 2):
            let kinds: [ValueType] = [.number, .text, .time, .truth]
            let kind = kinds.randomElement(using: &random) ?? .number
            let operation = FilterOperator.allCases.filter(\.compares).randomElement(using: &random) ?? .eq
            return .binary(operation, make(kind, depth: depth - 1, &random), make(kind, depth: depth - 1, &random))
        case (.number, 0): return .negative(make(.number, depth: depth - 1, &random))
        case (.number, 1), (.number, 2):
            let operation =
                FilterOperator.allCases.filter { !$0.compares && !$0.joins }.randomElement(using: &random) ?? .add
            return .binary(
                operation, make(.number, depth: depth - 1, &random), make(.number, depth: depth - 1, &random))
        default:
            let functions = FilterFunction.allCases.filter { $0.result == type && !$0.arguments.contains(.place) }
            guard let function = functions.randomElement(using: &random) else { return leaf(type, &random) }
            let count = Int.random(in: function.least...function.arguments.count, using: &random)
            return .call(function, function.arguments.prefix(count).map { make($0, depth: depth - 1, &random) })
        }
    }

    private func leaf(_ type: ValueType, _ random: inout SeededGenerator) -> FilterExpression {
        let fields = set.fields.map(\.field).filter { $0.type(in: set) == type }
        if Bool.random(using: &random), let field = fields.randomElement(using: &random) { return .field(field) }
        switch type {
        case .number: return .literal(.number(Double(Int.random(in: 0...1_000_000, using: &random)) / 1_000))
        case .text:
            return .literal(.text(["", "a", "it's", "'", "é ü 水", "or (and) not"].randomElement(using: &random) ?? ""))
        case .time:
            return .literal(
                .time(
                    Timestamp(
                        microseconds: Int64.random(
                            in: -62_000_000_000_000_000...250_000_000_000_000_000, using: &random))))
        case .truth, .place: return .literal(.truth(Bool.random(using: &random)))
        }
    }
}
