-- What leaves the database: by what it is known elsewhere, and what is written of the places that it goes to.

-- By what an alert is known outside: a UUID of version 7 (RFC 9562) that the engine makes with the decision. alert_id comes
-- again after a restore, and a receiver that keeps the ids it has seen would drop a new alarm. NULL: decided by the version
-- before, and known by slot and alert_id, as it was told then.
ALTER TABLE alert ADD COLUMN uid uuid;
CREATE UNIQUE INDEX alert_uid ON alert (slot, uid);

-- Counts how often an endpoint was registered: whatever was found out of a registration before does not concern this one.
ALTER TABLE endpoint ADD COLUMN registration integer NOT NULL DEFAULT 1;

-- Registrations whose receiver said that it is gone. It is kept with the slot of the alert that was sent, by whoever delivers for
-- that slot; the row of a person, whose slots may be anywhere, is not theirs to change. (The version before writes
-- endpoint.retired_at, and still may; otherwise that column says that the operator has removed an endpoint.)
CREATE TABLE endpoint_retirement (
    slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 63),
    endpoint_id bigint NOT NULL,
    registration integer NOT NULL,
    retired_at timestamptz NOT NULL DEFAULT now(),
    retired_because text NOT NULL,
    PRIMARY KEY (slot, endpoint_id)
);

CREATE INDEX endpoint_retirement_of_endpoint ON endpoint_retirement (endpoint_id, registration);

-- The endpoints that are in use.
CREATE VIEW usable_endpoint AS
    SELECT e.* FROM endpoint e
    WHERE e.retired_at IS NULL
        -- in a form that is looked up for each endpoint, however many the planner expects
        AND (SELECT count(*) FROM endpoint_retirement r
            WHERE r.endpoint_id = e.endpoint_id AND r.registration = e.registration) = 0;

-- A time zone if this server knows it, else UTC: a person is not left without alerts because a zone was renamed.
CREATE FUNCTION usable_time_zone(zone text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM now() AT TIME ZONE zone;
    RETURN zone;
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN 'UTC';
END
$$;

-- A CHECK asks again when rows are restored, and a dump may be restored where a zone has gone; a trigger asks who enters one.
ALTER TABLE account DROP CONSTRAINT account_time_zone_check;

CREATE FUNCTION refuse_unknown_time_zone() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM now() AT TIME ZONE NEW.time_zone;
    RETURN NEW;
END
$$;

CREATE TRIGGER account_time_zone BEFORE INSERT OR UPDATE OF time_zone ON account
    FOR EACH ROW EXECUTE FUNCTION refuse_unknown_time_zone();

GRANT SELECT ON usable_endpoint TO aqua_notifier;
GRANT SELECT, INSERT, UPDATE ON endpoint_retirement TO aqua_notifier;
GRANT SELECT (account_id) ON usable_endpoint TO aqua_rules;
