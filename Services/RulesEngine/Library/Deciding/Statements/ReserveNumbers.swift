import Postgres
import Store
import WaterQuality

/// Draws numbers for episodes that are about to open and alerts that are about to be written.
struct ReserveNumbers: Statement {
    static let sql = """
        SELECT 0::smallint, nextval('episode_id') FROM generate_series(1, $1)
        UNION ALL SELECT 1::smallint, nextval('alert_id') FROM generate_series(1, $2)
        """
    let episodes: Int64
    let alerts: Int64

    init(episodes: Int, alerts: Int) {
        self.episodes = Int64(episodes)
        self.alerts = Int64(alerts)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(episodes)
        parameters.append(alerts)
    }

    static func decode(_ row: inout RowReader) throws -> (isAlert: Bool, number: Int64) {
        let kind: Int16 = try row.read()
        return try (kind == 1, row.read())
    }
}

/// The numbers of the rows that one transaction adds. Statements put them in the place of references to these rows.
struct ReservedNumbers: Sendable {
    let episodes: [Int64]
    let alerts: [Int64]

    /// The numbers of a transaction that adds nothing.
    static let none = ReservedNumbers([])

    /// - Parameter rows: As many rows as there are references.
    init(_ rows: [ReserveNumbers.Row]) {
        episodes = rows.filter { !$0.isAlert }.map(\.number).sorted()
        alerts = rows.filter(\.isAlert).map(\.number).sorted()
    }

    subscript(_ episode: Episode.Reference) -> Episode.ID {
        switch episode {
        case .stored(let id): id
        case .new(let position): Episode.ID(rawValue: episodes[position])
        }
    }

    subscript(_ alert: Alert.Reference) -> Alert.ID {
        switch alert {
        case .stored(let id): id
        case .new(let position): Alert.ID(rawValue: alerts[position])
        }
    }
}
