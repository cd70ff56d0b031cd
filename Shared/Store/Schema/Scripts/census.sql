-- Figures for the operator.

-- How many people, devices and alarms stand how, for the operator's figures: numbers alone, of tables that the Ingestor does not read. The
-- canary is none of them. And for how long devices have been waiting for the enroller; 0: none waits.
DROP FUNCTION IF EXISTS take_census();
CREATE FUNCTION take_census(
    OUT open_alarms bigint, OUT silent_devices bigint, OUT unreached_people bigint, OUT enrolment_waits_seconds double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT
        (SELECT count(*) FROM episode e WHERE closed_at IS NULL AND kind <> 'silence'
            AND NOT EXISTS (SELECT FROM canary c WHERE c.account_id = e.account_id)),
        (SELECT count(DISTINCT (slot, device_id)) FROM episode e
            WHERE closed_at IS NULL AND kind = 'silence' AND parameter IS NULL
                AND NOT EXISTS (SELECT FROM canary c WHERE c.account_id = e.account_id)),
        (SELECT count(DISTINCT o.account_id) FROM ownership o
            WHERE o.unlinked_at IS NULL AND o.account_id IS DISTINCT FROM o.project_id AND NOT EXISTS (
                SELECT FROM reachable_account r WHERE r.account_id = o.account_id)
                AND NOT EXISTS (SELECT FROM canary c WHERE c.account_id = o.account_id)),
        (SELECT coalesce(greatest(extract(epoch FROM now() - min(e.asked_at)), 0), 0)::double precision FROM enrolment e WHERE e.done_at IS NULL)
$$;

REVOKE ALL ON FUNCTION take_census() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_census() TO aqua_ingestor;
