-- Readings, and what they come to in an hour and in a day.
--
--     message --> sample (a row a message; a partition a day) --> sample_hour (a partition a month) --> sample_day (for ever)
--             \-> evaluation_batch --> a decision                  |                                    |
--                                                                  +-- what QARTOD's tests found, time out of limits

-- The numbered seats of Ingestors. A seat is a broker session; who sits there holds the advisory lock (7133702, seat). An open session of
-- an empty seat still receives a share of the messages.
--
--     empty --(an Ingestor takes the lock)--> held --(it goes, or dies)--> empty, with its session open --(drained)--> empty
CREATE TABLE ingest_seat (
    seat smallint PRIMARY KEY CHECK (seat BETWEEN 0 AND 255),
    session_open boolean NOT NULL,
    last_held_at timestamptz NOT NULL DEFAULT now(),
    -- The name of the session at the broker (its MQTT client id). It is random, so that nobody takes the session over who does not read
    -- it here, which only Ingestors may. NULL: the seat has no session, or one of an earlier version, which is called
    -- aqua-ingestor-<seat>; whoever takes the seat drains and ends that one.
    session_id text CHECK (length(session_id) BETWEEN 16 AND 64),
    -- When the seat's reader last found nothing waiting in the broker, as far as it can tell. While one has not lately, it is we who do
    -- not hear.
    level_at timestamptz
);
GRANT SELECT, INSERT, UPDATE ON ingest_seat TO aqua_ingestor;
GRANT SELECT (session_open, level_at) ON ingest_seat TO aqua_rules;

-- One row per message, values side by side in canonical units. The key is what makes a reading count once. A parameter is a column; one
-- that is NULL takes no room. Room for up to 72 columns is there in the row's list of what is NULL, so that the
-- columns of more parameters cost nothing either.
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
    -- Of a row of several messages, each with some of its parameters, received_at tells when the first came; the bits 0 to 8 which of the
    -- first nine parameters came later, the bits from 9 on how many seconds later the last of them. NULL: it came at once.
    filled integer,
    oxygen_saturation real,
    free_ammonia real,
    carbon_dioxide real,
    orp real,
    conductivity real,
    tds real,
    turbidity real,
    turbidity_fnu real,
    -- as filled, of the parameters from number 9 on (bit 0 for number 9); NULL where none of them came later than the row
    filled_more integer,
    PRIMARY KEY (slot, device_id, event_time)
) PARTITION BY RANGE (event_time);
GRANT SELECT, INSERT, UPDATE (filled, filled_more) ON sample TO aqua_ingestor; -- the columns of parameters: Scripts/parameters.sql
GRANT SELECT ON sample TO aqua_rules;

-- What the samples of one device in one hour (UTC) come to: of each parameter the sum, the least and the greatest value and how many
-- there were; NULL where there was none. The sums are double precision: values are 32-bit floats, and up to a million of them within a
-- factor of 500 add up in 53 bits without any rounding, in whatever order. So a roll-up is the same however often and in which order it
-- is made, and the mean of any number of hours is exact.
--
-- flagged: of each parameter how many values are flagged, times eight, and in the lowest three bits the test that found the worst (0 range,
-- 1 spike, 2 rate, 3 flat; 4 more where the worst failed). NULL: the tests found nothing, or have not been there yet. 0: not judged, for
-- there were too many values, or they were gone.
CREATE TABLE sample_hour (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    starts_at timestamptz NOT NULL,
    temperature_sum double precision, ph_sum double precision, ammonia_sum double precision, nitrate_sum double precision,
    nitrite_sum double precision, alkalinity_sum double precision, hardness_sum double precision, dissolved_oxygen_sum double precision,
    salinity_sum double precision,
    temperature_min real, ph_min real, ammonia_min real, nitrate_min real, nitrite_min real, alkalinity_min real, hardness_min real,
    dissolved_oxygen_min real, salinity_min real,
    temperature_max real, ph_max real, ammonia_max real, nitrate_max real, nitrite_max real, alkalinity_max real, hardness_max real,
    dissolved_oxygen_max real, salinity_max real,
    temperature_count integer, ph_count integer, ammonia_count integer, nitrate_count integer, nitrite_count integer,
    alkalinity_count integer, hardness_count integer, dissolved_oxygen_count integer, salinity_count integer,
    oxygen_saturation_sum double precision, free_ammonia_sum double precision, carbon_dioxide_sum double precision,
    orp_sum double precision, conductivity_sum double precision, tds_sum double precision, turbidity_sum double precision,
    turbidity_fnu_sum double precision,
    oxygen_saturation_min real, free_ammonia_min real, carbon_dioxide_min real, orp_min real, conductivity_min real, tds_min real,
    turbidity_min real, turbidity_fnu_min real,
    oxygen_saturation_max real, free_ammonia_max real, carbon_dioxide_max real, orp_max real, conductivity_max real, tds_max real,
    turbidity_max real, turbidity_fnu_max real,
    oxygen_saturation_count integer, free_ammonia_count integer, carbon_dioxide_count integer, orp_count integer,
    conductivity_count integer, tds_count integer, turbidity_count integer, turbidity_fnu_count integer,
    temperature_flagged integer, ph_flagged integer, ammonia_flagged integer, nitrate_flagged integer, nitrite_flagged integer,
    alkalinity_flagged integer, hardness_flagged integer, dissolved_oxygen_flagged integer, salinity_flagged integer,
    oxygen_saturation_flagged integer, free_ammonia_flagged integer, carbon_dioxide_flagged integer, orp_flagged integer,
    conductivity_flagged integer, tds_flagged integer, turbidity_flagged integer, turbidity_fnu_flagged integer,
    PRIMARY KEY (slot, device_id, starts_at),
    CONSTRAINT sample_hour_whole CHECK (extract(epoch FROM starts_at)::bigint % 3600 = 0)
) PARTITION BY RANGE (starts_at);
GRANT SELECT, INSERT, UPDATE ON sample_hour TO aqua_ingestor;
GRANT SELECT ON sample_hour TO aqua_rules;

