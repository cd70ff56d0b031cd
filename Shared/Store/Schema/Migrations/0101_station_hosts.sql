-- Hosts of others' public stations. A pause that a host asks for holds for all of its stations, also for those that somebody names meanwhile.
CREATE TABLE station_host (
    host text PRIMARY KEY CHECK (octet_length(host) <= 253),
    asked_at timestamptz NOT NULL DEFAULT '-infinity', -- its last question for values
    paused_until timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO station_host (host, asked_at)
SELECT s.host, coalesce(max(s.asked_at), '-infinity') FROM station s GROUP BY s.host;
ALTER TABLE station ADD CONSTRAINT station_host_is_known FOREIGN KEY (host) REFERENCES station_host;
-- Each host's station that has been due for longest.
DROP INDEX station_of_host, station_due;
CREATE INDEX station_of_host ON station (host, due_at) WHERE address IS NOT NULL;
GRANT SELECT, UPDATE (asked_at, paused_until) ON station_host TO aqua_ingestor;
GRANT SELECT (host, paused_until) ON station_host TO aqua_gateway;
INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('station_host', 'operator', NULL, NULL, NULL, 'one a host that the operator has ever allowed, 64 at a time');

-- A value that a station corrects is not taken over where the owner stands for what was there.
GRANT SELECT (slot, tank_id, since, until, withdrawn_at) ON approval TO aqua_ingestor;
CREATE POLICY services ON approval FOR SELECT TO aqua_ingestor USING (true);
