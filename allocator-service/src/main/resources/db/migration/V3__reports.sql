-- What the ranks reported, the latest of each.

create table report (
    communicator_id uuid not null references communicator (id) on delete cascade,
    rank integer not null,
    instance_hash text not null,
    sequence bigint not null,
    received_at timestamptz not null,
    counters jsonb not null,
    rejected jsonb not null,
    socket_path text,
    dropped bigint not null default 0,
    primary key (communicator_id, rank)
);

create table broadcast_site (
    communicator_id uuid not null references communicator (id) on delete cascade,
    rank integer not null,
    size_class text not null,
    algorithm text not null,
    count bigint not null,
    bytes bigint not null,
    sum_ns bigint not null,
    p50_ns bigint not null,
    p99_ns bigint not null,
    max_ns bigint not null,
    primary key (communicator_id, rank, size_class, algorithm)
);
