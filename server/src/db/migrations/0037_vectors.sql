-- Vectors of chunks, for search by meaning (decision 0054).

-- Which model embeds the texts of a base: { "connection": "openai", "model": "text-embedding-3-small", "dimensions": 512, "price": 0.02 }; null: none.
alter table knowledge_bases add column embedding jsonb;

-- How far embedding the chunks of a base has come. There is a row where the base names a model.
create table base_embeddings (
  organization text collate "C" not null,
  environment text collate "C" not null,
  base text collate "C" not null,
  -- The lease of the job that works on it, and when to try again after `error`: { "code", "detail", "at" }.
  lease_until timestamptz,
  failures integer not null default 0,
  retry_at timestamptz,
  error jsonb,
  -- Of the vectors that the model made last.
  dimensions integer,
  tokens bigint not null default 0,
  usd double precision not null default 0,
  primary key (organization, environment, base),
  foreign key (organization, environment, base) references knowledge_bases (organization, environment, id) on delete cascade
);

-- Chunks that have no vector yet. `error`: why the provider refuses this one.
create table embedding_queue (
  organization text collate "C" not null,
  environment text collate "C" not null,
  base text collate "C" not null,
  place bigint not null,
  error text,
  primary key (organization, environment, base, place)
);
create index embedding_queue_open on embedding_queue (organization, environment, base, place) where error is null;

-- Vectors of length 1. `signs`: a bit per dimension, 1 where it is above 0, by which the nearest are looked for where no index knows them.
create table chunk_vectors (
  organization text collate "C" not null,
  environment text collate "C" not null,
  base text collate "C" not null,
  place bigint not null,
  generation integer not null,
  dimensions integer not null,
  vector real[] not null,
  signs bit varying not null,
  primary key (organization, environment, base, place)
);
alter table chunk_vectors alter column vector set storage external;

-- Chunks enter the queue and leave queue and vectors with the statement that writes them, whoever writes.
create function queue_new_chunks() returns trigger language plpgsql as $$
begin
  insert into embedding_queue (organization, environment, base, place)
  select c.organization, c.environment, c.base, c.place from written c
  join base_embeddings e on e.organization = c.organization and e.environment = c.environment and e.base = c.base
  on conflict do nothing;
  return null;
end
$$;

create function forget_removed_chunks() returns trigger language plpgsql as $$
begin
  delete from chunk_vectors v using removed r
  where v.organization = r.organization and v.environment = r.environment and v.base = r.base and v.place = r.place;
  delete from embedding_queue q using removed r
  where q.organization = r.organization and q.environment = r.environment and q.base = r.base and q.place = r.place;
  return null;
end
$$;

create function queue_changed_chunks() returns trigger language plpgsql as $$
begin
  update chunk_vectors v set generation = w.generation from written w join removed r using (place)
  where w.generation <> r.generation
    and v.organization = w.organization and v.environment = w.environment and v.base = w.base and v.place = w.place;
  with changed as (
    select w.organization, w.environment, w.base, w.place from written w join removed r using (place)
    where (w.title, w.text, w.headings) is distinct from (r.title, r.text, r.headings)
  ), forgotten as (
    delete from chunk_vectors v using changed c
    where v.organization = c.organization and v.environment = c.environment and v.base = c.base and v.place = c.place
  )
  insert into embedding_queue (organization, environment, base, place)
  select c.organization, c.environment, c.base, c.place from changed c
  join base_embeddings e on e.organization = c.organization and e.environment = c.environment and e.base = c.base
  on conflict (organization, environment, base, place) do update set error = null;
  return null;
end
$$;

-- Another model: vectors of the former one say nothing beside its own.
create function restart_embedding() returns trigger language plpgsql as $$
begin
  delete from chunk_vectors where organization = new.organization and environment = new.environment and base = new.id;
  delete from embedding_queue where organization = new.organization and environment = new.environment and base = new.id;
  delete from base_embeddings where organization = new.organization and environment = new.environment and base = new.id;
  if new.embedding is not null then
    insert into base_embeddings (organization, environment, base) values (new.organization, new.environment, new.id);
    insert into embedding_queue (organization, environment, base, place)
    select organization, environment, base, place from chunks
    where organization = new.organization and environment = new.environment and base = new.id;
  end if;
  return null;
end
$$;

create trigger chunks_queue after insert on chunks
  referencing new table as written for each statement execute function queue_new_chunks();
create trigger chunks_forget after delete on chunks
  referencing old table as removed for each statement execute function forget_removed_chunks();
create trigger chunks_requeue after update on chunks
  referencing old table as removed new table as written for each statement execute function queue_changed_chunks();
create trigger knowledge_bases_embedding after insert on knowledge_bases
  for each row when (new.embedding is not null) execute function restart_embedding();
create trigger knowledge_bases_embedding_changed after update of embedding on knowledge_bases
  for each row when (old.embedding is distinct from new.embedding) execute function restart_embedding();

-- Makes the index over vectors of so many dimensions, where the extension is there. HNSW over halfvec takes up to 4,000.
create function index_vectors(size integer) returns boolean language plpgsql security definer set search_path from current as $$
begin
  if to_regtype('halfvec') is null or size is null or size < 1 or size > 4000 then
    return false;
  end if;
  if to_regclass('chunk_vectors_hnsw_' || size) is not null then
    return true; -- without the lock that "if not exists" takes
  end if;
  execute format('create index if not exists chunk_vectors_hnsw_%1$s on chunk_vectors using hnsw ((vector::halfvec(%1$s)) halfvec_cosine_ops) where dimensions = %1$s', size);
  return true;
end
$$;

-- Turns the extension pgvector (0.8 or newer) on, and indexes what there is. Returns whether the database has it. An operator calls it after installing the
-- extension later; before, vectors are searched without an index.
create function enable_vector_index() returns boolean language plpgsql as $do$
declare
  size integer;
begin
  if not exists (select from pg_available_extensions where name = 'vector') then
    return false;
  end if;
  create extension if not exists vector;
  execute $sql$
    create or replace function nearest_vectors(organization text, environment text, bases text[], generations text[], query real[], most integer)
    returns table (place bigint, likeness double precision) language plpgsql stable set hnsw.iterative_scan = 'strict_order' set hnsw.ef_search = 200 as $body$
    begin
      return query execute format('select v.place, 1 - (v.vector::halfvec(%1$s) <=> $5::halfvec(%1$s)) from chunk_vectors v where v.dimensions = %1$s and v.organization = $1 and v.environment = $2
        and v.base = any($3) and (v.base || '' '' || v.generation) = any($4)
        order by v.vector::halfvec(%1$s) <=> $5::halfvec(%1$s) limit $6', cardinality(query))
      using organization, environment, bases, generations, query, most;
    end
    $body$
  $sql$;
  foreach size in array array(select distinct dimensions from chunk_vectors) loop
    perform index_vectors(size);
  end loop;
  return true;
end
$do$;

do $$
begin
  perform enable_vector_index();
exception when others then
  raise notice 'pgvector was not turned on: %', sqlerrm;
end
$$;

create index knowledge_questions_of_base on knowledge_questions (organization, environment, base, at desc);
create index knowledge_questions_old on knowledge_questions (at);
