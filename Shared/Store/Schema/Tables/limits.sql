-- What people want to be told: limits and rules for each parameter, and what they want to hear nothing of.

-- A person's settings of one parameter of one device. A change ends the current version and adds the next, so that a decision can be
-- explained by the settings of its time. Limits are whole sensor steps of the canonical unit: with whole steps, "minimum plus one step is
-- at most maximum" is minimum < maximum. Which parameters there are, and what their sensors can measure, Scripts/parameters.sql says.
--
--     current --(another one replaces it; the device is unlinked)--> ended (valid_until)
CREATE TABLE setting (
    slot smallint NOT NULL,
    parameter smallint NOT NULL,
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account,
    version integer NOT NULL CHECK (version > 0),
    unit text NOT NULL,
    minimum integer,
    maximum integer,
    colour text NOT NULL CHECK (colour ~ '^(#[0-9a-f]{6}|[a-z]{3,20})$'),
    position smallint NOT NULL,
    valid_from timestamptz NOT NULL DEFAULT now(),
    valid_until timestamptz CHECK (valid_until >= valid_from),
    delay_seconds integer NOT NULL DEFAULT 0 CONSTRAINT setting_delay CHECK (delay_seconds BETWEEN 0 AND 86400),
    critical_minimum integer,
    critical_maximum integer,
    tells_unstable boolean NOT NULL DEFAULT false,
    -- the greatest change within an hour, up or down, in sensor steps; NULL: it may change as it does
    change_per_hour integer CONSTRAINT setting_change CHECK (change_per_hour BETWEEN 1 AND 1000000),
    -- how long before a limit is reached it is told; NULL: it is not
    ahead_minutes smallint CONSTRAINT setting_ahead CHECK (ahead_minutes BETWEEN 15 AND 360),
    PRIMARY KEY (slot, device_id, account_id, parameter, version),
    FOREIGN KEY (slot, device_id) REFERENCES device,
    CONSTRAINT setting_limits_cross CHECK (minimum < maximum),
    -- Critical limits lie beyond the limit on their side.
    CONSTRAINT setting_critical_is_beyond CHECK (
        (critical_minimum IS NULL OR minimum IS NOT NULL AND critical_minimum < minimum)
        AND (critical_maximum IS NULL OR maximum IS NOT NULL AND critical_maximum > maximum))
);
CREATE UNIQUE INDEX setting_current ON setting (slot, device_id, account_id, parameter) WHERE valid_until IS NULL;
-- What is deleted by its person is found by them. Episodes, throttles and deliveries have no such index, which every alarm would pay for:
-- a closing account looks through them.
CREATE INDEX setting_of_account ON setting (account_id);
GRANT SELECT (slot, parameter, device_id, account_id, minimum, maximum, valid_from, valid_until) ON setting TO aqua_ingestor;
GRANT SELECT ON setting TO aqua_rules;
GRANT SELECT ON setting TO aqua_notifier;
GRANT SELECT, INSERT, UPDATE (valid_until) ON setting TO aqua_gateway;
ALTER TABLE setting ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON setting TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON setting TO aqua_gateway USING (account_id = (SELECT current_account()));
-- Limits are those of a device that the person has.
CREATE POLICY has_device ON setting AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (EXISTS (
    SELECT FROM ownership o WHERE o.slot = setting.slot AND o.device_id = setting.device_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));

-- What a person wants to hear nothing of for a while: one side of a parameter; or that a device, or a parameter of it, is silent, or that
-- its probe is broken. An acknowledgement holds while its episode is open.
--
--     current --(another one replaces it; the person cancels it; the device is unlinked)--> ended (ended_at)
--
-- A snooze whose time is over is not ended: it holds no more, by the database's clock.
CREATE TABLE snooze (
    slot smallint NOT NULL,
    parameter smallint CHECK (parameter >= 0),
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    snooze_id bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL CHECK (kind IN ('range', 'silence', 'fault', 'rate', 'ahead')),
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
GRANT SELECT ON snooze TO aqua_rules;
GRANT SELECT, INSERT, UPDATE (ended_at) ON snooze TO aqua_gateway;
ALTER TABLE snooze ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON snooze TO aqua_rules USING (true);
CREATE POLICY person ON snooze TO aqua_gateway USING (account_id = (SELECT current_account()));
CREATE POLICY has_device ON snooze AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (EXISTS (
    SELECT FROM ownership o WHERE o.slot = snooze.slot AND o.device_id = snooze.device_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));
