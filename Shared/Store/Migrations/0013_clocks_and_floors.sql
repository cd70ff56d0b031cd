-- Clocks that are wrong, and queues that are long.

-- The devices whose clock is not right, or not known to be: so nearly none. Written when that changes, so that an engine that
-- starts knows it at once, and an operator is told of it.
CREATE TABLE device_clock (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    lag_seconds integer, -- how far it is behind; negative: ahead; NULL: its readings come late, and nothing proves why
    noted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (slot, device_id),
    FOREIGN KEY (slot, device_id) REFERENCES device
);

GRANT SELECT, INSERT, UPDATE, DELETE ON device_clock TO aqua_rules;

-- The event time of the reading that was alerted, where charged_at may be later; NULL: as charged_at. Both by the clock of the
-- device, which may be hours off: how late an alert was accepted is added to this, never compared with it.
ALTER TABLE throttle ADD COLUMN event_time timestamptz;

-- A row of several messages, each with some of its parameters: received_at tells when the first came, the bits 0 to 8 which
-- parameters came later, the bits from 9 on how many seconds later the last of them. Four bytes at the end of a row of
-- nine values cost nothing: they were padding.
ALTER TABLE sample ADD COLUMN filled integer NOT NULL DEFAULT 0;
GRANT UPDATE (filled) ON sample TO aqua_ingestor;

-- Since when samples wait is asked for each device that an engine does not know yet, also when a day of batches waits.
CREATE INDEX evaluation_batch_received ON evaluation_batch (slot, received_at);

-- Up to where batches have been added: what is far behind it and was not found is gone.
GRANT SELECT ON SEQUENCE evaluation_batch_batch_id_seq TO aqua_rules;
