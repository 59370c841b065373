-- MADCAP (RFC 2730). A MADCAP lease is a lease like all others; beside it stands what its client
-- calls it, who offered it, and what the client was told of its times.

-- MADCAP has no ports: its leases own their addresses on all of them. In a layer-2 domain that
-- follows from the Ethernet address; for leases of other domains it is said here.
alter table lease_group add column whole_address boolean not null default false;
alter table lease_group add column owned_ports int4range not null generated always as (
    case when whole_address then int4range(0, 65536) else int4range(port, port, '[]') end) stored;
alter table lease_group drop constraint one_lease_per_group;
alter table lease_group add constraint one_lease_per_group exclude using gist (
    host(address) with =, owned_ports with &&, blocked with &&) where (not settled);

create table madcap_lease (
    lease_id uuid primary key references lease (id) on delete cascade,
    -- of the lease identifier: whoever knows that may change the lease
    identifier_hash text not null check (identifier_hash ~ '^[0-9a-f]{64}$'),
    -- the server identifier that offered or granted it
    server text not null,
    client inet not null,
    -- the transaction that it came of
    xid integer not null,
    addresses integer not null check (addresses > 0),
    -- what the client was told; the lease itself lasts a little longer
    starts_at timestamptz not null,
    ends_at timestamptz not null check (ends_at > starts_at),
    -- an offer that was not taken yet
    held boolean not null,
    -- released or expired: the row is history
    ended boolean not null default false
);

create unique index one_madcap_lease_per_identifier on madcap_lease (identifier_hash)
    where (not held and not ended);
create unique index one_hold_per_server on madcap_lease (identifier_hash, server)
    where (held and not ended);
create index madcap_lease_of_client on madcap_lease (client) where (not ended);
