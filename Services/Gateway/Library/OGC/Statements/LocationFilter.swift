import Postgres
import Store
import WaterQuality

/// Which of the person's devices and sites a statement is about, by its first three inputs: the id from which they are read, the only id, and the box.
struct LocationFilter: Sendable {
    /// The only device or site; nil: all.
    var only: String?
    /// Nil: the whole earth.
    var box: BoundingBox?

    /// The devices and sites that the person has now, with where the person says that each is; or where one was last, and when, while it moves.
    static let locations = """
        (
            SELECT p.slot, p.device_id, k.tank_id, p.hardware_id, p.kind, p.name, p.role, p.project_id, p.linked_at AS since,
                CASE WHEN t.at IS NULL THEN p.latitude ELSE t.latitude / \(Position.scale)::double precision END AS latitude,
                CASE WHEN t.at IS NULL THEN p.longitude ELSE t.longitude / \(Position.scale)::double precision END AS longitude,
                CASE WHEN t.at IS NOT NULL THEN t.at + make_interval(secs => clock_lag(p.slot, p.device_id)) END AS located_at
            FROM person_device p
            JOIN person_tank k ON k.slot = p.slot AND k.ownership_id = p.ownership_id
            LEFT JOIN LATERAL (
                -- looked up of devices that move alone
                SELECT w.* FROM (SELECT WHERE p.moves) AS moving CROSS JOIN LATERAL last_position(p.slot, p.device_id) AS w OFFSET 0
            ) AS t ON true
            WHERE p.unlinked_at IS NULL
        )
        """

    /// Those that also meet another condition on a row `l`. What has no place is in every box (17-069r4, A.2.7).
    static func selection(_ condition: String) -> String {
        """
        (
            SELECT l.* FROM \(locations) l
            WHERE \(condition) AND ($2::text IS NULL OR l.hardware_id = $2)
                AND (cardinality($3::double precision[]) = 0 OR l.latitude IS NULL
                    OR l.latitude BETWEEN ($3)[2] AND ($3)[4] AND CASE WHEN ($3)[1] <= ($3)[3]
                        THEN l.longitude BETWEEN ($3)[1] AND ($3)[3] ELSE l.longitude >= ($3)[1] OR l.longitude <= ($3)[3] END)
            OFFSET 0 -- begins with what is the person's, in whichever order that is wanted
        )
        """
    }

    /// - Parameter id: The id after which locations begin, or at which they go on; empty: at the beginning.
    func bind(from id: String, _ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(only)
        parameters.append(box?.numbers ?? [])
    }
}
