import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAlarm, type WriterAlarm } from "./alarm.ts";
import { type Finding, findingOf, type RecordFacts } from "./inspection.ts";
import type { WrittenRecord } from "./mac.ts";
import { production, silent } from "./testing.ts";

// The alarm's decisions over a model of the database, under a simulated clock: what pauses, restarts, late acknowledgements and open transactions can do.

const afterMs = 10_000;
const lookEveryMs = afterMs / 4;
/** What the documentation promises: a deleted record is named so long after its acknowledgement, one look later at most. */
const promisedMs = afterMs + lookEveryMs;

interface Row {
  readonly id: string;
  readonly xid: number;
}

/** A database with one log: rows in the order of their transactions, a head, and leaves that commit with it. */
class ModelDatabase {
  readonly rows = new Map<string, Row>();
  readonly leaves = new Set<string>();
  readonly open = new Map<string, Row>();
  headXid = 0;
  isPaused = false;
  #nextXid = 1;

  begin(id: string): void {
    this.open.set(id, { id, xid: this.#nextXid++ });
  }

  /** Returns whether there was such a transaction. */
  end(id: string, commits: boolean): boolean {
    const row = this.open.get(id);
    this.open.delete(id);
    if (row && commits) this.rows.set(id, row);
    return row !== undefined;
  }

  /** One batch below the oldest open transaction, as `sequenceBatch` does it. */
  sequence(most: number): void {
    const horizon = Math.min(this.#nextXid, ...[...this.open.values()].map(({ xid }) => xid));
    const next = [...this.rows.values()].filter(({ xid }) => xid > this.headXid && xid < horizon);
    for (const { id, xid } of next.toSorted((a, b) => a.xid - b.xid).slice(0, most)) {
      this.leaves.add(id);
      this.headXid = xid;
    }
  }

  factsOf(id: string, leaves: ReadonlySet<string> = this.leaves): RecordFacts {
    const row = this.rows.get(id);
    const hasLeaf = leaves.has(id);
    return {
      isPlaced: hasLeaf && row !== undefined,
      isStandby: false,
      hasRow: row !== undefined,
      hasLeaf,
      isPassed: row !== undefined && row.xid <= this.headXid,
      isHeadAhead: false,
      isHeadOwn: true,
      isSetAside: false,
    };
  }
}

/** A process that writes and watches. Its clock began at another time than that of others. */
class ModelProcess {
  readonly #database: ModelDatabase;
  readonly alarm: WriterAlarm;
  /** Releases the look that waits for the database. */
  release: () => void = () => undefined;
  #holds = false;
  looking: Promise<unknown> = Promise.resolve();

  constructor(database: ModelDatabase, now: () => number) {
    this.#database = database;
    const alarm = createAlarm({
      inspect: (records) => this.#inspect(records),
      confirm: async (records) => this.#answer(records, (id) => findingOf(database.factsOf(id))),
      stopped: async () => new Set(),
      now,
      log: silent,
      count: () => undefined,
      afterMs,
    });
    alarm.stop(); // looks are steps of the model
    this.alarm = alarm;
  }

  /** Reads leaves at one moment and the rest later, as several statements do. */
  async #inspect(records: readonly WrittenRecord[]): Promise<Finding[]> {
    const leaves = new Set(this.#database.leaves);
    if (this.#holds)
      await new Promise<void>((resolve) => {
        this.release = resolve;
      });
    return this.#answer(records, (id) => findingOf(this.#database.factsOf(id, leaves)));
  }

  #answer(records: readonly WrittenRecord[], find: (id: string) => Finding): Finding[] {
    if (this.#database.isPaused) throw new Error("the database does not answer");
    return records.map(({ id }) => find(id));
  }

  /** `holds`: until it is released. */
  look(holds: boolean): void {
    this.#holds = holds;
    this.looking = this.alarm.look().catch(() => undefined);
  }
}

type Step =
  | {
      readonly kind: "write" | "commit late" | "abort late" | "lose the answer" | "acknowledge late";
      readonly at: number;
    }
  | { readonly kind: "look" | "release looks" | "restart"; readonly at: number }
  | { readonly kind: "sequence" | "wait"; readonly at: number }
  | { readonly kind: "pause" | "resume"; readonly at: number };

const kinds = [
  "write",
  "write",
  "write",
  "commit late",
  "abort late",
  "lose the answer",
  "acknowledge late",
  "look",
  "look",
  "look",
  "release looks",
  "release looks",
  "restart",
  "sequence",
  "sequence",
  "wait",
  "wait",
  "pause",
  "resume",
] as Step["kind"][];
const steps = fc.array(fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(1_000) }), {
  minLength: 5,
  maxLength: 80,
}) as fc.Arbitrary<Step[]>;

/** Several processes on one database, moved by steps. */
class World {
  readonly database = new ModelDatabase();
  readonly processes: ModelProcess[];
  /** What a process that still runs has been told is durable, by its index. */
  readonly acknowledged = new Map<string, number>();
  readonly #late: { readonly id: string; readonly process: ModelProcess; readonly index: number }[] = [];
  readonly #writers = new Map<string, number>();
  #clock = 0;
  #ids = 0;

  constructor() {
    this.processes = [0, 1, 2].map((i) => this.#process(i));
  }

  #process(i: number): ModelProcess {
    const skew = i * 3_600_000 - this.#clock;
    return new ModelProcess(this.database, () => this.#clock + skew);
  }

  #acknowledge(id: string, index: number): void {
    (this.processes[index] as ModelProcess).alarm.acknowledged({ ...production, id });
    this.acknowledged.set(id, index);
  }

  #begin(index: number): string {
    const id = `aud_${++this.#ids}`;
    this.database.begin(id);
    this.#writers.set(id, index);
    return id;
  }

  async step({ kind, at }: Step): Promise<void> {
    const { database, processes } = this;
    const index = at % processes.length;
    const process = processes[index] as ModelProcess;
    if (kind === "wait") this.#clock += at * 40;
    else if (kind === "sequence" && !database.isPaused) database.sequence(1 + (at % 5));
    else if (kind === "pause") database.isPaused = true;
    else if (kind === "resume") database.isPaused = false;
    else if (kind === "look") process.look(at % 2 === 0);
    else if (kind === "release looks") await this.#release(process);
    else if (kind === "restart") this.#restart(index);
    else if (!database.isPaused) this.#write(kind, index, at);
    await new Promise((resolve) => setImmediate(resolve));
  }

  #write(kind: Step["kind"], index: number, at: number): void {
    const { database } = this;
    const open = [...database.open.keys()][at % Math.max(1, database.open.size)];
    const writer = this.#writers.get(open ?? "") ?? 0;
    if (kind === "write" && at % 3 === 0) this.#begin(index);
    else if (kind === "write") {
      const id = this.#begin(index);
      database.end(id, true);
      this.#acknowledge(id, index);
    } else if (kind === "lose the answer") database.end(this.#begin(index), true);
    else if (kind === "abort late" && open) database.end(open, false);
    else if (kind === "commit late" && open && database.end(open, true)) {
      this.#late.push({ id: open, process: this.processes[writer] as ModelProcess, index: writer });
    } else if (kind === "acknowledge late") this.#acknowledgeLate();
  }

  /** What a process hears only now of its commits, where it was not restarted since. */
  #acknowledgeLate(): void {
    for (const { id, process, index } of this.#late.splice(0))
      if (this.processes[index] === process) this.#acknowledge(id, index);
  }

  async #release(process: ModelProcess): Promise<void> {
    process.look(false); // also ends that the look under way holds, should it come to that only now
    process.release();
    await process.looking;
  }

