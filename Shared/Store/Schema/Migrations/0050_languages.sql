-- A language is a file of the programs' (Shared/Words/Languages), so a new one needs no migration. What a program does not know is
-- English to it.
ALTER TABLE account DROP CONSTRAINT account_locale_check, ADD CONSTRAINT account_locale_check CHECK (locale ~ '^[a-z]{2,3}$');
