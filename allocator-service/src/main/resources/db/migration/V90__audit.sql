-- What was done, by whom and from where (decision 35). Rows are written once, and removed after a year.
create table audit (
    id bigint generated always as identity primary key,
    -- of an expired lease, when it expired; else when the transaction began
    at timestamptz not null,
    what text not null check (length(what) between 1 and 63),
    -- the token's name, or what the caller is called without one, and its role
    who text not null,
    role text not null,
    -- where the request came from, and its number; null of what the service did by itself
    address inet,
    request text,
    -- what it was done to: a job, a scope, a token, a path
    subject text not null,
    lease uuid,
    -- of a grant, all of its addresses
    groups inet[],
    detail json not null
);

-- A grant writes two entries beside the key: its lease and its first address. Those of more addresses have all
-- of them in one more.
create index audit_by_lease on audit (lease) where lease is not null;
create index audit_by_address on audit ((groups[1])) where groups is not null;
create index audit_by_addresses on audit using gin (groups) where cardinality(groups) > 1;
create index audit_by_time on audit using brin (at) with (pages_per_range = 32);
-- What is not about leases is rare, and is found among them without reading them.
create index audit_by_what on audit (what, id) where lease is null;
