-- The house's own provider (OpenID Connect) lets people in beside the password, or in place of it.
ALTER TABLE account
    ALTER COLUMN password_hash DROP NOT NULL, -- NULL: the person has none, and comes in by a provider alone
    ADD COLUMN password_until timestamptz; -- until when the password lets in where the house takes none: the operator's way back

-- Who a person is at a provider: issuer and subject, never an address, which changes hands.
--
--     linked --(unlinked; taken back with its session; the password is reset by mail)--> gone, with the sessions that it opened
CREATE TABLE account_identity (
    identity_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id bigint NOT NULL REFERENCES account,
    issuer text NOT NULL CHECK (length(issuer) BETWEEN 1 AND 512),
    subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
    name text CHECK (length(name) BETWEEN 1 AND 120), -- how the provider calls the person, for them to recognise
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz NOT NULL DEFAULT now(),
    made_in uuid, -- the session; nothing refers to its row, which may go before
    UNIQUE (issuer, subject)
);
CREATE INDEX account_identity_of_account ON account_identity (account_id, created_at);
GRANT SELECT ON account_identity TO aqua_gateway;
ALTER TABLE account_identity ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON account_identity TO aqua_gateway USING (account_id = (SELECT current_account()));

ALTER TABLE session
    ADD COLUMN identity_id uuid REFERENCES account_identity ON DELETE SET NULL, -- by which it was opened; NULL: by the password
    ADD COLUMN provider_session text CHECK (length(provider_session) BETWEEN 1 AND 255); -- the provider's own (sid)
CREATE INDEX session_of_identity ON session (identity_id) WHERE identity_id IS NOT NULL;

-- Sign-ins by a provider that have come back, so that each comes back once. The hash of its state; forgotten when it would have expired.
CREATE TABLE returned_sign_in (
    state_hash bytea PRIMARY KEY CHECK (length(state_hash) = 32),
    returned_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX returned_sign_in_age ON returned_sign_in (returned_at);
ALTER TABLE returned_sign_in ENABLE ROW LEVEL SECURITY;

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('account_identity', 'person', 'person', NULL, 5, 'link_identity'),
    ('returned_sign_in', 'stranger', NULL, NULL, NULL, 'return_sign_in: a quarter of an hour; limits for each network');
