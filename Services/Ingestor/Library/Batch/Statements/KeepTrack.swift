package import Postgres
package import Store
package import WaterQuality

/// Stores positions of devices whose owners say that they move, from when they had them. Others are not stored, whatever
/// an Ingestor knew when it read them.
package struct KeepTrack: Statement {
    package static let sql = """
        INSERT INTO track (slot, device_id, at, latitude, longitude, accuracy)
        SELECT n.slot, n.device_id, n.at, n.latitude, n.longitude, n.accuracy
        FROM unnest($1::smallint[], $2::integer[], $3::timestamptz[], $4::integer[], $5::integer[], $6::smallint[])
            AS n (slot, device_id, at, latitude, longitude, accuracy)
        JOIN ownership o ON o.slot = n.slot AND o.device_id = n.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL
            AND o.moves AND n.at >= o.readings_from
        ORDER BY n.slot, n.device_id, n.at -- so that Ingestors do not wait for each other in a circle
        ON CONFLICT DO NOTHING
        """

    let points: [(key: Sample.Key, position: Position)]

    package init(_ points: [(key: Sample.Key, position: Position)]) { self.points = points }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(points.map(\.key.slot))
        parameters.append(points.map(\.key.device))
        parameters.append(points.map(\.key.eventTime))
        parameters.append(points.map(\.position.latitude))
        parameters.append(points.map(\.position.longitude))
        parameters.append(points.map(\.position.accuracy))
    }
}
