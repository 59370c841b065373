-- What the agents tell: that they are there, how pushes go, what probes saw. Each row is the latest that was
-- told; all is forgotten some time after it was told last.
create table fleet_node (
    name text primary key check (length(name) between 1 and 200),
    body json not null,
    -- how often it means to say that it is there
    interval_seconds integer not null check (interval_seconds > 0),
    first_seen_at timestamptz not null default now(),
    seen_at timestamptz not null default now()
);
create index fleet_node_by_age on fleet_node (seen_at);

create table fleet_push (
    id uuid primary key,
    sequence bigint not null,
    state text not null,
    started_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    body json not null
);
create index fleet_push_by_start on fleet_push (started_at desc);

create table fleet_probe (
    id uuid primary key,
    at timestamptz not null default now(),
    body json not null
);
create index fleet_probe_by_age on fleet_probe (at desc);

-- Who sent the datagrams that a rank counted as foreign, the latest few.
alter table report add column foreign_senders text[] not null default '{}';
