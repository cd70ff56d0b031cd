-- The journal of a tank: what people did for the water and what they saw, with photos; and what lives and works in it.

-- An entry is its client's, who names it: what is sent twice counts once. Who made it and when stays when it is changed.
CREATE TABLE journal_entry (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    entry_id uuid NOT NULL UNIQUE,
    device_id integer NOT NULL,
    account_id bigint REFERENCES account ON DELETE SET NULL, -- who made it; NULL: somebody who is gone
    kind text NOT NULL CHECK (kind ~ '^[a-zA-Z]{1,32}$'),
    happened_at timestamptz NOT NULL CHECK (happened_at >= '1990-01-01 00:00+00'),
    amount double precision CHECK (amount > 0 AND amount < 1e9),
    unit text CHECK (unit ~ '^[a-zA-Z]{1,16}$'),
    subject text CHECK (length(subject) BETWEEN 1 AND 80), -- a food, a fertiliser, a filter, a species
    count integer CHECK (count BETWEEN 1 AND 100000),
    text text CHECK (length(text) BETWEEN 1 AND 2000),
    version integer NOT NULL DEFAULT 1,
    made_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (slot, tank_id, entry_id),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    CHECK ((amount IS NULL) = (unit IS NULL))
);
CREATE INDEX journal_entry_of_tank ON journal_entry (slot, tank_id, happened_at, entry_id);
CREATE INDEX journal_entry_of_account ON journal_entry (account_id, slot, tank_id);
GRANT SELECT, INSERT, DELETE, UPDATE (kind, happened_at, amount, unit, subject, count, text, version) ON journal_entry TO aqua_gateway;
ALTER TABLE journal_entry ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON journal_entry TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = journal_entry.slot AND o.tank_id = journal_entry.tank_id
        AND o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL)));
-- Whoever has the device now adds entries of their own; the owner may change and remove those of others, too.
CREATE POLICY adds ON journal_entry AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (
    account_id = (SELECT current_account()) AND EXISTS (
        SELECT FROM ownership o WHERE o.slot = journal_entry.slot AND o.tank_id = journal_entry.tank_id
            AND o.device_id = journal_entry.device_id AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));
CREATE POLICY changes ON journal_entry AS RESTRICTIVE FOR UPDATE TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = journal_entry.slot AND o.tank_id = journal_entry.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL
        AND (o.role = 'owner' OR journal_entry.account_id = o.account_id)));
CREATE POLICY removes ON journal_entry AS RESTRICTIVE FOR DELETE TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = journal_entry.slot AND o.tank_id = journal_entry.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL
        AND (o.role = 'owner' OR journal_entry.account_id = o.account_id)));

-- A photo of an entry, as the client made it small: never decoded here, and stored without what cameras write beside the picture. It never
-- changes: another picture is another photo.
CREATE TABLE journal_photo (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    photo_id uuid NOT NULL UNIQUE,
    entry_id uuid NOT NULL,
    place smallint NOT NULL CHECK (place BETWEEN 1 AND 6), -- in its entry; photo_has_room gives it
    account_id bigint REFERENCES account ON DELETE SET NULL, -- who added it
    type text NOT NULL CHECK (type IN ('image/jpeg', 'image/png', 'image/webp')),
    width integer NOT NULL CHECK (width BETWEEN 1 AND 4096),
    height integer NOT NULL CHECK (height BETWEEN 1 AND 4096),
    content bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 307200),
    digest bytea NOT NULL GENERATED ALWAYS AS (sha256(content)) STORED,
    small bytea CHECK (length(small) BETWEEN 1 AND 40960), -- the same picture for lists; NULL: has not come yet
    small_type text CHECK (small_type IN ('image/jpeg', 'image/png', 'image/webp')),
    made_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (slot, tank_id, photo_id),
    UNIQUE (slot, tank_id, entry_id, place),
    FOREIGN KEY (slot, tank_id, entry_id) REFERENCES journal_entry ON DELETE CASCADE,
    CHECK ((small IS NULL) = (small_type IS NULL))
);
ALTER TABLE journal_photo ALTER COLUMN content SET STORAGE EXTERNAL, ALTER COLUMN small SET STORAGE EXTERNAL; -- pictures are compressed already
CREATE INDEX journal_photo_of_account ON journal_photo (account_id);
GRANT SELECT, DELETE, INSERT (slot, tank_id, photo_id, entry_id, account_id, type, width, height, content),
    UPDATE (small, small_type) ON journal_photo TO aqua_gateway;
