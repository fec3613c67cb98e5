import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";
import { confirmationRows } from "../../admin/shared-rows.ts";

export const owned = ownTables({
  agent_versions: {
    keeps: evidence("Tasks, verdicts and the log name the version that ran, by its digest."),
    personal: {
      columns: ["definition", "note", "author", "deciders"],
      erased: erasedWithRow("A version never changes: its digest commits to the definition."),
    },
  },
});

const isTrained = (id: string, organization: string): string =>
  `exists (select from training_jobs j where j.organization = ${organization} and j.version_id = ${id})`;

/**
 * SQL: a JSON array of the deciders of version `v` in an environment (an expression), each person once: of all versions after the newest that a second person has
 * looked at there, and of its deployment `d`. A definition is edited on from the version before, so that of a version nobody looked at those before it count too.
 * Training goes out from the version that it is based on, and the draft does not take its result up: a look at what was trained is none at what people write later.
 */
export const decidersOfVersion = (v: string, environment: string, d: string): string => `(
  select coalesce(json_agg(one), '[]') from (
    select distinct on (e ->> 'id', e ->> 'how') e as one from (
      select case when ${isTrained(`${v}.id`, `${v}.organization`)} then coalesce(${v}.based_on, 0) else ${v}.number end as number) origin,
    lateral (
      select coalesce(max(l.number), 0) as number from agent_versions l
      join ${confirmationRows} k on k.organization = l.organization and k.environment = ${environment}
        and k.object = 'agent:' || l.agent || '@' || l.number and k.digest = coalesce(l.digest, l.id)
      where l.organization = ${v}.organization and l.agent = ${v}.agent and (l.number in (${v}.number, origin.number)
        or l.number < origin.number and not ${isTrained("l.id", "l.organization")} and not exists (
          select from agent_versions o where o.organization = l.organization and o.agent = l.agent and o.number = origin.number
            and o.number < ${v}.number and ${isTrained("o.id", "o.organization")}))) looked,
    lateral (
      select jsonb_array_elements(u.deciders) as e from agent_versions u
      where u.organization = ${v}.organization and u.agent = ${v}.agent and u.number > looked.number and (u.number <= origin.number or u.number = ${v}.number)
      union all
      select jsonb_array_elements(${d}.deciders) where looked.number < ${v}.number) decided
    order by e ->> 'id', e ->> 'how') each_once)`;
