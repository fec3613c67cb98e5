-- The inverted index of knowledge (decision 0049).

-- One row per term and block of up to 256 postings, the best block first; within a block they are in no order. A posting is six bytes: four of the chunk's place, one of how often the term stands in it
-- (a title counts twice), one of its length (16 log2 of its different stems). `impact` is the highest of the block, by index_impact.
create table chunk_postings (
  organization text collate "C" not null,
  environment text collate "C" not null,
  base text collate "C" not null,
  generation integer not null,
  term text collate "C" not null,
  impact smallint not null,
  id bigint generated always as identity,
  lowest_impact smallint not null,
  first_place bigint not null,
  last_place bigint not null,
  postings smallint not null,
  data bytea not null,
  primary key (organization, environment, base, generation, term, impact, id)
);
alter table chunk_postings alter column data set storage plain;

-- The terms of each base, with the number of chunks that have them.
create table chunk_terms (
  organization text collate "C" not null,
  environment text collate "C" not null,
  base text collate "C" not null,
  generation integer not null,
  term text collate "C" not null,
  chunks integer not null,
  trigrams text[] not null,
  primary key (organization, environment, base, generation, term)
) with (fillfactor = 80);

-- What there is in the index of a base. `loose`: rows of postings that were written since the last compaction.
create table chunk_indexes (
  organization text collate "C" not null,
  environment text collate "C" not null,
  base text collate "C" not null,
  generation integer not null,
  chunks integer not null default 0,
  stems bigint not null default 0,
  loose integer not null default 0,
  primary key (organization, environment, base, generation)
);

-- Questions that were asked, written a second after they were. Personal data is replaced before.
create table knowledge_questions (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  base text collate "C" not null,
  query text not null,
  asked_by text collate "C" not null,
  agent text collate "C",
  at timestamptz not null,
  best_score real not null,
  coverage real not null,
  answered boolean not null,
  results integer not null,
  primary key (organization, environment, id)
);
create index knowledge_questions_unanswered on knowledge_questions (organization, environment, base, at desc) where not answered;

create function index_length(stems integer) returns integer immutable language sql
  return least(255, round(16 * ln(greatest(stems, 1)::float8) / ln(2::float8)))::integer;

create function index_norm(length integer) returns float8 immutable language sql
  return 0.5 + 0.02 * 2 ^ (length / 16.0::float8);

-- What a posting adds to a score at most, in thousandths, in a base of usual lengths.
create function index_impact(often integer, length integer) returns smallint immutable language sql
  return (1000 * often / (often + index_norm(length)))::smallint;

create function trigrams_of(term text) returns text[] immutable language sql
  return array(select distinct substr('  ' || term || ' ', i, 3) from generate_series(1, length(term) + 1) as i);

create function index_entries(lexemes tsvector, stems integer)
  returns table (term text, often integer, length integer, impact smallint) immutable language sql
  begin atomic
    select w.lexeme collate "C", c.often, l.length, (1000 * c.often / (c.often + l.norm))::smallint
    from (select index_length(stems) as length, index_norm(index_length(stems)) as norm offset 0) l, unnest(lexemes) w,
      lateral (select least(255, cardinality(w.positions) + case when 'A' = any (w.weights) then cardinality(array_positions(w.weights, 'A')) else 0 end) as often) c;
  end;

-- Puts chunks into the index of their base and generation. One transaction at a time does so.
create function index_chunks(organization text, environment text, base text, generation integer, places bigint[]) returns void
  language plpgsql as $$
