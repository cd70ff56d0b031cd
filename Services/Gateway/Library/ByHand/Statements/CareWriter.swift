import Postgres

/// Who wrote a row `t` of a tank, as those who share it see them.
enum CareWriter {
    static let joined = """
        LEFT JOIN LATERAL (
            SELECT p.part, p.name, p.is_oneself FROM tank_person p
            WHERE p.slot = t.slot AND p.tank_id = t.tank_id AND p.account_id = t.account_id
        ) w ON true
        """

    /// Reads the columns part, name and is_oneself of `w`.
    static func read(_ row: inout RowReader) throws -> CarePerson? {
        let (part, name) = try (row.read(Int64?.self), row.read(String?.self))
        let isOneself = try row.read(Bool?.self)
        guard let part, let name, let isOneself else { return nil }
        return CarePerson(part: part, name: name, isOneself: isOneself)
    }
}
