import Postgres
import Store

/// Counts of an import's messages, hours or days, by what becomes of them.
struct ImportOutcome: Hashable, Sendable {
    /// Not stored before.
    var new: Int64 = 0
    /// Stored before; values are added or replaced.
    var changed: Int64 = 0
    /// Stored before with exactly these values.
    var same: Int64 = 0
    /// Stored before with other values, which stay.
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

    /// SQL for the counts, over rows found `n` beside stored rows `k`.
    static func counts(changes: String, differs: String) -> String {
        """
        count(*) FILTER (WHERE k.slot IS NULL), count(*) FILTER (WHERE k.slot IS NOT NULL AND (\(changes))),
            count(*) FILTER (WHERE k.slot IS NOT NULL AND NOT (\(changes)) AND NOT (\(differs))),
            count(*) FILTER (WHERE k.slot IS NOT NULL AND NOT (\(changes)) AND (\(differs)))
        """
    }
}
