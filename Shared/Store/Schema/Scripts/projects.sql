-- Projects: who takes part, in what, and as whom they act. A project's lock is the row of its account (FOR NO KEY UPDATE), which comes after slots and
-- before ownerships, as that of an account which is closed.

-- The projects in which whoever acts takes part, and how.
DROP VIEW IF EXISTS project_person, person_project_invitation, person_project;
CREATE VIEW person_project AS
    SELECT a.account_id AS project_id, a.display_name AS name, a.settings_version AS version, m.member_id, m.role, m.ends_at
    FROM project_member m JOIN account a ON a.account_id = m.project_id
    WHERE m.account_id = (SELECT current_actor()) AND (m.ends_at IS NULL OR m.ends_at > now());
GRANT SELECT ON person_project TO aqua_gateway;

-- Who takes part in the same projects.
CREATE VIEW project_person AS
    SELECT p.project_id, m.member_id, shown_name(a.display_name, a.email) AS name, m.role, m.joined_at, m.ends_at,
        m.account_id = (SELECT current_actor()) AS is_oneself
    FROM person_project p
    JOIN project_member m ON m.project_id = p.project_id AND (m.ends_at IS NULL OR m.ends_at > now())
    JOIN account a ON a.account_id = m.account_id;
GRANT SELECT ON project_person TO aqua_gateway;

-- Invitations to the projects for which the person may act.
CREATE VIEW person_project_invitation AS
    SELECT i.project_id, i.invitation_id, i.role, i.member_until, i.created_at, i.expires_at,
        CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END AS state
    FROM person_project p JOIN project_invitation i ON i.project_id = p.project_id
    WHERE p.role IN ('owner', 'administrator');
GRANT SELECT ON person_project_invitation TO aqua_gateway;

-- A person's role in a project; NULL: none, or none any more.
CREATE OR REPLACE FUNCTION role_in(project bigint, person bigint) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT m.role FROM project_member m
    WHERE m.project_id = project AND m.account_id = person AND (m.ends_at IS NULL OR m.ends_at > now())
$$;

-- What sessions made for the person's projects and outlives them, as it would be taken back with them: undo_session.
CREATE OR REPLACE VIEW person_project_made AS
    SELECT m.made_in, 'member' AS kind, shown_name(a.display_name, a.email) AS name, m.joined_at AS created_at
    FROM project_member mine
    JOIN project_member m ON m.project_id = mine.project_id AND m.account_id <> mine.account_id AND m.made_in IS NOT NULL
    JOIN account a ON a.account_id = m.account_id
    WHERE mine.account_id = (SELECT current_account()) AND (mine.ends_at IS NULL OR mine.ends_at > now()) AND CASE mine.role
        WHEN 'owner' THEN m.role <> 'owner' WHEN 'administrator' THEN m.role IN ('keeper', 'viewer') ELSE false END
    UNION ALL
    SELECT i.made_in, 'projectInvitation', p.display_name, i.created_at
    FROM project_invitation i JOIN account p ON p.account_id = i.project_id
    WHERE i.made_by = (SELECT current_account()) AND i.used_at IS NULL AND i.expires_at > now()
    UNION ALL
    SELECT t.made_in, 'token', t.name, t.created_at
    FROM personal_token t
    WHERE t.made_by = (SELECT current_account()) AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
    UNION ALL
    SELECT g.made_in, 'page', g.title, g.published_at
    FROM project_member m JOIN public_page g ON g.account_id = m.project_id
    WHERE m.account_id = (SELECT current_account()) AND m.role IN ('owner', 'administrator');
GRANT SELECT ON person_project_made TO aqua_gateway;

