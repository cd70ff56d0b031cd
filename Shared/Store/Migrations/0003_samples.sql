-- One row per message, values side by side in canonical units. The key is what makes a reading count once.
CREATE TABLE sample (
    slot smallint NOT NULL,
    flags smallint NOT NULL, -- 1: the event time is the time of receipt; 2: redelivered without a time, not evaluated
    device_id integer NOT NULL,
    event_time timestamptz NOT NULL,
    received_at timestamptz NOT NULL,
    temperature real,
    ph real,
    ammonia real,
    nitrate real,
    nitrite real,
    alkalinity real,
    hardness real,
    dissolved_oxygen real,
    salinity real,
    PRIMARY KEY (slot, device_id, event_time)
) PARTITION BY RANGE (event_time);

-- Makes the daily partitions (UTC) that are missing between two days, both included. A missing partition would fail
-- every message of a batch, so the Ingestor calls this before it is ready and as time goes on; it may do nothing
-- else to the schema.
CREATE FUNCTION make_sample_partitions(from_day date, until_day date) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
    day date;
    made integer := 0;
BEGIN
    IF until_day - from_day > 400 THEN
        RAISE EXCEPTION 'at most 400 days of partitions at once';
    END IF;
    PERFORM pg_advisory_xact_lock(7133701);
    FOR day IN SELECT d::date FROM generate_series(from_day::timestamp, until_day::timestamp, '1 day') AS d LOOP
        CONTINUE WHEN to_regclass(format('public.sample_%s', to_char(day, 'YYYYMMDD'))) IS NOT NULL;
        -- Attached, not created in place: that would lock out readers and writers while a backup reads the table.
        EXECUTE format('CREATE TABLE public.%I (LIKE public.sample INCLUDING ALL)', 'sample_' || to_char(day, 'YYYYMMDD'));
        EXECUTE format(
            'ALTER TABLE public.sample ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
            'sample_' || to_char(day, 'YYYYMMDD'),
            day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
        made := made + 1;
    END LOOP;
    RETURN made;
END
$$;

REVOKE ALL ON FUNCTION make_sample_partitions(date, date) FROM PUBLIC;
SELECT make_sample_partitions((now() AT TIME ZONE 'UTC')::date - 8, (now() AT TIME ZONE 'UTC')::date + 3);

-- What devices say of themselves on their status topic.
CREATE TABLE device_status (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    online boolean NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (slot, device_id)
) WITH (fillfactor = 70);

-- What could not be counted, and why: a ring of the last 10,000.
CREATE SEQUENCE reject_number AS bigint;
CREATE TABLE reject (
    position integer PRIMARY KEY CHECK (position BETWEEN 0 AND 9999),
    reject_number bigint NOT NULL,
    received_at timestamptz NOT NULL,
    topic text NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    payload bytea NOT NULL CHECK (length(payload) <= 512) -- its beginning
);

-- The numbered seats of Ingestors. A seat is a broker session with the client id aqua-ingestor-<seat>; who sits there
-- holds the advisory lock (7133702, seat). An open session of an empty seat still receives a share of the messages.
CREATE TABLE ingest_seat (
    seat smallint PRIMARY KEY CHECK (seat BETWEEN 0 AND 255),
    session_open boolean NOT NULL,
    last_held_at timestamptz NOT NULL DEFAULT now()
);
