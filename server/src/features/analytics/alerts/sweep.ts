import { businessFailure } from "../../../kernel/errors.ts";
import type { FactsReader } from "../../../kernel/facts.ts";
import type { Statements, Sweep, SweepParts } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { createPauses } from "../../../kernel/service-faults.ts";
import { whyStopped } from "../../admin/public.ts";
import { anomalyRules } from "../quality/anomaly-rules.ts";
import { measures } from "../rollups/measures.ts";
import { type Measured, type RollupAnswer, rollup } from "../rollups/rollup.ts";
import { tellAlert } from "./operations/tell-alert.ts";
import { type AlertEvaluation, type Looked, readingOf, stepAlert } from "./states.ts";
import { type DueAlert, listDueAlerts, standingOf, storeEvaluation } from "./store.ts";
import { type AlertRow, alertWindow } from "./view.ts";

/** Alerts that one look of the sweep takes up; the rest is due a second later. */
const mostDue = 50;
const pauses = createPauses();

/** Evaluates alerts that are due. A state change is stored directly; a notification is a call of its own. After an error of the service the alert stays due. */
export const alertSweep: Sweep = {
  name: "analytics.alerts",
  async run(parts) {
    const due = await listDueAlerts(parts.db, parts.now, mostDue);
    const faults: unknown[] = [];
    for (const alert of due.filter(({ id }) => !pauses.waits(id, parts.now))) {
      const fault = await pauses.around(alert.id, parts.now, () => lookAndTell(parts, alert));
      if (fault !== undefined) faults.push(fault);
    }
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} alerts could not be looked at`);
  },
};

async function lookAndTell({ db, inside, facts, now }: SweepParts, { sure, ...alert }: DueAlert): Promise<void> {
  const { organization, environment } = alert;
  const scope = { organization, environment };
  const isStopped = !sure && (await whyStopped({ scope, db, now }, alert, "analytics:read")) !== null;
  const looked = isStopped ? null : await evaluateAlert({ scope, db, facts, now }, alert);
  if (looked?.event === null) await storeEvaluation({ scope, db }, alert, looked);
  else await inside(tellAlert, scope, { alert, looked });
}

const minute = 60_000;
const week = 7 * 24 * 60 * minute;
/** How often alerts are looked at; those that compare with earlier weeks measure 19 windows. */
const every = minute;
const everyAnomaly = 5 * minute;
/** Rollups that lag behind by more than this say nothing of the last minutes. */
const longestLag = 5 * minute;

export interface EvaluationContext {
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

type Reading = Parameters<typeof rollup>[0];

/** Looks at an alert: measures its window, and says what becomes of it. Throws what is an error of the service: that says nothing of the figures. */
export async function evaluateAlert(ctx: EvaluationContext, alert: AlertRow): Promise<AlertEvaluation> {
  const { now } = ctx;
  const isAnomaly = alert.condition.kind === "anomaly";
  const dueAt = now + (isAnomaly ? everyAnomaly : every);
  const forMs = alert.for_minutes * minute;
  try {
    const looked = await measure(contextOf(ctx, alert), alert);
    const reading = readingOf(alert.condition, alert.measure, looked, alert.least_n);
    const { value, n } = looked;
    return { ...stepAlert(standingOf(alert), reading, now, forMs), value, n, error: null, dueAt };
  } catch (error) {
    const text = (error instanceof FiguresBehind ? error.message : businessFailure(error).detail).slice(0, 500);
    return { ...stepAlert(standingOf(alert), "no_data", now, forMs), value: null, n: 0, error: text, dueAt };
  }
}

/** As whoever made the alert would ask: its agents only. */
function contextOf({ scope, db, facts, now }: EvaluationContext, { agents }: AlertRow): Reading {
  const nobody = { role: null, keyId: null, scopes: null, personal: false, issuers: [] };
  const load = () => Promise.reject(new Error("A look has no loaders."));
  return {
    scope,
    facts,
    now,
    db: { query: db.query.bind(db), load },
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
