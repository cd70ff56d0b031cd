import Postgres
import Store
import WaterQuality

/// Exports a page of what lives in tanks that are or were the person's and works on them, and of what the person added to others', as JSON.
struct ExportInventory: ExportedPage {
    static let sql = """
        SELECT i.slot, i.tank_id, i.item_id, json_build_object(
            'device', d.hardware_id, 'list', i.list, 'id', i.item_id, 'name', i.name, 'count', i.count, 'kind', i.kind, 'since', i.since,
            'until', i.until, 'note', i.note, 'madeAt', i.made_at, 'byThemselves', i.account_id IS NOT DISTINCT FROM (SELECT current_account()))::text
        FROM person_tank t
        JOIN device d ON d.slot = t.slot AND d.device_id = t.device_id
        JOIN inventory_item i ON i.slot = t.slot AND i.tank_id = t.tank_id
        WHERE (t.role = 'owner' OR i.account_id = (SELECT current_account()))
            AND (i.slot, i.tank_id, i.item_id) > (coalesce($1::smallint, -1), coalesce($2, 0), $3)
        ORDER BY i.slot, i.tank_id, i.item_id
        LIMIT $4
        """

    struct Cursor: Sendable {
        var tank: TankKey
        var item: InventoryItemID
    }

    let after: Cursor?
    let limit: Int64

    init(after: Cursor?, limit: Int) {
        self.after = after
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(after?.tank.slot)
        parameters.append(after?.tank.tank)
        parameters.append(after?.item ?? InventoryItemID(rawValue: 0))
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> ExportedRow<Cursor> {
        try ExportedRow(
            cursor: Cursor(tank: TankKey(slot: row.read(), tank: row.read()), item: row.read()), json: row.read())
    }
}

/// Lists a page of the photos that belong to a person's export: of tanks that are or were theirs, and those that they added to others'.
struct ExportPhotos: Statement {
    static let sql = """
        SELECT p.slot, p.tank_id, p.entry_id, p.sample_id, p.photo_id, d.hardware_id
        FROM person_tank t
        JOIN device d ON d.slot = t.slot AND d.device_id = t.device_id
        JOIN journal_photo p ON p.slot = t.slot AND p.tank_id = t.tank_id
        WHERE (t.role = 'owner' OR p.account_id = (SELECT current_account()))
            AND (p.slot, p.tank_id, p.photo_id) > (coalesce($1::smallint, -1), coalesce($2, 0), $3)
        ORDER BY p.slot, p.tank_id, p.photo_id
        LIMIT $4
        """

    struct Row: Sendable {
        var key: PhotoKey
        var hardwareID: String
    }

    let after: PhotoKey?
    let limit: Int64

    init(after: PhotoKey?, limit: Int) {
        self.after = after
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(after?.tank.slot)
        parameters.append(after?.tank.tank)
        parameters.append(after?.photo ?? JournalPhotoID(rawValue: 0))
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let tank = try TankKey(slot: row.read(), tank: row.read())
        let subject = try PhotoSubject(entry: row.read(), sample: row.read())
        return try Row(
            key: PhotoKey(
                tank: tank, subject: subject ?? .entry(JournalEntryID(rawValue: 0)), photo: row.read()),
            hardwareID: row.read())
    }
}
