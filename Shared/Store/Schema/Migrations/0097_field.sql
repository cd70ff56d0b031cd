-- Samples that people take in the field, by protocols that are data. A sample is its client's, who names it: what is sent twice counts once, what is sent
-- again is a further version, and nothing is deleted: a sample that is withdrawn says so.

-- Protocols that a person, or the administrators of a project, made beside those that are built in. Every version stays, since samples name one.
CREATE TABLE field_protocol (
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    protocol_id text NOT NULL CHECK (protocol_id ~ '^[a-z][a-z0-9-]{0,39}$'),
    version integer NOT NULL CHECK (version BETWEEN 1 AND 100),
    content jsonb NOT NULL CHECK (octet_length(content::text) <= 98304),
    made_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, protocol_id, version)
);
ALTER TABLE field_protocol ENABLE ROW LEVEL SECURITY;

CREATE TABLE field_sample (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL, -- of a device, or of a site
    sample_id uuid NOT NULL UNIQUE,
    device_id integer NOT NULL,
    account_id bigint REFERENCES account ON DELETE SET NULL, -- who took it; NULL: somebody who is gone
    changed_by bigint REFERENCES account ON DELETE SET NULL, -- who wrote the present version, likewise
    version integer NOT NULL DEFAULT 1 CHECK (version BETWEEN 1 AND 100),
    state text NOT NULL CHECK (state IN ('begun', 'done', 'withdrawn')),
    begun_at timestamptz NOT NULL CHECK (begun_at >= '1990-01-01Z'),
    content jsonb NOT NULL CHECK (octet_length(content::text) <= 98304), -- the sample without its track
    track bytea CHECK (length(track) BETWEEN 1 AND 131072), -- of the present version alone; NULL: none
    clock_offset real, -- seconds that the sender's clock was ahead at the first receipt; NULL: not said
    received_at timestamptz NOT NULL DEFAULT now(),
    written_at timestamptz NOT NULL DEFAULT now(), -- the present version
    changed_at timestamptz NOT NULL DEFAULT now(), -- the present version, or what was said of it
    review text CHECK (review IN ('approved', 'hasIssues', 'rejected')), -- of the present version; NULL: nobody has
    review_note text CHECK (length(review_note) BETWEEN 1 AND 500),
    reviewed_at timestamptz,
    PRIMARY KEY (slot, tank_id, sample_id),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    CONSTRAINT field_sample_review_is_whole CHECK ((review IS NULL) = (reviewed_at IS NULL) AND (review IS NOT NULL OR review_note IS NULL))
);
CREATE INDEX field_sample_of_tank ON field_sample (slot, tank_id, changed_at DESC, sample_id DESC);
CREATE INDEX field_sample_of_account ON field_sample (account_id, received_at);
CREATE INDEX field_sample_changed_by ON field_sample (changed_by) WHERE changed_by IS NOT NULL;

-- Former versions.
CREATE TABLE field_sample_version (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    sample_id uuid NOT NULL,
    version integer NOT NULL CHECK (version BETWEEN 1 AND 100),
    account_id bigint REFERENCES account ON DELETE SET NULL, -- who wrote it
    state text NOT NULL CHECK (state IN ('begun', 'done', 'withdrawn')),
    content jsonb NOT NULL,
    written_at timestamptz NOT NULL,
    PRIMARY KEY (slot, tank_id, sample_id, version),
    FOREIGN KEY (slot, tank_id, sample_id) REFERENCES field_sample ON DELETE CASCADE
);
CREATE INDEX field_sample_version_of_account ON field_sample_version (account_id) WHERE account_id IS NOT NULL;

GRANT SELECT ON field_sample, field_sample_version TO aqua_gateway;
ALTER TABLE field_sample ENABLE ROW LEVEL SECURITY;
ALTER TABLE field_sample_version ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON field_sample FOR SELECT TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = field_sample.slot AND o.tank_id = field_sample.tank_id
        AND o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL)));
CREATE POLICY person ON field_sample_version FOR SELECT TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = field_sample_version.slot AND o.tank_id = field_sample_version.tank_id
        AND o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL)));

-- The values of a sample that are limited and drawn are a test by hand with the sample's id, which changes with the sample alone.
ALTER TABLE hand_test ADD COLUMN of_sample boolean NOT NULL DEFAULT false;

