import HTTPTypes
import Postgres
import Routes
import Store

/// Something in an inventory, identified by its client's UUID.
struct InventoryItemID: RowUUID {
    let rawValue: UInt128
}

/// The lists of an inventory. The raw values are stored, and stand in addresses.
enum InventoryList: String, CaseIterable, Sendable {
    /// Animals and plants of the tank: a species, and how many.
    case livestock
    /// Equipment of the tank: a thing, and of which kind.
    case equipment
}

/// The content of an item, as a person writes it.
struct InventoryContent: Equatable, Sendable {
    /// The species; what the thing is called.
    var name: String
    /// Of livestock alone.
    var count: Int?
    /// Of equipment alone.
    var kind: String?
    /// Civil dates, as ISO 8601 writes them.
    var since: String?
    var until: String?
    var note: String?
}

/// Something that lives in a tank or works on it, or has.
struct InventoryItem: Sendable {
    var id: InventoryItemID
    var list: InventoryList
    var content: InventoryContent
    var version: Int32
    var isMine: Bool

    var tag: EntityTag { EntityTag(version: Int64(version)) }

    func answer(_ status: HTTPResponse.Status) -> Answer<InventoryItem> {
        .value(self, status: status, headers: [.eTag: tag.description])
    }

    static let livestock = Output<InventoryItem>.object(
        "Livestock", "What lives in a tank.",
        [
            .member("id", .id, "The id that its client gave it.") { $0.id },
            .member("species", .text, "Its species.", example: "Neocaridina davidi") { $0.content.name },
            .member("count", .integer, "How many; 0: none any more.", example: 12) { $0.content.count ?? 0 },
        ] + common)

    static let equipment = Output<InventoryItem>.object(
        "Equipment", "What works on a tank.",
        [
            .member("id", .id, "The id that its client gave it.") { $0.id },
            .member("name", .text, "What it is called.", example: "Eheim 2217") { $0.content.name },
            .member("kind", .text, "Of which kind.", example: "filter") { $0.content.kind ?? "" },
        ] + common)

    private static let common: [OutputMember<InventoryItem>] = [
        .member("since", .optional(of: .text), "Since which day.", example: "2026-05-01") { $0.content.since },
        .member("until", .optional(of: .text), "Until which day; null: it is there.", example: .null) {
            $0.content.until
        },
        .member("note", .optional(of: .text), "What the person adds.", example: .null) { $0.content.note },
        .member("version", .integer, "Counts its changes.") { Int($0.version) },
    ]
}

/// Both lists of a tank.
struct Inventory: Sendable {
    var items: [InventoryItem]

    func list(_ list: InventoryList) -> [InventoryItem] { items.filter { $0.list == list } }

    static let output = Output<Inventory>.object(
        "Inventory", "What lives in a tank and works on it, and what did.",
        [
            .member("livestock", .list(of: InventoryItem.livestock), "By name.") { $0.list(.livestock) },
            .member("equipment", .list(of: InventoryItem.equipment), "By name.") { $0.list(.equipment) },
        ])
}
