-- Who may do what (docs/OPERATIONS.md). Of a token there is a hash only: whoever reads this table can be nobody.
create table access_token (
    name text primary key check (length(name) between 1 and 63),
    role text not null check (role in ('viewer', 'job', 'operator')),
    hash text not null unique check (length(hash) = 64),
    made_at timestamptz not null default now(),
    made_by text not null
);
