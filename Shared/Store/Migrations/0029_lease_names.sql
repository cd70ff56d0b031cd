-- A crash of the server, or a promotion, can lose a lease: taking one does not wait for the disk. The next lease then has the same
-- number, and the former one's result would be taken for its own; so each lease is given a name by lot beside its number.
ALTER TABLE delivery ADD COLUMN lease integer; -- NULL: never leased, or by a notifier of the version before
