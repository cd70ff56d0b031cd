-- Pages that anybody reads who has their address: of one tank, or of some tanks of a project. They are there only where their owner chose so. Of the
-- secret in the address the hash finds the page, and a sealed copy is shown to the owner again. Rows change by the functions of public_pages alone.
--
--     shown --(withdrawn; the tank is given up, or goes to a project; the account or the project is closed)--> gone
CREATE TABLE public_page (
    page_id bigint GENERATED ALWAYS AS IDENTITY,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    slot smallint, -- of one tank; NULL: of the project
    tank_id bigint,
    device_id integer,
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    sealed_token bytea NOT NULL CHECK (length(sealed_token) BETWEEN 1 AND 200),
    title text NOT NULL CHECK (length(title) BETWEEN 1 AND 60), -- the owner's words for it, and no name of anything else
    parameters integer NOT NULL CHECK (parameters <> 0), -- bit n stands for the parameter with the number n
    days smallint NOT NULL CHECK (days IN (1, 7, 30)), -- of the graphs
    limits boolean NOT NULL, -- whether it shows if a value is within the owner's limits
    addresses integer NOT NULL DEFAULT 1, -- how many it has had
    version integer NOT NULL DEFAULT 1, -- counts what was published
    published_at timestamptz NOT NULL DEFAULT now(),
    made_in uuid, -- the session that published it, or changed it last
    PRIMARY KEY (page_id),
    CONSTRAINT public_page_of_tank UNIQUE NULLS NOT DISTINCT (account_id, slot, tank_id),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    CHECK (num_nonnulls(slot, tank_id, device_id) IN (0, 3))
);
CREATE INDEX public_page_by_tank ON public_page (slot, tank_id);
ALTER TABLE public_page REPLICA IDENTITY FULL; -- a cell is split along its slots

-- The tanks of a page, in its order.
CREATE TABLE public_page_tank (
    page_id bigint NOT NULL REFERENCES public_page ON DELETE CASCADE,
    place smallint NOT NULL CHECK (place BETWEEN 1 AND 20),
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    title text CHECK (length(title) BETWEEN 1 AND 60), -- NULL: the page is of this tank alone, and has its title
    PRIMARY KEY (page_id, place),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE
);
CREATE INDEX public_page_tank_of_tank ON public_page_tank (slot, tank_id);
ALTER TABLE public_page_tank REPLICA IDENTITY FULL;

GRANT SELECT (page_id, account_id, slot, sealed_token, title, parameters, days, limits, published_at, made_in) ON public_page TO aqua_gateway;
GRANT SELECT ON public_page_tank TO aqua_gateway;
ALTER TABLE public_page ENABLE ROW LEVEL SECURITY;
ALTER TABLE public_page_tank ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON public_page FOR SELECT TO aqua_gateway USING (account_id = (SELECT current_account()));
CREATE POLICY person ON public_page_tank FOR SELECT TO aqua_gateway USING (EXISTS (
    SELECT FROM public_page p WHERE p.page_id = public_page_tank.page_id AND p.account_id = (SELECT current_account())));

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('public_page', 'person', 'tank', NULL, 1, 'its key; one more of a project'),
    ('public_page_tank', 'person', 'page', NULL, 20, 'its key: places 1 to 20');
