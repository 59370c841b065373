-- One exclusion constraint says what two said: a grant writes one entry into one index and looks once for
-- who is in the way.
--
-- Two groups are in each other's way when their Ethernet addresses agree, the ports for which they take
-- those overlap, and either both are of one layer-2 domain, or both have one of these ports of one address.
-- For "either ... or" a group claims two ranges of numbers: one for its domain, one for its ports of its address.
--
-- What is compared is computed in the index and is no column: the expressions of generated columns were read
-- from their text anew by each statement, a tenth of the database's work.
--
-- A replica of the version before grants, renews and releases beside this. It cannot grant blocks, tell who had
-- an address, or pass over a group that a lease of another scope is in the way of: those requests fail there.

-- What Ethernet keeps of an address: 23 bits for IPv4, 32 for IPv6 (RFC 1112, RFC 2464).
create function ethernet_key_of(address inet) returns bigint language sql immutable parallel safe as $$
    select case family(address)
        when 4 then (address - inet '0.0.0.0') & 8388607
        else 4294967296 + ((address & inet '::ffff:ffff') - inet '::') end
$$;

-- The ports that a group takes of its address, and of its Ethernet address: all of that unless it is shared.
create function owned_ports_of(port integer, port_count integer, whole_address boolean) returns int4range
    language sql immutable parallel safe as $$
    select case when whole_address then int4range(0, 65536) else int4range(port, port + port_count) end
$$;
create function ethernet_ports_of(owned int4range, shares_address boolean) returns int4range
    language sql immutable parallel safe as $$
    select case when shares_address then owned else int4range(0, 65536) end
$$;

-- Of a domain's name it has a hash of 32 bits, of an IPv4 address what Ethernet does not keep, of an IPv6
-- address a hash of 32 bits: should two ever agree, one is passed over without need, none is granted twice.
-- All is below 2^53, since an index decides by double precision arithmetic where an entry belongs.
create function domain_claim_of(segment text) returns bigint language sql immutable parallel safe as $$
    select hashtextextended(segment, 0) & 4294967295
$$;
create function address_claim_of(address inet) returns bigint language sql immutable parallel safe as $$
    select 281474976710656 + ((case family(address)
        when 4 then (address - inet '0.0.0.0') >> 23
        else hashtextextended(host(address), 0) & 4294967295 end) << 16)
$$;
alter table lease_group drop constraint one_lease_per_group;
alter table lease_group drop constraint one_lease_per_ethernet_address;
alter table lease_group
    drop column address_key,
    drop column owned_ports,
    drop column ethernet_claim,
    drop column ethernet_ports,
    drop column ethernet_key;
drop function address_key_of(inet);
-- ethernet_claim_of stays: a replica of the version before orders by it what it inserts, which is the same order.

do $$ begin
    if to_regtype('int8multirange') is null then
        -- PostgreSQL 13 has no multiranges, and so needs two.
        alter table lease_group
            add constraint one_lease_per_group exclude using gist (
                ethernet_key_of(address) with =,
                address_claim_of(address) with =,
                owned_ports_of(port, port_count, whole_address) with &&,
                blocked with &&) where (not settled),
            add constraint one_lease_per_ethernet_address exclude using gist (
                ethernet_key_of(address) with =,
                ethernet_ports_of(owned_ports_of(port, port_count, whole_address), shares_address) with &&,
                domain_claim_of(segment) with =,
                blocked with &&) where (not settled);
    else
        create function claims_of(domain bigint, address bigint, owned int4range) returns int8multirange
            language sql immutable parallel safe as $claims$
            select int8multirange(
                int8range(domain, domain, '[]'), int8range(address + lower(owned), address + upper(owned)))
        $claims$;
        alter table lease_group
            add constraint one_lease_per_group_and_ethernet_address exclude using gist (
                ethernet_key_of(address) with =,
                ethernet_ports_of(owned_ports_of(port, port_count, whole_address), shares_address) with &&,
                claims_of(domain_claim_of(segment), address_claim_of(address),
                    owned_ports_of(port, port_count, whole_address)) with &&,
                blocked with &&) where (not settled);
    end if;
end $$;

-- Whether an address is one of a host was asked by writing it as text, at each change of the row.
alter table lease_group
    drop constraint lease_group_address_check,
    add constraint one_multicast_address check (
        masklen(address) = case family(address) when 4 then 32 else 128 end
            and (address <<= inet '224.0.0.0/4' or address <<= inet 'ff00::/8'));

-- Leases stand in the order of their numbers, which begin with the time: that is the order of the list, too.
drop index lease_by_granted_at;

-- With half of each page left empty a lease is changed on its page, which no index hears of.
alter table lease set (fillfactor = 50);
