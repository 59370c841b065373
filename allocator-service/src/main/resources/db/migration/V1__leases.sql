-- What may be leased, what is leased, and the constraints that keep it collision-free.
-- The constraints hold whatever the code does, and whoever else writes to these tables.

create extension if not exists btree_gist;

create table scope (
    name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    description text not null default '',
    ranges text[] not null check (cardinality(ranges) between 1 and 64),
    excluded text[] not null default '{}',
    port_first integer not null check (port_first between 1 and 65535),
    port_last integer not null check (port_last between 1 and 65535),
    port_step integer not null default 1 check (port_step between 1 and 65535),
    ttl integer not null default 1 check (ttl between 0 and 255),
    -- the layer-2 domain: within one, leases share no Ethernet address
    segment text not null default 'default',
    -- whether leases may share an address by using different ports
    shares_addresses boolean not null default false,
    -- whether ranges outside of the administratively scoped ones are meant
    allow_unscoped boolean not null default false,
    quarantine_seconds integer not null default 60 check (quarantine_seconds between 0 and 86400),
    longest_lease_seconds integer not null default 604800
        check (longest_lease_seconds between 1 and 31536000),
    -- the key of the order in which the pool is dealt out, and how much of it has been
    seed bigint not null default (random() * 9e18)::bigint,
    dealt bigint not null default 0,
    check (port_first <= port_last)
);

insert into scope (name, description, ranges, port_first, port_last, port_step, ttl) values
    ('default', 'organization-local (RFC 2365)', '{239.192.0.0/14}', 5000, 32768, 2, 16),
    ('local', 'local scope (RFC 2365)', '{239.255.0.0/16}', 5000, 32768, 2, 1);

-- A piece of a pool that has been dealt out: free from free_at on, the longest free one first.
create table slot (
    scope text not null references scope (name) on delete cascade,
    number bigint not null,
    free_at timestamptz not null default 'epoch',
    uses integer not null default 0,
    primary key (scope, number)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

create index slot_by_free_at on slot (scope, free_at, number);

create table lease (
    id uuid primary key,
    scope text not null references scope (name),
    job text not null check (length(job) between 1 and 200),
    communicator text check (length(communicator) between 1 and 200),
    owner text check (length(owner) between 1 and 200),
    labels jsonb not null default '{}',
    secret_hash text not null check (secret_hash ~ '^[0-9a-f]{64}$'),
    granted_at timestamptz not null,
    starts_at timestamptz not null,
    expires_at timestamptz not null check (expires_at > starts_at),
    -- null unless its owner gave it back before it expired
    released_at timestamptz,
    idempotency_key_hash text unique,
    request_hash text
);

create index lease_by_job on lease (job);
create index lease_by_granted_at on lease (granted_at desc, id);
create index lease_by_expires_at on lease (expires_at);

create table lease_group (
    id bigint generated always as identity primary key,
    lease_id uuid not null references lease (id) on delete cascade,
    ordinal integer not null check (ordinal >= 0),
    scope text not null,
    slot_number bigint,
    address inet not null
        check (host(address) = abbrev(address)
               and (address <<= inet '224.0.0.0/4' or address <<= inet 'ff00::/8')),
    port integer not null check (port between 1 and 65535),
    segment text not null default 'default',
    shares_address boolean not null default false,
    -- from the lease's start to the end of its quarantine
    blocked tstzrange not null check (not isempty(blocked) and not upper_inf(blocked)
                                      and not lower_inf(blocked)),
    -- true some time after the quarantine: the row is history, out of the indexes below
    settled boolean not null default false,
    -- what is left of the address on Ethernet: 23 bits for IPv4, 32 for IPv6 (RFC 1112, RFC 2464)
    ethernet_key bigint not null generated always as (
        case family(address)
            when 4 then (address - inet '0.0.0.0') & 8388607
            else 4294967296 + ((address & inet '::ffff:ffff') - inet '::')
        end) stored,
    -- the ports for which the Ethernet address is taken: all of them unless it is shared
    ethernet_ports int4range not null generated always as (
        case when shares_address then int4range(port, port, '[]') else int4range(0, 65536) end) stored,
    unique (lease_id, ordinal),
    constraint one_lease_per_group exclude using gist (
        host(address) with =, port with =, blocked with &&) where (not settled),
    constraint one_lease_per_ethernet_address exclude using gist (
        ethernet_key with =, segment with =, ethernet_ports with &&, blocked with &&)
        where (not settled)
);

create index lease_group_to_settle on lease_group (upper(blocked)) where (not settled);
create index lease_group_by_scope on lease_group (scope) where (not settled);
