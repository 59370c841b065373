-- Checks are made anew at each change of a row, and leases change at every grant, renewal and release:
-- a regular expression there was a twentieth of the database's work.

alter table lease drop constraint lease_secret_hash_check;
alter table lease add constraint secret_hash_is_sha256 check (length(secret_hash) = 64);
alter table madcap_lease drop constraint madcap_lease_identifier_hash_check;
alter table madcap_lease add constraint identifier_hash_is_sha256
    check (length(identifier_hash) = 64);

-- What has an identifier was looked for among all leases that had not ended.
create index madcap_lease_by_identifier on madcap_lease (identifier_hash) where (not ended);
