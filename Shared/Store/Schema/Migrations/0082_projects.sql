-- Projects: accounts that are nobody's. They own devices as people do, so that tanks, limits, episodes, care and sharing stand as they are. They
-- have no address, no password and no way to be told; people act for them.
ALTER TABLE account
    ADD COLUMN kind text NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'project')),
    ALTER COLUMN email DROP NOT NULL,
    ALTER COLUMN password_hash DROP NOT NULL,
    ADD CONSTRAINT account_kind_is_whole CHECK (CASE kind
        WHEN 'project' THEN num_nonnulls(email, password_hash) = 0 AND display_name IS NOT NULL ELSE email IS NOT NULL END);
GRANT SELECT (kind) ON account TO aqua_gateway;

-- Who takes part in a project. Owners and administrators act as the project; keepers care for its water; viewers look. For each member and each
-- device of the project there is a watcher's ownership, so that whoever reads finds it there and looks up no membership.
--
--     going on --(its time is over; left; removed; the project is dissolved; the account is closed)--> gone
CREATE TABLE project_member (
    project_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    account_id bigint NOT NULL REFERENCES account,
    member_id bigint GENERATED ALWAYS AS IDENTITY UNIQUE, -- by which the others know them
    role text NOT NULL CHECK (role IN ('owner', 'administrator', 'keeper', 'viewer')),
    joined_at timestamptz NOT NULL DEFAULT now(),
    ends_at timestamptz CHECK (ends_at > joined_at),
    made_in uuid, -- the session in which the invitation was made
    PRIMARY KEY (project_id, account_id),
    CONSTRAINT project_member_is_a_person CHECK (project_id <> account_id),
    CONSTRAINT project_owners_stay CHECK (role <> 'owner' OR ends_at IS NULL)
);
CREATE INDEX project_member_of_account ON project_member (account_id);
CREATE INDEX project_member_ending ON project_member (ends_at) WHERE ends_at IS NOT NULL;
ALTER TABLE project_member ENABLE ROW LEVEL SECURITY;

-- An offer to take part, taken up by whoever brings the token first. Places bound how many there are.
--
--     open --(somebody joins)--> used      open --(its time is over)--> expired      open --(withdrawn; its maker may invite no more)--> gone
CREATE TABLE project_invitation (
    project_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    place smallint NOT NULL CHECK (place BETWEEN 1 AND 50),
    invitation_id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    role text NOT NULL CHECK (role IN ('administrator', 'keeper', 'viewer')),
    member_until timestamptz, -- when the membership ends; NULL: it does not
    made_by bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    made_in uuid, -- the session
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
    used_at timestamptz,
    used_by bigint REFERENCES account ON DELETE SET NULL,
    PRIMARY KEY (project_id, place),
    CHECK (used_by IS NULL OR used_at IS NOT NULL)
);
CREATE INDEX project_invitation_made_by ON project_invitation (made_by);
CREATE INDEX project_invitation_used_by ON project_invitation (used_by) WHERE used_by IS NOT NULL;
ALTER TABLE project_invitation ENABLE ROW LEVEL SECURITY;

ALTER TABLE ownership
    -- Of a project's own part and of its members', which end with the membership: the project. Nothing refers to its row: what has ended outlives it.
    ADD COLUMN project_id bigint,
    ADD COLUMN may_act boolean NOT NULL DEFAULT true, -- false: a viewer of a project
    ADD CONSTRAINT ownership_of_project CHECK ((role = 'owner') = (account_id = project_id)), -- NULL: of no project
    ADD CONSTRAINT ownership_viewers_watch CHECK (may_act OR project_id IS NOT NULL AND role = 'watcher');
CREATE INDEX ownership_by_project ON ownership (project_id, account_id) WHERE project_id IS NOT NULL AND unlinked_at IS NULL;

-- Whether a member's limits are those of the project, and change with them.
ALTER TABLE setting ADD COLUMN follows boolean NOT NULL DEFAULT false;

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('project_member', 'person', 'project', NULL, 50, 'join_project; 20 projects of a person: create_project, join_project'),
    ('project_invitation', 'person', 'project', NULL, 50, 'its key: places 1 to 50');

-- A viewer changes nothing of the water's care, and no limits.
ALTER POLICY has_device ON setting WITH CHECK (EXISTS (
    SELECT FROM ownership o WHERE o.slot = setting.slot AND o.device_id = setting.device_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act));

ALTER POLICY adds ON journal_entry WITH CHECK (
    account_id = (SELECT current_account()) AND EXISTS (
        SELECT FROM ownership o WHERE o.slot = journal_entry.slot AND o.tank_id = journal_entry.tank_id
            AND o.device_id = journal_entry.device_id AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act));
ALTER POLICY changes ON journal_entry USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = journal_entry.slot AND o.tank_id = journal_entry.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act
        AND (o.role = 'owner' OR journal_entry.account_id = o.account_id)));
