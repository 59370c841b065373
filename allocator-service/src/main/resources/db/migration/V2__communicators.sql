-- Communicators and their members.

create table communicator (
    id uuid primary key,
    job text not null check (length(job) between 1 and 200),
    name text not null check (length(name) between 1 and 200),
    size integer not null check (size between 1 and 65535),
    token text not null check (token ~ '^[0-9a-f]{16}$'),
    lease_id uuid references lease (id) on delete set null,
    lease_seconds integer not null check (lease_seconds > 0),
    created_at timestamptz not null,
    completed_at timestamptz,
    ended_at timestamptz,
    end_reason text,
    check ((ended_at is null) = (end_reason is null))
);

create unique index one_living_communicator_per_name on communicator (job, name)
    where (ended_at is null);
create index communicator_by_created_at on communicator (created_at desc);
create index communicator_living on communicator (id) where (ended_at is null);

create table member (
    communicator_id uuid not null references communicator (id) on delete cascade,
    rank integer not null check (rank between 0 and 65534),
    address text not null,
    port integer not null check (port between 1 and 65535),
    host text not null,
    pid bigint not null,
    receive_buffer_bytes bigint not null,
    datagram_bytes integer not null,
    -- of the instance's number, which only that process knows
    instance_hash text not null check (instance_hash ~ '^[0-9a-f]{64}$'),
    secret_hash text not null check (secret_hash ~ '^[0-9a-f]{64}$'),
    joined_at timestamptz not null,
    expires_at timestamptz not null,
    left_at timestamptz,
    primary key (communicator_id, rank)
);

-- What only this installation knows; replicas on one database share it.
create table installation (
    one boolean primary key default true check (one),
    key bytea not null check (length(key) = 32)
);
