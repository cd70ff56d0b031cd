-- A channel is a folder of the programs', so a new one needs no migration. What a program does not know it shows by its name, and sends
-- nothing there.
ALTER TABLE endpoint DROP CONSTRAINT endpoint_channel_check, ADD CONSTRAINT endpoint_channel_check CHECK (channel ~ '^[a-zA-Z]{1,32}$');

-- Engines put newer values into alerts that are on their way, and do not give an alert to another person.
REVOKE UPDATE ON alert FROM aqua_rules;
GRANT UPDATE (value, worst, check_probe, event_time, received_at, episode_id, opened_at, purpose) ON alert TO aqua_rules;
