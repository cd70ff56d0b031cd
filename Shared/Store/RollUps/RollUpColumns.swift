import WaterQuality

/// The columns of `sample_hour` and `sample_day` after their keys, four for each parameter of the catalogue, and their
/// computation, and the messages that were measured in work on the water, which are in none of them. `WriteHourFlags` and
/// `WriteDayFlags` write the fifth.
package enum RollUpColumns {
    package static let names =
        list { ["\($0)_sum", "\($0)_min", "\($0)_max", "\($0)_count"] } + ", worked"

    /// The computation from rows of `sample`, but for the messages of work.
    package static let ofSamples = list {
        ["sum(\($0)::double precision)", "min(\($0))", "max(\($0))", "nullif(count(\($0)), 0)::integer"]
    }

    /// The computation of days from rows of `sample_hour`.
    package static let ofHours =
        list {
            ["sum(\($0)_sum)", "min(\($0)_min)", "max(\($0)_max)", "sum(\($0)_count)::integer"]
        } + ", sum(worked)::integer"

    /// Replaces existing rows that have changed. If only one device was late, most rows of its slot have not.
    package static let replacement = """
        ON CONFLICT (slot, device_id, starts_at) DO UPDATE SET (\(names)) = ROW (\(replacing))
        WHERE (\(prefixed("known"))) IS DISTINCT FROM (\(replacing))
        """

    /// The columns of a row that replaces a stored one.
    package static let replacing = prefixed("excluded")

    private static func prefixed(_ row: String) -> String {
        list { ["\(row).\($0)_sum", "\(row).\($0)_min", "\(row).\($0)_max", "\(row).\($0)_count"] }
            + ", \(row).worked"
    }

    private static func list(_ columns: (String) -> [String]) -> String {
        Parameter.allCases.flatMap { columns($0.name) }.joined(separator: ", ")
    }
}