ALTER POLICY removes ON journal_entry USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = journal_entry.slot AND o.tank_id = journal_entry.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act
        AND (o.role = 'owner' OR journal_entry.account_id = o.account_id)));

ALTER POLICY adds ON journal_photo WITH CHECK (
    account_id = (SELECT current_account()) AND EXISTS (
        SELECT FROM ownership o JOIN journal_entry e ON e.slot = o.slot AND e.tank_id = o.tank_id
        WHERE o.slot = journal_photo.slot AND o.tank_id = journal_photo.tank_id AND e.entry_id = journal_photo.entry_id
            AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act
            AND (o.role = 'owner' OR e.account_id = o.account_id)));
ALTER POLICY completes ON journal_photo USING (EXISTS (
    SELECT FROM ownership o JOIN journal_entry e ON e.slot = o.slot AND e.tank_id = o.tank_id
    WHERE o.slot = journal_photo.slot AND o.tank_id = journal_photo.tank_id AND e.entry_id = journal_photo.entry_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act
        AND (o.role = 'owner' OR e.account_id = o.account_id)));
ALTER POLICY removes ON journal_photo USING (EXISTS (
    SELECT FROM ownership o JOIN journal_entry e ON e.slot = o.slot AND e.tank_id = o.tank_id
    WHERE o.slot = journal_photo.slot AND o.tank_id = journal_photo.tank_id AND e.entry_id = journal_photo.entry_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act
        AND (o.role = 'owner' OR e.account_id = o.account_id)));

ALTER POLICY adds ON inventory_item WITH CHECK (
    account_id = (SELECT current_account()) AND EXISTS (
        SELECT FROM ownership o WHERE o.slot = inventory_item.slot AND o.tank_id = inventory_item.tank_id
            AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act));
ALTER POLICY changes ON inventory_item USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = inventory_item.slot AND o.tank_id = inventory_item.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act));
ALTER POLICY removes ON inventory_item USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = inventory_item.slot AND o.tank_id = inventory_item.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act
        AND (o.role = 'owner' OR inventory_item.account_id = o.account_id)));

ALTER POLICY adds ON calibration WITH CHECK (
    account_id = (SELECT current_account()) AND EXISTS (
        SELECT FROM ownership o WHERE o.slot = calibration.slot AND o.tank_id = calibration.tank_id
            AND o.device_id = calibration.device_id AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act));
ALTER POLICY changes ON calibration USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = calibration.slot AND o.tank_id = calibration.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act
        AND (o.role = 'owner' OR calibration.account_id = o.account_id)));
ALTER POLICY removes ON calibration USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = calibration.slot AND o.tank_id = calibration.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act
        AND (o.role = 'owner' OR calibration.account_id = o.account_id)));

ALTER POLICY added_now ON reminder WITH CHECK (EXISTS (
    SELECT FROM ownership o WHERE o.slot = reminder.slot AND o.tank_id = reminder.tank_id AND o.device_id = reminder.device_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act));
ALTER POLICY changed_now ON reminder USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = reminder.slot AND o.tank_id = reminder.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act));
ALTER POLICY added_now ON reminder_person WITH CHECK (EXISTS (
    SELECT FROM reminder r JOIN ownership o ON o.slot = r.slot AND o.tank_id = r.tank_id AND o.unlinked_at IS NULL AND o.may_act
    WHERE r.slot = reminder_person.slot AND r.reminder_id = reminder_person.reminder_id AND o.account_id = (SELECT current_account())));
ALTER POLICY removed_now ON reminder_person USING (EXISTS (
    SELECT FROM reminder r JOIN ownership o ON o.slot = r.slot AND o.tank_id = r.tank_id AND o.unlinked_at IS NULL AND o.may_act
    WHERE r.slot = reminder_person.slot AND r.reminder_id = reminder_person.reminder_id AND o.account_id = (SELECT current_account())));
ALTER POLICY added_now ON reminder_act WITH CHECK (
    account_id = (SELECT current_account()) AND EXISTS (
        SELECT FROM reminder r JOIN ownership o ON o.slot = r.slot AND o.tank_id = r.tank_id AND o.unlinked_at IS NULL AND o.may_act
        WHERE r.slot = reminder_act.slot AND r.reminder_id = reminder_act.reminder_id AND r.tank_id = reminder_act.tank_id
            AND o.account_id = (SELECT current_account())));
ALTER POLICY changed_now ON reminder_act USING (
    account_id = (SELECT current_account()) AND EXISTS (
        SELECT FROM ownership o WHERE o.slot = reminder_act.slot AND o.tank_id = reminder_act.tank_id
            AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act));
ALTER POLICY undone_now ON reminder_act USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = reminder_act.slot AND o.tank_id = reminder_act.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.may_act
        AND (o.role = 'owner' OR reminder_act.account_id = (SELECT current_account()) OR reminder_act.what = 'later')));
