-- What each service may do, and nothing beyond. (Settings of roles, which an earlier text changed here, are the superuser's.)

GRANT SELECT ON schema_migration TO aqua_ingestor, aqua_rules, aqua_notifier;

-- Ingestor: adds samples and batches; knows devices by their ids only.
GRANT SELECT (slot, device_id, hardware_id) ON device TO aqua_ingestor;
GRANT SELECT, INSERT ON sample TO aqua_ingestor;
GRANT UPDATE (
    received_at, temperature, ph, ammonia, nitrate, nitrite, alkalinity, hardness, dissolved_oxygen, salinity
) ON sample TO aqua_ingestor;
GRANT EXECUTE ON FUNCTION make_sample_partitions(date, date) TO aqua_ingestor;
GRANT INSERT ON evaluation_batch TO aqua_ingestor;
GRANT SELECT, INSERT, UPDATE ON device_status, ingest_seat, reject TO aqua_ingestor;
GRANT USAGE ON SEQUENCE reject_number TO aqua_ingestor;

-- RulesEngine: turns batches into episodes and alerts; sees limits and intervals, no names, addresses or targets.
GRANT SELECT, UPDATE ON slot TO aqua_rules;
GRANT SELECT ON slot_rules, setting TO aqua_rules;
GRANT SELECT (slot, device_id, rules_version) ON device TO aqua_rules;
GRANT SELECT (slot, device_id, account_id, unlinked_at) ON ownership TO aqua_rules;
GRANT SELECT (account_id, throttle_seconds) ON account TO aqua_rules;
GRANT SELECT (account_id, retired_at) ON endpoint TO aqua_rules;
GRANT SELECT, DELETE ON evaluation_batch TO aqua_rules;
GRANT SELECT ON sample TO aqua_rules;
GRANT SELECT, INSERT, UPDATE ON episode, alert, throttle TO aqua_rules;
GRANT INSERT ON transition TO aqua_rules;
GRANT USAGE ON SEQUENCE episode_id, alert_id TO aqua_rules;

-- Notifier: reads what to say, writes what became of it, gives the throttle back.
GRANT SELECT ON alert, setting TO aqua_notifier;
GRANT UPDATE (state) ON alert TO aqua_notifier;
GRANT SELECT (slot, device_id, hardware_id) ON device TO aqua_notifier;
GRANT SELECT ON ownership, endpoint TO aqua_notifier;
GRANT UPDATE (retired_at, retired_because) ON endpoint TO aqua_notifier;
GRANT SELECT (account_id, locale, time_zone) ON account TO aqua_notifier;
GRANT SELECT, INSERT, UPDATE ON delivery TO aqua_notifier;
GRANT SELECT, INSERT ON delivery_attempt TO aqua_notifier;
GRANT SELECT, UPDATE, DELETE ON throttle TO aqua_notifier;
