/// One SQL statement: its text, its typed inputs, its typed row.
///
/// Each statement is one struct, prepared once per connection, so `bind` has to append the same types every time.
/// ```swift
/// struct FindDevice: Statement {
///     static let sql = "SELECT slot FROM device WHERE hardware_id = $1"
///     let hardwareID: String
///     func bind(_ parameters: inout Parameters) { parameters.append(hardwareID) }
///     static func decode(_ row: inout RowReader) throws -> Int16 { try row.read() }
/// }
/// ```
package protocol Statement: Sendable {
    associatedtype Row: Sendable = Void

    static var sql: String { get }
    /// Appends the inputs in the order `$1`, `$2`, ...
    func bind(_ parameters: inout Parameters)
    /// Reads the columns from left to right.
    static func decode(_ row: inout RowReader) throws -> Row
}

extension Statement {
    package func bind(_ parameters: inout Parameters) {}
}

extension Statement where Row == Void {
    package static func decode(_ row: inout RowReader) {}
}

/// A `COPY table (columns) FROM STDIN (FORMAT binary)`: the rows come in a `CopyBuffer`.
package protocol CopyStatement: Sendable {
    static var sql: String { get }
}
