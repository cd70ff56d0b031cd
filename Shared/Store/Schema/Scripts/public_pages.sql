-- Pages that anybody reads who has their address.

-- Shows what the named account chose of its devices, or changes that: of one device, or, where whole is true, of the project that is named. The
-- address stays unless another is wished for; hash and sealed are those of a new one. published; notOwn: one of the devices is not the account's;
-- notProject: a person has no page of many.
--
-- chosen: bit n stands for the parameter with the number n. titles: beside the devices; not read where the page is of one.
CREATE OR REPLACE FUNCTION publish_page(
    whole boolean, of_title text, chosen integer, of_days smallint, shows_limits boolean, devices text[], titles text[],
    hash bytea, sealed bytea, renews boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    me CONSTANT bigint := current_account();
    tanks ownership[];
    page bigint;
BEGIN
    -- One change at a time, and none while the account is closed.
    PERFORM FROM account a WHERE a.account_id = me AND (NOT whole OR a.kind = 'project') FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'notProject';
    END IF;
    tanks := ARRAY(
        SELECT o FROM unnest(devices) WITH ORDINALITY AS w (hardware_id, place)
        JOIN device d ON d.hardware_id = w.hardware_id
        JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id
        WHERE o.account_id = me AND o.role = 'owner' AND o.unlinked_at IS NULL
        ORDER BY w.place
        FOR KEY SHARE OF o); -- none is given up meanwhile
    IF cardinality(tanks) <> cardinality(devices) OR NOT whole AND cardinality(tanks) <> 1 THEN
        RETURN 'notOwn';
    END IF;
    INSERT INTO public_page AS p (
        account_id, slot, tank_id, device_id, token_hash, sealed_token, title, parameters, days, limits, made_in)
    VALUES (
        me, CASE WHEN NOT whole THEN tanks[1].slot END, CASE WHEN NOT whole THEN tanks[1].tank_id END,
        CASE WHEN NOT whole THEN tanks[1].device_id END, hash, sealed, of_title, chosen, of_days, shows_limits, current_session())
    ON CONFLICT ON CONSTRAINT public_page_of_tank DO UPDATE SET
        title = of_title, parameters = chosen, days = of_days, limits = shows_limits, made_in = current_session(),
        token_hash = CASE WHEN renews THEN hash ELSE p.token_hash END,
        sealed_token = CASE WHEN renews THEN sealed ELSE p.sealed_token END,
        addresses = p.addresses + renews::integer, version = p.version + 1
    RETURNING p.page_id INTO page;
    DELETE FROM public_page_tank t WHERE t.page_id = page;
    INSERT INTO public_page_tank (page_id, place, slot, tank_id, title)
    SELECT page, t.place, t.slot, t.tank_id, CASE WHEN whole THEN titles[t.place] END
    FROM (SELECT u.slot, u.tank_id, (row_number() OVER ())::smallint AS place FROM unnest(tanks) AS u) t;
    RETURN 'published';
END
$$;

-- Withdraws the page of one device of the named account's, or, where none is given, the project's. False: there is none.
CREATE OR REPLACE FUNCTION withdraw_page(of_device text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM public_page p
    WHERE p.account_id = current_account() AND CASE
        WHEN of_device IS NULL THEN p.slot IS NULL
        ELSE p.device_id = (SELECT d.device_id FROM device d WHERE d.hardware_id = of_device) END;
    RETURN FOUND;
END
$$;

-- Whoever gives a tank up, or hands it over, shows no more of it; a page of which nothing is left ends.
CREATE OR REPLACE FUNCTION pages_end_with_ownership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    WITH gone AS (
        DELETE FROM public_page_tank t USING public_page p
        WHERE t.slot = OLD.slot AND t.tank_id = OLD.tank_id AND p.page_id = t.page_id AND p.account_id = OLD.account_id
        RETURNING t.page_id, t.place
    )
    DELETE FROM public_page p USING gone g
    WHERE p.page_id = g.page_id
        AND NOT EXISTS (SELECT FROM public_page_tank o WHERE o.page_id = g.page_id AND o.place <> g.place);
    RETURN NULL;
END
$$;

-- The page with an address, and the account whose it is, who is named for the rest of the transaction: to read what is to be shown, in a transaction
-- that changes nothing. No row: there is none, or nothing that it shows is the account's any more. Readings of before begins_at were another's.
CREATE OR REPLACE FUNCTION enter_public_page(hash bytea, OUT account bigint, OUT title text, OUT parameters integer, OUT days smallint,
    OUT limits boolean, OUT devices text[], OUT titles text[], OUT begins_at timestamptz[]) RETURNS SETOF record
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF current_setting('transaction_read_only') <> 'on' THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_transaction_state', MESSAGE = 'whoever reads a public page changes nothing';
    END IF;
    SELECT p.account_id, p.title, p.parameters, p.days, p.limits, array_agg(d.hardware_id ORDER BY t.place),
        array_agg(coalesce(t.title, p.title) ORDER BY t.place), array_agg(o.readings_from ORDER BY t.place)
    INTO account, title, parameters, days, limits, devices, titles, begins_at
    FROM public_page p
    JOIN public_page_tank t ON t.page_id = p.page_id
    JOIN ownership o ON o.slot = t.slot AND o.tank_id = t.tank_id AND o.account_id = p.account_id AND o.role = 'owner' AND o.unlinked_at IS NULL
    JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
    WHERE p.token_hash = hash
    GROUP BY p.page_id;
    IF FOUND THEN
        PERFORM name_person(account);
        RETURN NEXT;
    END IF;
END
$$;

REVOKE ALL ON FUNCTION
    publish_page(boolean, text, integer, smallint, boolean, text[], text[], bytea, bytea, boolean), withdraw_page(text),
    pages_end_with_ownership(), enter_public_page(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    publish_page(boolean, text, integer, smallint, boolean, text[], text[], bytea, bytea, boolean), withdraw_page(text),
    enter_public_page(bytea) TO aqua_gateway;
