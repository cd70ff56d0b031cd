-- When the phone itself said that a message has arrived; accepted is what a server said.
ALTER TABLE delivery ADD COLUMN arrived_at timestamptz;
