import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of what lives in a tank and works on it.
enum InventoryRoutes {
    static let all = [
        show,
        put(
            livestock, .livestock, "putLivestock", "Say what lives in a tank", InventoryItem.livestock,
            [species, count]),
        remove(livestock, .livestock, "removeLivestock"),
        put(equipment, .equipment, "putEquipment", "Say what works on a tank", InventoryItem.equipment, [name, kind]),
        remove(equipment, .equipment, "removeEquipment"),
    ]

    private static let livestock: RoutePath = "/devices/{device}/livestock/{livestock}"
    private static let equipment: RoutePath = "/devices/{device}/equipment/{equipment}"

    private static let show = Route<Caller>(
        .get, "/devices/{device}/inventory", id: "showInventory", tag: JournalRoutes.tag.name, access: .read,
        "Show what lives in a tank and works on it", text: "Also what did, with the day until which it was there.",
        inputs: [DeviceInputs.device], answers: .json(.ok, Inventory.output), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, _ in
            .value(Inventory(items: try transaction.execute(ListInventory(of: try transaction.tank(of: id).key))))
        }
    }

    // MARK: Inputs

    private static let species = Input.field(
        "species", .visibleText(1...80, example: "Neocaridina davidi"), "Its species, as the person calls it.")
    private static let count = Input.field("count", .integer(0...100_000).example(12), "How many; 0: none any more.")
    private static let name = Input.field("name", .visibleText(1...80, example: "Eheim 2217"), "What it is called.")
    private static let kind = Input.field(
        "kind",
        .reading("kind", example: "filter", count: 1...32, pattern: "^[a-zA-Z]+$") { text throws(Fault) in
            guard text.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else { throw .pattern }
            return text
        }, "Of which kind, as a word of the client: filter, heater, light, pump, skimmer.")
    private static let since = Input.optionalField("since", .date, "Since which day.")
    private static let until = Input.optionalField("until", .date.example(.null), "Until which day; null: it is there.")
    private static let note = Input.optionalField("note", .text(1...500).example(.null), "What the person adds.")

    private static func id(_ list: InventoryList) -> Input<InventoryItemID> {
        .path(list.rawValue, .id, "The id: a UUID that its client chose.")
    }

    private static func read(_ inputs: Inputs, _ list: InventoryList) throws -> InventoryContent {
        let isAlive = list == .livestock
        let content = InventoryContent(
            name: inputs[isAlive ? species : name], count: isAlive ? inputs[count] : nil,
            kind: isAlive ? nil : inputs[kind],
            since: inputs[since], until: inputs[until], note: inputs[note])
        if let since = content.since, let end = content.until, end < since {
            throw Problem(until, .tooSmall(minimum: .string(since)))
        }
        return content
    }

    // MARK: Writing

    private static func put(
        _ path: RoutePath, _ list: InventoryList, _ id: String, _ summary: String, _ output: Output<InventoryItem>,
        _ own: [any InputDeclaration]
    ) -> Route<Caller> {
        let item = Self.id(list)
        return Route<Caller>(
            .put, path, id: id, tag: JournalRoutes.tag.name,
            access: .write, summary,
            text: """
                The client chooses the id. Without If-Match it is added, with If-Match changed, by whoever shares the device; the same \
                again changes nothing. Another content without If-Match, or of another version, is 412.
                """,
            inputs: [DeviceInputs.device, item, Input<EntityTagCondition?>.ifMatchOfChange] + own + [
                since, until, note,
            ],
            answers: .json(.created, output, alternatives: [.ok], headers: [.eTag]), problems: [.notFound]
        ) { caller, inputs in
            let (device, id) = (inputs[DeviceInputs.device], inputs[item])
            let condition = inputs[Input<EntityTagCondition?>.ifMatchOfChange]
            return try await caller.scope.transaction { transaction, _ in
                let tank = try transaction.tank(of: device).key
                var found = try transaction.inventoryItem(id, of: list, in: tank)
                if found == nil, condition != nil { throw Problem(.notFound) }
                let content = try read(inputs, list)
                if found == nil {
                    let isAdded =
                        try transaction.execute(AddInventoryItem(id, to: list, of: tank, content)).first == true
                    found = try transaction.inventoryItem(id, of: list, in: tank)
                    if isAdded, let found { return found.answer(.created) }
                }
                // Without a row it is somebody else's, or in the other list.
                guard let found else { throw Problem(.notFound) }
                guard try ClientChoice(condition, current: found.tag, isSame: found.content == content) == .change
                else {
                    return found.answer(.ok)
                }
                guard try transaction.execute(ChangeInventoryItem(found, in: tank, to: content)).first == true,
                    let changed = try transaction.inventoryItem(id, of: list, in: tank)
                else { throw Problem(.preconditionFailed) }
                return changed.answer(.ok)
            }
        }
    }

    private static func remove(_ path: RoutePath, _ list: InventoryList, _ id: String) -> Route<Caller> {
        let item = Self.id(list)
        return Route<Caller>(
            .delete, path, id: id, tag: JournalRoutes.tag.name,
            access: .write,
            "Take back what was said of it",
            text:
                "For what was entered by mistake; what is gone gets a day until which it was there. One's own; the owner takes back all.",
            inputs: [DeviceInputs.device, item], answers: .nothing, problems: [.notFound, .ownerOnly]
        ) { caller, inputs in
            let (device, id) = (inputs[DeviceInputs.device], inputs[item])
            return try await caller.scope.transaction { transaction, _ in
                let tank = try transaction.tank(of: device)
                guard let found = try transaction.inventoryItem(id, of: list, in: tank.key) else {
                    throw Problem(.notFound)
                }
                try tank.requireRight(isTheirs: found.isMine)
                _ = try transaction.perform(RemoveFromTank(InventoryItemRow.self, id, in: tank.key))
                return .nothing
            }
        }
    }
}

extension PostgresTransaction {
    fileprivate func inventoryItem(
        _ id: InventoryItemID, of list: InventoryList, in tank: TankKey
    ) throws -> InventoryItem? {
        try execute(ListInventory(of: tank, only: id)).first { $0.list == list }
    }
}

extension Format where Value == String {
    /// A civil date by ISO 8601, not before 1900.
    fileprivate static var date: Format {
        .reading("date", example: "2026-05-01", count: 10...10, pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$") {
            text throws(Fault) in
            let earliest = "1900-01-01"
            guard text.utf8.count == 10, Timestamp(iso8601: "\(text)T00:00:00Z".utf8.span) != nil else {
                throw .pattern
            }
            guard text >= earliest else { throw .tooSmall(minimum: .string(earliest)) }
            return text
        }
    }
}
