-- A rank that has left joins again under the same name while others are still in the old communicator:
-- that one gives up its name to the next, and lives on without it until all have left it.

alter table communicator add column passed_on_at timestamptz;

drop index one_living_communicator_per_name;
create unique index one_living_communicator_per_name on communicator (job, name)
    where (ended_at is null and passed_on_at is null and parent_id is null);
drop index one_living_child_per_name;
create unique index one_living_child_per_name on communicator (parent_id, name)
    where (ended_at is null and passed_on_at is null and parent_id is not null);
