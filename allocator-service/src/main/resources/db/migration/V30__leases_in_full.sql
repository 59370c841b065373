-- Shapes of leases (several ports, red and blue), start times, pickers, quotas, scopes that an
-- operator makes and closes; and indexes that are cheap to write, since every lease writes them.

alter table scope
    -- the order in which the pool is dealt out for the first time
    add column picker text not null default 'permutation'
        check (picker in ('permutation', 'sequential')),
    -- how many groups of this scope one job, one user may have at a time; null is any number
    add column groups_per_job integer check (groups_per_job > 0),
    add column groups_per_user integer check (groups_per_user > 0),
    -- no new leases from then on; those that there are stay
    add column closed_at timestamptz;

alter table lease
    add column ttl integer check (ttl between 0 and 255),
    add column group_count integer not null default 1 check (group_count > 0),
    add column renewals integer not null default 0,
    add column renewed_at timestamptz;

update lease set
    group_count = greatest(1, (select count(*) from lease_group g where g.lease_id = lease.id)),
    ttl = (select ttl from scope where scope.name = lease.scope);

-- Each lease is written once more when it is released: with room for that on the same page, no index
-- has to be written again.
alter table lease set (fillfactor = 60);

-- Most leases have no idempotency key: they cost no entry.
alter table lease drop constraint lease_idempotency_key_hash_key;
create unique index one_lease_per_idempotency_key on lease (idempotency_key_hash)
    where (idempotency_key_hash is not null);
drop index lease_by_expires_at;
create index lease_by_expires_at on lease using brin (expires_at) with (pages_per_range = 16);
create index lease_by_owner on lease (owner) where (owner is not null);

alter table lease_group drop constraint one_lease_per_group;
alter table lease_group drop constraint one_lease_per_ethernet_address;
alter table lease_group drop column if exists owned_ports;
alter table lease_group drop constraint lease_group_pkey;
alter table lease_group drop column id;
alter table lease_group drop constraint lease_group_lease_id_ordinal_key;
alter table lease_group add primary key (lease_id, ordinal);
drop index lease_group_by_scope;

alter table lease_group
    -- ports in a row from the first one on
    add column port_count integer not null default 1 check (port_count between 1 and 65535),
    -- where datagrams go by two ways at a time
    add column role text check (role in ('red', 'blue')),
    -- an address on all of its ports
    add column if not exists whole_address boolean not null default false,
    add constraint ports_end check (port + port_count - 1 <= 65535);

-- A number for an address, since numbers are compared faster than text. An IPv4 address is a number;
-- of an IPv6 address it is a hash of 64 bits: should two ever agree, one of them is passed over
-- without need, and none is ever granted twice.
create function address_key_of(address inet) returns bigint language sql immutable parallel safe as $$
    select case family(address)
        when 4 then address - inet '0.0.0.0'
        else hashtextextended(host(address), 0) end
$$;

-- What Ethernet keeps of an address (RFC 1112, RFC 2464), in a layer-2 domain; of the domain's name
-- it has a hash of 30 bits.
create function ethernet_claim_of(address inet, segment text) returns bigint
    language sql immutable parallel safe as $$
    select (hashtextextended(segment, 0) & 1073741823) << 33
        | case family(address)
            when 4 then (address - inet '0.0.0.0') & 8388607
            else 4294967296 + ((address & inet '::ffff:ffff') - inet '::') end
$$;

alter table lease_group
    add column owned_ports int4range not null generated always as (
        case when whole_address then int4range(0, 65536)
            else int4range(port, port + port_count) end) stored,
    add column address_key bigint not null
        generated always as (address_key_of(address)) stored,
    add column ethernet_claim bigint not null
        generated always as (ethernet_claim_of(address, segment)) stored;

alter table lease_group drop column ethernet_ports;
alter table lease_group
    -- the ports for which the Ethernet address is taken: all of them unless it is shared
    add column ethernet_ports int4range not null generated always as (
        case when shares_address and not whole_address
            then int4range(port, port + port_count)
            else int4range(0, 65536) end) stored;

alter table lease_group
    add constraint one_lease_per_group exclude using gist (
        address_key with =, owned_ports with &&, blocked with &&) where (not settled),
    add constraint one_lease_per_ethernet_address exclude using gist (
        ethernet_claim with =, ethernet_ports with &&, blocked with &&) where (not settled);

-- Who had a group: written when a group has rested, off every lease's path.
create index lease_group_history on lease_group (address) where (settled);

-- A start without statistics must not read whole tables.
analyze scope;
