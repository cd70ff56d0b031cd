-- Reminders: what the water needs from its keeper, by the calendar or so many days after it was done last.

-- A reminder belongs to the tank, and whoever does it does it for all who share it. Its time is civil, in a zone of its own: that of the tank.
-- next_at follows from the rest and from the zones of this server, and is computed anew with each change, each look and once a day.
CREATE TABLE reminder (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    device_id integer NOT NULL,
    reminder_id uuid NOT NULL UNIQUE, -- the client's, so that what is sent twice counts once
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    activity text NOT NULL CHECK (activity ~ '^[a-zA-Z]{1,32}$'),
    every text NOT NULL CHECK (every IN ('day', 'week', 'month', 'year', 'afterDone')),
    step smallint NOT NULL CHECK (step BETWEEN 1 AND 366), -- every so many days, weeks, months, years; days after it was done
    weekdays smallint CHECK (weekdays BETWEEN 1 AND 127), -- of a week: 1 is Monday, 2 Tuesday, 4 Wednesday
    month_day smallint CHECK (month_day BETWEEN 1 AND 31 OR month_day = -1), -- -1: the last
    month_weekday smallint CHECK (month_weekday BETWEEN 1 AND 7), -- 1 is Monday (ISO 8601)
    which smallint CHECK (which BETWEEN 1 AND 5 OR which = -1), -- which such day of the month; -1: the last
    until_on date, -- the last day on which it may be
    times smallint CHECK (times BETWEEN 1 AND 1000), -- how often it is in all
    at_time time NOT NULL CHECK (date_trunc('minute', at_time::interval) = at_time::interval AND at_time < '24:00'),
    zone text NOT NULL CHECK (length(zone) BETWEEN 1 AND 64),
    starts_on date NOT NULL CHECK (starts_on BETWEEN '1990-01-01' AND '2199-12-31'),
    notes text NOT NULL DEFAULT '' CHECK (length(notes) <= 1000),
    account_id bigint REFERENCES account ON DELETE SET NULL, -- who made it; NULL: somebody who is gone
    made_at timestamptz NOT NULL DEFAULT now(),
    since timestamptz NOT NULL, -- when its rule was set: nothing of before is missed
    ended_at timestamptz,
    version integer NOT NULL DEFAULT 1, -- counts the changes of what people set
    changes bigint NOT NULL DEFAULT 1, -- counts these and what was done about it: a calendar's SEQUENCE
    changed_at timestamptz NOT NULL DEFAULT now(),
    looked_at timestamptz NOT NULL, -- what came due by then has been handed over to be told
    next_at timestamptz, -- when something is to be told next; NULL: nothing is, unless somebody acts
    planned_at timestamptz NOT NULL, -- when next_at was computed
    PRIMARY KEY (slot, reminder_id),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    CONSTRAINT reminder_rhythm CHECK (
        (every = 'week') = (weekdays IS NOT NULL)
        AND (month_weekday IS NULL) = (which IS NULL)
        AND CASE every WHEN 'month' THEN num_nonnulls(month_day, month_weekday) = 1 ELSE num_nonnulls(month_day, month_weekday) = 0 END
        AND num_nonnulls(until_on, times) <= 1),
    CONSTRAINT reminder_ends_for_good CHECK (ended_at IS NULL OR next_at IS NULL)
) WITH (fillfactor = 80);
CREATE INDEX reminder_of_tank ON reminder (slot, tank_id);
CREATE INDEX reminder_of_maker ON reminder (account_id);
CREATE INDEX reminder_due ON reminder (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX reminder_planned ON reminder (planned_at) WHERE ended_at IS NULL;

-- Who is told of a reminder, among those who share the tank.
CREATE TABLE reminder_person (
    slot smallint NOT NULL,
    reminder_id uuid NOT NULL,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    PRIMARY KEY (slot, reminder_id, account_id),
    FOREIGN KEY (slot, reminder_id) REFERENCES reminder ON DELETE CASCADE
);
CREATE INDEX reminder_person_of_account ON reminder_person (account_id);

-- What somebody did about an occurrence, which is known by its civil time. One that was put off may be done later, so there may be a row of each.
CREATE TABLE reminder_act (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    reminder_id uuid NOT NULL,
    act_id uuid NOT NULL UNIQUE, -- the client's
    on_at timestamp NOT NULL, -- the occurrence, by the clock of the reminder's zone
    what text NOT NULL CHECK (what IN ('done', 'skipped', 'later')),
    acted_at timestamptz NOT NULL CHECK (acted_at >= '1990-01-01'),
    until_at timestamptz,
    entered_at timestamptz NOT NULL DEFAULT now(), -- by the clock of the database: acts are counted by it
    account_id bigint REFERENCES account ON DELETE SET NULL, -- NULL: somebody who is gone
    version integer NOT NULL DEFAULT 1,
    PRIMARY KEY (slot, act_id),
    FOREIGN KEY (slot, reminder_id) REFERENCES reminder ON DELETE CASCADE,
    CONSTRAINT reminder_act_until CHECK ((what = 'later') = (until_at IS NOT NULL))
);
CREATE UNIQUE INDEX reminder_act_once ON reminder_act (slot, reminder_id, (on_at::date), (what = 'later'));
CREATE INDEX reminder_act_of_tank ON reminder_act (slot, tank_id, acted_at);
CREATE INDEX reminder_act_of_person ON reminder_act (account_id, slot, tank_id);
CREATE INDEX reminder_act_old ON reminder_act (acted_at);

-- The occurrence of a reminder that a person is told of, or was told of last.
--
--     waits_at --(its minute has come, and no quiet hours are on)--> alert_id --(all that its message told is settled)--> replaced
--        |                                                             |
--        +-- done or left out: the row goes                            +-- done or left out: settled_at
CREATE TABLE reminder_telling (
    slot smallint NOT NULL,
    reminder_id uuid NOT NULL,
    account_id bigint NOT NULL,
    on_at timestamp NOT NULL,
    due_at timestamptz NOT NULL,
    missed smallint NOT NULL DEFAULT 0 CHECK (missed >= 0), -- how many were missed right before it
    waits_at timestamptz, -- when it is told; NULL: it was
    told_at timestamptz,
    alert_id bigint, -- the message that told it, in the slot of the person's number
    settled_at timestamptz,
    settled_by text CHECK (length(settled_by) <= 64), -- who did it, as others see them
    skipped boolean NOT NULL DEFAULT false, -- they left it out
    replaced boolean NOT NULL DEFAULT false, -- what was shown has been replaced by who did it
    PRIMARY KEY (slot, reminder_id, account_id),
    FOREIGN KEY (slot, reminder_id, account_id) REFERENCES reminder_person ON DELETE CASCADE,
    CONSTRAINT reminder_telling_settled CHECK (settled_at IS NULL OR alert_id IS NOT NULL),
    CONSTRAINT reminder_telling_waits CHECK (waits_at IS NULL OR alert_id IS NULL)
);
CREATE INDEX reminder_telling_waits ON reminder_telling (waits_at) WHERE waits_at IS NOT NULL;
CREATE INDEX reminder_telling_settled ON reminder_telling (settled_at) WHERE settled_at IS NOT NULL AND NOT replaced;
CREATE INDEX reminder_telling_of_account ON reminder_telling (account_id, alert_id);

-- An address at which a calendar program reads a person's reminders. Of the secret in it the hash is kept.
CREATE TABLE calendar_feed (
    feed_id bigint GENERATED ALWAYS AS IDENTITY,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    slot smallint, -- of one tank alone
    tank_id bigint,
    alarms boolean NOT NULL DEFAULT false, -- whether the calendar program is to remind as well
    made_at timestamptz NOT NULL DEFAULT now(),
    fetched_at timestamptz, -- when it was read last, to the minute
    PRIMARY KEY (feed_id),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    CHECK ((slot IS NULL) = (tank_id IS NULL))
);
CREATE INDEX calendar_feed_of_account ON calendar_feed (account_id);
CREATE INDEX calendar_feed_of_tank ON calendar_feed (slot, tank_id);
ALTER TABLE calendar_feed REPLICA IDENTITY FULL; -- a cell is split along its slots

GRANT SELECT ON reminder, reminder_person, reminder_act TO aqua_gateway;
GRANT INSERT (slot, tank_id, device_id, reminder_id, name, activity, every, step, weekdays, month_day, month_weekday, which, until_on, times,
    at_time, zone, starts_on, notes, account_id, since, looked_at, planned_at) ON reminder TO aqua_gateway;
GRANT UPDATE (name, activity, every, step, weekdays, month_day, month_weekday, which, until_on, times, at_time, zone, starts_on, notes,
    since, ended_at, version, changes, changed_at, looked_at, next_at, planned_at) ON reminder TO aqua_gateway;
GRANT INSERT (slot, reminder_id, account_id), DELETE ON reminder_person TO aqua_gateway;
GRANT INSERT (slot, tank_id, reminder_id, act_id, on_at, what, acted_at, until_at, account_id),
    UPDATE (what, acted_at, until_at, version), DELETE ON reminder_act TO aqua_gateway;
GRANT SELECT (slot, reminder_id, account_id, on_at, alert_id) ON reminder_telling TO aqua_gateway;
GRANT SELECT (feed_id, account_id, name, slot, tank_id, alarms, made_at, fetched_at),
    INSERT (account_id, token_hash, name, slot, tank_id, alarms), DELETE ON calendar_feed TO aqua_gateway;

ALTER TABLE reminder ENABLE ROW LEVEL SECURITY;
ALTER TABLE reminder_person ENABLE ROW LEVEL SECURITY;
ALTER TABLE reminder_act ENABLE ROW LEVEL SECURITY;
ALTER TABLE reminder_telling ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendar_feed ENABLE ROW LEVEL SECURITY;

CREATE POLICY person ON reminder TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = reminder.slot AND o.tank_id = reminder.tank_id
        AND o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL)));
