-- What a communicator's ranks sent to each other and when they were in calls, as one of them or its launcher handed it
-- in, summarised to a bounded size. Forgotten with the communicator.
create table communicator_profile (
    communicator uuid primary key references communicator (id) on delete cascade,
    profile json not null
);
