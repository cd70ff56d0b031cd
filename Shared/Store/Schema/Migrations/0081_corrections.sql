-- Readings that their owner deleted, and periods that the owner approved.

-- The parameters of a row that were deleted, bit n for the parameter with the number n. The row stays as the key by which a message is known
-- again, so that a device that sends it once more brings nothing back. NULL, which takes no room: nothing was deleted.
ALTER TABLE sample ADD COLUMN deleted integer;

-- What was deleted, by whom, and how much it was. Rows are added by delete_readings and never change.
CREATE TABLE deletion (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    deletion_id uuid NOT NULL DEFAULT gen_random_uuid(),
    device_id integer NOT NULL,
    account_id bigint REFERENCES account ON DELETE SET NULL, -- who deleted; NULL: an operator, or somebody who is gone
    since timestamptz NOT NULL, -- by the true time, like until
    until timestamptz NOT NULL,
    parameters integer NOT NULL CHECK (parameters <> 0), -- bit n stands for the parameter with the number n
    messages integer NOT NULL CHECK (messages > 0), -- of which something was deleted
    readings integer NOT NULL CHECK (readings >= messages),
    note text CHECK (length(note) BETWEEN 1 AND 500), -- why
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (slot, tank_id, deletion_id),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    CONSTRAINT deletion_has_time CHECK (since < until)
);
CREATE INDEX deletion_of_tank ON deletion (slot, tank_id, at DESC, deletion_id DESC);
CREATE INDEX deletion_of_account ON deletion (account_id) WHERE account_id IS NOT NULL;
GRANT SELECT ON deletion TO aqua_gateway;
ALTER TABLE deletion ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON deletion FOR SELECT TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = deletion.slot AND o.tank_id = deletion.tank_id
        AND o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL)));

-- Periods that the owner has looked through and stands for. What no row covers is provisional.
--
--     approved --(withdrawn by the owner: withdrawn_at, withdrawn_by, withdrawn_reason)--> provisional; the row stays
CREATE TABLE approval (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    approval_id uuid NOT NULL,
    device_id integer NOT NULL,
    account_id bigint REFERENCES account ON DELETE SET NULL, -- who approved; NULL: somebody who is gone
    since timestamptz NOT NULL CHECK (extract(epoch FROM since)::bigint % 3600 = 0), -- whole hours (UTC), by the true time
    until timestamptz NOT NULL CHECK (extract(epoch FROM until)::bigint % 3600 = 0),
    note text CHECK (length(note) BETWEEN 1 AND 500),
    at timestamptz NOT NULL DEFAULT now(),
    withdrawn_at timestamptz,
    withdrawn_by bigint REFERENCES account ON DELETE SET NULL,
    withdrawn_reason text CHECK (length(withdrawn_reason) BETWEEN 1 AND 500),
    PRIMARY KEY (slot, tank_id, approval_id),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    CONSTRAINT approval_has_time CHECK (since < until AND until <= since + interval '366 days'),
    CONSTRAINT approval_is_withdrawn_by_somebody CHECK (
        withdrawn_at IS NOT NULL OR withdrawn_by IS NULL AND withdrawn_reason IS NULL)
);
CREATE INDEX approval_of_tank ON approval (slot, tank_id, at DESC, approval_id DESC);
CREATE INDEX approval_of_account ON approval (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX approval_withdrawn_by ON approval (withdrawn_by) WHERE withdrawn_by IS NOT NULL;
GRANT SELECT ON approval TO aqua_gateway;
ALTER TABLE approval ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON approval FOR SELECT TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = approval.slot AND o.tank_id = approval.tank_id
        AND o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL)));

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('deletion', 'person', 'tank', 100, 5000, 'trigger'),
    ('approval', 'person', 'tank', 50, 2000, 'trigger');
