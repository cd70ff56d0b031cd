-- Alerts that a person has sent again, once the endpoint that did not take them works.

-- Puts deliveries that have ended untaken on their way once more, and the alerts that had ended with them back to `sending`. Those of other
-- endpoints stay as they are, so that an alert ends as delivered again where one of them had taken it. Whether an alert holds is looked at when
-- it is leased: of what is over meanwhile nothing is sent. The outcome:
--   sent: how many, none where all are on their way already; nowhere: the endpoint is not in use; tooMany: so many were sent in the last ten
--   minutes
CREATE OR REPLACE FUNCTION send_again(
    person bigint, to_way bigint, of_slots smallint[], alerts bigint[], most integer, OUT outcome text, OUT sent integer
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    -- One at a time, so that the count holds.
    PERFORM FROM account WHERE account_id = person FOR NO KEY UPDATE;
    sent := 0;
    IF NOT EXISTS (SELECT FROM usable_endpoint e WHERE e.account_id = person AND e.endpoint_id = to_way) THEN
        outcome := 'nowhere';
        RETURN;
    END IF;
    IF most < cardinality(alerts) + (
        SELECT count(*) FROM (
            SELECT slot, alert_id FROM alert
            WHERE account_id = person AND decided_at > now() - interval '26 hours'
            ORDER BY decided_at DESC
            LIMIT 5000) a
        JOIN delivery d ON d.slot = a.slot AND d.alert_id = a.alert_id
        WHERE d.sent_again_at > now() - interval '10 minutes')
    THEN
        outcome := 'tooMany';
        RETURN;
    END IF;
    -- in the order in which notifiers lock alerts
    PERFORM FROM unnest(of_slots, alerts) AS n (slot, alert_id)
    JOIN alert a ON a.slot = n.slot AND a.alert_id = n.alert_id
    WHERE a.account_id = person
    ORDER BY a.slot, a.alert_id
    FOR UPDATE OF a;
    WITH again AS (
        -- without a lease, whose result may still be on its way
        UPDATE delivery d SET state = 'pending', ended_at = NULL, tries = 0, lease = NULL, holder = NULL, held_attempt = NULL,
            next_attempt_at = now(), expires_at = now() + interval '30 minutes', sent_again_at = now()
        FROM unnest(of_slots, alerts) AS n (slot, alert_id)
        JOIN alert a ON a.slot = n.slot AND a.alert_id = n.alert_id AND a.state <> 'cancelled'
        WHERE d.slot = n.slot AND d.alert_id = n.alert_id AND d.endpoint_id = to_way AND d.account_id = person
            AND d.state NOT IN ('pending', 'accepted') AND d.arrived_at IS NULL
        RETURNING d.slot, d.alert_id
    ), begun AS (
        UPDATE alert a SET state = 'sending' FROM again g
        WHERE a.slot = g.slot AND a.alert_id = g.alert_id AND a.state IN ('delivered', 'undelivered')
    )
    SELECT count(*), 'sent' FROM again INTO sent, outcome;
    PERFORM pg_notify('alert', '');
END
$$;

REVOKE ALL ON FUNCTION send_again(bigint, bigint, smallint[], bigint[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION send_again(bigint, bigint, smallint[], bigint[], integer) TO aqua_gateway;
