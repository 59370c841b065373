-- Parts of names are found by their trigrams. A lease's communicator has a row of its own in most cases, and is
-- found by that: most are called alike, and each lease would write that name again.
create extension if not exists pg_trgm;
create index lease_by_part_of_name on lease using gin (job gin_trgm_ops, owner gin_trgm_ops);
create index communicator_by_part_of_name on communicator using gin (job gin_trgm_ops, name gin_trgm_ops);
