-- An endpoint whose owner may not go on is disabled; `stopped_reason` says why.
alter table webhooks drop constraint webhooks_disabled_reason_check;
alter table webhooks add constraint webhooks_disabled_reason_check check (disabled_reason in ('gone', 'failing', 'stopped'));
