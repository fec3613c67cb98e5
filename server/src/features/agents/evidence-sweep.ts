import { touchFacts } from "../../db/facts.ts";
import type { Statements, Sweep } from "../../kernel/machines.ts";
import type { Environment } from "../../kernel/principal.ts";
import { startCalibrationRule } from "../../kernel/trust/calibration.ts";
import { startTrustConfig } from "../../kernel/trust/index.ts";
import { evidenceFacts } from "./evidence-facts.ts";
import { calibrateTrust } from "./operations/calibrate-trust.ts";
import { printForgotten } from "./print-store.ts";
import { type LabelledAgent, listDueCalibrations } from "./trust-store.ts";

/** Items that one look adds to the sums, and versions whose prints it takes, at most. */
const most = { items: 20_000, versions: 20 };

const { half_life_days: halfLife } = startTrustConfig;

/** What was taken: how many items, and the agents of which people judged something. */
interface Folded {
  readonly n: number;
  readonly judged: readonly { readonly organization: string; readonly environment: Environment; readonly agent: string }[];
}

/** The present hour, and what remains now of an item that was observed at a time. */
const thisHour = "date_trunc('hour', now(), 'UTC')";
const remains = (at: string): string =>
  `power(2::float8, -greatest(0, extract(epoch from ${thisHour}) - extract(epoch from ${at}))::float8 / 86400 / $1::float8)`;

/**
 * Takes new evidence out of its queue and adds it to the sums and to its days, in one statement; nothing where the oldest came less than a second ago, so
 * that processes read the sums anew at most every two seconds. What is older than a year no longer counts.
 */
async function fold(db: Statements): Promise<Folded> {
  const [row] = await db.query<Folded>(
    `with due as (select from trust_evidence_new where created_at <= now() - interval '1 second' limit 1),
     taken as (
       delete from trust_evidence_new where exists (select from due) and ctid = any(array(select ctid from trust_evidence_new limit $2)) returning *),
     hours as (
       select organization, environment, version_id, skill, channel, date_trunc('hour', observed_at, 'UTC') as hour,
         sum(items) as items, sum(successes) as successes, sum(failures) as failures
       from taken group by 1, 2, 3, 4, 5, 6),
     summed as (
       insert into trust_evidence_sums as s (organization, environment, version_id, skill, channel, as_of, half_life_days, successes, failures)
       select organization, environment, version_id, skill, channel, ${thisHour}, $1, sum(successes * w), sum(failures * w)
       from (select h.*, ${remains("h.hour")} as w from hours h where h.hour > now() - interval '1 year') h group by 1, 2, 3, 4, 5
       on conflict (organization, environment, version_id, skill, channel) do update
       set as_of = excluded.as_of, successes = s.successes * ${remains("s.as_of")} + excluded.successes,
         failures = s.failures * ${remains("s.as_of")} + excluded.failures),
     dated as (
       insert into trust_evidence_days as d (organization, environment, version_id, skill, channel, day, items, successes, failures)
       select organization, environment, version_id, skill, channel, (hour at time zone 'UTC')::date, sum(items), sum(successes), sum(failures)
       from hours group by 1, 2, 3, 4, 5, 6
       on conflict (organization, environment, version_id, skill, channel, day) do update
       set items = d.items + excluded.items, successes = d.successes + excluded.successes, failures = d.failures + excluded.failures)
     select count(*)::int as n,
       coalesce((select json_agg(distinct jsonb_build_object('organization', t.organization, 'environment', t.environment, 'agent', v.agent))
         from taken t join agent_versions v on v.organization = t.organization and v.id = t.version_id where t.channel = 'approvals'), '[]') as judged
     from taken`,
    [halfLife, most.items],
  );
  return row ?? { n: 0, judged: [] };
}

/** Makes the sums anew from the days, each item as of noon, where they were made by another half-life. Answers how many it made. */
async function resum(db: Statements): Promise<number> {
  const [other] = await db.query("select from trust_evidence_sums where half_life_days <> $1 limit 1", [halfLife]);
  if (!other) return 0;
  await db.query("delete from trust_evidence_sums");
  const made = await db.query(
    `insert into trust_evidence_sums (organization, environment, version_id, skill, channel, as_of, half_life_days, successes, failures)
     select organization, environment, version_id, skill, channel, ${thisHour}, $1, sum(successes * w), sum(failures * w)
     from (select d.*, ${remains("(d.day + time '12:00') at time zone 'UTC'")} as w from trust_evidence_days d where d.day > now() - interval '1 year') d
     group by 1, 2, 3, 4, 5 returning 1`,
    [halfLife],
  );
  return made.length;
}

/** Adds up what came. The sums and the word that they changed commit together. Answers the agents of which people judged something. */
async function rollUp(db: Statements): Promise<readonly LabelledAgent[]> {
  await db.query("begin");
  try {
    const remade = await resum(db);
    const { n, judged } = await fold(db);
    const printed = await printForgotten(db, most.versions);
    if (remade + n + printed > 0) await db.query(touchFacts, [[evidenceFacts.topic]]);
    await db.query("commit");
    return judged;
  } catch (error) {
    await db.query("rollback");
    throw error;
  }
}

/** Keeps the sums that scores are computed from, and the map that publishes them. Where a look is lost after the sums, the next judgement makes up for it. */
export const evidenceSweep: Sweep = {
  name: "agents.evidence",
  async run({ db, inside }) {
    const judged = await rollUp(db);
    if (judged.length === 0) return;
    for (const { agent, ...scope } of await listDueCalibrations(db, judged, startCalibrationRule.least_labels)) {
      await inside(calibrateTrust, scope, { agent });
    }
  },
};
