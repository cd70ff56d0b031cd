-- What a person is told regularly: a summary of their water, if they choose one, and a note by which each way shows that it still works.

-- A person's choice. The time is civil, in the time zone of the account. No row: no summary, and notes to browsers and apps.
CREATE TABLE summary_choice (
    account_id bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    rhythm text NOT NULL CHECK (rhythm IN ('off', 'daily', 'weekly')),
    weekday smallint NOT NULL CHECK (weekday BETWEEN 1 AND 7), -- of a weekly one; 1 is Monday (ISO 8601)
    at_time time NOT NULL CHECK (date_trunc('minute', at_time::interval) = at_time::interval AND at_time < '24:00'),
    proofs text NOT NULL CHECK (proofs IN ('none', 'push', 'all')), -- which ways get the weekly note; push: browsers and apps
    due_on date, -- the day of the next summary
    next_at timestamptz, -- when that is sent: after quiet hours where its time lies in them
    told_on date, -- the day of the last one
    CHECK ((rhythm = 'off') = (next_at IS NULL) AND (due_on IS NULL) = (next_at IS NULL))
);
CREATE INDEX summary_due ON summary_choice (next_at) WHERE next_at IS NOT NULL;
GRANT SELECT (account_id, rhythm, weekday, at_time, proofs, next_at) ON summary_choice TO aqua_gateway;
ALTER TABLE summary_choice ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON summary_choice TO aqua_gateway USING (account_id = (SELECT current_account()));

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('summary_choice', 'person', 'person', NULL, 1, 'primary key');
UPDATE growth_bound SET kept_by = 'trigger for tests; add_summary for summaries; the throttle for all others; retention' WHERE held = 'alert';

-- heard_at: when a message last arrived there, as the browser or the app said; NULL: it never said so. proof_due_at: when it is looked at
-- next, whether it still works. Those that are there are spread over a week by their numbers, as later looks are.
ALTER TABLE endpoint
    ADD COLUMN heard_at timestamptz,
    ADD COLUMN proof_due_at timestamptz NOT NULL DEFAULT now() + interval '7 days';
UPDATE endpoint SET proof_due_at =
    now() + ('x' || left(md5(endpoint_id::text), 7))::bit(28)::integer % 604800 * interval '1 second' + interval '1 day'
WHERE retired_at IS NULL;
CREATE INDEX endpoint_proof_due ON endpoint (proof_due_at) WHERE retired_at IS NULL;

-- Whether it takes what it is sent, and does not say any more that it has arrived.
ALTER TABLE failed_way ADD COLUMN is_mute boolean NOT NULL DEFAULT false;

-- A summary says more than other notes: a line about all tanks, and one for each of twelve.
ALTER TABLE alert DROP CONSTRAINT alert_about;
ALTER TABLE alert ADD CONSTRAINT alert_about CHECK (
    cardinality(about) BETWEEN 1 AND 13 AND length(array_to_string(about, '')) <= CASE kind WHEN 'summary' THEN 40000 ELSE 600 END) NOT VALID;
CREATE INDEX alert_proof ON alert (account_id, decided_at) WHERE kind = 'proof';
