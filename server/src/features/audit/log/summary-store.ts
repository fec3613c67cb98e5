import { auditLeafRows } from "../../../audit-log/shared-rows.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { madeAt } from "../../../kernel/moment.ts";
import type { LogName } from "./logs.ts";
import { type EventFilter, leafConditions } from "./store.ts";

/** Of more records than this the newest are counted. */
const mostCounted = 10_000;
const mostNamed = 100;

export interface Counts {
  readonly records: number;
  readonly allowed: number;
  readonly refused: number;
  readonly failed: number;
  readonly last_at: string | null;
}

interface GroupRow extends Record<string, unknown> {
  readonly part: "all" | "action" | "key" | "object" | "actor";
  readonly name: string | null;
  readonly records: number;
  readonly allowed: number;
  readonly refused: number;
  readonly failed: number;
  readonly first: string;
  readonly last: string;
}

type Named = readonly [name: string, counts: Counts];
export interface LogSummary {
  readonly all: Counts & { readonly first_at: string | null; readonly complete: boolean };
  readonly by: Readonly<Record<Exclude<GroupRow["part"], "all">, readonly Named[]>>;
}

const countsOf = ({ records, allowed, refused, failed, last }: GroupRow): Counts => {
  return { records, allowed, refused, failed, last_at: madeAt(last) };
};

/** Counts the newest records that a filter finds, as a whole and by operation, key, object and actor. It goes by the search index, as the list of events does. */
export async function summarize(ctx: ReadContext, log: LogName, filter: EventFilter): Promise<LogSummary> {
  const { where, values } = leafConditions(log, filter, ctx.principal.agents, ctx.principal.keyId);
  values.push(mostCounted + 1);
  const rows = await ctx.db.query<GroupRow>(
    `with found as (
       select l.record_id, l.operation, l.key_id, l.object, l.principal, l.decision from ${auditLeafRows} l
       where ${where.join(" and ")} order by l.leaf_index desc limit $${values.length})
     select case grouping(operation, key_id, object, principal) when 7 then 'action' when 11 then 'key' when 13 then 'object' when 14 then 'actor' else 'all' end as part,
       coalesce(operation, key_id, object, principal) as name, count(*)::int as records,
       count(*) filter (where decision = 'allowed')::int as allowed, count(*) filter (where decision = 'refused')::int as refused,
       count(*) filter (where decision = 'failed')::int as failed, min(record_id) as first, max(record_id) as last
     from found group by grouping sets ((), (operation), (key_id), (object), (principal))
     having count(*) > 0 order by records desc, name`,
    values,
  );
  const all = rows.find(({ part }) => part === "all");
  const none: Counts = { records: 0, allowed: 0, refused: 0, failed: 0, last_at: null };
  const named = (wanted: GroupRow["part"]): Named[] =>
    rows
      .flatMap((row) => (row.part === wanted && row.name !== null ? [[row.name, countsOf(row)] as const] : []))
      .slice(0, mostNamed);
  return {
    all: {
      ...(all === undefined ? none : countsOf(all)),
      first_at: all === undefined ? null : madeAt(all.first),
      complete: (all?.records ?? 0) <= mostCounted,
    },
    by: { action: named("action"), key: named("key"), object: named("object"), actor: named("actor") },
  };
}
