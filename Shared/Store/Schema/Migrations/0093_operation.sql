-- Operators in the app. The operator's tool gives the role to an account; where it says so, the house's provider gives it to a session which that
-- provider opened. The functions of operation.sql alone read and write what is here: no role of a service has a right to any of it.
ALTER TABLE account
    ADD COLUMN operates boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT account_operators_are_people CHECK (kind = 'person' OR NOT operates);

ALTER TABLE session
    ADD COLUMN operates_at timestamptz, -- when the provider last counted its person among the operators; NULL: it does not
    DROP CONSTRAINT session_ended_because_check,
    ADD CONSTRAINT session_ended_because_check CHECK (
        ended_because IN ('signedOut', 'passwordChanged', 'reused', 'replaced', 'endedByOperator'));

-- One row of the whole installation: what the doctor found when it last looked, and whether the provider makes operators.
CREATE TABLE operation (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    provider_gives boolean NOT NULL DEFAULT false,
    looked_at timestamptz, -- by the doctor
    findings jsonb CHECK (jsonb_typeof(findings) = 'array' AND octet_length(findings::text) <= 262144),
    CHECK ((looked_at IS NULL) = (findings IS NULL))
);
INSERT INTO operation DEFAULT VALUES;
ALTER TABLE operation ENABLE ROW LEVEL SECURITY;

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('operation', 'operator', NULL, NULL, 1, 'its key; findings: their constraint');
