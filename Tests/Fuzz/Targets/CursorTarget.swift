import Instants
import Routes
import Store

@testable import Gateway

extension FuzzTarget {
    /// A cursor sent back by a client.
    static let cursor = FuzzTarget(
        "cursor",
        seeds: [
            Cursor.text(place(1_777_636_800_000_000, 7, 42), of: list),
            Cursor.text(place(253_402_300_799_999_999, 63, .max), of: list), Cursor.text("a", of: list),
            Cursor.text(Int64(42), of: "listDevices"),
        ],
        words: ["W", "WyJ", "XQ", "-", "_", "=", "+", "/", "LDEs", "bnVsbA", "é"]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let key: AlertCursor = try check(text) {
            let time = key.place.decidedAt
            try promise(Timestamp(time.description) != nil, "a place at \(time.microseconds) that nobody can write")
        }
        let _: Int64? = try check(text)
        let _: String? = try check(text)
    }

    private static let list = "listAlerts"

    private static func place(_ microseconds: Int64, _ slot: Int64, _ alert: Int64) -> AlertCursor {
        guard let place = AlertCursor(cursorParts: [.integer(microseconds), .integer(slot), .integer(alert)]) else {
            preconditionFailure("a seed is valid")
        }
        return place
    }

    private static func check<Key: CursorKey>(_ text: String) throws -> Key? {
        guard let key: Key = try? Cursor.read(text, of: list) else { return nil }
        let again: Key = try Cursor.read(Cursor.text(key, of: list), of: list)
        try promise(again == key, "\(key) became \(again)")
        try promise(text.utf8.count <= Cursor.longest, "a cursor of \(text.utf8.count) bytes")
        return key
    }
}
