-- What people set up (devices, limits, settings) shows on all their open screens at once.

-- Says that the setup of some people changed. The payload is the last eight bits of a person's number, which name nobody: everybody
-- may listen.
CREATE FUNCTION setups_were_added() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_notify('setup', bucket::text) FROM (SELECT DISTINCT account_id & 255 AS bucket FROM added) AS told;
    RETURN NULL;
END
$$;

CREATE FUNCTION setup_was_changed() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_notify('setup', (NEW.account_id & 255)::text);
    RETURN NULL;
END
$$;

-- A change of a setting adds the next version.
CREATE TRIGGER setup_told AFTER INSERT ON setting
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION setups_were_added();

CREATE TRIGGER setup_told AFTER INSERT ON ownership
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION setups_were_added();

CREATE TRIGGER setup_change_told AFTER UPDATE OF version, unlinked_at ON ownership FOR EACH ROW
WHEN (OLD.version <> NEW.version OR OLD.unlinked_at IS DISTINCT FROM NEW.unlinked_at)
EXECUTE FUNCTION setup_was_changed();

CREATE TRIGGER setup_change_told AFTER UPDATE OF settings_version ON account FOR EACH ROW
WHEN (OLD.settings_version <> NEW.settings_version)
EXECUTE FUNCTION setup_was_changed();

-- What people have set up, as one number each, which is another after any change of what is theirs.
CREATE FUNCTION setup_versions(accounts bigint[]) RETURNS TABLE (account_id bigint, version bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT a.account_id, hashtextextended(coalesce((
        SELECT string_agg(concat_ws(' ', o.ownership_id, o.version, (
            SELECT sum(g.version) FROM setting g
            WHERE g.slot = o.slot AND g.device_id = o.device_id AND g.account_id = o.account_id AND g.valid_until IS NULL)),
            ',' ORDER BY o.ownership_id)
        FROM ownership o WHERE o.account_id = a.account_id AND o.unlinked_at IS NULL), ''), a.settings_version)
    FROM account a WHERE a.account_id = ANY (accounts)
    ORDER BY a.account_id
$$;

-- The installation that a session is on, NULL where it named none; no row when the session has ended. Until the transaction ends,
-- the session does not: whoever signs out waits, and then pauses what was registered on the installation.
CREATE FUNCTION hold_session(person bigint, held uuid) RETURNS SETOF uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    RETURN QUERY SELECT s.client_id FROM session s
        WHERE s.session_id = held AND s.account_id = person AND is_live(s)
        FOR SHARE;
END
$$;

REVOKE ALL ON FUNCTION setups_were_added(), setup_was_changed(), setup_versions(bigint[]), hold_session(bigint, uuid)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION setup_versions(bigint[]), hold_session(bigint, uuid) TO aqua_gateway;
