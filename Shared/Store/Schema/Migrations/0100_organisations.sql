-- Samples that others receive: the owner of a tank or a site names a project, which asked for it by a link, and from then on the project reads each finished
-- version. Nothing is copied: what was sent is read where it is stored, so that what is forgotten there is forgotten for whoever received it as well.

-- A link may ask for samples, too. Whoever takes it up is no member.
ALTER TABLE project_invitation
    DROP CONSTRAINT project_invitation_role_check,
    ADD CONSTRAINT project_invitation_role_check CHECK (role IN ('administrator', 'keeper', 'viewer', 'sender'));

-- What a program may do: everything, reading alone, or the same with samples of the field alone.
ALTER TABLE personal_token
    DROP CONSTRAINT personal_token_scope_check,
    ADD CONSTRAINT personal_token_scope_check CHECK (scope IN ('read', 'write', 'samples.read', 'samples.write'));

-- Which tanks' samples a project receives, while the row is there.
CREATE TABLE sample_sending (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    project_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    sending_id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE, -- the owner who agreed; nothing is sent for another owner
    since timestamptz NOT NULL DEFAULT now(),
    made_in uuid, -- the session
    PRIMARY KEY (slot, tank_id, project_id),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE
);
CREATE INDEX sample_sending_to ON sample_sending (project_id, account_id);
CREATE INDEX sample_sending_of_account ON sample_sending (account_id);
ALTER TABLE sample_sending ENABLE ROW LEVEL SECURITY;

-- The last number that a project received. Whoever sends holds its row until the transaction ends, so that no smaller number is committed after a larger one.
CREATE TABLE sample_reception (
    project_id bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    last bigint NOT NULL CHECK (last > 0)
);
ALTER TABLE sample_reception ENABLE ROW LEVEL SECURITY;

-- What a project received: each version once. It outlives the tank, of which only the sample's number is left then.
CREATE TABLE received_sample (
    project_id bigint NOT NULL REFERENCES sample_reception ON DELETE CASCADE,
    sample_id uuid NOT NULL,
    version integer NOT NULL CHECK (version BETWEEN 1 AND 100),
    sequence bigint NOT NULL CHECK (sequence > 0), -- a greater one where the content changed within the version
    state text NOT NULL CHECK (state IN ('done', 'withdrawn')), -- withdrawn: the only version that is left, and not to be used
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    device_id integer NOT NULL,
    -- The owner who sent it. Nothing refers to the account's row, which whoever closes it locks before the tank; NULL: the tank is gone.
    account_id bigint,
    sent_at timestamptz NOT NULL DEFAULT now(),
    name text, -- what the owner called the place, and where it was, when it was sent
    latitude double precision,
    longitude double precision,
    PRIMARY KEY (slot, project_id, sample_id, version), -- a cell is split along its slots
    UNIQUE (project_id, sequence),
    CONSTRAINT received_place_is_whole CHECK ((latitude IS NULL) = (longitude IS NULL))
);
CREATE INDEX received_sample_of_sample ON received_sample (sample_id, version);
CREATE INDEX received_sample_of_account ON received_sample (account_id) WHERE account_id IS NOT NULL;
ALTER TABLE received_sample ENABLE ROW LEVEL SECURITY;

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('sample_sending', 'person', 'tank', NULL, 10, 'receive_from: 10 of a tank, and 1,000 of a project'),
    ('sample_reception', 'person', 'project', NULL, 1, 'its key'),
    ('received_sample', 'person', 'sample', NULL, 1000, 'its key: the versions of a sample, for those who receive it');
