-- Secrets that an endpoint had before sign as well until their ends: several, where it got new ones in a row.
alter table webhooks
  add column previous_secrets bytea[] not null default '{}', -- sealed like the present one
  add column previous_untils timestamptz[] not null default '{}'; -- of each, in the same order
update webhooks set previous_secrets = array[previous_secret], previous_untils = array[previous_until] where previous_secret is not null;
alter table webhooks
  drop column previous_secret,
  drop column previous_until,
  add check (cardinality(previous_secrets) = cardinality(previous_untils));
