-- What QARTOD's tests find stays with the roll-ups, for their values are dropped one day. A day is put to the tests when everything is
-- rolled up that bears on it: the day itself, and fourteen hours on either side.

-- In the order in which others lock them.
LOCK TABLE rollup_progress, sample_hour, sample_day IN ACCESS EXCLUSIVE MODE;

-- Of each parameter how many values are flagged, times eight, and in the lowest three bits the test that found the worst (0 range,
-- 1 spike, 2 rate, 3 flat; 4 more where the worst failed). NULL: the tests found nothing, or have not been there yet; a row's longer
-- list of what is NULL takes 8 bytes. 0: not judged, for there were too many values, or they were gone.
ALTER TABLE sample_hour
    ADD COLUMN temperature_flagged integer, ADD COLUMN ph_flagged integer, ADD COLUMN ammonia_flagged integer,
    ADD COLUMN nitrate_flagged integer, ADD COLUMN nitrite_flagged integer, ADD COLUMN alkalinity_flagged integer,
    ADD COLUMN hardness_flagged integer, ADD COLUMN dissolved_oxygen_flagged integer, ADD COLUMN salinity_flagged integer,
    ADD COLUMN oxygen_saturation_flagged integer, ADD COLUMN free_ammonia_flagged integer,
    ADD COLUMN carbon_dioxide_flagged integer, ADD COLUMN orp_flagged integer, ADD COLUMN conductivity_flagged integer,
    ADD COLUMN tds_flagged integer, ADD COLUMN turbidity_flagged integer, ADD COLUMN turbidity_fnu_flagged integer;
ALTER TABLE sample_day
    ADD COLUMN temperature_flagged integer, ADD COLUMN ph_flagged integer, ADD COLUMN ammonia_flagged integer,
    ADD COLUMN nitrate_flagged integer, ADD COLUMN nitrite_flagged integer, ADD COLUMN alkalinity_flagged integer,
    ADD COLUMN hardness_flagged integer, ADD COLUMN dissolved_oxygen_flagged integer, ADD COLUMN salinity_flagged integer,
    ADD COLUMN oxygen_saturation_flagged integer, ADD COLUMN free_ammonia_flagged integer,
    ADD COLUMN carbon_dioxide_flagged integer, ADD COLUMN orp_flagged integer, ADD COLUMN conductivity_flagged integer,
    ADD COLUMN tds_flagged integer, ADD COLUMN turbidity_flagged integer, ADD COLUMN turbidity_fnu_flagged integer;

-- The days of devices that are to be put to the tests, or once more because something came late.
CREATE TABLE quality_due (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    day timestamptz NOT NULL CHECK (extract(epoch FROM day)::bigint % 86400 = 0),
    since timestamptz NOT NULL DEFAULT clock_timestamp(), -- first come, first served: nobody keeps the others waiting
    failures integer NOT NULL DEFAULT 0, -- what fails goes behind everything else
    PRIMARY KEY (slot, device_id, day)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX quality_due_turn ON quality_due (failures, since);

-- From which day on. What was rolled up by the version before was not put to the tests, and that version does not note
-- a day that ends while it still rolls up.
ALTER TABLE rollup_progress ADD COLUMN judged_since timestamptz NOT NULL DEFAULT '-infinity'
    CHECK (judged_since = '-infinity' OR extract(epoch FROM judged_since)::bigint % 86400 = 0);
UPDATE rollup_progress SET judged_since = date_bin('24 hours', greatest(hours_until, now()), 'epoch') + interval '24 hours'
WHERE EXISTS (SELECT FROM sample_hour);

-- Their new columns come last, as those of the tables do.
CREATE OR REPLACE VIEW person_sample_hour AS
    SELECT h.* FROM ownership o
    JOIN sample_hour h ON h.slot = o.slot AND h.device_id = o.device_id AND h.starts_at >= o.readings_from
        AND h.starts_at <= coalesce(o.unlinked_at - interval '1 hour', 'infinity')
    WHERE o.account_id = (SELECT current_account());

CREATE OR REPLACE VIEW person_sample_day AS
    SELECT d.* FROM ownership o
    JOIN sample_day d ON d.slot = o.slot AND d.device_id = o.device_id AND d.starts_at >= o.readings_from
        AND d.starts_at <= coalesce(o.unlinked_at - interval '24 hours', 'infinity')
    WHERE o.account_id = (SELECT current_account());

-- The days of a person's devices that wait for the tests.
CREATE VIEW person_quality_due AS
    SELECT o.slot, o.device_id, q.day FROM ownership o
    JOIN quality_due q ON q.slot = o.slot AND q.device_id = o.device_id
        AND q.day > o.readings_from - interval '24 hours' AND q.day < coalesce(o.unlinked_at, 'infinity')
    WHERE o.account_id = (SELECT current_account());

GRANT SELECT, INSERT, DELETE, UPDATE (failures) ON quality_due TO aqua_ingestor;
-- What was another's is not compared with what is the owner's.
GRANT SELECT (slot, device_id, role, unlinked_at) ON ownership TO aqua_ingestor;
GRANT SELECT ON person_quality_due TO aqua_gateway;
