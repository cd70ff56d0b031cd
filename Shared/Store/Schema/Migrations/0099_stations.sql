-- Public stations of others whose values a site shows. The Ingestor asks them, no more often than they measure; rows change by the functions of
-- stations and by the Ingestor that has asked.
--
--     named --(asked: values)--> working --(asked: no answer, or none that can be read)--> faulty --(asked: values)--> working
--     any of them --(let go)--> without an address, so that naming one again and again does not ask it more often; gone with the ownership
CREATE TABLE station (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL, -- the owner's ownership of the site
    device_id integer NOT NULL, -- the site
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('usgs', 'sensorThings')),
    address text CHECK (octet_length(address) BETWEEN 1 AND 600), -- the station's number, or the address of a Thing; NULL: let go
    host text NOT NULL CHECK (octet_length(host) <= 253), -- by which pauses are kept
    choice jsonb NOT NULL DEFAULT '{}', -- the owner's parameters, by series; an empty text: not shown
    set_at timestamptz NOT NULL DEFAULT now(),
    set_first timestamptz NOT NULL DEFAULT now(), -- the first naming of a day
    times_set smallint NOT NULL DEFAULT 1, -- since then
    -- The last findings there.
    title text CHECK (octet_length(title) <= 400),
    series jsonb NOT NULL DEFAULT '[]',
    due_at timestamptz NOT NULL DEFAULT now(), -- when it is asked next; while it is asked, when another Ingestor would
    asked_at timestamptz, -- NULL: not yet
    fetched_at timestamptz, -- the last answer that could be read
    seen_until timestamptz, -- the time of its newest value, or until when it was asked and had none
    entity_tag text CHECK (octet_length(entity_tag) <= 200), -- of the request that comes next
    failures smallint NOT NULL DEFAULT 0, -- in a row
    fault text CHECK (fault IN (
        'unreachable', 'notPermitted', 'notAllowed', 'notFound', 'refused', 'busy', 'broken', 'tooLarge', 'unreadable', 'noSeries', 'notStored')),
    PRIMARY KEY (slot, tank_id),
    CONSTRAINT station_choice_is_small CHECK (jsonb_typeof(choice) = 'object' AND octet_length(choice::text) <= 16384),
    CONSTRAINT station_series_are_few CHECK (jsonb_typeof(series) = 'array' AND octet_length(series::text) <= 65536),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE INDEX station_due ON station (due_at) WHERE address IS NOT NULL;
CREATE INDEX station_of_host ON station (host, asked_at);
CREATE INDEX station_of_device ON station (slot, device_id);
CREATE INDEX station_of_account ON station (account_id);
GRANT SELECT ON station TO aqua_gateway, aqua_ingestor;
GRANT UPDATE (title, series, due_at, asked_at, fetched_at, seen_until, entity_tag, failures, fault) ON station TO aqua_ingestor;
ALTER TABLE station ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON station TO aqua_ingestor USING (true);
-- People who have the site now see where its values are from.
CREATE POLICY person ON station FOR SELECT TO aqua_gateway USING (address IS NOT NULL AND EXISTS (
    SELECT FROM ownership o WHERE o.slot = station.slot AND o.device_id = station.device_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));
INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('station', 'person', 'device', 20, 1, 'its key, set_station, which has 100 of an account at most');

-- Values of a site come with the delay of their source, which counts where they are decided.
GRANT SELECT (kind) ON device TO aqua_rules;
