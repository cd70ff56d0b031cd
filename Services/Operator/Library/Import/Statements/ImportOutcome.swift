import Postgres
import Store

/// What becomes of the messages, hours or days of an import.
struct ImportOutcome: Hashable, Sendable {
    /// Those of which nothing was stored.
    var new: Int64 = 0
    /// Those to which something is added, or in which it is replaced.
    var changed: Int64 = 0
    /// Those that are stored already just so.
    var same: Int64 = 0
    /// Those of which something else is stored, and stays.
    var kept: Int64 = 0

    init() {}

    init(_ row: inout RowReader) throws {
        new = try row.read()
        changed = try row.read()
        same = try row.read()
        kept = try row.read()
    }

    static func += (left: inout ImportOutcome, right: ImportOutcome) {
        left.new += right.new
        left.changed += right.changed
        left.same += right.same
        left.kept += right.kept
    }

    /// Counts rows of what was found, `n`, beside those that are stored, `k`.
    static func counts(changes: String, differs: String) -> String {
        """
        count(*) FILTER (WHERE k.slot IS NULL), count(*) FILTER (WHERE k.slot IS NOT NULL AND (\(changes))),
            count(*) FILTER (WHERE k.slot IS NOT NULL AND NOT (\(changes)) AND NOT (\(differs))),
            count(*) FILTER (WHERE k.slot IS NOT NULL AND NOT (\(changes)) AND (\(differs)))
        """
    }
}
