package import Instants

/// A filter, typed and with every name resolved: nothing in it is a client's text but the literals.
package indirect enum FilterExpression: Hashable, Sendable {
    case literal(Literal)
    case field(Field)
    case call(FilterFunction, [FilterExpression])
    case not(FilterExpression)
    case negative(FilterExpression)
    case binary(FilterOperator, FilterExpression, FilterExpression)
}

package enum Literal: Hashable, Sendable {
    case number(Double)
    case text(String)
    case time(Timestamp)
    case truth(Bool)
    /// An area whose sides follow meridians and parallels.
    case box(GeoBox)

    var type: ValueType {
        switch self {
        case .number: .number
        case .text: .text
        case .time: .time
        case .truth: .truth
        case .box: .place
        }
    }
}

/// An area between two meridians and two parallels, in degrees of WGS 84; it does not cross the antimeridian.
package struct GeoBox: Hashable, Sendable {
    package let west: Double
    package let south: Double
    package let east: Double
    package let north: Double
}

package enum FilterOperator: String, CaseIterable, Sendable {
    case or, and
    case eq, ne, gt, ge, lt, le
    case add, sub
    case mul, div, mod

    /// Greater binds tighter. `not` is between `and` and the comparisons, the minus sign above all.
    var rank: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .eq, .ne, .gt, .ge, .lt, .le: 4
        case .add, .sub: 5
        case .mul, .div, .mod: 6
        }
    }

    static let rankOfNot = 3
    static let rankOfMinus = 7

    package var compares: Bool { rank == 4 }
    package var joins: Bool { rank < 3 }
}

/// Functions that filters may call.
package enum FilterFunction: String, CaseIterable, Sendable {
    case substringof, endswith, startswith
    case length, indexof, substring, tolower, toupper, trim, concat
    case year, month, day, hour, minute, second
    case now, mindatetime, maxdatetime
    case round, floor, ceiling
    case intersects = "geo.intersects"
    case stWithin = "st_within"
    case stIntersects = "st_intersects"

    /// The types of its arguments; the last one of `substring` may be missing.
    var arguments: [ValueType] {
        switch self {
        case .substringof, .endswith, .startswith, .indexof, .concat: [.text, .text]
        case .length, .tolower, .toupper, .trim: [.text]
        case .substring: [.text, .number, .number]
        case .year, .month, .day, .hour, .minute, .second: [.time]
        case .now, .mindatetime, .maxdatetime: []
        case .round, .floor, .ceiling: [.number]
        case .intersects, .stWithin, .stIntersects: [.place, .place]
        }
    }

    var least: Int { self == .substring ? 2 : arguments.count }

    var result: ValueType {
        switch self {
        case .substringof, .endswith, .startswith, .intersects, .stWithin, .stIntersects: .truth
        case .length, .indexof, .year, .month, .day, .hour, .minute, .second, .round, .floor, .ceiling: .number
        case .substring, .tolower, .toupper, .trim, .concat: .text
        case .now, .mindatetime, .maxdatetime: .time
        }
    }

    /// Functions of the standard that are not served.
    static let unsupported: Set<String> = [
        "fractionalseconds", "date", "time", "totaloffsetminutes", "geo.distance", "geo.length", "st_equals",
        "st_disjoint",
        "st_touches", "st_overlaps", "st_crosses", "st_contains", "st_relate",
    ]
}

extension FilterExpression {
    /// The type of its value, in a set.
    package func type(in set: EntitySet) -> ValueType {
        switch self {
        case .literal(let literal): literal.type
        case .field(let field): field.type(in: set)
        case .call(let function, _): function.result
        case .not: .truth
        case .negative: .number
        case .binary(let operation, _, _): operation.compares || operation.joins ? .truth : .number
        }
    }

    /// The conditions that all have to hold.
    package var conjuncts: [FilterExpression] {
        guard case .binary(.and, let left, let right) = self else { return [self] }
        return left.conjuncts + right.conjuncts
    }
}
