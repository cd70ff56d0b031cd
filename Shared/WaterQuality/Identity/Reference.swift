/// A reference to a row that the database numbers: by its number or, until it has one, by its place among the rows
/// being added.
package enum Reference<ID: Hashable & Sendable>: Hashable, Sendable {
    case stored(ID)
    /// The place, counted from zero in the transaction that adds the row.
    case new(Int)
}

extension Alert {
    package typealias Reference = WaterQuality.Reference<ID>
}
