ALTER TABLE entry ADD COLUMN stood bytea;
