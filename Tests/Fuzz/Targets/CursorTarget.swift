import Instants
import Routes

extension FuzzTarget {
    /// A cursor that came back from a client.
    static let cursor = FuzzTarget(
        "cursor",
        seeds: [
            Cursor.text(TimedCursor(time: Timestamp(unixSeconds: 1_777_636_800), id: 7), of: list),
            Cursor.text(TimedCursor(time: .distantFuture, id: .min), of: list), Cursor.text("a", of: list),
            Cursor.text(Int64(42), of: "listDevices"),
        ],
        words: ["W", "WyJ", "XQ", "-", "_", "=", "+", "/", "LDEs", "bnVsbA", "é"]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        try check(text, TimedCursor.self)
        try check(text, Int64.self)
        try check(text, String.self)
    }

    private static let list = "listAlerts"

    private static func check<Key: CursorKey>(_ text: String, _: Key.Type) throws {
        guard let key: Key = try? Cursor.read(text, of: list) else { return }
        let again: Key = try Cursor.read(Cursor.text(key, of: list), of: list)
        try promise(again == key, "\(key) became \(again)")
        try promise(text.utf8.count <= Cursor.longest, "a cursor of \(text.utf8.count) bytes")
    }
}
