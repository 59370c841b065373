-- Tokens end, are replaced by successors, and have limits (decision 34).
alter table access_token
    -- Whose things are what its holders make: stays the same when the token is replaced. Null of older ones, whose hash it follows from.
    add column owner text,
    add column expires_at timestamptz,
    add column requests_per_second integer check (requests_per_second > 0),
    add column most_groups integer check (most_groups > 0),
    -- The predecessor, which is good for a while beside its successor.
    add column rotated_at timestamptz,
    add column previous_hash text unique check (length(previous_hash) = 64),
    add column previous_until timestamptz,
    -- Written now and then, not with each request.
    add column used_at timestamptz,
    add column used_from text;

-- The owner that stands for a token with a limit of groups; null without one, so that other leases cost nothing more.
alter table lease add column counted_for text;
create index lease_counted_for on lease (counted_for) where (counted_for is not null and released_at is null);
