package import WaterQuality

/// The columns of `sample` that an Ingestor writes: those of a message, then one for each parameter of the catalogue.
package enum SampleColumns {
    private static let ofMessage = [
        ("slot", "smallint"), ("flags", "smallint"), ("device_id", "integer"), ("event_time", "timestamptz"),
        ("received_at", "timestamptz"),
    ]

    package static let names = (ofMessage.map(\.0) + Parameter.allCases.map(\.name)).joined(separator: ", ")

    /// An array parameter for each column, from `$1` on.
    package static let arrays = (ofMessage.map(\.1) + Parameter.allCases.map { _ in "real" }).enumerated()
        .map { "$\($0.offset + 1)::\($0.element)[]" }.joined(separator: ", ")

    /// Whether a stored row takes a value of a parameter, in SQL: it has none, and none was deleted from it.
    package static func isFree(_ parameter: Parameter, of row: String) -> String {
        "\(row).\(parameter.name) IS NULL AND \(DeletedColumn.isKept(parameter, of: row))"
    }

    /// A text for the column of each parameter, joined.
    package static func each(separator: String = ", ", _ text: (String) -> String) -> String {
        Parameter.allCases.map { text($0.name) }.joined(separator: separator)
    }
}

/// The column of `sample` that records which values of a row were deleted: bits as in `ParameterSet`, NULL for a row without any.
package enum DeletedColumn {
    /// Whether no value of a parameter was deleted, in SQL.
    package static func isKept(_ parameter: Parameter, of row: String) -> String {
        "coalesce(\(row).deleted, 0) & \(parameter.bit) = 0"
    }

    /// Whether a row is more than a key, in SQL: a message that was deleted whole is none. As in `person_sample`.
    package static func isMessage(_ row: String) -> String {
        "(\(row).deleted IS NULL OR num_nonnulls(\(SampleColumns.each { "\(row).\($0)" })) > 0)"
    }
}

/// The columns of `sample` that record which parameters of a row came with a later message, and when.
///
/// `filled` has the first nine parameters in its lowest bits, and above them the seconds from the first message to the
/// last. `filled_more` has the other parameters. Both are NULL, which takes no room, for a row that came at once.
package enum FilledColumns {
    private static let inFilled = 9

    /// Whether a parameter came later than its row, in SQL.
    package static func isFilled(_ parameter: Parameter, of row: String) -> String {
        let (column, bit) = place(of: parameter)
        return "coalesce(\(row).\(column), 0) & \(bit) <> 0"
    }

    /// The assignments with which a message completes the existing row `s`.
    package static let update = """
        filled = (coalesce(s.filled, 0) & 511)\(added(to: "filled"))
                | (greatest(0, least(4194303,
                    ceil(extract(epoch FROM excluded.received_at - s.received_at))))::integer << 9),
            filled_more = nullif(coalesce(s.filled_more, 0)\(added(to: "filled_more")), 0)
        """

    private static func added(to column: String) -> String {
        Parameter.allCases.filter { place(of: $0).column == column }.map { parameter in
            """

                    | (CASE WHEN s.\(parameter.name) IS NULL AND excluded.\(parameter.name) IS NOT NULL \
            AND \(DeletedColumn.isKept(parameter, of: "s")) THEN \(place(of: parameter).bit) ELSE 0 END)
            """
        }.joined()
    }

    private static func place(of parameter: Parameter) -> (column: String, bit: Int) {
        let number = Int(parameter.rawValue)
        return number < inFilled ? ("filled", 1 << number) : ("filled_more", 1 << (number - inFilled))
    }
}
