-- The canary, as the Notifiers look at it.

-- Notes the last alarm of the canary that an endpoint has taken, and says when that was; nothing where no canary is set up. An alarm that its
-- device is silent is none of its own: it comes when nothing else does.
--
-- is_owed: this call, and no other of any Notifier, has to call the heartbeat for it. Nothing is owed for what arrived longer ago than the
-- next canary is due.
CREATE OR REPLACE FUNCTION look_at_canary(
    beats boolean, OUT person bigint, OUT every_seconds integer, OUT arrived_at timestamptz, OUT is_owed boolean)
RETURNS SETOF record
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    bird canary;
    taken_at timestamptz;
BEGIN
    SELECT c.* INTO bird FROM canary c;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    -- an alarm is tried for half an hour; whatever is older has been noted
    SELECT t.ended_at INTO taken_at FROM alert a
    CROSS JOIN LATERAL (
        SELECT min(d.ended_at) AS ended_at FROM delivery d
        WHERE d.slot = a.slot AND d.alert_id = a.alert_id AND d.state = 'accepted') t
    WHERE a.account_id = bird.account_id AND a.decided_at BETWEEN now() - interval '1 hour' AND now()
        AND a.slot = bird.slot AND a.device_id = bird.device_id AND a.kind = 'range' AND a.purpose = 'alarm' AND t.ended_at <= now()
    ORDER BY a.decided_at DESC
    LIMIT 1;
    -- what lies ahead is of a clock that was put back since
    IF taken_at > bird.delivered_at OR bird.delivered_at > now() OR bird.delivered_at IS NULL AND taken_at IS NOT NULL THEN
        UPDATE canary SET delivered_at = taken_at;
        bird.delivered_at := taken_at;
    END IF;
    is_owed := false;
    IF beats AND taken_at > now() - bird.every_seconds * interval '1 s' THEN
        -- a second Notifier waits for the row here, and then finds that it is done
        UPDATE canary c SET beaten_at = taken_at WHERE c.beaten_at IS NULL OR c.beaten_at < taken_at OR c.beaten_at > now();
        is_owed := FOUND;
    END IF;
    person := bird.account_id;
    every_seconds := bird.every_seconds;
    arrived_at := coalesce(bird.delivered_at, least(bird.made_at, now()));
    RETURN NEXT;
END
$$;

REVOKE ALL ON FUNCTION look_at_canary(boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION look_at_canary(boolean) TO aqua_notifier;
