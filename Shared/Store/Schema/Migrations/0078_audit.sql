-- The log of what changed rights, limits, ways, devices and accounts, and by whom. Nothing in it is changed but by the erasure of a person. Triggers
-- and the functions that act write it, in the transaction of the act, so that no way to a change passes it by. Accounts and devices are not referred
-- to: their rows would be locked in an order that crosses others'.
CREATE SEQUENCE audit_entry_number AS bigint;
CREATE TABLE audit_entry (
    entry_id bigint NOT NULL DEFAULT nextval('audit_entry_number'),
    at timestamptz NOT NULL DEFAULT now(),
    action text NOT NULL CHECK (action ~ '^[a-z][a-zA-Z]{1,31}\.[a-z][a-zA-Z]{1,31}$'), -- noun.verb, of a list of the programs'
    outcome text NOT NULL DEFAULT 'done' CHECK (outcome IN ('done', 'refused')),
    times integer NOT NULL DEFAULT 1 CHECK (times > 0), -- of what is refused again and again: how often by then, within the hour
    actor text NOT NULL CHECK (actor IN ('account', 'token', 'operator', 'device', 'system', 'stranger')),
    actor_id bigint, -- the account that acted, by itself or by a token
    actor_name text CHECK (length(actor_name) <= 64), -- a token's name, an operator's; of somebody who is gone a word that stands for them
    account_id bigint, -- whose account, limits, ways or devices it concerns, and on whose behalf somebody else acted; NULL: nobody's
    owner_id bigint, -- the device's owner by then, where it concerns what they share and account_id is another
    device_id integer,
    parameter smallint,
    target text CHECK (length(target) <= 64), -- the id of a session, a token, an endpoint, ...; of a request its route
    subject text CHECK (length(subject) <= 253), -- a name: of a client, a token, a device; or the host of an endpoint
    changes jsonb CHECK (octet_length(changes::text) <= 2000), -- each field's value before and after, without secrets
    session_id uuid, -- in which it was done; NULL: in none that is known
    request text CHECK (length(request) <= 64),
    network text CHECK (length(network) <= 64), -- /24, or /48 of IPv6
    client text CHECK (length(client) <= 120),
    PRIMARY KEY (entry_id, at)
) PARTITION BY RANGE (at);
CREATE INDEX audit_entry_of_account ON audit_entry (account_id, entry_id);
CREATE INDEX audit_entry_of_owner ON audit_entry (owner_id, entry_id) WHERE owner_id IS NOT NULL;
CREATE INDEX audit_entry_of_device ON audit_entry (device_id, entry_id) WHERE device_id IS NOT NULL;
CREATE INDEX audit_entry_by_actor ON audit_entry (actor_id, at) WHERE actor_id IS NOT NULL;
-- Months have partitions of their own; what no month takes, because a clock leapt, is here.
CREATE TABLE audit_entry_rest PARTITION OF audit_entry DEFAULT;

-- People see what concerns them, of which the views tell what they may know. Nobody but the owner's functions writes.
GRANT SELECT (entry_id, at, action, outcome, actor_id, account_id, owner_id, device_id, subject, changes, session_id,
    network) ON audit_entry TO aqua_gateway;
ALTER TABLE audit_entry ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON audit_entry FOR SELECT TO aqua_gateway USING (
    account_id = (SELECT current_account()) OR owner_id = (SELECT current_account()));

-- What is refused is counted: of the first, the tenth, the hundredth, ... of an hour there is an entry.
CREATE TABLE refusal_count (
    account_id bigint NOT NULL, -- 0: of nobody who has an account
    action text NOT NULL,
    hour timestamptz NOT NULL,
    times integer NOT NULL,
    PRIMARY KEY (account_id, action)
) WITH (fillfactor = 70);
ALTER TABLE refusal_count ENABLE ROW LEVEL SECURITY;

ALTER TABLE retention DROP CONSTRAINT retention_kind_check,
    ADD CONSTRAINT retention_kind_check CHECK (kind IN ('samples', 'hours', 'alerts', 'audit'));
INSERT INTO retention VALUES ('audit', '400 days');

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('audit_entry', 'person', 'person', 72000, 28800000, 'note_act: a twenty-fourth of a day''s in an hour; retention'),
    ('refusal_count', 'person', 'person', NULL, 2, 'its key: one a kind of refusal; gone with the account');

