-- The calibration log of a tank's probes.

-- When a reminder asks for a tank's probes to be calibrated, of those that whoever asks sees; NULL: none does.
CREATE OR REPLACE FUNCTION next_calibration_due(of_slot smallint, of_tank bigint) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT min(r.next_at) FROM reminder r
    WHERE r.slot = of_slot AND r.tank_id = of_tank AND r.activity = 'calibrate' AND r.ended_at IS NULL
$$;
REVOKE ALL ON FUNCTION next_calibration_due(smallint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION next_calibration_due(smallint, bigint) TO aqua_gateway;
