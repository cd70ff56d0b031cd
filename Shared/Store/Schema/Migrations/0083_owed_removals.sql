-- Devices that Home Assistant may still show, and that show nothing any more: written before the device's own broker forgets what it showed, and
-- gone once Home Assistant's broker has taken it away. Whichever Ingestor keeps displays next goes on.
CREATE TABLE owed_removal (
    hardware_id text PRIMARY KEY CHECK (length(hardware_id) BETWEEN 1 AND 64)
);
GRANT SELECT, INSERT, DELETE ON owed_removal TO aqua_ingestor;
INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('owed_removal', 'service', NULL, NULL, 1000, 'whoever writes it; what has arrived goes');
