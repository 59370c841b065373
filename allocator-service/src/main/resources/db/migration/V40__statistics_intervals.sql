-- What was reported, over time. Level 0: a batch of reports as it came (kept an hour), 1: a minute (a week),
-- 2: an hour (a year), 3: all since the communicator was made. Sums are exact on every level: a raw row is
-- added to the three others in one transaction, which marks it as rolled.
drop table broadcast_site;

create table statistics_interval (
    id bigint generated always as identity primary key,
    level smallint not null check (level between 0 and 3),
    -- no foreign key: history outlives the communicator
    communicator_id uuid not null,
    -- the interval's beginning; of level 3, when it last changed
    at timestamptz not null,
    rolled boolean not null default false,
    sums json not null
);

create unique index statistics_interval_of_time on statistics_interval (communicator_id, level, at)
    where level in (1, 2);
create unique index statistics_total on statistics_interval (communicator_id) where level = 3;
create index statistics_raw_by_time on statistics_interval (communicator_id, at) where level = 0;
create index statistics_raw_to_roll on statistics_interval (id) where level = 0 and not rolled;
create index statistics_interval_by_age on statistics_interval (level, at);

-- The delay that the root of a site's broadcasts is advised, and what the tuner knows.
create table root_delay (
    communicator_id uuid not null references communicator (id) on delete cascade,
    site text not null check (length(site) between 1 and 200),
    advised_micros integer not null check (advised_micros >= 0),
    reason text not null,
    state json not null,
    updated_at timestamptz not null default now(),
    primary key (communicator_id, site)
);

-- Rows are overwritten at every report: room for that within the page spares the index.
alter table report set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- The counts of the latest report in the order of the service's list; what the next one is compared with.
alter table report add column totals bigint[] not null default '{}';
