-- What people ask beside their limits: not now (snooze), I know (acknowledgement), only after a while (delay), and at once when it
-- is far worse (critical limits). Each is off until chosen.

-- In the order in which others lock them: an engine takes its slots before anything else.
LOCK TABLE slot, alert, ownership, setting, episode, transition IN ACCESS EXCLUSIVE MODE;

-- Critical limits lie beyond the limit on their side.
ALTER TABLE setting
    ADD COLUMN delay_seconds integer NOT NULL DEFAULT 0 CONSTRAINT setting_delay CHECK (delay_seconds BETWEEN 0 AND 86400),
    ADD COLUMN critical_minimum integer,
    ADD COLUMN critical_maximum integer,
    ADD CONSTRAINT setting_critical_is_beyond CHECK (
        (critical_minimum IS NULL OR minimum IS NOT NULL AND critical_minimum < minimum)
        AND (critical_maximum IS NULL OR maximum IS NOT NULL AND critical_maximum > maximum));

-- Whether an alert was made for a value beyond a critical limit; and whether the alert was.
ALTER TABLE episode ADD COLUMN critical boolean NOT NULL DEFAULT false;
ALTER TABLE alert ADD COLUMN critical boolean NOT NULL DEFAULT false;

-- Not validated: the rows that are there hold what was stricter, and the table is long.
ALTER TABLE transition DROP CONSTRAINT transition_notification_check;
ALTER TABLE transition ADD CONSTRAINT transition_notification_check CHECK (notification IN (
    'none', 'alerted', 'stale', 'noRecipient', 'throttled', 'delayed', 'acknowledged', 'snoozed')) NOT VALID;

-- What a person wants to hear nothing of for a while: one side of a parameter; or that a device, or a parameter of it, is
-- silent, or that its probe is broken.
-- An acknowledgement holds while its episode is open.
--   current --(another one replaces it, the person cancels it, the device is unlinked)--> ended
-- One whose time is over is not ended: it holds no more, by the database's clock.
CREATE TABLE snooze (
    slot smallint NOT NULL,
    parameter smallint CHECK (parameter >= 0),
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    snooze_id bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL CHECK (kind IN ('range', 'silence', 'fault')),
    side text CHECK (side IN ('low', 'high')),
    episode_id bigint, -- of an acknowledgement
    set_at timestamptz NOT NULL DEFAULT now(),
    snoozed_until timestamptz NOT NULL,
    ended_at timestamptz CHECK (ended_at >= set_at),
    PRIMARY KEY (slot, snooze_id),
    FOREIGN KEY (slot, device_id) REFERENCES device,
    CHECK ((kind = 'range') = (side IS NOT NULL)),
    CHECK (kind <> 'range' OR parameter IS NOT NULL),
    CONSTRAINT snooze_is_bounded CHECK (snoozed_until > set_at AND snoozed_until <= set_at + interval '8 days')
);

CREATE UNIQUE INDEX snooze_current ON snooze (slot, device_id, account_id, kind, parameter, side) NULLS NOT DISTINCT
    WHERE ended_at IS NULL;
CREATE INDEX snooze_of_person ON snooze (account_id, slot, device_id, snooze_id);

-- Whoever gives a device up takes no snooze along.
CREATE FUNCTION snoozes_end_with_ownership() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE snooze SET ended_at = greatest(now(), set_at)
    WHERE slot = NEW.slot AND device_id = NEW.device_id AND account_id = NEW.account_id AND ended_at IS NULL;
    RETURN NULL;
END
$$;

CREATE TRIGGER snoozes_end AFTER UPDATE OF unlinked_at ON ownership FOR EACH ROW
WHEN (OLD.unlinked_at IS NULL AND NEW.unlinked_at IS NOT NULL)
EXECUTE FUNCTION snoozes_end_with_ownership();

-- Set on one screen, a snooze shows on the others.
CREATE TRIGGER setup_told AFTER INSERT ON snooze
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION setups_were_added();

CREATE TRIGGER setup_change_told AFTER UPDATE OF ended_at ON snooze FOR EACH ROW
WHEN (OLD.ended_at IS DISTINCT FROM NEW.ended_at)
EXECUTE FUNCTION setup_was_changed();

-- As before, with the snoozes.
CREATE OR REPLACE FUNCTION setup_versions(accounts bigint[]) RETURNS TABLE (account_id bigint, version bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT a.account_id, hashtextextended(coalesce((
        SELECT string_agg(concat_ws(' ', o.ownership_id, o.version, (
            SELECT sum(g.version) FROM setting g
            WHERE g.slot = o.slot AND g.device_id = o.device_id AND g.account_id = o.account_id AND g.valid_until IS NULL),
            (SELECT string_agg(n.snooze_id::text, '+' ORDER BY n.snooze_id) FROM snooze n
            WHERE n.slot = o.slot AND n.device_id = o.device_id AND n.account_id = o.account_id AND n.ended_at IS NULL)),
            ',' ORDER BY o.ownership_id)
        FROM ownership o WHERE o.account_id = a.account_id AND o.unlinked_at IS NULL), ''), a.settings_version)
    FROM account a WHERE a.account_id = ANY (accounts)
    ORDER BY a.account_id
$$;

ALTER TABLE snooze ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON snooze TO aqua_rules USING (true);
CREATE POLICY person ON snooze TO aqua_gateway USING (account_id = (SELECT current_account()));
CREATE POLICY has_device ON snooze AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (EXISTS (
    SELECT FROM ownership o WHERE o.slot = snooze.slot AND o.device_id = snooze.device_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));

REVOKE ALL ON FUNCTION snoozes_end_with_ownership() FROM PUBLIC;
GRANT SELECT ON snooze TO aqua_rules;
GRANT SELECT, INSERT, DELETE ON snooze TO aqua_gateway;
GRANT UPDATE (ended_at) ON snooze TO aqua_gateway;
