-- Notes tell a person of their account: a way that takes no alerts any more, a sign-in from somewhere new. They have no device and no episode.
ALTER TABLE alert ADD COLUMN about text[];
ALTER TABLE alert ADD CONSTRAINT alert_about
    CHECK (cardinality(about) BETWEEN 1 AND 4 AND length(array_to_string(about, '')) <= 600) NOT VALID;
DO $$
DECLARE
    rule text;
BEGIN
    -- those that said so of tests alone, whose names were given by lot
    FOR rule IN SELECT conname FROM pg_constraint
        WHERE conrelid = 'alert'::regclass AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%kind = ''test''%'
    LOOP
        EXECUTE format('ALTER TABLE alert DROP CONSTRAINT %I', rule);
    END LOOP;
END
$$;
ALTER TABLE alert ADD CONSTRAINT alert_of_nothing CHECK ((device_id IS NULL) = (episode_id IS NULL)) NOT VALID;
ALTER TABLE alert ADD CONSTRAINT alert_test_is_one CHECK ((kind = 'test') = (purpose = 'test')) NOT VALID;
ALTER TABLE alert ADD CONSTRAINT alert_note_is_one CHECK (
    (purpose = 'note') = (about IS NOT NULL) AND (purpose IN ('test', 'note')) = (device_id IS NULL)) NOT VALID;
CREATE INDEX alert_without_device ON alert (decided_at) WHERE device_id IS NULL;
DROP INDEX alert_test;

-- The ways that took no alerts, each from the first one that it did not take until it takes one.
CREATE TABLE failed_way (
    endpoint_id bigint PRIMARY KEY REFERENCES endpoint ON DELETE CASCADE,
    registration integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    since timestamptz, -- NULL: it works again
    told_at timestamptz -- when its person was told last, by their other ways
);
CREATE INDEX failed_way_of_account ON failed_way (account_id);
ALTER TABLE failed_way ENABLE ROW LEVEL SECURITY;

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('failed_way', 'person', 'endpoint', NULL, 1, 'its key');
