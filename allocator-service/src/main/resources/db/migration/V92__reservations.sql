-- Groups that are kept for a job, a user or a token (decision 41). What keeps a group from others is its row in
-- lease_group, as for leases: blocked until the reservation ends. While its owner has no lease of it, that row is
-- of a lease that stands for the reservation and was given back when it was made.
create table reservation (
    id uuid primary key,
    scope text not null references scope (name),
    address inet not null,
    -- null: the address on all of its ports
    port integer check (port between 1 and 65535),
    -- whom it is for: who has all of these that are not null
    job text check (length(job) between 1 and 200),
    user_name text check (length(user_name) between 1 and 200),
    token text,
    -- the owner that stands for the token
    token_owner text,
    -- year 9999: it does not end
    until timestamptz not null,
    made_at timestamptz not null,
    made_by text not null,
    check (job is not null or user_name is not null or token_owner is not null)
);
create index reservation_by_job on reservation (job) where job is not null;
create index reservation_by_user on reservation (user_name) where user_name is not null;
create index reservation_by_token on reservation (token_owner) where token_owner is not null;

alter table lease_group add column reservation uuid references reservation (id);
create index lease_group_by_reservation on lease_group (reservation) where reservation is not null;

alter table lease add column reserves boolean not null default false;
