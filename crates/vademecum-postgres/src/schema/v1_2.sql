-- Each look into the index reads what waits to be sorted into it: 4 MB by default, for each session of a project.
ALTER INDEX note_keys SET (gin_pending_list_limit = 64);
