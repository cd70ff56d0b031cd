-- The name of a seat's session at the broker (its MQTT client id). It is random, so that nobody takes the session over who does
-- not read it here, which only Ingestors may. NULL: the seat has no session, or one of an earlier version, which is called
-- aqua-ingestor-<seat>; whoever takes the seat drains and ends that one.
ALTER TABLE ingest_seat ADD COLUMN session_id text CHECK (length(session_id) BETWEEN 16 AND 64);
