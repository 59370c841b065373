-- The pages of a job and of a push find each other by the job's name.

create index communicator_by_job on communicator (job text_pattern_ops, created_at);
create index fleet_push_by_job on fleet_push ((body->>'job')) where body->>'job' is not null;
