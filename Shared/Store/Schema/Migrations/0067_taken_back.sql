-- When a scheduled summary was sent last, whatever day it was where the person lives: no other comes within twenty hours.
ALTER TABLE summary_choice ADD COLUMN told_at timestamptz;
UPDATE summary_choice c SET told_at = (
    SELECT max(a.decided_at) FROM alert a
    WHERE a.account_id = c.account_id AND a.kind = 'summary' AND a.decided_at > now() - interval '1 day' AND a.decided_at <= now())
WHERE c.told_on IS NOT NULL;

-- What an endpoint is told, and at which hours, are changed and taken back each by itself: told_changed_in stands for only_urgent, hours_changed_in
-- for rings_always. Beside each is the session that had chosen what was before, so that its choice goes when it is taken back first.
ALTER TABLE endpoint
    DROP CONSTRAINT endpoint_formerly_told_is_whole,
    ADD COLUMN former_form_in uuid,
    ADD COLUMN former_told_in uuid,
    ADD COLUMN hours_changed_in uuid, -- the session that changed last at which hours it is told
    ADD COLUMN former_hours_in uuid;
UPDATE endpoint SET hours_changed_in = told_changed_in WHERE told_changed_in IS NOT NULL;
ALTER TABLE endpoint
    ADD CONSTRAINT endpoint_formerly_told_is_whole CHECK ((told_changed_in IS NULL) = (former_only_urgent IS NULL)),
    ADD CONSTRAINT endpoint_former_hours_are_whole CHECK ((hours_changed_in IS NULL) = (former_rings_always IS NULL));
