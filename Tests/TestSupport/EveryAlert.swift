/// An alert of each kind in each phase, about one device, at noon of the first of May 2026.
public enum EveryAlert {
    public static let count = 18

    /// Rows of what alerts say.
    private static let rows = """
        (1, 'range', 'alarm', false, 0, 'high', 25.6, 25.9, 24, false, false, false, NULL, NULL, NULL, NULL),
        (2, 'range', 'reminder', false, 0, 'high', 25.6, 25.9, 24, true, true, false, NULL, NULL, NULL, NULL),
        (3, 'range', 'alarm', false, 0, 'high', 25.6, 25.6, 24, false, false, true, NULL, NULL, NULL, NULL),
        (4, 'range', 'recovery', false, 0, 'high', 23.1, 25.9, 24, false, false, false, NULL, NULL, NULL, NULL),
        (5, 'range', 'recovery', false, 0, 'high', 23.1, 25.9, NULL, false, false, false, NULL, NULL, NULL, NULL),
        (6, 'range', 'reminder', true, 0, 'high', 25.6, 25.9, 24, false, false, false, NULL, NULL, NULL, NULL),
        (7, 'silence', 'alarm', false, NULL, NULL, NULL, NULL, NULL, false, false, false, NULL, NULL, NULL, NULL),
        (8, 'silence', 'reminder', false, 1, NULL, NULL, NULL, NULL, true, false, false, NULL, NULL, NULL, NULL),
        (9, 'silence', 'alarm', false, 0, NULL, NULL, NULL, NULL, false, false, false, NULL, NULL, NULL, NULL),
        (10, 'silence', 'recovery', false, 0, NULL, NULL, NULL, NULL, false, false, false, NULL, NULL, NULL, NULL),
        (11, 'fault', 'alarm', false, 0, NULL, 25.6, NULL, NULL, true, false, false, NULL, NULL, NULL, NULL),
        (12, 'fault', 'reminder', false, 1, NULL, NULL, NULL, NULL, true, false, false, NULL, NULL, NULL, NULL),
        (13, 'fault', 'recovery', false, 0, NULL, NULL, NULL, NULL, false, false, false, NULL, NULL, NULL, NULL),
        (14, 'rate', 'alarm', false, 0, NULL, 25.6, NULL, 3, false, false, false, -3.5, 2400, NULL, NULL),
        (15, 'rate', 'recovery', false, 0, NULL, NULL, NULL, NULL, false, false, false, NULL, NULL, NULL, NULL),
        (16, 'ahead', 'alarm', false, 0, NULL, 23.1, NULL, 24, false, false, false, NULL, NULL, 'high',
            '2026-05-01T14:10:00Z'),
        (17, 'ahead', 'recovery', false, 0, NULL, NULL, NULL, NULL, false, false, false, NULL, NULL, NULL, NULL),
        (18, 'test', 'test', false, NULL, NULL, NULL, NULL, NULL, false, false, false, NULL, NULL, NULL, NULL)
        """

    private static let columns = """
        alert_id, kind, purpose, ended, parameter, side, value, worst, limit_value, check_probe, critical, unstable, change,
        change_seconds, heading, expected_at
        """

    /// Adds some of them about the only device, each with an episode, which is open unless the alert is an all-clear.
    public static func adding(_ numbers: ClosedRange<Int> = 1...count, of account: Int64) -> String {
        """
        CREATE TEMPORARY TABLE every AS
        SELECT alert_id, kind, purpose, ended, parameter::smallint, side, value::real, worst::real, limit_value::real, check_probe,
            critical, unstable, change::real, change_seconds, heading, expected_at::timestamptz
        FROM (VALUES \(rows)) AS a (\(columns)) WHERE alert_id BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound);
        INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, worst, closed_at,
            closed_because)
        SELECT d.slot, d.device_id, e.parameter, \(account), e.alert_id, e.kind, e.side, t.opened, t.event,
            CASE WHEN e.kind = 'range' THEN 25.9 END,
            CASE WHEN \(isClosed(numbers)) THEN t.event END, CASE WHEN \(isClosed(numbers)) THEN 'recovered' END
        FROM every e, device d, (SELECT '2026-05-01T12:00:00Z'::timestamptz AS opened, '2026-05-01T12:15:00Z'::timestamptz AS event) t
        WHERE e.kind <> 'test';
        INSERT INTO alert (slot, uid, device_id, account_id, episode_id, opened_at, event_time, received_at, decided_at, \(columns))
        SELECT d.slot, lpad(to_hex(alert_id), 32, '0')::uuid, CASE WHEN kind <> 'test' THEN d.device_id END, \(account), CASE WHEN kind <> 'test' THEN alert_id END,
            '2026-05-01T12:00:00Z', '2026-05-01T12:15:00Z',
            CASE WHEN kind = 'range' THEN '2026-05-01T12:15:02Z'::timestamptz END, '2026-05-01T12:20:00Z', \(columns)
        FROM every, device d;
        DROP TABLE every;
        """
    }

    /// Two episodes of one watch are not open at once.
    private static func isClosed(_ numbers: ClosedRange<Int>) -> String {
        numbers.count > 1 ? "true" : "e.purpose = 'recovery'"
    }
}
