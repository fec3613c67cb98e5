-- What the model held possible for each field of a result, so that results can be ranked.

alter table tasks add column predictions text;
comment on column tasks.predictions is 'JSON: values with their probabilities by JSON Pointer of the output. Under result_seal where it is not null.';
