-- An owner may let whoever takes up an invitation see the readings since an alarm began, as the one who is called for help needs to. For
-- a watcher, readings_from is only since when they see readings: what they are told begins when they joined.
ALTER TABLE device_invitation ADD COLUMN readings text NOT NULL DEFAULT 'sinceJoining'
    CHECK (readings IN ('sinceJoining', 'sinceAlarm'));

-- Shows a person who has just joined a device what was measured since the first of the owner's alarms began that are open, without
-- what was before the owner's own readings. Where none is open they see what comes. A silence has no readings to show.
-- What a person sees of a device at different times does not overlap: whoever comes back sees no more of the time before they left.
CREATE FUNCTION show_since_alarm(of_slot smallint, of_device integer, person bigint, owner bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE ownership w SET readings_from = greatest(alarm.since, o.readings_from, former.until)
    FROM ownership o
    CROSS JOIN (
        SELECT min(opened_at) AS since FROM episode
        WHERE slot = of_slot AND device_id = of_device AND account_id = owner AND kind <> 'silence' AND closed_at IS NULL
    ) AS alarm
    CROSS JOIN (
        SELECT max(unlinked_at) AS until FROM ownership
        WHERE slot = of_slot AND device_id = of_device AND account_id = person
    ) AS former
    WHERE w.slot = of_slot AND w.device_id = of_device AND w.account_id = person AND w.role = 'watcher' AND w.unlinked_at IS NULL
        AND o.slot = of_slot AND o.device_id = of_device AND o.account_id = owner AND o.role = 'owner' AND o.unlinked_at IS NULL
        AND alarm.since < w.linked_at
$$;

-- As before, with what the invitation shows.
CREATE OR REPLACE FUNCTION join_device(
    token bytea, person bigint, called text,
    parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[],
    OUT outcome text, OUT joined_slot smallint, OUT joined_device integer
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    most CONSTANT integer := 20;
    offer record;
    others bigint[];
    shown text;
BEGIN
    PERFORM require_person(person);
    SELECT i.slot, i.device_id, i.owner INTO offer FROM look_at_invitation(token) i;
    IF offer.slot IS NULL THEN
        outcome := 'unknown';
        RETURN;
    END IF;
    -- One at a time joins a device, and nobody while its owner unlinks it.
    PERFORM FROM ownership o
    WHERE o.slot = offer.slot AND o.device_id = offer.device_id AND o.account_id = offer.owner AND o.role = 'owner'
        AND o.unlinked_at IS NULL
    FOR NO KEY UPDATE;
    SELECT i.slot, i.device_id, i.owner, i.device_name, i.state INTO offer FROM look_at_invitation(token) i;
    IF offer.slot IS NULL THEN
        outcome := 'unknown';
        RETURN;
    END IF;
    SELECT coalesce(array_agg(account_id), '{}') INTO others FROM ownership o
    WHERE o.slot = offer.slot AND o.device_id = offer.device_id AND o.unlinked_at IS NULL AND o.role = 'watcher';
    outcome := CASE
        WHEN offer.owner = person THEN 'own'
        WHEN person = ANY (others) THEN 'watching'
        WHEN offer.state <> 'open' THEN offer.state
        WHEN cardinality(others) >= most THEN 'full'
        ELSE 'joined' END;
    joined_slot := offer.slot;
    joined_device := offer.device_id;
    IF outcome <> 'joined' THEN
        RETURN;
    END IF;
    UPDATE device_invitation SET used_at = greatest(now(), created_at), used_by = person WHERE token_hash = token
    RETURNING readings INTO shown;
    PERFORM add_ownership(
        offer.slot, offer.device_id, person, 'watcher', coalesce(called, offer.device_name),
        parameters, units, minima, maxima, colours, positions);
    PERFORM begin_as_before(offer.slot, offer.device_id, person, offer.owner);
    IF shown = 'sinceAlarm' THEN
        PERFORM show_since_alarm(offer.slot, offer.device_id, person, offer.owner);
    END IF;
END
$$;

REVOKE ALL ON FUNCTION show_since_alarm(smallint, integer, bigint, bigint) FROM PUBLIC;
