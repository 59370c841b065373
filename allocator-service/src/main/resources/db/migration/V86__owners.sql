-- Whose a lease, a communicator and a push are: what one token made is for no other (decision 32). It is a
-- hash that stands for the token, or for the owner secret that was shown; empty of what was made without a
-- token; null of what was made before this, or by a replica of the version before: that is anybody's.

alter table lease add column owned_by text;
alter table communicator add column owned_by text;
alter table fleet_push add column owned_by text;

-- A name is its owner's: another's communicator of the same job and name is another communicator.
drop index one_living_communicator_per_name;
create unique index one_living_communicator_per_name on communicator (job, name, coalesce(owned_by, ''))
    where (ended_at is null and passed_on_at is null and parent_id is null);
