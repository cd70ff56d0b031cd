CREATE TABLE account (
    account_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email text NOT NULL UNIQUE
        CHECK (email = lower(email) AND length(email) <= 254 AND email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
    password_hash text NOT NULL CHECK (password_hash LIKE 'scrypt$%'),
    locale text NOT NULL DEFAULT 'en' CHECK (locale IN ('en', 'ja', 'es')),
    time_zone text NOT NULL DEFAULT 'UTC' CHECK (now() AT TIME ZONE time_zone IS NOT NULL),
    throttle_seconds integer CHECK (throttle_seconds > 0), -- the person's own interval; NULL: the operator's
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE device (
    slot smallint NOT NULL REFERENCES slot,
    device_id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
    hardware_id text NOT NULL UNIQUE CHECK (hardware_id ~ '^[A-Za-z0-9_-]{1,32}$'),
    claim_code_hash bytea NOT NULL UNIQUE CHECK (length(claim_code_hash) = 32),
    key_generation integer NOT NULL DEFAULT 1 CHECK (key_generation > 0), -- the MQTT password is derived from it
    rules_version bigint NOT NULL DEFAULT 0, -- slot_rules.version when this device's rules last changed
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (slot, device_id)
);

CREATE INDEX device_changed_rules ON device (slot, rules_version);

-- Who owned a device when: an interval bounds what its owner sees of the history.
CREATE TABLE ownership (
    ownership_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    linked_at timestamptz NOT NULL DEFAULT now(),
    unlinked_at timestamptz CHECK (unlinked_at >= linked_at),
    FOREIGN KEY (slot, device_id) REFERENCES device
);

CREATE UNIQUE INDEX ownership_one_owner ON ownership (slot, device_id) WHERE unlinked_at IS NULL;
CREATE INDEX ownership_of_device ON ownership (slot, device_id, unlinked_at);
CREATE INDEX ownership_of_account ON ownership (account_id);

-- A person's settings of one parameter of one device. A change ends the current version and adds the next, so that a
-- decision can be explained by the settings of its time. Limits are whole sensor steps of the canonical unit: with
-- whole steps, "minimum plus one step is at most maximum" is minimum < maximum.
CREATE TABLE setting (
    slot smallint NOT NULL,
    parameter smallint NOT NULL CHECK (parameter BETWEEN 0 AND 8),
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account,
    version integer NOT NULL CHECK (version > 0),
    unit text NOT NULL,
    minimum integer,
    maximum integer,
    colour text NOT NULL CHECK (colour ~ '^(#[0-9a-f]{6}|[a-z]{3,20})$'),
    position smallint NOT NULL CHECK (position BETWEEN 0 AND 8),
    valid_from timestamptz NOT NULL DEFAULT now(),
    valid_until timestamptz CHECK (valid_until >= valid_from),
    PRIMARY KEY (slot, device_id, account_id, parameter, version),
    FOREIGN KEY (slot, device_id) REFERENCES device,
    CONSTRAINT setting_limits_cross CHECK (minimum < maximum),
    CONSTRAINT setting_has_no_minimum CHECK (parameter NOT IN (2, 4) OR minimum IS NULL),
    CONSTRAINT setting_absolute_range CHECK (
        CASE parameter
            WHEN 0 THEN coalesce(minimum, 0) BETWEEN -400 AND 400 AND coalesce(maximum, 0) BETWEEN -400 AND 400
            WHEN 1 THEN coalesce(minimum, 10) BETWEEN 10 AND 140 AND coalesce(maximum, 10) BETWEEN 10 AND 140
            WHEN 2 THEN coalesce(maximum, 0) BETWEEN 0 AND 80
            WHEN 3 THEN coalesce(minimum, 0) BETWEEN 0 AND 2000 AND coalesce(maximum, 0) BETWEEN 0 AND 2000
            WHEN 4 THEN coalesce(maximum, 0) BETWEEN 0 AND 80
            WHEN 5 THEN coalesce(minimum, 0) BETWEEN 0 AND 1000 AND coalesce(maximum, 0) BETWEEN 0 AND 1000
            WHEN 6 THEN coalesce(minimum, 0) BETWEEN 0 AND 1000 AND coalesce(maximum, 0) BETWEEN 0 AND 1000
            WHEN 7 THEN coalesce(minimum, 0) BETWEEN 0 AND 200 AND coalesce(maximum, 0) BETWEEN 0 AND 200
            WHEN 8 THEN coalesce(minimum, 0) BETWEEN 0 AND 200 AND coalesce(maximum, 0) BETWEEN 0 AND 200
        END)
);

CREATE UNIQUE INDEX setting_current ON setting (slot, device_id, account_id, parameter) WHERE valid_until IS NULL;

-- Says that the rules of one device changed: a running engine reads them anew before its next decision.
CREATE FUNCTION rules_changed(changed_slot smallint, changed_device integer) RETURNS void
LANGUAGE sql AS $$
    WITH counted AS (
        UPDATE slot_rules SET version = version + 1 WHERE slot = changed_slot RETURNING version
    )
    UPDATE device SET rules_version = (SELECT version FROM counted)
    WHERE slot = changed_slot AND device_id = changed_device;
$$;

CREATE FUNCTION rules_changed_by_row() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM rules_changed(NEW.slot, NEW.device_id);
    RETURN NULL;
END
$$;

CREATE TRIGGER ownership_changes_rules AFTER INSERT OR UPDATE ON ownership
    FOR EACH ROW EXECUTE FUNCTION rules_changed_by_row();
CREATE TRIGGER setting_changes_rules AFTER INSERT OR UPDATE ON setting
    FOR EACH ROW EXECUTE FUNCTION rules_changed_by_row();

-- A person's own throttle interval is a rule of all their devices.
CREATE FUNCTION rules_changed_by_account() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM rules_changed(slot, device_id)
    FROM ownership WHERE account_id = NEW.account_id AND unlinked_at IS NULL ORDER BY slot, device_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER account_changes_rules AFTER UPDATE OF throttle_seconds ON account
    FOR EACH ROW EXECUTE FUNCTION rules_changed_by_account();
