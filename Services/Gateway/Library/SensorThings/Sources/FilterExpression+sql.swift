import Instants
import Postgres
import SensorThings

extension FilterExpression {
    /// The condition in SQL: every literal is a parameter, every name one of the source's.
    func sql(_ source: EntitySource) -> ComposedSQL {
        switch self {
        case .literal(let literal): literal.sql
        // A set has an expression for each of its fields; a test shows it.
        case .field(let field): source.fields[field] ?? "NULL"
        case .not(let inner): "(NOT \(inner.sql(source)))"
        case .negative(let inner): "(- \(inner.sql(source)))"
        case .call(let function, let arguments): function.sql(arguments, source)
        case .binary(let operation, let left, let right): operation.sql(left, right, source)
        }
    }
}

extension Literal {
    fileprivate var sql: ComposedSQL {
        switch self {
        case .number(let number): "\(bind: number)::double precision"
        case .text(let text): "\(bind: text)::text"
        case .time(let time): "\(bind: time)::timestamptz"
        case .truth(let truth): "\(bind: truth)::boolean"
        // An area stands beside a property alone, as an argument.
        case .box: "NULL"
        }
    }
}

extension FilterOperator {
    fileprivate func sql(_ left: FilterExpression, _ right: FilterExpression, _ source: EntitySource) -> ComposedSQL {
        if let range = onStoredTime(left, right, source) { return range }
        let (left, right) = (left.sql(source), right.sql(source))
        return switch self {
        case .or: "(\(left) OR \(right))"
        case .and: "(\(left) AND \(right))"
        case .add: "(\(left) + \(right))"
        case .sub: "(\(left) - \(right))"
        case .mul: "(\(left) * \(right))"
        case .div: "(\(left) / nullif(\(right), 0))"
        case .mod: "mod(\(left)::numeric, nullif(\(right), 0)::numeric)::double precision"
        default: "(\(left) \(comparison) \(right))"
        }
    }

    private var comparison: ComposedSQL {
        switch self {
        case .ne: "<>"
        case .gt: ">"
        case .ge: ">="
        case .lt: "<"
        case .le: "<="
        default: "="
        }
    }

    /// A comparison of a reading's time with a literal, so that the index over stored times is used: the lag moves to the literal.
    private func onStoredTime(
        _ left: FilterExpression, _ right: FilterExpression, _ source: EntitySource
    ) -> ComposedSQL? {
        guard compares, source.keys[.test] == nil, source.columns[.result] != nil, let stored = source.keys[.moment]
        else {
            return nil
        }
        switch (left, right) {
        case (.field(let field), .literal(.time(let time))) where field.isOfObservationTime:
            return "(\(stored) \(comparison) \(bind: time)::timestamptz - c.lag)"
        case (.literal(.time(let time)), .field(let field)) where field.isOfObservationTime:
            return "(\(bind: time)::timestamptz - c.lag \(comparison) \(stored))"
        default: return nil
        }
    }
}

extension Field {
    fileprivate var isOfObservationTime: Bool { self == .time || self == .resultTime }
}

extension FilterFunction {
    fileprivate func sql(_ arguments: [FilterExpression], _ source: EntitySource) -> ComposedSQL {
        let parts = arguments.map { $0.sql(source) }
        return switch self {
        case .substringof: "(strpos(\(parts[1]), \(parts[0])) > 0)"
        case .startswith: "starts_with(\(parts[0]), \(parts[1]))"
        case .endswith: "(right(\(parts[0]), length(\(parts[1]))) = \(parts[1]))"
        case .length: "length(\(parts[0]))::double precision"
        case .indexof: "(strpos(\(parts[0]), \(parts[1])) - 1)::double precision"
        case .substring: Self.substring(parts)
        case .tolower: "lower(\(parts[0]))"
        case .toupper: "upper(\(parts[0]))"
        case .trim: "btrim(\(parts[0]))"
        case .concat: "(\(parts[0]) || \(parts[1]))"
        case .year: Self.part("year", parts[0])
        case .month: Self.part("month", parts[0])
        case .day: Self.part("day", parts[0])
        case .hour: Self.part("hour", parts[0])
        case .minute: Self.part("minute", parts[0])
        case .second: "trunc(\(Self.part("second", parts[0])))"
        case .now: "now()"
        case .mindatetime: "'-infinity'::timestamptz"
        case .maxdatetime: "'infinity'::timestamptz"
        // Halves go away from zero, which those of binary numbers do not.
        case .round: "round(\(parts[0])::numeric)::double precision"
        case .floor: "floor(\(parts[0]))"
        case .ceiling: "ceiling(\(parts[0]))"
        case .intersects, .stIntersects, .stWithin: Self.inside(arguments, source, touches: self != .stWithin)
        }
    }

    /// Of a text the part from a place on, the first of which is 0.
    private static func substring(_ parts: [ComposedSQL]) -> ComposedSQL {
        // Bounds keep what is beyond any text out of the conversion to whole numbers.
        let from: ComposedSQL = "greatest(0, least(10000, trunc(\(parts[1]))))::integer"
        guard parts.count > 2 else { return "substr(\(parts[0]), \(from) + 1)" }
        return "substr(\(parts[0]), \(from) + 1, greatest(0, least(10000, trunc(\(parts[2]))))::integer)"
    }

    private static func part(_ name: ComposedSQL, _ time: ComposedSQL) -> ComposedSQL {
        "extract(\(name) FROM \(time) AT TIME ZONE 'UTC')::double precision"
    }

    /// Whether a point is inside a box, or on its edge where that counts.
    private static func inside(_ arguments: [FilterExpression], _ source: EntitySource, touches: Bool) -> ComposedSQL {
        for case .literal(.box(let box)) in arguments {
            guard let place = source.place else { break }
            let (west, east): (ComposedSQL, ComposedSQL) = ("\(bind: box.west)", "\(bind: box.east)")
            let (south, north): (ComposedSQL, ComposedSQL) = ("\(bind: box.south)", "\(bind: box.north)")
            return touches
                ? "(\(place.longitude) BETWEEN \(west) AND \(east) AND \(place.latitude) BETWEEN \(south) AND \(north))"
                : """
                (\(place.longitude) > \(west) AND \(place.longitude) < \(east) \
                AND \(place.latitude) > \(south) AND \(place.latitude) < \(north))
                """
        }
        return "false"
    }
}
