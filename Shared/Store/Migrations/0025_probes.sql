-- The probe that measures the water's temperature, of each device whose firmware reports several and names them. An Ingestor
-- notes the first that it hears of; the operator may name another. Firmware numbers its probes anew when one is lost, and
-- without this row the temperature of the room would then pass for that of the water.
CREATE TABLE temperature_probe (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    probe_id text NOT NULL CHECK (probe_id ~ '^[0-9A-F]{1,16}$'),
    PRIMARY KEY (slot, device_id),
    FOREIGN KEY (slot, device_id) REFERENCES device
);

GRANT SELECT, INSERT ON temperature_probe TO aqua_ingestor;
