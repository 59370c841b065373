-- Who is told what was recorded (decision 35). The secret is what the telling is signed with; it must be known to do so.
create table webhook (
    name text primary key check (length(name) between 1 and 63),
    url text not null,
    secret text not null,
    -- those kinds only; empty: all
    kinds text[] not null default '{}',
    made_at timestamptz not null default now(),
    -- the number of the last entry that was told, or is not to be
    position bigint not null,
    told bigint not null default 0,
    -- given up after days
    dropped bigint not null default 0,
    failures integer not null default 0,
    failing_since timestamptz,
    last_failure text,
    next_at timestamptz not null default now(),
    -- the replica that tells has until then
    claimed_until timestamptz not null default '-infinity'
);