  #restart(index: number): void {
    this.processes[index] = this.#process(index);
    for (const [id, at] of this.acknowledged) if (at === index) this.acknowledged.delete(id);
  }

  /** Everything goes on, for so long. */
  async settle(ms: number): Promise<void> {
    this.database.isPaused = false;
    for (const id of [...this.database.open.keys()]) this.database.end(id, true);
    this.#acknowledgeLate();
    for (const process of this.processes) await this.#release(process);
    for (let left = ms; left > 0; left -= lookEveryMs) {
      this.#clock += lookEveryMs;
      this.database.sequence(Number.POSITIVE_INFINITY);
      for (const process of this.processes) await process.alarm.look();
    }
  }

  missing(): string[] {
    return this.processes.flatMap(({ alarm }) => alarm.missing().flatMap(({ records }) => records.map(({ id }) => id)));
  }

  behind(): unknown[] {
    return this.processes.flatMap(({ alarm }) => alarm.behind());
  }
}

describe("the alarm of missing records", () => {
  it("never names a record that is in the log or waits for it, and never says for good that the log is behind", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const world = new World();
        for (const step of given) {
          await world.step(step);
          expect(world.missing()).toEqual([]);
        }
        await world.settle(2 * promisedMs);
        expect([world.missing(), world.behind()]).toEqual([[], []]);
        expect(world.database.leaves.size).toBe(world.database.rows.size);
      }),
      { numRuns: 1_000 },
    );
  });

  it("names each record that was deleted before it had its place, and no other, within the promised time", async () => {
    const attacks = fc.array(fc.nat(80), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(steps, attacks, async (given, moments) => {
        const world = new World();
        const deleted = new Set<string>();
        for (const [i, step] of given.entries()) {
          await world.step(step);
          if (!moments.includes(i)) continue;
          const { rows, leaves } = world.database;
          const waiting = [...world.acknowledged.keys()].find((id) => rows.has(id) && !leaves.has(id));
          if (waiting === undefined) continue;
          rows.delete(waiting);
          deleted.add(waiting);
        }
        await world.settle(promisedMs);
        const watched = [...deleted].filter((id) => world.acknowledged.has(id));
        expect(world.missing().toSorted()).toEqual(watched.toSorted());
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("what is read of a record", () => {
  const sound: RecordFacts = {
    isPlaced: false,
    isStandby: false,
    hasRow: true,
    hasLeaf: false,
    isPassed: true,
    isHeadAhead: false,
    isHeadOwn: true,
    isSetAside: false,
  };

  it.each<[string, Partial<RecordFacts>, Finding]>([
    ["a row that the log has passed is a problem", {}, "passed_over"],
    ["a row whose leaf does not fit is a problem", { hasLeaf: true }, "changed"],
    ["a row that is gone is a problem, wherever the log stands", { hasRow: false, isPassed: false }, "deleted"],
    ["a row behind the head waits", { isPassed: false }, "waiting"],
    ["a standby proves nothing", { isStandby: true, hasRow: false }, "unclear"],
    ["a head that another wrote proves nothing", { isHeadOwn: false }, "unclear"],
    ["a head from another PostgreSQL proves nothing", { isHeadAhead: true }, "unclear"],
    ["a row that an adoption set aside is known", { isSetAside: true }, "set_aside"],
  ])("%s", (_title, facts, finding) => {
    expect(findingOf({ ...sound, ...facts })).toBe(finding);
  });
});
