-- Trees of switches that operators keep here, and ranks get when they meet (decision 40). A row's tree never changes:
-- another row takes its name, so that ranks that meet meanwhile all get the same one.
create table topology (
    id bigint generated always as identity primary key,
    name text not null check (length(name) between 1 and 63),
    tree json not null,
    switches integer not null,
    hosts integer not null,
    made_at timestamptz not null default now(),
    made_by text not null,
    -- replaced or removed; ranks that have met go on with it
    removed_at timestamptz
);
create unique index topology_by_name on topology (name) where removed_at is null;

-- What ranks may call a host: its name and its addresses, in lower case.
create table topology_host (
    topology bigint not null references topology (id) on delete cascade,
    known_as text not null,
    -- its number in the tree
    host integer not null,
    primary key (known_as, topology)
);
create index topology_host_by_topology on topology_host (topology);

-- The tree that has all of its ranks' hosts, chosen when the last rank came. No foreign key: the tree is forgotten first.
alter table communicator add column topology bigint;
