import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { FactMaker, Sources } from "./fact-make.ts";
import type { Looking } from "./fact-sources.ts";
import { cellsOfText, cellsText, readFacts, writeFacts } from "./fact-store.ts";
import { type Kind, kinds, minuteOfSource } from "./families.ts";
import { addDifference, type Bucket, Difference } from "./roll-write.ts";

interface PendingRow extends Scope {
  readonly kind: Kind;
  readonly id: string;
}

/** What a look did. */
export interface Look {
  /** Rows that it took up. */
  readonly taken: number;
  /** Buckets that got one more part although they are old, and may have many. */
  readonly late: readonly (Scope & Bucket)[];
}

/** Takes up what waits, and writes what changed by it. In one transaction of the caller, in one process at a time. */
export async function look(db: Statements, facts: FactMaker, now: number, most: number): Promise<Look> {
  const rows = await db.query<PendingRow>(
    `delete from analytics_pending where ctid = any(array(select ctid from analytics_pending limit $1))
     returning organization, environment, kind, id`,
    [most],
  );
  const late: (Scope & Bucket)[] = [];
  const scopes = Map.groupBy(rows, ({ organization, environment }) => `${organization} ${environment}`);
  for (const some of scopes.values()) {
    const { organization, environment } = some[0] as PendingRow;
    const scope = { organization, environment };
    const buckets = await bringUpToDate({ db, scope }, facts, sourcesOf(some), now);
    late.push(...buckets.map(({ family, grain, bucket }) => ({ ...scope, family, grain, bucket })));
  }
  return { taken: rows.length, late };
}

export function sourcesOf(rows: readonly { readonly kind: Kind; readonly id: string }[]): Sources {
  const of = (kind: Kind): string[] => [...new Set(rows.filter((row) => row.kind === kind).map(({ id }) => id))];
  return { task: of("task"), approval: of("approval"), violation: of("violation"), delivery: of("delivery") };
}

/** Makes the facts of sources anew, and adds the difference to what they contributed before. */
async function bringUpToDate(looking: Looking, facts: FactMaker, sources: Sources, now: number): Promise<Bucket[]> {
  const made = await facts.make(looking, sources, now);
  const difference = new Difference(made.labels);
  for (const kind of kinds) {
    if (made[kind].size === 0) continue;
    const before = await readFacts(looking, kind, [...made[kind].keys()]);
    const changed = new Map<string, string>();
    for (const [source, cells] of made[kind]) {
      const [former, text] = [before.get(source), cellsText(cells)];
      if (former === text) continue;
      changed.set(source, text);
      const minute = minuteOfSource(source);
      if (former !== undefined) difference.add(minute, cellsOfText(former), -1);
      difference.add(minute, cells, 1);
    }
    await writeFacts(looking, kind, changed);
  }
  return addDifference(looking, difference, now);
}
