-- Receipts: a browser's worker tells that a message has arrived, by a token in the message.

-- The token of one delivery. It is of no use but to say that the message arrived.
CREATE OR REPLACE FUNCTION receipt_token(of_slot smallint, alert bigint, uid uuid, endpoint bigint) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT concat_ws('-', of_slot, alert, endpoint, left(seal_of(format('receipt %s %s %s %s', of_slot, alert, uid, endpoint)), 32))
$$;

-- Notes that a message has arrived, with all that it told, for a day from its decision. The first word counts. False: there is no such message.
CREATE OR REPLACE FUNCTION note_arrival(token text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part CONSTANT text[] := string_to_array(token, '-');
    told alert;
BEGIN
    IF token !~ '^[0-9]{1,2}-[0-9]{1,18}-[0-9]{1,18}-[0-9a-f]{32}$' THEN
        RETURN false;
    END IF;
    SELECT a.* INTO told FROM alert a
    WHERE a.slot = part[1]::smallint AND a.alert_id = part[2]::bigint AND a.decided_at > now() - interval '1 day'
        AND token = receipt_token(a.slot, a.alert_id, a.uid, part[3]::bigint);
    IF told.alert_id IS NULL THEN
        RETURN false;
    END IF;
    UPDATE delivery d SET arrived_at = now()
    WHERE d.endpoint_id = part[3]::bigint AND d.arrived_at IS NULL AND d.state IN ('pending', 'accepted') AND (d.slot, d.alert_id) IN (
        SELECT told.slot, told.alert_id
        UNION ALL
        SELECT a.slot, a.alert_id FROM alert a
        WHERE a.account_id = told.account_id AND a.group_id = told.group_id
            AND a.decided_at BETWEEN told.decided_at - interval '1 minute' AND told.decided_at + interval '1 minute');
    -- a phone that says so often is noted now and then
    UPDATE endpoint e SET heard_at = now()
    WHERE e.endpoint_id = part[3]::bigint AND e.account_id = told.account_id
        AND (e.heard_at IS NULL OR e.heard_at < now() - interval '10 minutes');
    RETURN true;
END
$$;

REVOKE ALL ON FUNCTION receipt_token(smallint, bigint, uuid, bigint), note_arrival(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION receipt_token(smallint, bigint, uuid, bigint) TO aqua_notifier;
GRANT EXECUTE ON FUNCTION note_arrival(text) TO aqua_gateway;
