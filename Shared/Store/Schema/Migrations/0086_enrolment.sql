-- Enrolment: people ask for devices by the app, and the enroller makes them. It has the master key and the broker's accounts, which nobody else here has; what is
-- shown once it seals for the browser that asked.
DO $$
BEGIN
    IF to_regrole('aqua_enroller') IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE =
            'the services'' roles are missing; deploy/containers/roles makes them, or as a superuser run: CREATE ROLE aqua_enroller LOGIN;';
    END IF;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO aqua_enroller', current_database());
END
$$;
GRANT SELECT ON schema_migration, schema_script TO aqua_enroller;

-- For whom a device was enrolled; NULL: an operator added it, or whoever it was is gone.
ALTER TABLE device ADD COLUMN enrolled_for bigint REFERENCES account ON DELETE SET NULL;
CREATE INDEX device_enrolled_for ON device (enrolled_for) WHERE enrolled_for IS NOT NULL;

-- The enroller, as it last said of itself. No row: none was ever heard.
CREATE TABLE enroller_state (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    heard_at timestamptz NOT NULL,
    allowed text NOT NULL CHECK (allowed IN ('projects', 'people')), -- who may enrol
    a_day integer NOT NULL CHECK (a_day BETWEEN 1 AND 100000), -- devices of a principal, and of whoever asks
    host text NOT NULL CHECK (length(host) BETWEEN 1 AND 260), -- where devices reach the broker; {slot} stands for the number of the device's slot
    port integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
    tls boolean NOT NULL,
    http_origin text CHECK (length(http_origin) <= 300), -- where they post readings; NULL: nowhere
    authority text CHECK (length(authority) <= 16384) -- the certificates that devices have to trust, as PEM; NULL: not known
);
GRANT SELECT (host, port, authority) ON enroller_state TO aqua_gateway;
ALTER TABLE enroller_state ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON enroller_state FOR SELECT TO aqua_gateway USING ((SELECT current_account()) IS NOT NULL);

-- A batch: devices or keys that somebody asked for at once. It goes on while their session lives and they may act for the account.
--
--     open --(no device waits)--> done --(an hour; whoever asked)--> gone
CREATE TABLE enrolment (
    batch_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE, -- for whom: a person or a project
    made_by bigint NOT NULL REFERENCES account ON DELETE CASCADE, -- the person who asked
    made_in uuid NOT NULL, -- the session
    kind text NOT NULL CHECK (kind IN ('make', 'rotate')),
    links boolean NOT NULL, -- whether the devices are the account's at once
    public_key bytea NOT NULL CHECK (length(public_key) = 65), -- a point of P-256, of the page that asked
    auth bytea NOT NULL CHECK (length(auth) = 16),
    asked_at timestamptz NOT NULL DEFAULT now(),
    done_at timestamptz CHECK (done_at >= asked_at)
);
CREATE UNIQUE INDEX enrolment_open ON enrolment (account_id) WHERE done_at IS NULL;
CREATE INDEX enrolment_waiting ON enrolment (asked_at) WHERE done_at IS NULL;
CREATE INDEX enrolment_done ON enrolment (done_at) WHERE done_at IS NOT NULL;
CREATE INDEX enrolment_of_account ON enrolment (account_id);
CREATE INDEX enrolment_made_by ON enrolment (made_by);
ALTER TABLE enrolment ENABLE ROW LEVEL SECURITY;

-- One device of it.
--
--     waiting --(its account and its row are made, or its key)--> made
--        |------(it is the account's already)-------------------> known
--        +------(it is somebody else's; or cannot be made)------> refused
CREATE TABLE enrolment_device (
    batch_id uuid NOT NULL REFERENCES enrolment ON DELETE CASCADE,
    line smallint NOT NULL CHECK (line BETWEEN 1 AND 1000),
    hardware_id text NOT NULL CHECK (hardware_id ~ '^[A-Za-z0-9_-]{1,32}$' AND NOT starts_with(hardware_id, 'aqua_')),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    firmware text CHECK (firmware ~ '^[a-z0-9-]{1,32}$'),
    preset text CHECK (preset ~ '^[a-z0-9_]{1,32}$'),
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'made', 'known', 'refused')),
    reason text CHECK (reason IN ('taken', 'account', 'full', 'tooMany', 'withdrawn', 'late')),
    sealed bytea CHECK (length(sealed) BETWEEN 1 AND 4096), -- what is shown once, which the page that asked opens and nobody else
    PRIMARY KEY (batch_id, line),
    UNIQUE (batch_id, hardware_id),
    CHECK ((state = 'made') = (sealed IS NOT NULL)),
    CHECK ((state = 'refused') = (reason IS NOT NULL))
);
CREATE INDEX enrolment_device_waiting ON enrolment_device (batch_id, line) WHERE state = 'waiting';
ALTER TABLE enrolment_device ENABLE ROW LEVEL SECURITY;

-- Numbers of devices and of new keys that were asked for on an account's last day (UTC): for it, or by it.
CREATE TABLE enrolment_day (
    account_id bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    day date NOT NULL,
    made integer NOT NULL,
    rotated integer NOT NULL
);
ALTER TABLE enrolment_day ENABLE ROW LEVEL SECURITY;

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('enroller_state', 'service', NULL, NULL, 1, 'its key'),
    ('enrolment', 'person', 'principal', NULL, 2000, 'ask_enrolment: one open at once, AQUA_ENROLMENT_A_DAY devices; gone an hour after it is done'),
    ('enrolment_device', 'person', 'batch', NULL, 1000, 'ask_enrolment; gone with its batch'),
    ('enrolment_day', 'person', 'person or project', NULL, 1, 'its key');
UPDATE growth_bound SET grown_by = 'person', of_each = 'principal', in_all = 20000, kept_by = 'ask_enrolment; what operators add has no bound'
WHERE held = 'device';
-- A thousand devices come in one day.
UPDATE growth_bound SET a_day = 2000 WHERE held = 'ownership' AND a_day = 500;
