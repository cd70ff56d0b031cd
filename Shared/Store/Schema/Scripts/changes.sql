-- What tells engines that rules have changed, and open screens that something was set up.

-- Whether rows arrive by the first copy of a table by replication, which changes no rules: the counters come with tables of their own, in any
-- order, and several workers that count would lock each other out. Whoever applies what arrives has an empty search_path.
CREATE OR REPLACE FUNCTION is_first_copy() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT current_setting('session_replication_role') = 'replica' AND EXISTS (
        SELECT FROM pg_stat_subscription WHERE pid = pg_backend_pid() AND relid IS NOT NULL)
$$;

-- Says that the rules of one device changed: a running engine reads them anew before its next decision. Also what arrives by replication
-- changes rules.
CREATE OR REPLACE FUNCTION rules_changed(changed_slot smallint, changed_device integer) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    WITH counted AS (
        UPDATE slot_rules SET version = version + 1 WHERE slot = changed_slot AND NOT is_first_copy() RETURNING version
    )
    UPDATE device SET rules_version = counted.version FROM counted
    WHERE slot = changed_slot AND device_id = changed_device;
$$;

-- A device's rules change by whoever changes a row that they are made of.
CREATE OR REPLACE FUNCTION rules_changed_by_row() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM rules_changed(NEW.slot, NEW.device_id);
    RETURN NULL;
END
$$;

-- A person's own throttle interval is a rule of all their devices.
CREATE OR REPLACE FUNCTION rules_changed_by_account() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM rules_changed(slot, device_id)
    FROM ownership WHERE account_id = NEW.account_id AND unlinked_at IS NULL ORDER BY slot, device_id;
    RETURN NULL;
END
$$;

-- Says that the setup of some people changed (devices, limits, settings), so that it shows on all their open screens at once. The payload is the
-- last eight bits of a person's number, which name nobody: everybody may listen.
CREATE OR REPLACE FUNCTION setups_were_added() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_notify('setup', bucket::text) FROM (SELECT DISTINCT account_id & 255 AS bucket FROM added) AS told;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION setup_was_changed() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_notify('setup', (NEW.account_id & 255)::text);
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION rules_changed_by_row(), rules_changed_by_account(), setups_were_added(), setup_was_changed() FROM PUBLIC;
