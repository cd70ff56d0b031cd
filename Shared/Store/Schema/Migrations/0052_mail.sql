-- The text in endpoint.target where the address itself is sealed: of a mailbox its first letter and its domain, of anything else scheme,
-- host and port, and a hash by which the same address is known again.
CREATE OR REPLACE FUNCTION endpoint_name(target text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, public, pg_temp AS $$
    -- no address that is registered has a fragment
    SELECT CASE WHEN strpos(target, '#') > 0 THEN target
        ELSE coalesce(substring(target FROM '^https?://[^/?#]+'),
                substring(target FROM '^mailto:.') || '…' || substring(target FROM '^mailto:[^@/]+(@[^@/]+)$'), '')
            || '/#' || encode(sha256(convert_to(target, 'UTF8')), 'hex') END
$$;

-- Mails about accounts that a Notifier is to send: a link to set a forgotten password, or that alerts by mail have ended. A Gateway asks for
-- them and never sees the links, so it sets nobody's password by itself.
CREATE TABLE account_mail (
    mail_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind ~ '^[a-zA-Z]{1,32}$'),
    locale text NOT NULL CHECK (length(locale) <= 35),
    subject text CHECK (length(subject) <= 253),
    asked_at timestamptz NOT NULL DEFAULT now(),
    due_at timestamptz NOT NULL DEFAULT now(),
    sent_at timestamptz,
    -- of what is in the link of the latest attempt, until when it is of use
    token_hash bytea UNIQUE CHECK (length(token_hash) = 32),
    expires_at timestamptz,
    CHECK ((token_hash IS NULL) = (expires_at IS NULL))
);
CREATE INDEX account_mail_due ON account_mail (due_at) WHERE sent_at IS NULL;
CREATE INDEX account_mail_asked ON account_mail (asked_at);
CREATE INDEX account_mail_of_account ON account_mail (account_id, asked_at);
ALTER TABLE account_mail ENABLE ROW LEVEL SECURITY;
INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('account_mail', 'person', 'person', NULL, 100, 'trigger; the oldest go, and all after a day');