-- Names a project, and the person who acts for it.
CREATE OR REPLACE FUNCTION name_actor(person bigint, project bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM name_person(project);
    PERFORM set_config('aqua.actor', format('%s %s %s', person, project,
        seal_of(format('actor %s %s %s', person, project, extract(epoch FROM now())))), true);
END
$$;

-- Has the named person act for a project for the rest of the transaction: from here on the project is named. The person's role, of which only
-- 'owner' and 'administrator' act; NULL: they do not take part.
CREATE OR REPLACE FUNCTION act_for_project(project bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
    part CONSTANT text := role_in(project, person);
BEGIN
    IF part IN ('owner', 'administrator') THEN
        PERFORM name_actor(person, project);
    END IF;
    RETURN part;
END
$$;

-- A project's token knows the person who made it.
CREATE OR REPLACE FUNCTION note_maker() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    NEW.made_by := NULLIF(current_actor(), NEW.account_id);
    RETURN NEW;
END
$$;

-- Ends what would let somebody act for a project, or bring others to its devices, once they may not themselves: the tokens that they made, and open
-- invitations to its devices of their sessions.
CREATE OR REPLACE FUNCTION take_keys_back(project bigint, person bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE personal_token t SET revoked_at = now() WHERE t.account_id = project AND t.made_by = person AND t.revoked_at IS NULL;
    DELETE FROM device_invitation i
    WHERE i.account_id = project AND i.used_at IS NULL AND i.made_in IN (SELECT s.session_id FROM session s WHERE s.account_id = person);
END
$$;

-- Projects are told nothing and sign in nowhere.
CREATE OR REPLACE FUNCTION refuse_project() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM account a WHERE a.account_id = NEW.account_id AND a.kind = 'project') THEN
        RAISE EXCEPTION USING ERRCODE = 'check_violation', MESSAGE = 'a project has no sessions and no endpoints';
    END IF;
    RETURN NEW;
END
$$;

-- Tells what became of a part in a project, in the log of a member's account, or of the project's own: whose part, where it is another's, by the
-- number by which members know each other, and what was changed of it.
DROP FUNCTION IF EXISTS tell_member(bigint, text, bigint);
CREATE OR REPLACE FUNCTION tell_member(account bigint, what text, project bigint, member bigint DEFAULT NULL, changes jsonb DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    entry.action := what;
    entry.account_id := account;
    entry.target := coalesce(member, project)::text;
    entry.subject := (SELECT a.display_name FROM account a WHERE a.account_id = project);
    entry.changes := changes;
    PERFORM note_act(entry);
END
$$;

-- An offer to take part, made or taken back, in the project's log.
CREATE OR REPLACE FUNCTION project_invitation_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    one CONSTANT project_invitation := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
    entry audit_entry;
BEGIN
    entry.action := CASE TG_OP WHEN 'INSERT' THEN 'invitation.make' ELSE 'invitation.withdraw' END;
    entry.account_id := one.project_id;
    entry.target := one.invitation_id::text;
    entry.subject := (SELECT a.display_name FROM account a WHERE a.account_id = one.project_id);
    entry.changes := jsonb_build_object('role', CASE TG_OP WHEN 'INSERT' THEN jsonb_build_array(NULL, one.role) ELSE jsonb_build_array(one.role, NULL) END);
    PERFORM note_act(entry);
    RETURN NULL;
END
$$;

-- A device that goes from a person to a project, in the log of one of them.
CREATE OR REPLACE FUNCTION note_move(what text, account bigint, device integer, called text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    entry.action := what;
    entry.account_id := account;
    entry.device_id := device;
    entry.subject := called;
    PERFORM note_act(entry);
END
$$;

-- Members' parts in devices.

-- Gives members of a project their parts in some of its devices, with the project's history, and with its limits, which they follow, unless they had
-- limits of their own there. Who watched a device before goes on as a member. The project is locked, and its own parts in the devices.
CREATE OR REPLACE FUNCTION add_parts(project bigint, people bigint[], slots smallint[], devices integer[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE ownership w SET project_id = project, readings_from = o.readings_from, may_act = m.role <> 'viewer', version = w.version + 1
    FROM unnest(slots, devices) AS d (slot, device_id)
    JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL
    CROSS JOIN project_member m
    WHERE o.account_id = project AND m.project_id = project AND m.account_id = ANY (people)
        AND w.slot = d.slot AND w.device_id = d.device_id AND w.account_id = m.account_id AND w.unlinked_at IS NULL;
    -- Whoever comes back has one part, however often they left.
    DELETE FROM ownership f
    USING unnest(slots, devices) AS d (slot, device_id)
    JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL
    WHERE o.account_id = project AND f.slot = d.slot AND f.device_id = d.device_id AND f.account_id = ANY (people)
        AND f.project_id = project AND f.tank_id = o.tank_id AND f.unlinked_at IS NOT NULL;
    -- What somebody saw before as a guest they see as a member, once.
    UPDATE ownership f SET readings_from = f.unlinked_at
    FROM unnest(slots, devices) AS d (slot, device_id)
    JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL
    WHERE o.account_id = project AND f.slot = d.slot AND f.device_id = d.device_id AND f.account_id = ANY (people)
        AND f.unlinked_at > o.readings_from AND f.readings_from < f.unlinked_at;
    WITH part AS (
        INSERT INTO ownership (slot, device_id, account_id, role, name, linked_at, project_id, may_act)
        SELECT o.slot, o.device_id, m.account_id, 'watcher', o.name, greatest(now(), o.linked_at, (
                SELECT max(f.unlinked_at) FROM ownership f
                WHERE f.slot = o.slot AND f.device_id = o.device_id AND f.account_id = m.account_id)),
            project, m.role <> 'viewer'
        FROM unnest(slots, devices) AS d (slot, device_id)
        JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL
        CROSS JOIN project_member m
        WHERE o.account_id = project AND m.project_id = project AND m.account_id = ANY (people) AND NOT EXISTS (
            SELECT FROM ownership w
            WHERE w.slot = o.slot AND w.device_id = o.device_id AND w.account_id = m.account_id AND w.unlinked_at IS NULL)
        -- in the order of slots, as everybody who changes rules in several
        ORDER BY o.slot, o.device_id, m.account_id
        RETURNING slot, device_id, account_id, linked_at, may_act
    )
    INSERT INTO setting (
        slot, device_id, account_id, parameter, version, unit, colour, position, follows, minimum, maximum, critical_minimum, critical_maximum,
        --% each setting
        {column},
        --% end
        valid_from)
    SELECT n.slot, n.device_id, n.account_id, g.parameter, coalesce(f.version, 0) + 1, coalesce(f.unit, g.unit), coalesce(f.colour, g.colour),
        coalesce(f.position, g.position), c.follows,
        CASE WHEN c.follows THEN g.minimum ELSE f.minimum END, CASE WHEN c.follows THEN g.maximum ELSE f.maximum END,
        CASE WHEN c.follows THEN g.critical_minimum ELSE f.critical_minimum END,
        CASE WHEN c.follows THEN g.critical_maximum ELSE f.critical_maximum END,
        --% each setting
        CASE WHEN c.follows THEN g.{column} ELSE f.{column} END,
        --% end
        n.linked_at
    FROM part n
    JOIN setting g ON g.slot = n.slot AND g.device_id = n.device_id AND g.account_id = project AND g.valid_until IS NULL
    LEFT JOIN LATERAL (
        SELECT s.* FROM setting s
        WHERE s.slot = n.slot AND s.device_id = n.device_id AND s.account_id = n.account_id AND s.parameter = g.parameter
        ORDER BY s.version DESC LIMIT 1) f ON true
    CROSS JOIN LATERAL (SELECT NOT n.may_act OR coalesce(f.follows, true) AS follows) c
    ORDER BY n.slot, n.device_id, n.account_id, g.parameter;
END
$$;

-- Ends a member's parts in the devices of a project; those who are ended by somebody else are told in the middle of an alarm. The slots are locked,
-- and the project.
CREATE OR REPLACE FUNCTION end_parts(project bigint, person bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part record;
    alarms alert[];
BEGIN
    UPDATE slot SET state_version = state_version + 1 WHERE slot IN (
        SELECT o.slot FROM ownership o WHERE o.project_id = project AND o.account_id = person AND o.unlinked_at IS NULL);
    PERFORM FROM ownership o WHERE o.project_id = project AND o.account_id = person AND o.unlinked_at IS NULL
    ORDER BY o.slot, o.ownership_id
    FOR UPDATE;
    FOR part IN
        SELECT o.slot, o.device_id FROM ownership o WHERE o.project_id = project AND o.account_id = person AND o.unlinked_at IS NULL
        ORDER BY o.slot, o.device_id
    LOOP
        alarms := CASE WHEN person IS DISTINCT FROM current_actor() THEN alarms_of(part.slot, part.device_id, ARRAY[person]) END;
        PERFORM end_ownerships(part.slot, part.device_id, ARRAY[person]);
        PERFORM tell_end(alarms);
    END LOOP;
END
$$;

-- What a former member saw of the project's history ends with their part.
CREATE OR REPLACE FUNCTION part_has_ended() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    NEW.readings_from := NEW.unlinked_at;
    RETURN NEW;
END
$$;

-- Every device that is linked to a project is its members', too.
CREATE OR REPLACE FUNCTION project_device_was_linked() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM account a WHERE a.account_id = NEW.project_id FOR NO KEY UPDATE;
    IF 1000 < (SELECT count(*) FROM ownership o WHERE o.project_id = NEW.project_id AND o.account_id = NEW.project_id AND o.unlinked_at IS NULL) THEN
        RAISE EXCEPTION USING ERRCODE = 'AQ003', TABLE = TG_TABLE_NAME, MESSAGE = 'a project has as many devices as it may have';
    END IF;
    PERFORM add_parts(NEW.project_id, ARRAY(SELECT m.account_id FROM project_member m WHERE m.project_id = NEW.project_id),
        ARRAY[NEW.slot], ARRAY[NEW.device_id]);
    RETURN NULL;
END
$$;

-- Limits that follow.

-- Whoever changes a project's limits waits for members who change their own before anything else of the change is locked.
CREATE OR REPLACE FUNCTION followers_are_locked() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM ownership w
    WHERE w.slot = NEW.slot AND w.device_id = NEW.device_id AND w.project_id = NEW.account_id AND w.account_id <> NEW.account_id
        AND w.unlinked_at IS NULL
    ORDER BY w.ownership_id
    FOR NO KEY UPDATE;
    RETURN NEW;
END
$$;

-- Members who have a project's limits have them as they are from now on. Their units, colours and order stay their own.
CREATE OR REPLACE FUNCTION limits_are_followed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- as members lock them who change something themselves
    PERFORM FROM (SELECT DISTINCT c.slot, c.device_id, c.account_id FROM changed c) c
    JOIN ownership w ON w.slot = c.slot AND w.device_id = c.device_id AND w.project_id = c.account_id AND w.account_id <> c.account_id
        AND w.unlinked_at IS NULL
    ORDER BY w.slot, w.ownership_id
    FOR NO KEY UPDATE OF w;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    WITH former AS (
        UPDATE setting s SET valid_until = greatest(now(), s.valid_from)
        FROM changed c
        JOIN ownership w ON w.slot = c.slot AND w.device_id = c.device_id AND w.project_id = c.account_id AND w.account_id <> c.account_id
            AND w.unlinked_at IS NULL
        WHERE s.slot = c.slot AND s.device_id = c.device_id AND s.account_id = w.account_id AND s.parameter = c.parameter
            AND s.valid_until IS NULL AND s.follows
            -- a project may have changed its unit or its colour
            AND (s.minimum, s.maximum, s.critical_minimum, s.critical_maximum
                --% each setting
                , s.{column}
                --% end
            ) IS DISTINCT FROM (c.minimum, c.maximum, c.critical_minimum, c.critical_maximum
                --% each setting
                , c.{column}
                --% end
            )
        RETURNING s.slot, s.device_id, s.account_id, s.parameter, s.version, s.unit, s.colour, s.position, s.valid_until,
            c.minimum, c.maximum, c.critical_minimum, c.critical_maximum
            --% each setting
            , c.{column}
            --% end
    )
    INSERT INTO setting (
        slot, device_id, account_id, parameter, version, unit, colour, position, follows, minimum, maximum, critical_minimum, critical_maximum,
        --% each setting
        {column},
        --% end
        valid_from)
    SELECT f.slot, f.device_id, f.account_id, f.parameter, f.version + 1, f.unit, f.colour, f.position, true, f.minimum, f.maximum,
        f.critical_minimum, f.critical_maximum,
        --% each setting
        f.{column},
        --% end
        f.valid_until
    FROM former f;
    RETURN NULL;
END
$$;

-- Versions that only followed are bounded here, since nobody may be kept from changing a project's limits by what its members have.
CREATE OR REPLACE FUNCTION followed_versions_go() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM setting s
    WHERE s.slot = NEW.slot AND s.device_id = NEW.device_id AND s.account_id = NEW.account_id AND s.parameter = NEW.parameter
        AND s.version <= NEW.version - 140 AND s.valid_until IS NOT NULL;
    RETURN NULL;
END
$$;

-- Has a member's own limits follow the project's again: of one parameter of a device, or of all. Their parts in the devices are locked.
CREATE OR REPLACE FUNCTION follow_limits(
    project bigint, person bigint, of_device integer DEFAULT NULL, of_parameter smallint DEFAULT NULL) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    WITH former AS (
        UPDATE setting s SET valid_until = greatest(now(), s.valid_from)
        FROM ownership w
        JOIN setting g ON g.slot = w.slot AND g.device_id = w.device_id AND g.account_id = w.project_id AND g.valid_until IS NULL
        WHERE w.project_id = project AND w.account_id = person AND w.unlinked_at IS NULL AND (of_device IS NULL OR w.device_id = of_device)
            AND s.slot = w.slot AND s.device_id = w.device_id AND s.account_id = person AND s.parameter = g.parameter
            AND s.valid_until IS NULL AND NOT s.follows AND (of_parameter IS NULL OR s.parameter = of_parameter)
        RETURNING s.slot, s.device_id, s.parameter, s.version, s.unit, s.colour, s.position, s.valid_until,
            g.minimum, g.maximum, g.critical_minimum, g.critical_maximum
            --% each setting
            , g.{column}
            --% end
    )
    INSERT INTO setting (
        slot, device_id, account_id, parameter, version, unit, colour, position, follows, minimum, maximum, critical_minimum, critical_maximum,
        --% each setting
        {column},
        --% end
        valid_from)
    SELECT f.slot, f.device_id, person, f.parameter, f.version + 1, f.unit, f.colour, f.position, true, f.minimum, f.maximum,
        f.critical_minimum, f.critical_maximum,
        --% each setting
        f.{column},
        --% end
        f.valid_until
    FROM former f
$$;

-- Has the named person's limits of a parameter follow those of the device's project again. False: they have no part in a project's device.
CREATE OR REPLACE FUNCTION follow_project(of_slot smallint, of_device integer, of_parameter smallint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part ownership;
BEGIN
    SELECT * INTO part FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.unlinked_at IS NULL
    FOR UPDATE;
    IF part.project_id IS NULL OR part.role = 'owner' THEN
        RETURN false;
    END IF;
    PERFORM FROM setting s
    WHERE s.slot = of_slot AND s.device_id = of_device AND s.account_id = part.account_id AND s.parameter = of_parameter AND s.valid_until IS NULL
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM follow_limits(part.project_id, part.account_id, of_device, of_parameter);
    RETURN true;
END
$$;

-- Members.

-- Opens a project for the named person, who is its owner; NULL: they take part in as many as they may, or are none.
CREATE OR REPLACE FUNCTION create_project(called text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
    opened bigint;
BEGIN
    PERFORM FROM account a WHERE a.account_id = person AND a.kind = 'person' FOR NO KEY UPDATE; -- one after the other, so that the count holds
    IF NOT FOUND OR 20 <= (SELECT count(*) FROM project_member m WHERE m.account_id = person) THEN
        RETURN NULL;
    END IF;
    INSERT INTO account (kind, display_name, locale, time_zone) SELECT 'project', called, a.locale, a.time_zone FROM account a WHERE a.account_id = person
    RETURNING account_id INTO opened;
    INSERT INTO project_member (project_id, account_id, role) VALUES (opened, person, 'owner');
    RETURN opened;
END
$$;

-- Adds an invitation to a project by the named person. outcome: made; unknown: they do not take part; refused: they may not invite for this role;
-- full: no place is free.
CREATE OR REPLACE FUNCTION invite_to_project(
    project bigint, hash bytea, as_role text, until timestamptz, lifetime interval, OUT outcome text, OUT invitation uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part text;
    free smallint;
BEGIN
    PERFORM FROM account a WHERE a.account_id = project AND a.kind = 'project' FOR NO KEY UPDATE;
    part := role_in(project, current_account());
    outcome := CASE WHEN part IS NULL THEN 'unknown' WHEN part = 'owner' OR part = 'administrator' AND as_role IN ('keeper', 'viewer', 'sender') THEN 'made'
        ELSE 'refused' END;
    IF outcome <> 'made' THEN
        RETURN;
    END IF;
    SELECT p.place INTO free FROM generate_series(1, 50) AS p (place)
    LEFT JOIN project_invitation i ON i.project_id = project AND i.place = p.place
    WHERE i.place IS NULL OR i.used_at IS NOT NULL OR i.expires_at <= now()
    ORDER BY i.place IS NOT NULL, i.created_at, p.place LIMIT 1;
    IF free IS NULL THEN
        outcome := 'full';
        RETURN;
    END IF;
    DELETE FROM project_invitation i WHERE i.project_id = project AND i.place = free;
    INSERT INTO project_invitation (project_id, place, token_hash, role, member_until, made_by, made_in, expires_at)
    VALUES (project, free, hash, as_role, until, current_account(), current_session(), now() + lifetime)
    RETURNING invitation_id INTO invitation;
END
$$;

-- Takes an invitation back. False: there is none, or the named person may not.
CREATE OR REPLACE FUNCTION revoke_project_invitation(project bigint, invitation uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM project_invitation i
    WHERE i.project_id = project AND i.invitation_id = invitation AND role_in(project, current_account()) IN ('owner', 'administrator');
    RETURN FOUND;
END
$$;

-- An invitation's offer. No row: there is none, or whoever made it might not make it any more.
CREATE OR REPLACE FUNCTION look_at_project_invitation(token bytea)
RETURNS TABLE (project bigint, name text, maker text, role text, member_until timestamptz, devices bigint, expires_at timestamptz, state text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT i.project_id, p.display_name, shown_name(a.display_name, a.email), i.role, i.member_until,
        (SELECT count(*) FROM ownership o WHERE o.project_id = i.project_id AND o.account_id = i.project_id AND o.unlinked_at IS NULL), i.expires_at,
        CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.expires_at <= now() OR i.member_until <= now() THEN 'expired' ELSE 'open' END
    FROM project_invitation i
    JOIN account p ON p.account_id = i.project_id
    JOIN account a ON a.account_id = i.made_by
    WHERE i.token_hash = token AND (
        role_in(i.project_id, i.made_by) = 'owner' OR role_in(i.project_id, i.made_by) = 'administrator' AND i.role <> 'administrator')
$$;

-- Makes the named person a member by an invitation, once. outcome: joined; unknown; used; expired; member: they take part already; full: the
-- project has as many members as it may have; tooMany: the person takes part in as many projects as they may.
CREATE OR REPLACE FUNCTION join_project(token bytea, OUT outcome text, OUT joined bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
    offer record;
    in_session uuid;
    number bigint;
    told jsonb;
    slots smallint[];
    devices integer[];
BEGIN
    SELECT i.project INTO joined FROM look_at_project_invitation(token) i;
    -- whose part is over comes back, whenever upkeep comes
    IF EXISTS (SELECT FROM project_member m WHERE m.project_id = joined AND m.account_id = person AND m.ends_at <= now()) THEN
        PERFORM lock_slots(ARRAY[joined]);
    END IF;
    -- one at a time joins a project; of one person's projects one after the other, as accounts are locked everywhere: in the order of their numbers
    PERFORM FROM account a WHERE a.account_id IN (person, joined) ORDER BY a.account_id FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM project_member m WHERE m.project_id = joined AND m.account_id = person AND m.ends_at <= now()) THEN
        PERFORM remove_member(joined, person);
    END IF;
    SELECT i.* INTO offer FROM look_at_project_invitation(token) i;
    outcome := CASE
        -- a link that asks for samples makes nobody a member
        WHEN offer.project IS NULL OR offer.role = 'sender' OR NOT EXISTS (
            SELECT FROM account a WHERE a.account_id = person AND a.kind = 'person') THEN 'unknown'
        WHEN EXISTS (SELECT FROM project_member m WHERE m.project_id = joined AND m.account_id = person) THEN 'member'
        WHEN offer.state <> 'open' THEN offer.state
        WHEN 50 <= (SELECT count(*) FROM project_member m WHERE m.project_id = joined) THEN 'full'
        WHEN 20 <= (SELECT count(*) FROM project_member m WHERE m.account_id = person) THEN 'tooMany'
        -- what has ended counts as well: nobody adds rows without end by coming and going
        WHEN offer.devices + (SELECT count(*) FROM ownership o WHERE o.account_id = person)
            > (SELECT b.in_all FROM growth_bound b WHERE b.held = 'ownership') THEN 'tooMany'
        ELSE 'joined' END;
    IF outcome <> 'joined' THEN
        RETURN;
    END IF;
    UPDATE project_invitation i SET used_at = greatest(now(), i.created_at), used_by = person WHERE i.token_hash = token
    RETURNING i.made_in INTO in_session;
    INSERT INTO project_member (project_id, account_id, role, ends_at, made_in) VALUES (joined, person, offer.role, offer.member_until, in_session)
    RETURNING member_id INTO number;
    -- What is unlinked meanwhile is left out; nothing is unlinked from here on.
    SELECT array_agg(l.slot), array_agg(l.device_id) INTO slots, devices FROM (
        SELECT o.slot, o.device_id FROM ownership o
        WHERE o.project_id = joined AND o.account_id = joined AND o.unlinked_at IS NULL
        ORDER BY o.slot, o.device_id
        FOR NO KEY UPDATE) AS l;
    PERFORM add_parts(joined, ARRAY[person], slots, devices);
    told := jsonb_build_object('role', jsonb_build_array(NULL, offer.role));
    PERFORM tell_member(person, 'project.join', joined, NULL, told);
    PERFORM tell_member(joined, 'member.join', joined, number, told);
    PERFORM tell_member(m.account_id, 'member.join', joined, number, told) FROM project_member m
    WHERE m.project_id = joined AND m.role IN ('owner', 'administrator') AND m.account_id <> person;
END
$$;

-- Locks the slots of the devices of projects, for whoever ends parts in them: before any account.
CREATE OR REPLACE FUNCTION lock_slots(projects bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM slot s WHERE s.slot IN (SELECT o.slot FROM ownership o WHERE o.project_id = ANY (projects) AND o.unlinked_at IS NULL)
    ORDER BY s.slot FOR UPDATE;
END
$$;

-- Locks a project for whoever ends somebody's part in it: the slots of its devices, then the project.
CREATE OR REPLACE FUNCTION lock_project(project bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM lock_slots(ARRAY[project]);
    PERFORM FROM account a WHERE a.account_id = project AND a.kind = 'project' FOR NO KEY UPDATE;
END
$$;

-- Ends a membership in a project that is locked.
CREATE OR REPLACE FUNCTION remove_member(project bigint, person bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    number bigint;
    present CONSTANT bigint[] := ARRAY(SELECT on_shift(project));
BEGIN
    PERFORM end_parts(project, person);
    DELETE FROM project_member m WHERE m.project_id = project AND m.account_id = person RETURNING m.member_id INTO number;
    DELETE FROM project_invitation i WHERE i.project_id = project AND i.made_by = person AND i.used_at IS NULL;
    PERFORM take_keys_back(project, person);
    PERFORM plan_turns(project, present); -- whose shift they had taken has it again
    PERFORM tell_member(person, 'project.leave', project);
    PERFORM tell_member(project, 'member.leave', project, number);
    PERFORM tell_member(m.account_id, 'member.leave', project, number) FROM project_member m
    WHERE m.project_id = project AND m.role IN ('owner', 'administrator');
END
$$;

-- Ends the part of a member, as the named person may: their own, a keeper's and a viewer's as an administrator, anybody's as an owner. outcome: done;
-- unknown: there is none; refused; lastOwner: of a project without another owner
CREATE OR REPLACE FUNCTION end_membership(project bigint, member bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
    part text;
    theirs project_member;
BEGIN
    IF role_in(project, person) IS NULL THEN
        RETURN 'unknown';
    END IF;
    PERFORM lock_project(project);
    part := role_in(project, person);
    SELECT * INTO theirs FROM project_member m WHERE m.project_id = project AND m.member_id = member;
    IF part IS NULL OR theirs.project_id IS NULL THEN
        RETURN 'unknown';
    ELSIF theirs.account_id <> person AND part <> 'owner' AND NOT (part = 'administrator' AND theirs.role IN ('keeper', 'viewer')) THEN
        RETURN 'refused';
    ELSIF theirs.role = 'owner' AND NOT EXISTS (
        SELECT FROM project_member m WHERE m.project_id = project AND m.role = 'owner' AND m.member_id <> member) THEN
        RETURN 'lastOwner';
    END IF;
    PERFORM remove_member(project, theirs.account_id);
    RETURN 'done';
END
$$;

-- Changes the role or the end of a member's part, as the named person may: of keepers and viewers as an administrator, of anybody as an owner. Nobody
-- changes their own but an owner who steps down. outcome: as above
CREATE OR REPLACE FUNCTION change_member(project bigint, member bigint, as_role text, changes_end boolean, until timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
    part text;
    theirs project_member;
    changed project_member;
    told jsonb;
    wished CONSTANT text[] := ARRAY['keeper', 'viewer'];
BEGIN
    PERFORM FROM account a WHERE a.account_id = project AND a.kind = 'project' FOR NO KEY UPDATE;
    part := role_in(project, person);
    SELECT * INTO theirs FROM project_member m WHERE m.project_id = project AND m.member_id = member;
    IF part IS NULL OR theirs.project_id IS NULL THEN
        RETURN 'unknown';
    ELSIF part <> 'owner' AND NOT (
        part = 'administrator' AND theirs.role = ANY (wished) AND coalesce(as_role, theirs.role) = ANY (wished)) THEN
        RETURN 'refused';
    ELSIF theirs.role = 'owner' AND as_role <> 'owner' AND NOT EXISTS (
        SELECT FROM project_member m WHERE m.project_id = project AND m.role = 'owner' AND m.member_id <> member) THEN
        RETURN 'lastOwner';
    END IF;
    UPDATE project_member m SET role = coalesce(as_role, m.role),
        -- an owner's part has no end
        ends_at = CASE WHEN coalesce(as_role, m.role) = 'owner' THEN NULL WHEN changes_end THEN until ELSE m.ends_at END
    WHERE m.project_id = project AND m.member_id = member
    RETURNING m.* INTO changed;
    IF as_role <> theirs.role THEN
        -- what they could not invite for now is worth nothing
        DELETE FROM project_invitation i WHERE i.project_id = project AND i.made_by = theirs.account_id AND i.used_at IS NULL
            AND NOT (as_role = 'owner' OR as_role = 'administrator' AND i.role <> 'administrator');
        IF as_role IN ('keeper', 'viewer') THEN
            PERFORM take_keys_back(project, theirs.account_id);
        END IF;
        PERFORM FROM ownership o WHERE o.project_id = project AND o.account_id = theirs.account_id AND o.unlinked_at IS NULL
        ORDER BY o.slot, o.ownership_id
        FOR NO KEY UPDATE;
        UPDATE ownership o SET may_act = as_role <> 'viewer', version = o.version + 1
        WHERE o.project_id = project AND o.account_id = theirs.account_id AND o.unlinked_at IS NULL AND o.may_act = (as_role = 'viewer');
        -- whoever may change no limits has the project's
        IF as_role = 'viewer' THEN
            PERFORM follow_limits(project, theirs.account_id);
        END IF;
    END IF;
    told := changed_fields(jsonb_build_object('role', theirs.role, 'until', theirs.ends_at),
        jsonb_build_object('role', changed.role, 'until', changed.ends_at), ARRAY['role', 'until']);
    IF told IS NOT NULL THEN
        PERFORM tell_member(theirs.account_id, 'project.changePart', project, NULL, told);
        PERFORM tell_member(project, 'project.changePart', project, member, told);
    END IF;
    RETURN 'done';
END
$$;

-- Ends some memberships whose time is over; returns how many.
CREATE OR REPLACE FUNCTION end_memberships(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
    due record;
    held bigint[] := '{}';
    ended integer := 0;
BEGIN
    IF NOT clock_is_trusted() THEN
        RETURN 0;
    END IF;
    FOR due IN SELECT m.project_id, m.account_id FROM project_member m WHERE m.ends_at <= now() ORDER BY m.ends_at LIMIT greatest(most, 20) LOOP
        EXIT WHEN ended >= most;
        CONTINUE WHEN due.project_id = ANY (held);
        BEGIN
            PERFORM lock_project(due.project_id);
            -- it may have been given more time
            CONTINUE WHEN NOT EXISTS (
                SELECT FROM project_member m WHERE m.project_id = due.project_id AND m.account_id = due.account_id AND m.ends_at <= now());
            PERFORM remove_member(due.project_id, due.account_id);
            ended := ended + 1;
        -- a project that somebody holds does not keep the others
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            held := held || due.project_id;
        END;
    END LOOP;
    RETURN ended;
END
$$;

-- Moves a device of the named person's into a project for which they act. The person's own part becomes the project's, with tank, history, display
-- and place, so that care and journal stay; they go on as a member with the limits that they had, which are the project's now. outcome: done; unknown:
-- they do not take part; refused: they may not act for it; notOwn: the device is not theirs; full: the project has as many devices as it may have
CREATE OR REPLACE FUNCTION move_device(of_slot smallint, of_device integer, project bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
    role_of_person CONSTANT text := role_in(project, person);
    part ownership;
BEGIN
    IF role_of_person IS NULL THEN
        RETURN 'unknown';
    END IF;
    PERFORM FROM slot s WHERE s.slot = of_slot FOR UPDATE;
    PERFORM FROM account a WHERE a.account_id IN (person, project) ORDER BY a.account_id FOR NO KEY UPDATE;
    IF role_in(project, person) IS NULL OR role_in(project, person) NOT IN ('owner', 'administrator') THEN
        RETURN 'refused';
    END IF;
    SELECT * INTO part FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = person AND o.role = 'owner' AND o.unlinked_at IS NULL
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 'notOwn';
    ELSIF 1000 <= (SELECT count(*) FROM ownership o WHERE o.project_id = project AND o.account_id = project AND o.unlinked_at IS NULL) THEN
        RETURN 'full';
    END IF;
    UPDATE slot s SET state_version = s.state_version + 1 WHERE s.slot = of_slot;
    PERFORM FROM ownership o WHERE o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL ORDER BY o.ownership_id FOR UPDATE;
    DELETE FROM device_invitation i WHERE i.slot = of_slot AND i.device_id = of_device;
    UPDATE ownership o SET account_id = project, project_id = project, version = o.version + 1
    WHERE o.slot = of_slot AND o.ownership_id = part.ownership_id;
    INSERT INTO setting (
        slot, device_id, account_id, parameter, version, unit, colour, position, minimum, maximum, critical_minimum, critical_maximum,
        --% each setting
        {column},
        --% end
        valid_from)
    SELECT s.slot, s.device_id, project, s.parameter, coalesce((
            SELECT max(f.version) FROM setting f
            WHERE f.slot = s.slot AND f.device_id = s.device_id AND f.account_id = project AND f.parameter = s.parameter), 0) + 1,
        s.unit, s.colour, s.position, s.minimum, s.maximum, s.critical_minimum, s.critical_maximum,
        --% each setting
        s.{column},
        --% end
        greatest(now(), s.valid_from)
    FROM setting s WHERE s.slot = of_slot AND s.device_id = of_device AND s.account_id = person AND s.valid_until IS NULL;
    UPDATE setting s SET follows = true
    WHERE s.slot = of_slot AND s.device_id = of_device AND s.account_id = person AND s.valid_until IS NULL;
    INSERT INTO ownership (slot, device_id, account_id, role, name, latitude, longitude, linked_at, project_id)
    VALUES (of_slot, of_device, person, 'watcher', part.name, part.latitude, part.longitude, part.linked_at, project);
    PERFORM add_parts(project, ARRAY(SELECT m.account_id FROM project_member m WHERE m.project_id = project AND m.account_id <> person),
        ARRAY[of_slot], ARRAY[of_device]);
    PERFORM note_move('device.link', project, of_device, part.name);
    PERFORM note_move('device.unlink', person, of_device, part.name);
    RETURN 'done';
END
$$;

-- Closes the account of a project, as whoever is named, who goes on being the one who acts. Each member is told.
CREATE OR REPLACE FUNCTION close_project(project bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    named CONSTANT text := coalesce(current_setting('aqua.account', true), '');
    acting CONSTANT text := coalesce(current_setting('aqua.actor', true), '');
    person CONSTANT bigint := current_actor();
BEGIN
    PERFORM tell_member(m.account_id, 'project.end', project) FROM project_member m WHERE m.project_id = project;
    -- an operator acts without a name
    IF person IS NOT NULL THEN
        PERFORM name_actor(person, project);
    END IF;
    PERFORM close_account(project);
    PERFORM set_config('aqua.account', named, true);
    PERFORM set_config('aqua.actor', acting, true);
END
$$;

-- Dissolves a project, as an owner of it may: its devices are given up. outcome: done, unknown, refused; tooLarge: so many devices are not given up
-- at once, since engines wait meanwhile
CREATE OR REPLACE FUNCTION dissolve_project(project bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part CONSTANT text := role_in(project, current_account());
BEGIN
    IF part IS NULL THEN
        RETURN 'unknown';
    ELSIF part <> 'owner' THEN
        RETURN 'refused';
    ELSIF 100 < (SELECT count(*) FROM ownership o WHERE o.project_id = project AND o.account_id = project AND o.unlinked_at IS NULL) THEN
        RETURN 'tooLarge';
    END IF;
    PERFORM close_project(project);
    RETURN 'done';
END
$$;

-- Ends the parts of a person whose account is closed. A project that would be left without an owner goes to the administrator who has been there
-- longest, or else to such a keeper; with viewers alone it is dissolved. The slots are locked.
CREATE OR REPLACE FUNCTION leave_projects(person bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part project_member;
    heir project_member;
    told jsonb;
BEGIN
    FOR part IN SELECT m.* FROM project_member m WHERE m.account_id = person ORDER BY m.project_id LOOP
        PERFORM FROM account a WHERE a.account_id = part.project_id FOR NO KEY UPDATE;
        IF part.role = 'owner' AND NOT EXISTS (
            SELECT FROM project_member m WHERE m.project_id = part.project_id AND m.role = 'owner' AND m.account_id <> person)
        THEN
            SELECT m.* INTO heir FROM project_member m
            WHERE m.project_id = part.project_id AND m.role IN ('administrator', 'keeper') AND (m.ends_at IS NULL OR m.ends_at > now())
            ORDER BY m.role, m.joined_at, m.member_id LIMIT 1;
            IF NOT FOUND THEN
                PERFORM close_project(part.project_id);
                CONTINUE;
            END IF;
            UPDATE project_member m SET role = 'owner', ends_at = NULL WHERE m.member_id = heir.member_id;
            told := changed_fields(jsonb_build_object('role', heir.role, 'until', heir.ends_at), '{"role": "owner"}', ARRAY['role', 'until']);
            PERFORM tell_member(heir.account_id, 'project.changePart', part.project_id, NULL, told);
            PERFORM tell_member(part.project_id, 'project.changePart', part.project_id, heir.member_id, told);
        END IF;
        PERFORM remove_member(part.project_id, person);
    END LOOP;
END
$$;

REVOKE ALL ON FUNCTION
    role_in(bigint, bigint), act_for_project(bigint), refuse_project(), tell_member(bigint, text, bigint, bigint, jsonb),
    name_actor(bigint, bigint), note_maker(), take_keys_back(bigint, bigint), follow_limits(bigint, bigint, integer, smallint), lock_slots(bigint[]),
    project_invitation_is_noted(), note_move(text, bigint, integer, text),
    add_parts(bigint, bigint[], smallint[], integer[]), end_parts(bigint, bigint), part_has_ended(), project_device_was_linked(),
    followers_are_locked(), limits_are_followed(), followed_versions_go(), follow_project(smallint, integer, smallint), create_project(text),
    invite_to_project(bigint, bytea, text, timestamptz, interval), revoke_project_invitation(bigint, uuid), look_at_project_invitation(bytea),
    join_project(bytea), lock_project(bigint), remove_member(bigint, bigint), end_membership(bigint, bigint),
    change_member(bigint, bigint, text, boolean, timestamptz), end_memberships(integer), move_device(smallint, integer, bigint),
    close_project(bigint), dissolve_project(bigint), leave_projects(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    act_for_project(bigint), follow_project(smallint, integer, smallint), create_project(text),
    invite_to_project(bigint, bytea, text, timestamptz, interval), revoke_project_invitation(bigint, uuid), look_at_project_invitation(bytea),
    join_project(bytea), end_membership(bigint, bigint), change_member(bigint, bigint, text, boolean, timestamptz),
    move_device(smallint, integer, bigint), dissolve_project(bigint) TO aqua_gateway;
GRANT EXECUTE ON FUNCTION end_memberships(integer) TO aqua_ingestor;