#variable_conflict use_column
begin
  if cardinality(places) = 0 then return; end if;
  insert into chunk_indexes as i values ($1, $2, $3, $4)
  on conflict (organization, environment, base, generation) do update set loose = i.loose;
  with entries as materialized (
    select e.term, e.impact, c.place, substr(int8send((c.place << 16) | (e.often << 8) | e.length), 3) as piece
    from unnest($5) as p(place) join chunks c on c.place = p.place, index_entries(c.lexemes, c.stems) e
  ), grouped as materialized (
    select term, max(impact) as impact, min(impact) as lowest, min(place) as first, max(place) as last, count(*)::integer as n,
      string_agg(piece, '') as data
    from entries group by term
  ), blocks as (
    select term, impact, lowest, first, last, n, data from grouped where n <= 256
    union all
    select term, max(impact), min(impact), min(place), max(place), count(*), string_agg(piece, '') from (
      select *, (row_number() over (partition by term order by impact desc, place) - 1) / 256 as block
      from entries where term in (select term from grouped where n > 256)
    ) e group by term, block
  ), written as (
    insert into chunk_postings (organization, environment, base, generation, term, impact, lowest_impact, first_place, last_place, postings, data)
    select $1, $2, $3, $4, term, impact, lowest, first, last, n, data from blocks order by term returning 1
  ), known as (
    update chunk_terms t set chunks = t.chunks + c.n from grouped c
    where t.organization = $1 and t.environment = $2 and t.base = $3 and t.generation = $4 and t.term = c.term returning t.term
  ), fresh as (
    insert into chunk_terms (organization, environment, base, generation, term, chunks, trigrams)
    select $1, $2, $3, $4, term, n, trigrams_of(term) from grouped where term not in (select term from known)
  )
  update chunk_indexes i set loose = i.loose + (select count(*) from written), chunks = i.chunks + cardinality($5),
    stems = i.stems + (select coalesce(sum(c.stems), 0) from chunks c where c.place = any($5))
  where i.organization = $1 and i.environment = $2 and i.base = $3 and i.generation = $4;
end
$$;

-- Takes postings out of an index: nothing is left of them. Terms, impacts and places are those of each posting.
create function unindex_chunks(
  organization text, environment text, base text, generation integer, terms text[], impacts smallint[], places bigint[], chunks integer, stems bigint
) returns void language plpgsql as $$
#variable_conflict use_column
begin
  update chunk_indexes i set chunks = i.chunks - $8, stems = i.stems - $9
  where i.organization = $1 and i.environment = $2 and i.base = $3 and i.generation = $4;
  if not found then return; end if;
  with gone as materialized (
    select term, impact, place from unnest($5, $6, $7) as g(term, impact, place)
  ), hit as materialized (
    select p.term, p.impact, p.id, array_agg(g.place & 4294967295) as places
    from gone g join chunk_postings p on p.organization = $1 and p.environment = $2 and p.base = $3 and p.generation = $4 and p.term = g.term
      and p.impact >= g.impact and p.lowest_impact <= g.impact and g.place between p.first_place and p.last_place
    group by p.term, p.impact, p.id
  ), removed as (
    delete from chunk_postings p using hit h
    where p.organization = $1 and p.environment = $2 and p.base = $3 and p.generation = $4 and p.term = h.term and p.impact = h.impact and p.id = h.id
    returning p.term, p.impact, p.lowest_impact, p.first_place, p.last_place, p.data, h.places
  )
  insert into chunk_postings (organization, environment, base, generation, term, impact, lowest_impact, first_place, last_place, postings, data)
  select $1, $2, $3, $4, r.term, r.impact, r.lowest_impact, r.first_place, r.last_place, kept.n, kept.data
  from removed r, lateral (
    select count(*) as n, string_agg(e.piece, '' order by e.at) as data
    from (select at, substr(r.data, at, 6) as piece from generate_series(1, length(r.data), 6) as at) e
    where ('x' || encode(substr(e.piece, 1, 4), 'hex'))::bit(32)::bigint <> all (r.places)
  ) kept where kept.n > 0;
  with gone as (select term, count(*)::integer as n from unnest($5) as g(term) group by term)
  update chunk_terms t set chunks = t.chunks - gone.n from gone
  where t.organization = $1 and t.environment = $2 and t.base = $3 and t.generation = $4 and t.term = gone.term;
  delete from chunk_terms t where t.organization = $1 and t.environment = $2 and t.base = $3 and t.generation = $4
    and t.term = any ($5) and t.chunks <= 0;
end
$$;

-- Merges the small rows of the terms given into blocks.
create function compact_index(organization text, environment text, base text, generation integer, terms text[]) returns void
  language plpgsql as $$
