-- The same of deliveries, in a transaction of its own: of alerts and deliveries one can be written to while the other is read for its index.
CREATE INDEX delivery_in_turn ON delivery (account_id, next_attempt_at) WHERE state = 'pending';
