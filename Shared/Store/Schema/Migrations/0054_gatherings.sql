-- What a person is told later, at once: for the night, or beyond what they can read in an hour.

-- When a person wants to be woken by nothing but what is critical. Times are civil, in the time zone of the account.
CREATE TABLE quiet_hours (
    account_id bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    begins_at time NOT NULL CHECK (date_trunc('minute', begins_at::interval) = begins_at::interval AND begins_at < '24:00'),
    ends_at time NOT NULL CHECK (date_trunc('minute', ends_at::interval) = ends_at::interval AND ends_at < '24:00'),
    days smallint NOT NULL CHECK (days BETWEEN 1 AND 127), -- bit 0: the night that begins on a Monday, bit 6: on a Sunday
    silence_rings boolean NOT NULL, -- whether the silence of a whole device is told all the same
    CHECK (begins_at <> ends_at)
);
GRANT SELECT ON quiet_hours TO aqua_rules;
GRANT SELECT ON quiet_hours TO aqua_gateway;
ALTER TABLE quiet_hours ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON quiet_hours TO aqua_rules USING (true);
CREATE POLICY person ON quiet_hours TO aqua_gateway USING (account_id = (SELECT current_account()));
GRANT SELECT (time_zone) ON account TO aqua_rules;

-- A stretch in which alerts to a person are gathered for one digest. It begins with the first that was held back.
--
--     open --(until_at has come: the digest is told)--> ended
CREATE TABLE gathering (
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    began_at timestamptz NOT NULL,
    reason text NOT NULL CHECK (reason ~ '^[a-zA-Z]{1,32}$'), -- a word of the programs'
    until_at timestamptz NOT NULL,
    ended_at timestamptz,
    PRIMARY KEY (account_id, began_at)
);
CREATE UNIQUE INDEX gathering_open ON gathering (account_id) WHERE ended_at IS NULL;
CREATE INDEX gathering_due ON gathering (until_at) WHERE ended_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON gathering TO aqua_rules;
GRANT SELECT ON gathering TO aqua_gateway;
ALTER TABLE gathering ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON gathering TO aqua_rules USING (true);
CREATE POLICY person ON gathering TO aqua_gateway USING (account_id = (SELECT current_account()));

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('quiet_hours', 'person', 'person', NULL, 1, 'primary key'),
    ('gathering', 'person', 'person', NULL, 100, 'trigger; the oldest that have ended go');

-- Whether it has something to say in a digest.
ALTER TABLE episode ADD COLUMN gathered boolean NOT NULL DEFAULT false;
CREATE INDEX episode_gathered ON episode (account_id) WHERE gathered;

-- Whether it tells the person at all hours. Webhooks, behind which machines listen, always do.
ALTER TABLE endpoint ADD COLUMN rings_always boolean NOT NULL DEFAULT false;
GRANT UPDATE (rings_always) ON endpoint TO aqua_gateway;

-- audience: whom it is for; NULL: all endpoints; 'atOnce': those that hear at all hours; 'gathered': the others, who hear of it later.
-- group_id: the uid of the first of the alerts that one message tells together; due_at: when that message is sent, if not at once, to
-- endpoints that do not hear at all hours.
ALTER TABLE alert
    ADD COLUMN audience text,
    ADD COLUMN group_id uuid,
    ADD COLUMN due_at timestamptz;
ALTER TABLE alert ADD CONSTRAINT alert_audience CHECK (audience IN ('atOnce', 'gathered')) NOT VALID;
CREATE INDEX alert_of_group ON alert (group_id) WHERE state = 'decided' AND group_id IS NOT NULL;

-- A purpose is a word of the programs', so a new one needs no migration.
ALTER TABLE alert DROP CONSTRAINT alert_purpose_check;
ALTER TABLE alert ADD CONSTRAINT alert_purpose_check CHECK (purpose ~ '^[a-zA-Z]{1,32}$') NOT VALID;
