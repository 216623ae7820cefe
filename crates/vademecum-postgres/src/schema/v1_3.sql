-- The server keeps samples of columns, outside of the tables and readable to whoever may read these: what was
-- forgotten would stand there. A column that takes its type anew loses those that there are.
-- Each look begins at the store's own row: whoever waits there holds no table that this needs.
LOCK TABLE store IN ACCESS EXCLUSIVE MODE;
ALTER TABLE note
    ALTER COLUMN tags TYPE bytea[], ALTER COLUMN tags SET STATISTICS 0,
    ALTER COLUMN content TYPE bytea, ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE notepad
    ALTER COLUMN text TYPE bytea, ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE handoff
    ALTER COLUMN text TYPE bytea, ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE recap
    ALTER COLUMN body TYPE bytea, ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE entry
    ALTER COLUMN said TYPE bytea, ALTER COLUMN said SET STATISTICS 0,
    ALTER COLUMN stood TYPE bytea, ALTER COLUMN stood SET STATISTICS 0;
ALTER TABLE journal
    ALTER COLUMN reply TYPE bytea, ALTER COLUMN reply SET STATISTICS 0,
    ALTER COLUMN undo TYPE bytea, ALTER COLUMN undo SET STATISTICS 0;
ALTER TABLE intent
    ALTER COLUMN what TYPE bytea, ALTER COLUMN what SET STATISTICS 0;
ALTER TABLE session
    ALTER COLUMN place TYPE bytea, ALTER COLUMN place SET STATISTICS 0,
    ALTER COLUMN standing TYPE bytea, ALTER COLUMN standing SET STATISTICS 0;
ALTER TABLE running
    ALTER COLUMN about TYPE bytea, ALTER COLUMN about SET STATISTICS 0;
ALTER TABLE plan
    ALTER COLUMN name TYPE bytea, ALTER COLUMN name SET STATISTICS 0,
    ALTER COLUMN folded TYPE bytea, ALTER COLUMN folded SET STATISTICS 0;
ALTER TABLE project
    ALTER COLUMN name TYPE bytea, ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE project_key
    ALTER COLUMN value TYPE bytea, ALTER COLUMN value SET STATISTICS 0;
ALTER TABLE tag_count
    ALTER COLUMN tag TYPE bytea, ALTER COLUMN tag SET STATISTICS 0;
ALTER TABLE other_scope
    ALTER COLUMN text TYPE bytea, ALTER COLUMN text SET STATISTICS 0;