-- What was is read for good; only who shares the tank now changes anything.
CREATE POLICY added_now ON reminder AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (EXISTS (
    SELECT FROM ownership o WHERE o.slot = reminder.slot AND o.tank_id = reminder.tank_id AND o.device_id = reminder.device_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));
CREATE POLICY changed_now ON reminder AS RESTRICTIVE FOR UPDATE TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = reminder.slot AND o.tank_id = reminder.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));

-- Those of the reminders that one sees.
CREATE POLICY person ON reminder_person TO aqua_gateway USING (EXISTS (
    SELECT FROM reminder r WHERE r.slot = reminder_person.slot AND r.reminder_id = reminder_person.reminder_id));
-- Only who shares the tank is told, or told no more.
CREATE POLICY added_now ON reminder_person AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (EXISTS (
    SELECT FROM reminder r JOIN ownership o ON o.slot = r.slot AND o.tank_id = r.tank_id AND o.unlinked_at IS NULL
    WHERE r.slot = reminder_person.slot AND r.reminder_id = reminder_person.reminder_id AND o.account_id = (SELECT current_account())));
CREATE POLICY removed_now ON reminder_person AS RESTRICTIVE FOR DELETE TO aqua_gateway USING (EXISTS (
    SELECT FROM reminder r JOIN ownership o ON o.slot = r.slot AND o.tank_id = r.tank_id AND o.unlinked_at IS NULL
    WHERE r.slot = reminder_person.slot AND r.reminder_id = reminder_person.reminder_id AND o.account_id = (SELECT current_account())));

