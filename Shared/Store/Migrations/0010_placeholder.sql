-- Stands for the tenth migration, which another branch brings.
SELECT 1;
