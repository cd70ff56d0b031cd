-- Since when samples wait is asked for each device that an engine does not know yet, also when a day of batches waits.
--
-- The conversion keeps the index from those who want a slot's oldest batches by number: with statistics of a queue that has
-- just been emptied, a plan by receipt looked as cheap as the primary key's, and walked what a long transaction may still see.
DROP INDEX evaluation_batch_received;
CREATE INDEX evaluation_batch_received ON evaluation_batch ((slot::integer), received_at);