CREATE POLICY person ON reminder_act TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = reminder_act.slot AND o.tank_id = reminder_act.tank_id
        AND o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL)));
CREATE POLICY added_now ON reminder_act AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (
    account_id = (SELECT current_account()) AND EXISTS (
        SELECT FROM reminder r JOIN ownership o ON o.slot = r.slot AND o.tank_id = r.tank_id AND o.unlinked_at IS NULL
        WHERE r.slot = reminder_act.slot AND r.reminder_id = reminder_act.reminder_id AND r.tank_id = reminder_act.tank_id
            AND o.account_id = (SELECT current_account())));
-- One changes what one did oneself; the owner undoes what anybody did.
CREATE POLICY changed_now ON reminder_act AS RESTRICTIVE FOR UPDATE TO aqua_gateway USING (
    account_id = (SELECT current_account()) AND EXISTS (
        SELECT FROM ownership o WHERE o.slot = reminder_act.slot AND o.tank_id = reminder_act.tank_id
            AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));
CREATE POLICY undone_now ON reminder_act AS RESTRICTIVE FOR DELETE TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = reminder_act.slot AND o.tank_id = reminder_act.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL
        AND (o.role = 'owner' OR reminder_act.account_id = (SELECT current_account()) OR reminder_act.what = 'later')));

CREATE POLICY person ON reminder_telling TO aqua_gateway USING (account_id = (SELECT current_account()));
CREATE POLICY person ON calendar_feed TO aqua_gateway USING (account_id = (SELECT current_account()));

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('reminder', 'person', 'tank', 300, 300, 'trigger; ended ones go, the oldest first; 100 that go on'),
    ('reminder_person', 'person', 'reminder', NULL, 100, 'those who share the tank'),
    ('reminder_act', 'person', 'person and tank', 2000, 5000, 'trigger; the oldest go; none is older than five years'),
    ('reminder_telling', 'person', 'reminder and person', NULL, 1, 'its key'),
    ('calendar_feed', 'person', 'person', NULL, 10, 'AddCalendarFeed');
UPDATE growth_bound SET kept_by = 'trigger for tests; add_summary for summaries; tell_care for reminders; the throttle for all others; retention'
WHERE held = 'alert';

-- A message that tells reminders has a line about all of them, and one for each of twelve.
ALTER TABLE alert DROP CONSTRAINT alert_about;
ALTER TABLE alert ADD CONSTRAINT alert_about CHECK (
    cardinality(about) BETWEEN 1 AND 13
    AND length(array_to_string(about, '')) <= CASE kind WHEN 'summary' THEN 40000 WHEN 'care' THEN 8000 ELSE 600 END) NOT VALID;
