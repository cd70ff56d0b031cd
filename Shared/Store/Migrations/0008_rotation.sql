-- Keys and secrets are exchanged while everything runs.

-- Which of the keys in a file made what stands here, by an id that tells nothing of the key: what no row names any more can
-- be dropped from the file. NULL: made when a file held one key only.
ALTER TABLE device
    ADD COLUMN key_id text CHECK (key_id ~ '^[0-9a-f]{16}$'), -- of the MQTT password
    ADD COLUMN claim_key_id text CHECK (claim_key_id ~ '^[0-9a-f]{16}$');

-- The secret before this one, with which messages are signed as well until the receiver knows the new one.
ALTER TABLE endpoint
    ADD COLUMN former_secret bytea,
    ADD COLUMN former_until timestamptz,
    ADD CONSTRAINT endpoint_former_ends CHECK ((former_secret IS NULL) = (former_until IS NULL));
