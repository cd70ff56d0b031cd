/// Something that the database numbers: by its number, or, before it has one, by its place among what is being added.
package enum Reference<ID: Hashable & Sendable>: Hashable, Sendable {
    case stored(ID)
    /// Counted from zero, in the transaction that adds it.
    case new(Int)
}

extension Alert {
    package typealias Reference = WaterQuality.Reference<ID>
}

extension Episode {
    package typealias Reference = WaterQuality.Reference<ID>
}
