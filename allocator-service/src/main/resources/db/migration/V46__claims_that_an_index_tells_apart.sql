-- btree_gist decides where an entry belongs by double precision arithmetic. Claims of 63 bits were too
-- large for that: neighbours looked the same, entries went anywhere, and each look for a claim read ten
-- times the pages. Claims have 51 bits now, the domain's name a hash of 18 of them. Domains that ever
-- share a hash are taken for one: an address is passed over without need, none is granted twice.

alter table lease_group drop constraint one_lease_per_ethernet_address;
alter table lease_group drop column ethernet_claim;

create or replace function ethernet_claim_of(address inet, segment text) returns bigint
    language sql immutable parallel safe as $$
    select (hashtextextended(segment, 0) & 262143) << 33
        | case family(address)
            when 4 then (address - inet '0.0.0.0') & 8388607
            else 4294967296 + ((address & inet '::ffff:ffff') - inet '::') end
$$;

alter table lease_group
    add column ethernet_claim bigint not null
        generated always as (ethernet_claim_of(address, segment)) stored,
    add constraint one_lease_per_ethernet_address exclude using gist (
        ethernet_claim with =, ethernet_ports with &&, blocked with &&) where (not settled);