-- The same of a day (UTC), added up from its hours. Kept for ever: a device needs about 90 kB a year.
CREATE TABLE sample_day (
    LIKE sample_hour,
    PRIMARY KEY (slot, device_id, starts_at),
    CONSTRAINT sample_day_whole CHECK (extract(epoch FROM starts_at)::bigint % 86400 = 0)
) WITH (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
GRANT SELECT, INSERT, UPDATE ON sample_day TO aqua_ingestor;

-- Up to where the hours of a slot are rolled up, and from where on. A sample whose hour lies before has been taken into account, or its
-- hour is due again.
CREATE TABLE rollup_progress (
    slot smallint PRIMARY KEY REFERENCES slot,
    hours_since timestamptz NOT NULL,
    hours_until timestamptz NOT NULL CHECK (hours_until >= hours_since),
    -- From which day on roll-ups were put to QARTOD's tests, and time outside was kept. -infinity: always.
    judged_since timestamptz NOT NULL DEFAULT '-infinity'
        CHECK (judged_since = '-infinity' OR extract(epoch FROM judged_since)::bigint % 86400 = 0),
    -- How far the roll-ups of a slot have been looked through for flat lines: the end of the last hour, and the last device of a look that
    -- is not finished.
    flat_until timestamptz NOT NULL DEFAULT '-infinity',
    flat_device integer NOT NULL DEFAULT 0,
    outside_since timestamptz NOT NULL DEFAULT '-infinity'
        CHECK (outside_since = '-infinity' OR extract(epoch FROM outside_since)::bigint % 86400 = 0),
    CHECK (extract(epoch FROM hours_since)::bigint % 3600 = 0),
    CHECK (extract(epoch FROM hours_until)::bigint % 3600 = 0)
);
-- From this hour on: samples that come late say so themselves.
INSERT INTO rollup_progress (slot, hours_since, hours_until)
SELECT slot, date_trunc('hour', now(), 'UTC'), date_trunc('hour', now(), 'UTC') FROM slot;
GRANT SELECT, UPDATE (hours_until) ON rollup_progress TO aqua_ingestor;
GRANT SELECT, UPDATE (flat_until, flat_device) ON rollup_progress TO aqua_rules;
GRANT SELECT ON rollup_progress TO aqua_gateway;

-- Hours that are rolled up again, because something came late: added by the transaction that stores it, any number of times, so that
-- nobody waits for anybody.
CREATE TABLE rollup_due (
    slot smallint NOT NULL,
    device_id integer, -- NULL: every device of the slot
    hour timestamptz NOT NULL CHECK (extract(epoch FROM hour)::bigint % 3600 = 0)
) WITH (
    -- rows live for a minute, in a table that is otherwise empty
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000
);
CREATE INDEX rollup_due_hour ON rollup_due (slot, hour);
ALTER TABLE rollup_due REPLICA IDENTITY FULL;
GRANT SELECT, INSERT, DELETE ON rollup_due TO aqua_ingestor;

-- The days of devices that are to be put to QARTOD's tests, or once more because something came late. A day is put to them when
-- everything is rolled up that bears on it: the day itself, and fourteen hours on either side.
CREATE TABLE quality_due (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    day timestamptz NOT NULL CHECK (extract(epoch FROM day)::bigint % 86400 = 0),
    since timestamptz NOT NULL DEFAULT clock_timestamp(), -- first come, first served: nobody keeps the others waiting
    failures integer NOT NULL DEFAULT 0, -- what fails goes behind everything else
    PRIMARY KEY (slot, device_id, day)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX quality_due_turn ON quality_due (failures, since);
GRANT SELECT, INSERT, DELETE, UPDATE (failures) ON quality_due TO aqua_ingestor;

-- How long each parameter was out of its person's limits, by the limits that were in force at each time: the seconds of each hour of a day
-- (UTC). Only days with any have a row. The least and the greatest value of an hour do not tell it, and alerts are not kept for ever;
-- these rows are, like the days' roll-ups: a parameter that is never within its limits needs 40 kB a year.
CREATE TABLE time_outside (
    slot smallint NOT NULL,
    parameter smallint NOT NULL CHECK (parameter >= 0),
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    day timestamptz NOT NULL CHECK (extract(epoch FROM day)::bigint % 86400 = 0),
    seconds smallint[] NOT NULL CHECK (cardinality(seconds) = 24 AND 0 <= ALL (seconds) AND 3600 >= ALL (seconds)),
    PRIMARY KEY (slot, device_id, account_id, parameter, day),
    FOREIGN KEY (slot, device_id) REFERENCES device
) WITH (fillfactor = 70); -- a row changes in each hour of its day
CREATE INDEX time_outside_of_account ON time_outside (account_id);
CREATE INDEX time_outside_of_day ON time_outside (slot, day);
GRANT SELECT, INSERT, UPDATE ON time_outside TO aqua_ingestor;
GRANT SELECT ON time_outside TO aqua_gateway;
ALTER TABLE time_outside ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON time_outside TO aqua_ingestor USING (true);
CREATE POLICY person ON time_outside TO aqua_gateway USING (account_id = (SELECT current_account()));
