-- People: accounts, how they sign in, and what has happened on them.
--
-- aqua_gateway acts for one person at a time, whom enter_session or enter_token names for the rest of the transaction. Policies show it
-- that person's rows and no others, so that a forgotten clause shows nothing. What reaches further (a password's hash, a device that
-- nobody owns, a target that somebody else has) is asked of functions, which answer no more than is needed.

CREATE TABLE account (
    account_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email text NOT NULL UNIQUE
        CHECK (email = lower(email) AND length(email) <= 254 AND email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
    password_hash text NOT NULL CHECK (password_hash LIKE 'scrypt$%'),
    locale text NOT NULL DEFAULT 'en' CHECK (locale IN ('en', 'ja', 'es')),
    -- a trigger refuses unknown zones: a CHECK asks again when rows are restored, and a dump may be restored where a zone has gone
    time_zone text NOT NULL DEFAULT 'UTC',
    throttle_seconds integer CHECK (throttle_seconds > 0), -- the person's own interval; NULL: the operator's
    created_at timestamptz NOT NULL DEFAULT now(),
    colour_scheme text NOT NULL DEFAULT 'system' CHECK (colour_scheme IN ('system', 'light', 'dark')),
    settings_version integer NOT NULL DEFAULT 1, -- tells two screens that edit the person's settings apart
    -- The intervals between alerts that a person had before, oldest first, and until when: why something was told, or was not, is
    -- explained by the interval of its time. The last twenty are kept.
    throttle_ends timestamptz[] NOT NULL DEFAULT '{}',
    throttle_was integer[] NOT NULL DEFAULT '{}',
    CONSTRAINT account_throttles CHECK (
        cardinality(throttle_ends) = cardinality(throttle_was) AND cardinality(throttle_ends) <= 20)
);
GRANT SELECT (account_id, throttle_seconds) ON account TO aqua_rules;
GRANT SELECT (account_id, locale, time_zone) ON account TO aqua_notifier;
GRANT SELECT (account_id, email, locale, time_zone, throttle_seconds, created_at, colour_scheme, settings_version, throttle_ends,
    throttle_was), UPDATE (locale, time_zone, throttle_seconds, colour_scheme, settings_version) ON account TO aqua_gateway;
ALTER TABLE account ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON account TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON account TO aqua_gateway USING (account_id = (SELECT current_account()));

-- A person's stay on one client, from signing in to signing out. It ends by itself 90 days after its last use, 400 days after its start.
--
--            the person ends it                                  ended: signedOut
--     live --another password----------------------------------> ended: passwordChanged
--          --a refresh token returns that was used-------------> ended: reused
--          --the person signs in on the same client, or on too many--> ended: replaced
CREATE TABLE session (
    session_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id bigint NOT NULL REFERENCES account,
    client_id uuid,
    client text NOT NULL CHECK (length(client) <= 120), -- how it calls itself
    address text NOT NULL CHECK (length(address) <= 64), -- the network that it was last used from
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz NOT NULL DEFAULT now(), -- to within the ten minutes that an access token lasts
    ended_at timestamptz,
    ended_because text CHECK (ended_because IN ('signedOut', 'passwordChanged', 'reused', 'replaced')),
    proven_at timestamptz, -- when the person last gave their password in the session; NULL: when they signed in
    CHECK ((ended_at IS NULL) = (ended_because IS NULL))
);
CREATE INDEX session_of_account ON session (account_id, created_at);
GRANT SELECT ON session TO aqua_gateway;
ALTER TABLE session ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON session TO aqua_gateway USING (account_id = (SELECT current_account()));

-- A refresh token renews its session once. What was used names its successor, sealed with the token itself, for a client that repeats its
-- request because the answer was lost.
--
--     unused --(the session is renewed)--> used --(the client asks again)--> used: the same successor
CREATE TABLE refresh_token (
    token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    session_id uuid NOT NULL REFERENCES session ON DELETE CASCADE,
    account_id bigint NOT NULL REFERENCES account,
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz,
    sealed_successor bytea,
    CHECK ((used_at IS NULL) = (sealed_successor IS NULL))
);
CREATE INDEX refresh_token_of_session ON refresh_token (session_id, used_at);
CREATE INDEX refresh_token_of_account ON refresh_token (account_id);
ALTER TABLE refresh_token ENABLE ROW LEVEL SECURITY;

-- A program acts for a person with a personal token.
CREATE TABLE personal_token (
    token_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id bigint NOT NULL REFERENCES account,
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    scope text NOT NULL CHECK (scope IN ('read', 'write')),
    last_four text NOT NULL CHECK (length(last_four) = 4),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz CHECK (expires_at > created_at), -- NULL: never
    used_on date, -- UTC
    revoked_at timestamptz,
    made_in uuid -- the session; it ends long before the token does, so that nothing refers to its row
);
CREATE INDEX personal_token_of_account ON personal_token (account_id, created_at);
GRANT INSERT, DELETE, SELECT (token_id, account_id, name, scope, last_four, created_at, expires_at, used_on, revoked_at, made_in),
    UPDATE (revoked_at) ON personal_token TO aqua_gateway;
ALTER TABLE personal_token ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON personal_token TO aqua_gateway USING (account_id = (SELECT current_account()));

-- An operator's invitation to open an account.
CREATE TABLE account_invitation (
    invitation_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    email text CHECK (email = lower(email) AND length(email) <= 254), -- for this address alone; NULL: for anybody
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
    used_at timestamptz,
    used_by bigint REFERENCES account ON DELETE SET NULL,
    CHECK (used_by IS NULL OR used_at IS NOT NULL)
);
CREATE INDEX account_invitation_used_by ON account_invitation (used_by) WHERE used_by IS NOT NULL;
ALTER TABLE account_invitation ENABLE ROW LEVEL SECURITY;

-- Events of accounts, for the person to recognise, or not. Triggers write them, so that no way to a change passes them by. The account is
-- not referred to: its row would be locked in an order that crosses others'.
CREATE TABLE account_event (
    account_id bigint NOT NULL,
    event_id bigint GENERATED ALWAYS AS IDENTITY,
    happened_at timestamptz NOT NULL DEFAULT now(),
    kind text NOT NULL CHECK (kind IN (
        'signedIn', 'signedOutElsewhere', 'sessionStolen', 'passwordChanged', 'tokenMade', 'tokenRevoked', 'endpointAdded',
        'endpointRemoved', 'invitationMade', 'watcherJoined', 'watcherLeft', 'watchingEnded', 'deviceLinked', 'deviceUnlinked')),
    session_id uuid, -- in which the person did it; NULL: in none, or somebody else did it
    subject text CHECK (length(subject) <= 253), -- a name: of a client, a token, a device; or the host of an endpoint
    address text CHECK (length(address) <= 64), -- the network that somebody signed in from
    PRIMARY KEY (account_id, event_id)
);
GRANT SELECT ON account_event TO aqua_gateway;
ALTER TABLE account_event ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON account_event TO aqua_gateway USING (account_id = (SELECT current_account()));

-- What a request to create something was answered, so that a repetition gets the same answer and creates nothing.
--
--     running (status NULL) --(answered)--> answered --(a day later)--> gone
CREATE TABLE idempotency_key (
    account_id bigint NOT NULL REFERENCES account,
    key text NOT NULL CHECK (length(key) BETWEEN 1 AND 128),
    fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32), -- of the request
    created_at timestamptz NOT NULL DEFAULT now(),
    status smallint, -- NULL: it still runs
    sealed_answer bytea,
    PRIMARY KEY (account_id, key),
    CHECK (status IS NOT NULL OR sealed_answer IS NULL)
);
CREATE INDEX idempotency_key_age ON idempotency_key (account_id, created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_key TO aqua_gateway;
ALTER TABLE idempotency_key ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON idempotency_key TO aqua_gateway USING (account_id = (SELECT current_account()));

-- Gateways that have listeners, and the slots of the devices that are listened to, bit n for slot n. An Ingestor names the devices of
-- these slots when it commits, and nobody's otherwise: without listeners nothing is said. A Gateway that has died is forgotten by the
-- time it wrote.
CREATE TABLE live_follower (
    follower uuid PRIMARY KEY,
    slots bigint NOT NULL,
    expires_at timestamptz NOT NULL
) WITH (fillfactor = 50);
GRANT SELECT ON live_follower TO aqua_ingestor;
