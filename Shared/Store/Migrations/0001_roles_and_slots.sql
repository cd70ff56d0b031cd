-- A role for each service, with only the rights that a later migration grants it. Roles belong to the whole cluster,
-- so another database of the same cluster may have made them already. They have no password yet and so cannot log
-- in over the network until the operator sets one.
DO $$
DECLARE
    service text;
BEGIN
    FOREACH service IN ARRAY ARRAY['aqua_ingestor', 'aqua_rules', 'aqua_notifier'] LOOP
        BEGIN
            EXECUTE format('CREATE ROLE %I LOGIN', service);
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END LOOP;
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
