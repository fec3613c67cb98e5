import { openSession, type Session, type SessionPool } from "../../../db/session.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { type Meter, secondsBuckets } from "../../../kernel/metrics.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { FactMaker, type Sources } from "./fact-maker.ts";
import { cellsOfText, cellsText, readFacts, writeFacts } from "./facts-store.ts";
import { type Kind, kinds, minuteOfSource } from "./families.ts";
import { compactBucket, findDue, findManyParts, mergeBucket } from "./merge-buckets.ts";
import { addDifference, type Bucket, Difference } from "./parts-store.ts";
import { rebuildStep } from "./rebuild-step.ts";

/** Any number that no other user of advisory locks in this database takes: the bytes of "aos roll". */
const lock = "7020956927289945196";

const rowsAtOnce = 2_000;
const mergesAtOnce = 20;
/** One of so many late parts has its bucket compacted. */
const compactedOf = 16;

export interface RollerParts {
  readonly pool: SessionPool;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
  readonly meter: Meter;
  /** How often it looks while nothing waits (milliseconds, default 1,000). */
  readonly everyMs?: number;
}

export interface Round {
  readonly rows: number;
  readonly merged: number;
  readonly rebuilt: boolean;
}

/** Keeps the rollups up to date: takes up what triggers noted, and merges quarters, hours and days that are over. One process at a time; the others stand by. */
export class Roller {
  readonly #parts: RollerParts;
  readonly #facts = new FactMaker();
  readonly #seconds: { observe(labels: readonly string[], value: number): void };
  readonly #rows: { add(labels: readonly string[], amount?: number): void };
  #timer: NodeJS.Timeout | undefined;
  #rolling: Promise<unknown> = Promise.resolve();
  #looks = 0;
  #stopped = false;
  #tidiedAt = 0;

  constructor(parts: RollerParts) {
    this.#parts = parts;
    const { meter } = parts;
    this.#seconds = meter.histogram({
      name: "aos_analytics_look_seconds",
      labels: [],
      buckets: secondsBuckets,
      help: "How long a look of the rollups took, of those that found something.",
    });
    this.#rows = meter.counter({
      name: "aos_analytics_rows_total",
      labels: [],
      help: "Changes of tasks, approvals, violations and deliveries that the rollups took up.",
    });
    meter.gauge(
      {
        name: "aos_analytics_lag_seconds",
        labels: [],
        help: "Age of the oldest change that the rollups have not taken up; none: 0. Reported by worker processes.",
      },
      () => this.#lag(),
    );
  }

  start(): void {
    this.#again(this.#parts.everyMs ?? 1_000);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#rolling;
  }

  /** Goes on until nothing waits and everything that is over is merged. Returns false where another process is at it. */
  async drain(): Promise<boolean> {
    for (;;) {
      const round = await this.round();
      if (round === null || (round.rows < rowsAtOnce && round.merged === 0 && !round.rebuilt)) return round !== null;
    }
  }

  /** Counts some pending changes, merges some finished buckets, and continues a recount. */
  async round(): Promise<Round | null> {
    const session = await openSession(this.#parts.pool, { prepared: true });
    try {
      const rows = await this.#look(session);
      const merged = rows === null ? 0 : await this.#merge(session);
      const rebuilt = rows === null ? null : await this.#rebuild(session);
      session.release();
      return rows === null ? null : { rows, merged, rebuilt: rebuilt === true };
    } catch (error) {
      this.#facts.forget();
      session.abandon();
      throw error;
    }
  }

  async #lag(): Promise<[labels: string[], value: number][]> {
    const session = await openSession(this.#parts.pool);
    try {
      const rows = await session.query<{ seconds: number }>(
        "select coalesce(extract(epoch from now() - min(at)), 0)::float8 as seconds from (select at from analytics_pending limit 100000) p",
      );
      return [[[], rows[0]?.seconds ?? 0]];
    } finally {
      session.release();
    }
  }

  #again(afterMs: number): void {
    this.#timer = setTimeout(() => {
      this.#rolling = this.round()
        .catch((error: unknown) => {
          this.#parts.report(error);
          return null;
        })
        .then((round) => {
          if (this.#stopped) return;
          const behind = round !== null && (round.rows >= rowsAtOnce || round.merged >= mergesAtOnce || round.rebuilt);
          this.#again(behind ? 1 : (this.#parts.everyMs ?? 1_000));
        });
    }, afterMs).unref();
  }

  async #look(session: Session): Promise<number | null> {
    const [waiting] = await session.query<{ any: boolean }>("select exists (select from analytics_pending) as any");
    if (!waiting?.any) return 0;
    const begun = performance.now();
    const now = this.#parts.clock.now();
    this.#looks += 1;
    const done = await inTransaction(session, (db) => look(db, this.#facts, now, rowsAtOnce));
    if (done === null) return null;
    this.#seconds.observe([], (performance.now() - begun) / 1_000);
    this.#rows.add([], done.taken);
    await each(
      session,
      done.late.filter((_bucket, place) => (place + this.#looks) % compactedOf === 0),
      compactBucket,
    );
    return done.taken;
  }

  #rebuild(session: Session): Promise<boolean | null> {
    const now = this.#parts.clock.now();
    return inTransaction(session, (db) => rebuildStep(db, this.#facts, now));
  }

  async #merge(session: Session): Promise<number> {
    const now = this.#parts.clock.now();
    const due = await findDue(session, now, mergesAtOnce);
    await each(session, due, mergeBucket);
    if (now - this.#tidiedAt >= tidyMs) {
      this.#tidiedAt = now;
      await each(session, await findManyParts(session, mostTidied), compactBucket);
    }
    return due.length;
  }
}

/** Between two looks for minutes with many parts, and how many of them are compacted. */
const tidyMs = 30_000;
const mostTidied = 200;

async function each(
  session: Session,
  buckets: readonly (Scope & Bucket)[],
  act: (ctx: { db: Statements; scope: Scope }, bucket: Bucket) => Promise<void>,
): Promise<void> {
  for (const { organization, environment, ...bucket } of buckets)
    await inTransaction(session, (db) => act({ db, scope: { organization, environment } }, bucket));
}

/** Runs in a transaction, if no other process is at it. A failure is for the caller to abandon the session. */
async function inTransaction<T>(session: Session, work: (db: Statements) => Promise<T>): Promise<T | null> {
  await session.query("begin");
  const [taken] = await session.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1) as taken", [lock]);
  const result = taken?.taken ? await work(session) : null;
  await session.query("commit");
  return result;
}

interface PendingRow extends Scope {
  readonly kind: Kind;
  readonly id: string;
}

export interface Look {
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

/** Recomputes the facts of sources, and adds the difference to what they contributed before. */
async function bringUpToDate(ctx: QueryContext, facts: FactMaker, sources: Sources, now: number): Promise<Bucket[]> {
  const made = await facts.make(ctx, sources, now);
  const difference = new Difference(made.labels);
  for (const kind of kinds) {
    if (made[kind].size === 0) continue;
    const before = await readFacts(ctx, kind, [...made[kind].keys()]);
    const changed = new Map<string, string>();
    for (const [source, cells] of made[kind]) {
      const [former, text] = [before.get(source), cellsText(cells)];
      if (former === text) continue;
      changed.set(source, text);
      const minute = minuteOfSource(source);
      if (former !== undefined) difference.add(minute, cellsOfText(former), -1);
      difference.add(minute, cells, 1);
    }
    await writeFacts(ctx, kind, changed);
  }
  return addDifference(ctx, difference, now);
}