#variable_conflict use_column
begin
  perform 1 from chunk_indexes i where i.organization = $1 and i.environment = $2 and i.base = $3 and i.generation = $4 for update;
  with loose as (
    delete from chunk_postings p where p.organization = $1 and p.environment = $2 and p.base = $3 and p.generation = $4
      and p.term = any ($5) and p.postings < 128 returning p.term, p.data
  ), pieces as (
    select l.term, substr(l.data, at, 6) as piece from loose l, generate_series(1, length(l.data), 6) as at
  ), entries as (
    select term, piece, index_impact(get_byte(piece, 4), get_byte(piece, 5)) as impact,
      ('x' || encode(substr(piece, 1, 4), 'hex'))::bit(32)::bigint as place
    from pieces
  ), ranked as (
    select *, (row_number() over (partition by term order by impact desc, place) - 1) / 256 as block from entries
  )
  insert into chunk_postings (organization, environment, base, generation, term, impact, lowest_impact, first_place, last_place, postings, data)
  select $1, $2, $3, $4, term, max(impact), min(impact), min(place), max(place), count(*), string_agg(piece, '')
  from ranked group by term, block;
end
$$;

-- The index follows the chunks, whoever writes them.
create function index_new_chunks() returns trigger language plpgsql as $$
declare g record;
begin
  for g in select organization, environment, base, generation, array_agg(place) as places from written where not disabled
    group by organization, environment, base, generation order by organization, environment, base, generation
  loop
    perform index_chunks(g.organization, g.environment, g.base, g.generation, g.places);
  end loop;
  return null;
end
$$;

create function unindex_removed_chunks() returns trigger language plpgsql as $$
declare g record;
begin
  for g in
    select r.organization, r.environment, r.base, r.generation, array_agg(e.term) as terms, array_agg(e.impact) as impacts, array_agg(r.place) as places,
      count(distinct r.place)::integer as chunks, sum(r.stems) filter (where e.first) as stems
    from removed r
      join chunk_indexes i on i.organization = r.organization and i.environment = r.environment and i.base = r.base and i.generation = r.generation
      left join lateral (select x.*, row_number() over () = 1 as first from index_entries(r.lexemes, r.stems) x) e on true
    where not r.disabled group by r.organization, r.environment, r.base, r.generation order by 1, 2, 3, 4
  loop
    perform unindex_chunks(g.organization, g.environment, g.base, g.generation, g.terms, g.impacts, g.places, g.chunks, coalesce(g.stems, 0));
  end loop;
  return null;
end
$$;

create function reindex_changed_chunks() returns trigger language plpgsql as $$
declare g record;
begin
  for g in
    select r.organization, r.environment, r.base, r.generation, array_agg(e.term) as terms, array_agg(e.impact) as impacts, array_agg(r.place) as places,
      count(distinct r.place)::integer as chunks, sum(r.stems) filter (where e.first) as stems
    from removed r join written w on w.place = r.place
      left join lateral (select x.*, row_number() over () = 1 as first from index_entries(r.lexemes, r.stems) x) e on true
    where not r.disabled and (w.lexemes, w.disabled, w.generation, w.base) is distinct from (r.lexemes, r.disabled, r.generation, r.base)
    group by r.organization, r.environment, r.base, r.generation order by 1, 2, 3, 4
  loop
    perform unindex_chunks(g.organization, g.environment, g.base, g.generation, g.terms, g.impacts, g.places, g.chunks, coalesce(g.stems, 0));
  end loop;
  for g in
    select w.organization, w.environment, w.base, w.generation, array_agg(w.place) as places from written w join removed r on w.place = r.place
    where not w.disabled and (w.lexemes, w.disabled, w.generation, w.base) is distinct from (r.lexemes, r.disabled, r.generation, r.base)
    group by w.organization, w.environment, w.base, w.generation order by 1, 2, 3, 4
  loop
    perform index_chunks(g.organization, g.environment, g.base, g.generation, g.places);
  end loop;
  return null;
end
$$;

create trigger index_new after insert on chunks referencing new table as written
  for each statement execute function index_new_chunks();
create trigger unindex_removed after delete on chunks referencing old table as removed
  for each statement execute function unindex_removed_chunks();
create trigger reindex_changed after update on chunks referencing old table as removed new table as written
  for each statement execute function reindex_changed_chunks();

select index_chunks(organization, environment, base, generation, array_agg(place))
from chunks group by organization, environment, base, generation;

create index chunk_terms_trigrams on chunk_terms using gin (trigrams);
drop index chunks_lexemes;