ALTER TABLE journal_photo ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON journal_photo TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = journal_photo.slot AND o.tank_id = journal_photo.tank_id
        AND o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL)));
-- Photos are added, completed and removed by whoever may change their entry.
CREATE POLICY adds ON journal_photo AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (
    account_id = (SELECT current_account()) AND EXISTS (
        SELECT FROM ownership o JOIN journal_entry e ON e.slot = o.slot AND e.tank_id = o.tank_id
        WHERE o.slot = journal_photo.slot AND o.tank_id = journal_photo.tank_id AND e.entry_id = journal_photo.entry_id
            AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL
            AND (o.role = 'owner' OR e.account_id = o.account_id)));
CREATE POLICY completes ON journal_photo AS RESTRICTIVE FOR UPDATE TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o JOIN journal_entry e ON e.slot = o.slot AND e.tank_id = o.tank_id
    WHERE o.slot = journal_photo.slot AND o.tank_id = journal_photo.tank_id AND e.entry_id = journal_photo.entry_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND (o.role = 'owner' OR e.account_id = o.account_id)));
CREATE POLICY removes ON journal_photo AS RESTRICTIVE FOR DELETE TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o JOIN journal_entry e ON e.slot = o.slot AND e.tank_id = o.tank_id
    WHERE o.slot = journal_photo.slot AND o.tank_id = journal_photo.tank_id AND e.entry_id = journal_photo.entry_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND (o.role = 'owner' OR e.account_id = o.account_id)));

-- What lives in a tank, and what works on it. Whoever shares the tank keeps the lists; who added something may remove it, and the owner.
CREATE TABLE inventory_item (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    item_id uuid NOT NULL UNIQUE,
    account_id bigint REFERENCES account ON DELETE SET NULL, -- who added it
    list text NOT NULL CHECK (list IN ('livestock', 'equipment')),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80), -- the species; what the thing is called
    count integer CHECK (count BETWEEN 0 AND 100000), -- of livestock
    kind text CHECK (kind ~ '^[a-zA-Z]{1,32}$'), -- of equipment
    since date CHECK (since >= '1900-01-01'),
    until date CHECK (until >= since), -- NULL: it is there
    note text CHECK (length(note) BETWEEN 1 AND 500),
    version integer NOT NULL DEFAULT 1,
    made_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (slot, tank_id, item_id),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    CHECK ((list = 'livestock') = (count IS NOT NULL) AND (list = 'equipment') = (kind IS NOT NULL))
);
CREATE INDEX inventory_item_of_account ON inventory_item (account_id);
GRANT SELECT, INSERT, DELETE, UPDATE (name, count, kind, since, until, note, version) ON inventory_item TO aqua_gateway;
ALTER TABLE inventory_item ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON inventory_item TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = inventory_item.slot AND o.tank_id = inventory_item.tank_id
        AND o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL)));
CREATE POLICY adds ON inventory_item AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (
    account_id = (SELECT current_account()) AND EXISTS (
        SELECT FROM ownership o WHERE o.slot = inventory_item.slot AND o.tank_id = inventory_item.tank_id
            AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));
CREATE POLICY changes ON inventory_item AS RESTRICTIVE FOR UPDATE TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = inventory_item.slot AND o.tank_id = inventory_item.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));
CREATE POLICY removes ON inventory_item AS RESTRICTIVE FOR DELETE TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = inventory_item.slot AND o.tank_id = inventory_item.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL
        AND (o.role = 'owner' OR inventory_item.account_id = o.account_id)));

-- A number for each part of a tank's care, which grows with each of its changes, so that open screens read anew what changed and nothing else.
CREATE TABLE care_version (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    part text NOT NULL CHECK (part ~ '^[a-zA-Z]{1,32}$'),
    version bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (slot, tank_id, part),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE
) WITH (fillfactor = 50);
ALTER TABLE care_version ENABLE ROW LEVEL SECURITY;

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('journal_entry', 'person', 'person and tank', 300, 20000, 'trigger'),
    ('journal_photo', 'person', 'person', 100, 1500, 'trigger; has_room: 6 an entry, 500 a tank, 256 MB a person'),
    ('inventory_item', 'person', 'tank', 200, 500, 'trigger'),
    ('care_version', 'person', 'tank', NULL, 8, 'its key: one a part of care');
