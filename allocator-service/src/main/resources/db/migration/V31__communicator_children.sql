-- Communicators that were made of others by split and dup: known by their parent and name. A child
-- outlives its parent, and the row of an ended parent is removed, so this is no foreign key.

alter table communicator add column parent_id uuid;

drop index one_living_communicator_per_name;
create unique index one_living_communicator_per_name on communicator (job, name)
    where (ended_at is null and parent_id is null);
create unique index one_living_child_per_name on communicator (parent_id, name)
    where (ended_at is null and parent_id is not null);
