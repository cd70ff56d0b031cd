-- When a person last had a message sent again that an endpoint had not taken; NULL: never.
ALTER TABLE delivery ADD COLUMN sent_again_at timestamptz;