-- Photos are of an entry of the journal, or of a sample.
ALTER TABLE journal_photo
    ALTER COLUMN entry_id DROP NOT NULL,
    ADD COLUMN sample_id uuid,
    ADD COLUMN taken_at timestamptz, -- NULL: not said
    DROP CONSTRAINT journal_photo_place_check,
    ADD CONSTRAINT journal_photo_place_check CHECK (place BETWEEN 1 AND CASE WHEN sample_id IS NULL THEN 6 ELSE 20 END),
    ADD CONSTRAINT journal_photo_is_of_one CHECK (num_nonnulls(entry_id, sample_id) = 1),
    ADD CONSTRAINT journal_photo_of_sample FOREIGN KEY (slot, tank_id, sample_id) REFERENCES field_sample ON DELETE CASCADE,
    ADD CONSTRAINT journal_photo_place_in_sample UNIQUE (slot, tank_id, sample_id, place);
GRANT INSERT (sample_id, taken_at) ON journal_photo TO aqua_gateway;
-- Photos are added, completed and removed by whoever may change what they are of.
DROP POLICY adds ON journal_photo;
DROP POLICY completes ON journal_photo;
DROP POLICY removes ON journal_photo;
CREATE POLICY adds ON journal_photo AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (
    account_id = (SELECT current_account()) AND EXISTS (
        SELECT FROM ownership o
        WHERE o.slot = journal_photo.slot AND o.tank_id = journal_photo.tank_id AND o.account_id = (SELECT current_account())
            AND o.unlinked_at IS NULL AND o.may_act AND (
                EXISTS (SELECT FROM journal_entry e WHERE e.slot = o.slot AND e.tank_id = o.tank_id AND e.entry_id = journal_photo.entry_id
                    AND (o.role = 'owner' OR e.account_id = o.account_id))
                OR EXISTS (SELECT FROM field_sample s WHERE s.slot = o.slot AND s.tank_id = o.tank_id AND s.sample_id = journal_photo.sample_id
                    AND (o.role = 'owner' OR s.account_id = o.account_id)))));
CREATE POLICY completes ON journal_photo AS RESTRICTIVE FOR UPDATE TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o
    WHERE o.slot = journal_photo.slot AND o.tank_id = journal_photo.tank_id AND o.account_id = (SELECT current_account())
        AND o.unlinked_at IS NULL AND o.may_act AND (
            o.role = 'owner'
            OR EXISTS (SELECT FROM journal_entry e WHERE e.slot = o.slot AND e.tank_id = o.tank_id AND e.entry_id = journal_photo.entry_id
                AND e.account_id = o.account_id)
            OR EXISTS (SELECT FROM field_sample s WHERE s.slot = o.slot AND s.tank_id = o.tank_id AND s.sample_id = journal_photo.sample_id
                AND s.account_id = o.account_id))));
CREATE POLICY removes ON journal_photo AS RESTRICTIVE FOR DELETE TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o
    WHERE o.slot = journal_photo.slot AND o.tank_id = journal_photo.tank_id AND o.account_id = (SELECT current_account())
        AND o.unlinked_at IS NULL AND o.may_act AND (
            o.role = 'owner'
            OR EXISTS (SELECT FROM journal_entry e WHERE e.slot = o.slot AND e.tank_id = o.tank_id AND e.entry_id = journal_photo.entry_id
                AND e.account_id = o.account_id)
            OR EXISTS (SELECT FROM field_sample s WHERE s.slot = o.slot AND s.tank_id = o.tank_id AND s.sample_id = journal_photo.sample_id
                AND s.account_id = o.account_id))));

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('field_protocol', 'person', 'account', NULL, 3000, 'put_field_protocol: 30 protocols; a check: 100 versions; 96 KB'),
    ('field_sample', 'person', 'person', 200, 20000, 'trigger; 96 KB, and 128 KB of track'),
    ('field_sample_version', 'person', 'sample', NULL, 99, 'a check');
UPDATE growth_bound SET kept_by = 'its function, put_hand_test; of samples one each' WHERE held = 'hand_test';
UPDATE growth_bound SET a_day = greatest(a_day, 400), in_all = greatest(in_all, 3000),
    kept_by = 'trigger; has_room: 6 an entry, 20 a sample, 500 a tank of entries, 2,000 of samples, 256 MB a person'
    WHERE held = 'journal_photo';
