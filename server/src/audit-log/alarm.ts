import type { Pool } from "pg";
import { createConfirmation, createInspection, type Finding, isProblem, type Problem, problems } from "./inspection.ts";
import type { LogMac, WrittenRecord } from "./mac.ts";
import type { SequencerLog } from "./progress.ts";
import { type LogScope, scopeKey } from "./scope.ts";
import { readStops } from "./stops.ts";

/** After so long an acknowledged record should be in the log (milliseconds). */
const usuallyAfterMs = 10_000;

interface AlarmReports {
  readonly log: SequencerLog;
  /** Counts the records that are missing, by environment. */
  readonly count: (environment: string, records: number) => void;
  /** 10,000 by default. */
  readonly afterMs?: number;
}

export interface WriterAlarmOptions extends AlarmReports {
  readonly pool: Pick<Pool, "query" | "connect">;
  readonly mac: LogMac;
}

export interface AlarmParts extends AlarmReports {
  /** Finds out how records stand; a problem is looked at again by `confirm`. */
  readonly inspect: (records: readonly WrittenRecord[]) => Promise<Finding[]>;
  /** The same in one snapshot of the database. */
  readonly confirm: (records: readonly WrittenRecord[]) => Promise<Finding[]>;
  /** The logs whose signing is stopped, by `scopeKey`; they do not move, and say so themselves. */
  readonly stopped: () => Promise<ReadonlySet<string>>;
  /** Milliseconds of a clock that is never set back. */
  readonly now: () => number;
}

/** A log that has yet to take records in which this process acknowledged: a delay, which passes. */
export interface BehindLog {
  readonly scope: LogScope;
  readonly records: number;
  /** Since the oldest of them was acknowledged. */
  readonly seconds: number;
}

/** Acknowledged records that are lost, or were changed in the database. That does not pass. */
export interface MissingRecords {
  readonly scope: LogScope;
  readonly count: number;
  /** The first of them; the log names all. */
  readonly records: readonly { readonly id: string; readonly problem: Problem }[];
}

/** Watches over what this process has acknowledged: nobody else misses a record that was deleted before it had its place in the log. */
export interface WriterAlarm {
  acknowledged(record: WrittenRecord): void;
  /** Looks now, or waits for the look that is under way. There are four in `afterMs`. */
  look(): Promise<void>;
  behind(): readonly BehindLog[];
  missing(): readonly MissingRecords[];
  stop(): void;
}

interface Watched extends WrittenRecord {
  /** When it was acknowledged. */
  readonly at: number;
}

/** A log with records that are overdue. */
interface LateLog {
  readonly scope: LogScope;
  /** In the order of their acknowledgement, which is nearly that of the log. */
  records: Watched[];
  /** When all of them were last looked at. */
  sweptAt: number;
  warnedAt: number;
}

/** Records that one statement looks up. */
const lookLimit = 1_000;
/** Records that are watched at a time, some 30 MB: a log that stands still for long must not take all memory. */
const watchLimit = 200_000;
/** Ids that `missing` and one log line name. */
const namedLimit = 20;
/** How often a log that stays behind is warned of (milliseconds). */
const warnEveryMs = 60_000;

export function createWriterAlarm({ pool, mac, ...reports }: WriterAlarmOptions): WriterAlarm {
  return createAlarm({
    ...reports,
    inspect: createInspection(pool, mac),
    confirm: createConfirmation(pool, mac),
    stopped: async () => new Set((await readStops(pool)).map(({ scope }) => scopeKey(scope))),
    now: () => performance.now(),
  });
}

