-- What waits of an account, so that a lease by turns finds an account's with one look, and jumps over however much another has.
CREATE INDEX alert_in_turn ON alert (account_id, decided_at) WHERE state = 'decided';
