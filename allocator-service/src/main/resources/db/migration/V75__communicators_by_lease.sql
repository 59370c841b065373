-- When old leases are forgotten, the foreign key looks for the communicators of each, and the dashboard
-- looks for those of the leases that it lists: without an index each look reads the whole table.

create index communicator_by_lease on communicator (lease_id);
