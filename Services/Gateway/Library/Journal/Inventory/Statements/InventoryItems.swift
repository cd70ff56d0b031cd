import Postgres
import Store
import WaterQuality

/// Lists the inventory of a tank, or one thing of it.
struct ListInventory: Statement {
    static let sql = """
        SELECT item_id, list, name, count, kind, since::text, until::text, note, version,
            account_id IS NOT DISTINCT FROM (SELECT current_account())
        FROM inventory_item
        WHERE slot = $1 AND tank_id = $2 AND ($3::uuid IS NULL OR item_id = $3)
        ORDER BY name, item_id
        """

    let tank: TankKey
    let item: InventoryItemID?

    init(of tank: TankKey, only item: InventoryItemID? = nil) {
        self.tank = tank
        self.item = item
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(tank)
        parameters.append(item)
    }

    static func decode(_ row: inout RowReader) throws -> InventoryItem {
        let (id, list): (InventoryItemID, InventoryList) = try (row.read(), row.read())
        let (name, count): (String, Int32?) = try (row.read(), row.read())
        let content = InventoryContent(
            name: name, count: count.map(Int.init), kind: try row.read(), since: try row.read(), until: try row.read(),
            note: try row.read())
        return InventoryItem(id: id, list: list, content: content, version: try row.read(), isMine: try row.read())
    }
}

/// Adds something to an inventory; no row where something has its id already, perhaps in somebody else's tank.
struct AddInventoryItem: Statement {
    static let sql = """
        INSERT INTO inventory_item (slot, tank_id, item_id, list, account_id, name, count, kind, since, until, note)
        VALUES ($1, $2, $3, $4, (SELECT current_account()), $5, $6, $7, $8::text::date, $9::text::date, $10)
        ON CONFLICT DO NOTHING
        RETURNING true
        """

    let item: InventoryItemID
    let tank: TankKey
    let list: InventoryList
    let content: InventoryContent

    init(_ item: InventoryItemID, to list: InventoryList, of tank: TankKey, _ content: InventoryContent) {
        self.item = item
        self.tank = tank
        self.list = list
        self.content = content
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(tank)
        parameters.append(item)
        parameters.append(list)
        parameters.append(content)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Changes something in an inventory, of the version that was read; no row where it has changed since.
struct ChangeInventoryItem: Statement {
    static let sql = """
        UPDATE inventory_item
        SET name = $4, count = $5, kind = $6, since = $7::text::date, until = $8::text::date, note = $9, version = version + 1
        WHERE slot = $1 AND tank_id = $2 AND item_id = $3 AND version = $10
        RETURNING true
        """

    let item: InventoryItem
    let tank: TankKey
    let content: InventoryContent

    init(_ item: InventoryItem, in tank: TankKey, to content: InventoryContent) {
        self.item = item
        self.tank = tank
        self.content = content
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(tank)
        parameters.append(item.id)
        parameters.append(content)
        parameters.append(item.version)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

extension Parameters {
    /// Six values, in the order of the members.
    fileprivate mutating func append(_ content: InventoryContent) {
        append(content.name)
        append(content.count.map(Int32.init))
        append(content.kind)
        append(content.since)
        append(content.until)
        append(content.note)
    }
}

enum InventoryItemRow: RowOfTank {
    typealias ID = InventoryItemID
    static let table = "inventory_item"
    static let id = "item_id"
}
