import Instants
import Postgres
import SensorThings
import WaterQuality

/// What is known of the entities that are looked for: parts of their keys, and the slot of their device where it was read.
struct EntityKey: Hashable, Sendable {
    var selection = Selection()
    var slot: Int16?

    /// The entities of a link.
    func following(_ link: EntityLink, from source: EntitySet) -> EntityKey {
        let next = selection.following(link, from: source)
        return EntityKey(selection: next, slot: next.device == nil ? nil : slot)
    }
}

/// An entity of any set as it is read.
struct StoredEntity: Sendable {
    /// For which of the keys it was found, from 1.
    var key: Int64
    var found: EntityKey
    /// The name of its Thing.
    var name: String?
    /// A device, or a site.
    var kind: String?
    /// Degrees.
    var latitude: Double?
    var longitude: Double?
    /// By the true time.
    var time: Timestamp?
    /// In the parameter's canonical unit.
    var result: Double?

    var hardwareID: String? { found.selection.hardwareID?.text }
    var parameter: Parameter? { found.selection.parameter.flatMap(Parameter.init(rawValue:)) }
}
