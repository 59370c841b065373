-- What ended long ago was granted even earlier, which its number tells. This index was read instead, and while
-- it did not know a table's latest pages yet, all of those were read with it every few seconds.

drop index lease_by_expires_at;
