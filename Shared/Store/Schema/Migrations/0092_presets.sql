-- Presets of a person's or a project's own: limits of some parameters under a name, which devices begin with or take over. No device has them: a
-- change of a preset changes no limits. Rows change by put_preset and drop_preset alone.
CREATE TABLE own_preset (
    preset_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    -- columns of setting by the number of the parameter: {"0": {"unit": "C", "minimum": 120, "maximum": null, ...}}; what is missing stays as a device has it
    limits jsonb NOT NULL CHECK (
        jsonb_typeof(limits) = 'object' AND limits <> '{}' AND length(limits::text) <= 60000
        AND NOT limits @? '$.keyvalue() ? (!(@.key like_regex "^[0-9]{1,2}$") || @.value.type() != "object")'),
    version integer NOT NULL DEFAULT 1 CHECK (version > 0),
    made_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (account_id, name)
);
ALTER TABLE own_preset ENABLE ROW LEVEL SECURITY;

-- Devices are enrolled with presets of one's own too, by their id.
ALTER TABLE enrolment_device DROP CONSTRAINT enrolment_device_preset_check;
ALTER TABLE enrolment_device ADD CONSTRAINT enrolment_device_preset_check CHECK (
    preset ~ '^([a-z0-9_]{1,32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$') NOT VALID;

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('own_preset', 'person', 'principal', NULL, 50, 'its function, put_preset');
