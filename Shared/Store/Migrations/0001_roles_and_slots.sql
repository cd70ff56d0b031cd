-- Each service has a role, with only the rights that a later migration grants it. Roles belong to the whole cluster and are made
-- by its superuser before anything else, with their settings: who migrates must not be able to make roles. (An earlier text
-- of this migration made them here.)
DO $$
DECLARE
    missing text;
BEGIN
    SELECT string_agg(format('CREATE ROLE %I LOGIN;', service), ' ') INTO missing
    FROM unnest(ARRAY['aqua_ingestor', 'aqua_rules', 'aqua_notifier']) AS service WHERE to_regrole(service) IS NULL;
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format(
            'the services'' roles are missing; deploy/containers/roles makes them, or as a superuser run: %s', missing);
    END IF;
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;

-- Every device belongs to one of 64 slots. A row here is the slot's lock: an engine holds it while it evaluates.
-- state_version counts what was decided in the slot, so that an engine can tell whether what it remembers still holds.
CREATE TABLE slot (
    slot smallint PRIMARY KEY CHECK (slot BETWEEN 0 AND 63),
    state_version bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

-- The version of the slot's rules (settings, owners), apart from the lock so that a person who changes a limit never
-- waits for an engine.
CREATE TABLE slot_rules (
    slot smallint PRIMARY KEY REFERENCES slot,
    version bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

INSERT INTO slot (slot) SELECT generate_series(0, 63);
INSERT INTO slot_rules (slot) SELECT slot FROM slot;
