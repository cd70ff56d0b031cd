-- A channel is a folder of the programs', so a new one needs no migration. What a program does not know it shows by its name, and sends
-- nothing there.
ALTER TABLE endpoint DROP CONSTRAINT endpoint_channel_check, ADD CONSTRAINT endpoint_channel_check CHECK (channel ~ '^[a-zA-Z]{1,32}$');
