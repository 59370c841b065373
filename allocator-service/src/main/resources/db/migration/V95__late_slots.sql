-- Slots of groups whose lease has a new end, and that another transaction had locked then: they get
-- that end a little later. Who comes first takes them; nothing depends on their order.
create table late_slot (
    scope text not null references scope (name) on delete cascade,
    number bigint not null,
    free_at timestamptz not null);
create index late_slot_by_scope on late_slot (scope);
