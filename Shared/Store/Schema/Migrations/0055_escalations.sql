-- Who is told when nobody answers an alarm.

-- A step of the chain that a person has for a device: so many minutes after their alarm another person who shares the device is told of it, or an
-- endpoint of their own, which is not told at once then.
CREATE TABLE chain_step (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE, -- whose alarms
    place smallint NOT NULL CHECK (place BETWEEN 1 AND 8),
    after_minutes smallint NOT NULL CHECK (after_minutes BETWEEN 1 AND 240),
    callee bigint REFERENCES account ON DELETE CASCADE,
    agreed text CHECK (agreed IN ('no', 'daytime', 'always')), -- by the other person; daytime: not within their quiet hours; NULL: not asked yet
    endpoint_id bigint REFERENCES endpoint ON DELETE CASCADE,
    PRIMARY KEY (slot, device_id, account_id, place),
    FOREIGN KEY (slot, device_id) REFERENCES device,
    UNIQUE (slot, device_id, account_id, callee),
    UNIQUE (slot, device_id, account_id, endpoint_id),
    CHECK ((callee IS NULL) <> (endpoint_id IS NULL)),
    CHECK (callee <> account_id),
    CHECK (agreed IS NULL OR callee IS NOT NULL)
);
CREATE INDEX chain_step_of_person ON chain_step (account_id);
CREATE INDEX chain_step_of_callee ON chain_step (callee) WHERE callee IS NOT NULL;
CREATE INDEX chain_step_of_endpoint ON chain_step (endpoint_id) WHERE endpoint_id IS NOT NULL;
GRANT SELECT ON chain_step TO aqua_rules;
GRANT SELECT (slot, device_id, account_id, endpoint_id) ON chain_step TO aqua_notifier;
ALTER TABLE chain_step ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON chain_step TO aqua_rules, aqua_notifier USING (true);

-- The calls for an alarm that nobody answers: of one watch of a person, and one side of it.
--
--             somebody is on it; its person snoozes    that is over: a new round begins
--     running ---------------------------> held ------------------------------------------> running
--        \-------------------------------------\--(the trouble has been over for a while)--> ended
CREATE TABLE escalation (
    slot smallint NOT NULL,
    parameter smallint,
    device_id integer NOT NULL,
    escalation_id bigint GENERATED ALWAYS AS IDENTITY,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE, -- whose alarm
    kind text NOT NULL,
    side text CHECK (side IN ('low', 'high')),
    critical boolean NOT NULL DEFAULT false, -- whether a critical alert was made
    alarm_at timestamptz NOT NULL DEFAULT now(), -- when they were alarmed first
    began_at timestamptz NOT NULL DEFAULT now(), -- this round
    called_through smallint NOT NULL DEFAULT 0, -- the minutes of the last step of this round that was due
    round smallint NOT NULL DEFAULT 1,
    answers_from timestamptz NOT NULL DEFAULT '-infinity', -- what was answered before holds nothing back: it got worse since
    held_until timestamptz,
    over_since timestamptz, -- when it was first found to be over
    next_at timestamptz NOT NULL, -- when it is looked at next
    answered_by bigint REFERENCES account ON DELETE SET NULL, -- first
    answered_at timestamptz,
    ended_at timestamptz,
    PRIMARY KEY (slot, escalation_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
CREATE UNIQUE INDEX escalation_open ON escalation (slot, device_id, account_id, kind, parameter, side) NULLS NOT DISTINCT WHERE ended_at IS NULL;
CREATE INDEX escalation_due ON escalation (next_at) WHERE ended_at IS NULL;
CREATE INDEX escalation_of_person ON escalation (account_id, slot, device_id, escalation_id);
CREATE INDEX escalation_answered ON escalation (answered_by) WHERE answered_by IS NOT NULL;
CREATE INDEX escalation_ended ON escalation (ended_at) WHERE ended_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON escalation TO aqua_rules;
GRANT SELECT (slot, escalation_id, held_until, ended_at) ON escalation TO aqua_notifier;
GRANT SELECT (slot, device_id, parameter, account_id, kind, escalation_id) ON escalation TO aqua_gateway;
ALTER TABLE escalation ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON escalation TO aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON escalation TO aqua_gateway USING (account_id = (SELECT current_account()));

-- Each call, also where it came to nothing, and why.
CREATE TABLE escalation_call (
    slot smallint NOT NULL,
    escalation_id bigint NOT NULL,
    call_id bigint GENERATED ALWAYS AS IDENTITY,
    after_minutes smallint NOT NULL,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE, -- who was called
    endpoint_id bigint, -- of a step that is an endpoint
    called_at timestamptz NOT NULL DEFAULT now(),
    outcome text NOT NULL CHECK (outcome ~ '^[a-zA-Z]{1,32}$'), -- a word of the programs'
    alert_id bigint,
    called_off_at timestamptz, -- when they were told that somebody is on it, or that it is over
    PRIMARY KEY (slot, escalation_id, call_id),
    FOREIGN KEY (slot, escalation_id) REFERENCES escalation ON DELETE CASCADE
);
CREATE INDEX escalation_call_to ON escalation_call (account_id, called_at);
GRANT SELECT, INSERT, UPDATE (called_off_at) ON escalation_call TO aqua_rules;
GRANT SELECT (slot, escalation_id, called_at, outcome) ON escalation_call TO aqua_gateway;
ALTER TABLE escalation_call ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON escalation_call TO aqua_rules USING (true);
CREATE POLICY person ON escalation_call TO aqua_gateway USING (EXISTS (
    SELECT FROM escalation x WHERE x.slot = escalation_call.slot AND x.escalation_id = escalation_call.escalation_id
        AND x.account_id = (SELECT current_account())));

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('chain_step', 'person', 'person and device', NULL, 8, 'its key: places 1 to 8'),
    ('escalation', 'device', NULL, NULL, NULL, 'its index: one a watch that goes on; retention'),
    ('escalation_call', 'device', NULL, NULL, NULL, 'escalations: three rounds of eight calls before somebody answers; retention');

-- Of a call: whose alarm it is, and for how long nobody had answered; to which endpoint alone, if to one; of the end of a call, who is on it.
-- Names are as they were then.
ALTER TABLE alert
    ADD COLUMN escalation_id bigint,
    ADD COLUMN caller bigint,
    ADD COLUMN caller_name text, -- NULL: the alarm is the person's own
    ADD COLUMN unanswered_seconds integer,
    ADD COLUMN to_endpoint bigint,
    ADD COLUMN taker bigint,
    ADD COLUMN taker_name text;
CREATE INDEX alert_of_escalation ON alert (slot, escalation_id) WHERE escalation_id IS NOT NULL;
CREATE INDEX alert_of_caller ON alert (caller) WHERE caller IS NOT NULL;
CREATE INDEX alert_of_taker ON alert (taker) WHERE taker IS NOT NULL;

-- A script makes it anew, with the part of calls.
DROP FUNCTION IF EXISTS setup_parts(text[]);