/** The alarm over whatever finds out how records stand; looks by itself from now on, until it is stopped. */
export function createAlarm(parts: AlarmParts): WriterAlarm {
  const { log, afterMs = usuallyAfterMs } = parts;
  const watch = new WriterWatch(parts, afterMs);
  let stopped = false;
  const look = (): void =>
    void watch.look().catch((error: Error) => {
      if (!stopped) log.warn(`Acknowledged audit records could not be looked up, and will be again: ${error.message}`);
    });
  const timer = setInterval(look, afterMs / 4);
  timer.unref();
  return {
    acknowledged: (record) => watch.acknowledged(record),
    look: () => watch.look(),
    behind: () => watch.behind(),
    missing: () => watch.missing(),
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}

class WriterWatch implements Omit<WriterAlarm, "stop"> {
  readonly #parts: AlarmParts;
  readonly #afterMs: number;
  /** Not looked at yet, oldest first. */
  readonly #fresh: Watched[] = [];
  readonly #late = new Map<string, LateLog>();
  readonly #missing = new Map<
    string,
    { scope: LogScope; count: number; records: { id: string; problem: Problem }[] }
  >();
  #lateCount = 0;
  #unwatched = 0;
  #looking: Promise<void> | null = null;

  constructor(parts: AlarmParts, afterMs: number) {
    this.#parts = parts;
    this.#afterMs = afterMs;
  }

  acknowledged({ organization, environment, id }: WrittenRecord): void {
    if (this.#fresh.length + this.#lateCount >= watchLimit) this.#unwatched++;
    else this.#fresh.push({ organization, environment, id, at: this.#parts.now() });
  }

  look(): Promise<void> {
    this.#looking ??= this.#lookAtAll().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  behind(): BehindLog[] {
    const now = this.#parts.now();
    return [...this.#late.values()].flatMap(({ scope, records }) => {
      const oldest = records[0];
      return oldest ? [{ scope, records: records.length, seconds: Math.round((now - oldest.at) / 1000) }] : [];
    });
  }

  missing(): MissingRecords[] {
    return [...this.#missing.values()];
  }

  async #lookAtAll(): Promise<void> {
    const now = this.#parts.now();
    try {
      for (const late of this.#late.values()) await this.#lookAtLate(late, now);
      await this.#lookAtFresh(now);
    } finally {
      this.#lateCount = [...this.#late.values()].reduce((sum, { records }) => sum + records.length, 0);
    }
    await this.#tellBehind(now);
  }

  async #lookAtFresh(now: number): Promise<void> {
    const isDue = ({ at }: Watched): boolean => now - at >= this.#afterMs;
    for (;;) {
      const due = this.#fresh.slice(0, lookLimit).filter(isDue);
      if (due.length === 0) return;
      const waiting = await this.#sift(due);
      this.#fresh.splice(0, due.length);
      for (const record of waiting) this.#lateLog(record, now).records.push(record);
    }
  }

  /** All of a log's overdue records once in `afterMs`; in between only as far as the log has moved. */
  async #lookAtLate(late: LateLog, now: number): Promise<void> {
    const { records } = late;
    const isSweep = now - late.sweptAt >= this.#afterMs;
    const waiting: Watched[] = [];
    let next = 0;
    try {
      for (let moves = true; moves && next < records.length; ) {
        const some = records.slice(next, next + lookLimit);
        const still = await this.#sift(some);
        next += some.length;
        waiting.push(...still);
        moves = isSweep || still.length < some.length;
      }
      if (isSweep) late.sweptAt = now;
    } finally {
      late.records = [...waiting, ...records.slice(next)];
    }
  }

  /** Raises the alarm for those that are lost; returns those that wait. Where it fails nothing has happened. */
  async #sift(records: readonly Watched[]): Promise<Watched[]> {
    const findings = await this.#parts.inspect(records);
    const suspects = records.filter((_, i) => isProblem(findings[i] as Finding));
    const confirmed = suspects.length === 0 ? [] : await this.#parts.confirm(suspects);
    const final = new Map(suspects.map((record, i) => [record, confirmed[i] as Finding]));
    const found = records.map((record, i) => ({ record, finding: final.get(record) ?? (findings[i] as Finding) }));
    const lost = found.flatMap(({ record, finding }) => (isProblem(finding) ? [{ record, problem: finding }] : []));
    for (const one of Map.groupBy(lost, ({ record }) => scopeKey(record)).values()) this.#raise(one);
    return found.filter(({ finding }) => finding === "waiting" || finding === "unclear").map(({ record }) => record);
  }

  #lateLog({ organization, environment }: LogScope, now: number): LateLog {
    const scope = { organization, environment };
    const late = this.#late.get(scopeKey(scope)) ?? {
      scope,
      records: [],
      sweptAt: now,
      warnedAt: Number.NEGATIVE_INFINITY,
    };
    this.#late.set(scopeKey(scope), late);
    return late;
  }

  #raise(lost: readonly { readonly record: Watched; readonly problem: Problem }[]): void {
    const { organization, environment } = (lost[0] as { record: Watched }).record;
    const scope = { organization, environment };
    const key = scopeKey(scope);
    const missing = this.#missing.get(key) ?? { scope, count: 0, records: [] };
    this.#missing.set(key, missing);
    missing.count += lost.length;
    const named = lost.map(({ record: { id }, problem }) => ({ id, problem }));
    missing.records.push(...named.slice(0, namedLimit - missing.records.length));
    this.#parts.count(environment, lost.length);
    for (let i = 0; i < named.length; i += namedLimit)
      this.#parts.log.error(missingText(scope, named.slice(i, i + namedLimit)));
  }

  async #tellBehind(now: number): Promise<void> {
    if (this.#late.size === 0) return;
    const { log, stopped } = this.#parts;
    for (const [key, late] of this.#late) {
      if (late.records.length > 0) continue;
      this.#late.delete(key);
      if (late.warnedAt > Number.NEGATIVE_INFINITY) log.warn(`The audit log of ${nameOf(late.scope)} has caught up.`);
    }
    const silent = await stopped();
    for (const { scope, records, seconds } of this.behind()) {
      const late = this.#late.get(scopeKey(scope)) as LateLog;
      if (silent.has(scopeKey(scope)) || now - late.warnedAt < warnEveryMs) continue;
      late.warnedAt = now;
      log.warn(behindText(scope, records, seconds));
    }
    if (this.#unwatched > 0)
      log.warn(`So many records wait that ${this.#unwatched} newer ones are not watched one by one.`);
    this.#unwatched = 0;
  }
}

const nameOf = ({ organization, environment }: LogScope): string => `${organization}/${environment}`;

const isAre = (records: number): string => (records === 1 ? "1 record" : `${records} records`);

function behindText(scope: LogScope, records: number, seconds: number): string {
  const waiting = `${isAre(records)} acknowledged by this process ${records === 1 ? "waits" : "wait"}`;
  return `The audit log of ${nameOf(scope)} is behind: ${waiting} for a place in it, the oldest for ${seconds} s. Nothing is missing; proofs and webhooks are late until it has caught up.`;
}

function missingText(scope: LogScope, named: readonly { readonly id: string; readonly problem: Problem }[]): string {
  const list = named.map(({ id, problem }) => `${id} (${problems[problem]})`).join(", ");
  return `The audit log of ${nameOf(scope)} lacks ${isAre(named.length)} that this process acknowledged: ${list}. The database lost or changed them; see docs/operations/audit-log.md#missing-records.`;
}
