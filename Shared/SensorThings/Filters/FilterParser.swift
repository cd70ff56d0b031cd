/// Reads filters by recursive descent over the whitelist of a set's fields, and checks types.
///
///     or < and < not < eq ne gt ge lt le < add sub < mul div mod < minus sign
package struct FilterParser {
    /// The most bytes of a filter.
    package static let longest = 2_000
    /// How deep brackets, `not`, minus signs and calls may be inside each other.
    package static let deepest = 20

    private let set: EntitySet
    private let option: String
    private var lexer: FilterLexer
    private var ahead: (token: FilterToken, at: Int)?
    private var depth = 0

    /// Reads a filter of a set.
    package static func read(
        _ text: String, of set: EntitySet, option: String = "$filter"
    ) throws(SensorThingsFault) -> FilterExpression {
        guard text.utf8.count <= longest else { throw SensorThingsFault(.malformed, "too-long", option) }
        var parser = try FilterParser(text, set, option)
        let (expression, at) = try parser.binary(1)
        if let rest = parser.ahead { throw parser.fault("unexpected", rest) }
        try parser.require(.truth, expression, at)
        return expression
    }

    private init(_ text: String, _ set: EntitySet, _ option: String) throws(SensorThingsFault) {
        self.set = set
        self.option = option
        lexer = FilterLexer(text, of: option)
        ahead = try lexer.next()
    }

    private typealias Read = (expression: FilterExpression, at: Int)

    private mutating func take() throws(SensorThingsFault) -> (token: FilterToken, at: Int) {
        guard let token = ahead else { throw lexer.fault("unexpected-end", lexer.at) }
        ahead = try lexer.next()
        return token
    }

    private mutating func deeper(
        _ at: Int, _ body: (inout FilterParser) throws(SensorThingsFault) -> Read
    ) throws(SensorThingsFault) -> Read {
        guard depth < Self.deepest else { throw SensorThingsFault(.malformed, "too-deep", option, at: at) }
        depth += 1
        let read = try body(&self)
        depth -= 1
        return read
    }

    /// Operators of a rank and above, from left to right.
    private mutating func binary(_ rank: Int) throws(SensorThingsFault) -> Read {
        if rank == FilterOperator.rankOfNot { return try negation() }
        guard rank < FilterOperator.rankOfMinus else { return try minus() }
        var (left, start) = try binary(rank + 1)
        while case .word(let word)? = ahead?.token, let operation = FilterOperator(rawValue: word),
            operation.rank == rank
        {
            let at = try take().at
            let (right, rightAt) = try binary(rank + 1)
            try check(operation, left, start, right, rightAt, at)
            left = .binary(operation, left, right)
            // Comparisons of comparisons are not meant.
            if operation.compares { break }
        }
        return (left, start)
    }

    private mutating func negation() throws(SensorThingsFault) -> Read {
        guard case .word("not")? = ahead?.token else { return try binary(FilterOperator.rankOfNot + 1) }
        let at = try take().at
        return try deeper(at) { parser throws(SensorThingsFault) in
            let (inner, innerAt) = try parser.negation()
            try parser.require(.truth, inner, innerAt)
            return (.not(inner), at)
        }
    }

    private mutating func minus() throws(SensorThingsFault) -> Read {
        guard ahead?.token == .minus else { return try primary() }
        let at = try take().at
        return try deeper(at) { parser throws(SensorThingsFault) in
            let (inner, innerAt) = try parser.minus()
            try parser.require(.number, inner, innerAt)
            return (.negative(inner), at)
        }
    }

    private mutating func primary() throws(SensorThingsFault) -> Read {
        let (token, at) = try take()
        switch token {
        case .number(let number): return (.literal(.number(number)), at)
        case .text(let text): return (.literal(.text(text)), at)
        case .time(let time): return (.literal(.time(time)), at)
        case .typed("geography", let text): return (.literal(.box(try GeoBox(wellKnownText: text, at: at))), at)
        case .typed("duration", _): throw SensorThingsFault(.unsupported, "unsupported-literal", "duration", at: at)
        case .typed(let name, _): throw SensorThingsFault(.malformed, "unknown-literal", name, at: at)
        case .word("true"): return (.literal(.truth(true)), at)
        case .word("false"): return (.literal(.truth(false)), at)
        case .word(let name):
            if ahead?.token == .open { return try call(name, at) }
            guard let field = set.field(name) else {
                throw SensorThingsFault(.malformed, "unknown-property", name, at: at)
            }
            return (.field(field), at)
        case .open:
            return try deeper(at) { parser throws(SensorThingsFault) in
                let inner = try parser.binary(1)
                try parser.close()
                return (inner.expression, at)
            }
        case .close, .comma, .minus: throw fault("unexpected", (token, at))
        }
    }

    private mutating func call(_ name: String, _ at: Int) throws(SensorThingsFault) -> Read {
        guard let function = FilterFunction(rawValue: name) else {
            throw FilterFunction.unsupported.contains(name)
                ? SensorThingsFault(.unsupported, "unsupported-function", name, at: at)
                : SensorThingsFault(.malformed, "unknown-function", name, at: at)
        }
        return try deeper(at) { parser throws(SensorThingsFault) in
            _ = try parser.take()
            var arguments: [FilterExpression] = []
            while parser.ahead?.token != .close {
                if !arguments.isEmpty {
                    let comma = try parser.take()
                    guard comma.token == .comma else { throw parser.fault("unexpected", comma) }
                }
                let (argument, argumentAt) = try parser.binary(1)
                guard arguments.count < function.arguments.count else {
                    throw SensorThingsFault(.malformed, "arguments", name, at: argumentAt)
                }
                try parser.require(function.arguments[arguments.count], argument, argumentAt)
                arguments.append(argument)
            }
            try parser.close()
            guard arguments.count >= function.least else {
                throw SensorThingsFault(.malformed, "arguments", name, at: at)
            }
            try parser.checkAreas(function, arguments, at)
            return (.call(function, arguments), at)
        }
    }

    /// Of places and areas one is a property, and the other a literal.
    private func checkAreas(
        _ function: FilterFunction, _ arguments: [FilterExpression], _ at: Int
    ) throws(SensorThingsFault) {
        guard function.arguments == [.place, .place] else { return }
        switch (function, arguments[0], arguments[1]) {
        case (_, .field, .literal), (.intersects, .literal, .field), (.stIntersects, .literal, .field): return
        default: throw SensorThingsFault(.unsupported, "unsupported-areas", function.rawValue, at: at)
        }
    }

    private mutating func close() throws(SensorThingsFault) {
        let bracket = try take()
        guard bracket.token == .close else { throw fault("unexpected", bracket) }
    }

    private func check(
        _ operation: FilterOperator, _ left: FilterExpression, _ leftAt: Int, _ right: FilterExpression, _ rightAt: Int,
        _ at: Int
    ) throws(SensorThingsFault) {
        if operation.joins {
            try require(.truth, left, leftAt)
            try require(.truth, right, rightAt)
        } else if operation.compares {
            let type = left.type(in: set)
            guard type != .place else {
                throw SensorThingsFault(.malformed, "not-comparable", operation.rawValue, at: at)
            }
            try require(type, right, rightAt)
        } else {
            try require(.number, left, leftAt)
            try require(.number, right, rightAt)
        }
    }

    private func require(_ type: ValueType, _ expression: FilterExpression, _ at: Int) throws(SensorThingsFault) {
        guard expression.type(in: set) == type else {
            throw SensorThingsFault(.malformed, "not-a-\(type.rawValue)", option, at: at)
        }
    }

    private func fault(_ code: String, _ read: (token: FilterToken, at: Int)) -> SensorThingsFault {
        SensorThingsFault(.malformed, code, option, at: read.at)
    }
}
