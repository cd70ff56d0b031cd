-- The SHA-256 of each device's key, by which an Ingestor knows a device that sends its readings over HTTP. A key is 256 bits that nobody
-- can guess, so that its hash opens nothing. NULL: the key was made before there was this column; the next one has its hash.
ALTER TABLE device ADD COLUMN key_hash bytea CHECK (octet_length(key_hash) = 32);

GRANT SELECT (key_hash) ON device TO aqua_ingestor;
