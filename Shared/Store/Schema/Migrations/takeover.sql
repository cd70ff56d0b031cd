-- Makes a database whose schema was built step by step, up to version 46, the one that the tables before this file build at once. Runs in place
-- of them.

-- What services of earlier versions alone have used.
DROP FUNCTION find_credentials(text), refresh_session(bytea, bytea, bytea, text, text), setup_versions(bigint[]), setup_versions(text[]),
    device_rhythm(smallint, integer, smallint, timestamptz);
REVOKE EXECUTE ON FUNCTION followed_devices(bigint[]), live_devices(smallint[], integer[], bigint[]),
    live_alerts(bigint[], timestamptz) FROM aqua_gateway;
REVOKE ALL ON live_follower FROM aqua_gateway;
REVOKE DELETE ON snooze FROM aqua_gateway;

-- Constraints that long tables were not searched for when they were widened.
ALTER TABLE episode VALIDATE CONSTRAINT episode_kind_check, VALIDATE CONSTRAINT episode_flat;
ALTER TABLE transition VALIDATE CONSTRAINT transition_notification_check;
ALTER TABLE throttle VALIDATE CONSTRAINT throttle_kind_check;
ALTER TABLE snooze VALIDATE CONSTRAINT snooze_kind_check;
ALTER TABLE alert VALIDATE CONSTRAINT alert_kind_check, VALIDATE CONSTRAINT alert_ended;

GRANT SELECT ON schema_script TO aqua_ingestor, aqua_rules, aqua_notifier, aqua_gateway;
INSERT INTO growth_bound (held, grown_by, kept_by) VALUES ('schema_script', 'operator', 'one a script');
