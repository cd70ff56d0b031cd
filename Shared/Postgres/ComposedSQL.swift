/// SQL that is put together while the program runs, of literal pieces and parameters.
///
/// Text enters as a literal of the program's own or, said explicitly, as a name of the schema; everything else becomes a parameter:
///
/// ```
/// let condition: ComposedSQL = "d.name = \(bind: name) AND \(others)"
/// ```
package struct ComposedSQL: Sendable, ExpressibleByStringInterpolation {
    fileprivate enum Piece: Sendable {
        case text(String)
        case parameter(@Sendable (inout Parameters) -> Void)
    }

    private var pieces: [Piece]

    package init(stringLiteral text: String) { pieces = [.text(text)] }
    package init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.sql }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql: [Piece] = []

        package init(literalCapacity: Int, interpolationCount: Int) { sql.reserveCapacity(2 * interpolationCount + 1) }

        package mutating func appendLiteral(_ text: String) { sql.append(.text(text)) }

        package mutating func appendInterpolation(_ part: ComposedSQL) { sql += part.pieces }

        package mutating func appendInterpolation<Value: PostgresValue>(bind value: Value?) {
            sql.append(.parameter { $0.append(value) })
        }

        package mutating func appendInterpolation<Value: PostgresValue>(bind values: [Value?]) {
            sql.append(.parameter { $0.append(values) })
        }

        /// - Parameter text: SQL that the program made of the schema's own names, such as the column of a parameter.
        package mutating func appendInterpolation(schema text: String) { sql.append(.text(text)) }
    }

    /// The text with `$1`, `$2`, ...
    package var text: String {
        var number = 0
        return pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let part): text += part
            case .parameter:
                number += 1
                text += "$\(number)"
            }
        }
    }

    func bind(_ parameters: inout Parameters) {
        for case .parameter(let append) in pieces { append(&parameters) }
    }
}

extension [ComposedSQL] {
    /// The parts with a text between each two.
    package func joined(by separator: ComposedSQL) -> ComposedSQL {
        guard let first else { return "" }
        return dropFirst().reduce(first) { "\($0)\(separator)\($1)" }
    }
}

/// A statement whose text depends on its inputs. The server plans it anew each time, for its values.
package protocol ComposedStatement: Sendable {
    associatedtype Row: Sendable

    var sql: ComposedSQL { get }
    /// Reads the columns from left to right.
    static func decode(_ row: inout RowReader) throws -> Row
}
