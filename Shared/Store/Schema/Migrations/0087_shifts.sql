-- Shifts: who of a project is told, and when. Times are civil, in the time zone of the project.

-- How often a project's shifts were set, for whoever changes them beside somebody else. No row: never.
CREATE TABLE rota (
    project_id bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    version integer NOT NULL CHECK (version > 0)
);
ALTER TABLE rota ENABLE ROW LEVEL SECURITY;

-- A stretch of some days of the week. Its end is on the next day where it is not later than its beginning.
CREATE TABLE shift (
    project_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    shift_id uuid NOT NULL DEFAULT gen_random_uuid(),
    place smallint NOT NULL CHECK (place BETWEEN 1 AND 30),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    days smallint NOT NULL CHECK (days BETWEEN 1 AND 127), -- bit 0: it begins on Mondays, bit 6: on Sundays
    begins_at time NOT NULL CHECK (date_trunc('minute', begins_at::interval) = begins_at::interval AND begins_at < '24:00'),
    ends_at time NOT NULL CHECK (date_trunc('minute', ends_at::interval) = ends_at::interval AND ends_at < '24:00'),
    PRIMARY KEY (project_id, shift_id),
    UNIQUE (project_id, place) DEFERRABLE INITIALLY DEFERRED -- so that shifts change places
);
ALTER TABLE shift ENABLE ROW LEVEL SECURITY;

-- Who stands in a shift. Whoever leaves the project leaves its shifts.
CREATE TABLE shift_member (
    project_id bigint NOT NULL,
    shift_id uuid NOT NULL,
    account_id bigint NOT NULL,
    PRIMARY KEY (project_id, shift_id, account_id),
    FOREIGN KEY (project_id, shift_id) REFERENCES shift ON DELETE CASCADE,
    FOREIGN KEY (project_id, account_id) REFERENCES project_member ON DELETE CASCADE
);
CREATE INDEX shift_member_by_member ON shift_member (project_id, account_id);
ALTER TABLE shift_member ENABLE ROW LEVEL SECURITY;

-- Somebody who takes another's shift of one day, which is the day on which it begins.
CREATE TABLE shift_cover (
    project_id bigint NOT NULL,
    shift_id uuid NOT NULL,
    day date NOT NULL,
    account_id bigint NOT NULL, -- whose shift it is
    covered_by bigint NOT NULL CHECK (covered_by <> account_id),
    PRIMARY KEY (project_id, shift_id, day, account_id),
    FOREIGN KEY (project_id, shift_id) REFERENCES shift ON DELETE CASCADE,
    FOREIGN KEY (project_id, account_id) REFERENCES project_member ON DELETE CASCADE,
    FOREIGN KEY (project_id, covered_by) REFERENCES project_member ON DELETE CASCADE
);
CREATE INDEX shift_cover_of_member ON shift_cover (project_id, account_id);
CREATE INDEX shift_cover_by_member ON shift_cover (project_id, covered_by);
ALTER TABLE shift_cover ENABLE ROW LEVEL SECURITY;

-- When a member comes on shift next, or when that is looked for again: a row for everybody who stands in a shift or takes another's.
--
--     next_at has come --(they hear what goes on)--> the next one
CREATE TABLE shift_turn (
    project_id bigint NOT NULL,
    account_id bigint NOT NULL,
    next_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, account_id),
    FOREIGN KEY (project_id, account_id) REFERENCES project_member ON DELETE CASCADE
);
CREATE INDEX shift_turn_due ON shift_turn (next_at);
CREATE INDEX shift_turn_of_account ON shift_turn (account_id);
GRANT SELECT (account_id) ON shift_turn TO aqua_rules; -- whom shifts concern at all
ALTER TABLE shift_turn ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON shift_turn TO aqua_rules USING (true);

GRANT SELECT (project_id) ON ownership TO aqua_rules;

-- Whether a member is told at all times, whatever shifts say.
ALTER TABLE project_member ADD COLUMN always_told boolean NOT NULL DEFAULT false;

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('shift', 'person', 'project', NULL, 30, 'its key: places 1 to 30'),
    ('shift_member', 'person', 'project', NULL, 1500, 'its keys: 30 shifts, 50 members'),
    ('shift_cover', 'person', 'project', NULL, 200, 'cover_shift; those that are over go'),
    ('shift_turn', 'person', 'project', NULL, 50, 'its key: one of each member'),
    ('rota', 'person', 'project', NULL, 1, 'primary key');
