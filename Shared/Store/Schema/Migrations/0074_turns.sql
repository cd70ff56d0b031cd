-- The waiting deliveries of an account, so that a lease by turns finds an account's with one look, and jumps over however much another has.
CREATE INDEX alert_in_turn ON alert (account_id, decided_at) WHERE state = 'decided';
-- What is critical goes out meanwhile, of accounts that are held too.
CREATE INDEX alert_urgent_in_turn ON alert (account_id, decided_at) WHERE state = 'decided' AND critical;