-- Events of accounts are entries of the log.
DO $$
DECLARE
    month timestamp;
    partition text;
BEGIN
    FOR month IN
        SELECT generate_series(
            date_trunc('month', coalesce(greatest(min(happened_at), min(now()) - interval '400 days'), now()) AT TIME ZONE 'UTC'),
            (now() + interval '92 days') AT TIME ZONE 'UTC', '1 month') FROM account_event
    LOOP
        partition := 'audit_entry_' || to_char(month, 'YYYYMM');
        EXECUTE format('CREATE TABLE public.%I PARTITION OF public.audit_entry FOR VALUES FROM (%L) TO (%L)', partition,
            month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
    END LOOP;
END
$$;
INSERT INTO audit_entry (at, action, actor, actor_id, account_id, owner_id, subject, changes, session_id, network)
SELECT e.happened_at, n.action, CASE WHEN e.session_id IS NULL OR e.kind = 'sessionStolen' THEN 'system' ELSE 'account' END,
    CASE WHEN e.session_id IS NOT NULL AND e.kind <> 'sessionStolen' THEN e.account_id END,
    CASE WHEN e.kind NOT LIKE 'watcher%' THEN e.account_id END, CASE WHEN e.kind LIKE 'watcher%' THEN e.account_id END, e.subject,
    CASE e.kind WHEN 'endpointFormChanged' THEN jsonb_build_object('form', jsonb_build_array(NULL, e.detail))
        WHEN 'endpointOnlyUrgent' THEN '{"onlyUrgent": [false, true]}' WHEN 'endpointToldAll' THEN '{"onlyUrgent": [true, false]}'
        WHEN 'endpointRingsAlways' THEN '{"ringsAlways": [false, true]}'
        WHEN 'endpointHeedsQuietHours' THEN '{"ringsAlways": [true, false]}' END,
    e.session_id,
    CASE WHEN e.address ~ '^[0-9a-f]*[.:][0-9a-f.:]*(/[0-9]+)?$'
        THEN network(set_masklen(e.address::inet, CASE family(e.address::inet) WHEN 4 THEN 24 ELSE 48 END))::text END
FROM account_event e
JOIN (VALUES
    ('signedIn', 'session.open'), ('signedOutElsewhere', 'session.end'), ('sessionStolen', 'session.reuse'),
    ('passwordChanged', 'password.change'), ('tokenMade', 'token.make'), ('tokenRevoked', 'token.revoke'),
    ('endpointAdded', 'endpoint.add'), ('endpointRemoved', 'endpoint.remove'), ('endpointFormChanged', 'endpoint.changeForm'),
    ('endpointSecretChanged', 'endpoint.changeSecret'), ('endpointToldAll', 'endpoint.changeTelling'),
    ('endpointOnlyUrgent', 'endpoint.changeTelling'), ('endpointHeedsQuietHours', 'endpoint.changeHours'),
    ('endpointRingsAlways', 'endpoint.changeHours'), ('invitationMade', 'invitation.make'), ('watcherJoined', 'watcher.join'),
    ('watcherLeft', 'watcher.leave'), ('watchingEnded', 'watcher.leave'), ('deviceLinked', 'device.link'),
    ('deviceUnlinked', 'device.unlink')) AS n (kind, action) ON n.kind = e.kind
WHERE e.happened_at > now() - interval '400 days'
ORDER BY e.event_id;
DROP TABLE account_event;
DELETE FROM growth_bound WHERE held = 'account_event';
DROP TRIGGER IF EXISTS events_forgotten ON account;
DROP FUNCTION IF EXISTS forget_account_events();
-- Services of the former version go on until the scripts come, which write the log: what happens meanwhile is noted nowhere, and fails nowhere.
CREATE VIEW account_event AS
    SELECT account_id, entry_id AS event_id, at AS happened_at, action AS kind, session_id, subject, network AS address, NULL::text AS detail
    FROM audit_entry WHERE false;
GRANT SELECT ON account_event TO aqua_gateway;
CREATE OR REPLACE FUNCTION add_account_event(person bigint, what text, of_what text, in_session uuid, from_address text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS 'BEGIN END';
CREATE OR REPLACE FUNCTION endpoint_change_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS 'BEGIN RETURN NULL; END';
REVOKE ALL ON FUNCTION add_account_event(bigint, text, text, uuid, text), endpoint_change_is_noted() FROM PUBLIC;
