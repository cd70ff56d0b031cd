-- How others who share a device see a person; NULL: by the part of their e-mail address before the @.
ALTER TABLE account ADD COLUMN display_name text CONSTRAINT account_display_name CHECK (
    display_name ~ '^[^[:cntrl:]]{1,40}$' AND display_name !~ '(^[[:space:]])|([[:space:]]$)');
GRANT SELECT (display_name), UPDATE (display_name) ON account TO aqua_gateway;

-- "I'm on it", said of an alarm: an acknowledgement for an hour, of everybody who shares the device and had been told. Each of them has a row
-- here, that of who said it being answered by its own person. It ends for all when it ends for them.
--
--     answered --(they can't; they snooze; they leave the device)--> ended (ended_at)
--              --(they say that it is solved)--> solved (solved_at), which holds like before
ALTER TABLE snooze
    ADD COLUMN answered_by bigint REFERENCES account ON DELETE SET NULL,
    ADD COLUMN solved_at timestamptz,
    ADD COLUMN worst real, -- of an answer: the worst value by then; what is much worse is told all the same
    ADD CONSTRAINT snooze_answers CHECK (answered_by IS NULL OR episode_id IS NOT NULL);
CREATE INDEX snooze_answered ON snooze (answered_by) WHERE answered_by IS NOT NULL;

UPDATE growth_bound SET kept_by = kept_by || '; of those that others'' answers hold back, a hundred' WHERE held = 'snooze';

-- A reason is a word of the programs', so a new one needs no migration.
ALTER TABLE transition DROP CONSTRAINT transition_notification_check;
ALTER TABLE transition ADD CONSTRAINT transition_notification_check CHECK (notification ~ '^[a-zA-Z]{1,32}$') NOT VALID;
