-- Stored answers hold no secrets any more. Those that were encrypted are deleted, so that a call of the last 24 hours that issued one is carried out anew
-- where it is repeated after the upgrade.

delete from idempotency_keys where encrypted;
alter table idempotency_keys drop column encrypted;
