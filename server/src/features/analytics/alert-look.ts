import { businessFailure } from "../../kernel/errors.ts";
import type { FactsReader } from "../../kernel/facts.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { type Looked, readingOf, stepAlert } from "./alert-model.ts";
import { type AlertRow, type LookedAlert, standingOf } from "./alert-store.ts";
import { alertWindow } from "./alert-view.ts";
import { anomalyRules } from "./anomalies-model.ts";
import { measures } from "./measures.ts";
import { type Measured, type RollupAnswer, rollup } from "./rollup.ts";

const minute = 60_000;
const week = 7 * 24 * 60 * minute;
/** How often alerts are looked at; those that compare with earlier weeks measure 19 windows. */
const every = minute;
const everyAnomaly = 5 * minute;
/** Rollups that lag behind by more than this say nothing of the last minutes. */
const longestLag = 5 * minute;

/** What a look needs: a scope and a handle, outside of any call. */
export interface Looking {
  readonly scope: Scope;
  readonly db: Statements;
  readonly facts: FactsReader;
  readonly now: number;
}

/** Rollups lag behind, so that nothing is known of the window. */
class FiguresBehind extends Error {
  constructor() {
    super("The figures are behind: what came in the last minutes is not in them yet.");
  }
}

/** What rollups need of a call. */
type Reading = Parameters<typeof rollup>[0];

/** Looks at an alert: measures its window, and says what becomes of it. Throws what is an error of the service: that says nothing of the figures. */
export async function lookAt(looking: Looking, alert: AlertRow): Promise<LookedAlert> {
  const { now } = looking;
  const isAnomaly = alert.condition.kind === "anomaly";
  const dueAt = now + (isAnomaly ? everyAnomaly : every);
  const forMs = alert.for_minutes * minute;
  try {
    const looked = await measure(contextOf(looking, alert), alert);
    const reading = readingOf(alert.condition, alert.measure, looked, alert.least_n);
    const { value, n } = looked;
    return { ...stepAlert(standingOf(alert), reading, now, forMs), value, n, error: null, dueAt };
  } catch (error) {
    const text = (error instanceof FiguresBehind ? error.message : businessFailure(error).detail).slice(0, 500);
    return { ...stepAlert(standingOf(alert), "no_data", now, forMs), value: null, n: 0, error: text, dueAt };
  }
}

/** As whoever made the alert would ask: its agents only. */
function contextOf({ scope, db, facts, now }: Looking, { agents }: AlertRow): Reading {
  const nobody = { role: null, keyId: null, scopes: null, personal: false, issuers: [] };
  const load = () => Promise.reject(new Error("A look has no loaders."));
  return {
    ...{ scope, facts, now, db: { query: db.query.bind(db), load } },
    principal: { kind: "system", id: "system:sweeper", ...nobody, agents },
  };
}

async function measure(ctx: Reading, alert: AlertRow): Promise<Looked> {
  const { from, to } = alertWindow(alert, ctx.now);
  const { measured, asOf } = await measureWindow(ctx, alert, from, to);
  if (asOf < to - longestLag) throw new FiguresBehind();
  const earlier = alert.condition.kind === "anomaly" ? await measureEarlier(ctx, alert, from, to) : [];
  return { value: measured.value, n: measured.n, earlier };
}

async function measureWindow(ctx: Reading, { measure: name, filters }: AlertRow, from: number, to: number) {
  const { rows, asOf }: RollupAnswer = await rollup(ctx, { measures: [name], filters, from, to });
  const isSum = measures[name].formula.kind === "sum";
  const nothing: Measured = { value: isSum ? 0 : null, low: null, high: null, n: 0 };
  return { measured: rows[0]?.values[name] ?? nothing, asOf };
}

/** The same window of earlier weeks and those beside it, as far back as there was anything. */
async function measureEarlier(ctx: Reading, alert: AlertRow, from: number, to: number): Promise<number[]> {
  const length = to - from;
  const weeks: Measured[][] = [];
  for (let back = 1; back <= anomalyRules.weeks; back++) {
    const beside = [-1, 0, 1].map((by) => measureBeside(ctx, alert, from - back * week + by * length, length));
    weeks.push((await Promise.all(beside)).flatMap((one) => one ?? []));
  }
  const last = weeks.findLastIndex((week) => week.some(({ n }) => n > 0));
  return weeks.slice(0, last + 1).flatMap((week) => week.flatMap(({ value }) => value ?? []));
}

/** Null: it reaches into the present, which is what is judged. */
async function measureBeside(ctx: Reading, alert: AlertRow, from: number, length: number): Promise<Measured | null> {
  const present = alertWindow(alert, ctx.now).from;
  return from + length > present ? null : (await measureWindow(ctx, alert, from, from + length)).measured;
}
