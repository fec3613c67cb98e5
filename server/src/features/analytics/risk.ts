import { timestamp } from "../../kernel/clock.ts";
import type { ReadContext } from "../../kernel/context.ts";
import { agentsSeen, findKnownAgent } from "../agents/public.ts";
import { gateOf, hasGate } from "../evaluations/public.ts";
import { agentsIn, mayRead } from "./quality-scope.ts";
import {
  countRisky,
  type HeldRow,
  listKillSwitches,
  listPauses,
  listSteered,
  listUnknownOutcomes,
} from "./risk-store.ts";
import { type RollupRow, rollup } from "./rollup.ts";
import { type FigureWindow, tableOf } from "./window.ts";
import type { Breakdown } from "./window-schemas.ts";

const mostNamed = 20;

const exposed = (rows: readonly HeldRow[], link: string | null) => ({
  ...{ n: rows.length, link },
  items: rows.slice(0, mostNamed).map(({ id, what, since }) => ({ id, what, since: timestamp(since.getTime()) })),
});

/** What can go wrong at this moment, as far as the caller may read it. */
export async function exposureOf(ctx: ReadContext, window: FigureWindow) {
  const readsTasks = mayRead(ctx, "tasks:read");
  const [risky, unknown, switches, pauses, steered] = await Promise.all([
    readsTasks ? countRisky(ctx, window) : [],
    readsTasks ? listUnknownOutcomes(ctx, window) : [],
    mayRead(ctx, "governance:read") ? listKillSwitches(ctx, window) : [],
    mayRead(ctx, "agents:read") ? listPauses(ctx, window) : [],
    mayRead(ctx, "approvals:read") ? listSteered(ctx, window) : [],
  ]);
  const openTasks = riskyTasks(window);
  return {
    open_high_risk: {
      n: risky.reduce((sum, { n }) => sum + n, 0),
      link: openTasks,
      items: risky.map(({ name, n }) => ({ name, n, link: riskyTasks(window, name) })),
    },
    unknown_outcomes: exposed(unknown, null),
    kill_switches: exposed(switches, "/v1/governance/kill-switch"),
    pauses: exposed(pauses, null),
    exceptions: exposed(mayRead(ctx, "agents:read") ? ungatedVersions(ctx, window) : [], null),
    steered: exposed(steered, null),
  };
}

/** Where open tasks of high risk are listed that the window's filters leave. */
function riskyTasks({ filters }: FigureWindow, agent = filters.agent?.[0] ?? undefined): string {
  const label = Object.entries(filters).find(([name]) => name.startsWith("label:"));
  const named = label && `${label[0].slice("label:".length)}:${label[1]?.[0]}`;
  const asked = { agent, task: filters.skill?.[0], label: named };
  const more = Object.entries(asked).flatMap(([name, value]) =>
    value ? [`&${name}=${encodeURIComponent(value)}`] : [],
  );
  return `/v1/tasks?status=queued,awaiting_approval,running,input_required&risk=high,critical${more.join("")}`;
}

/** Live versions of agents with a gate that act without its open verdict. From memory. */
function ungatedVersions(ctx: ReadContext, window: FigureWindow): HeldRow[] {
  return (agentsIn(ctx, window) ?? agentsSeen(ctx)).flatMap((agent) => {
    const live = findKnownAgent(ctx, agent)?.live;
    if (!live || !hasGate(ctx, agent) || gateOf(ctx, agent, live.id) !== "tag") return [];
    return [{ id: live.id, what: `Version ${live.number} of ${agent}`, since: live.since }];
  });
}

/** What nearly happened: what people stopped, what shadow policies would have, and what was approved and judged wrong later. */
export async function nearMisses(ctx: ReadContext, window: FigureWindow) {
  const { from, to, timeZone, filters } = window;
  const asked = { filters, from, to, timeZone };
  const [decisions, kinds] = await Promise.all([
    rollup(ctx, { ...asked, measures: ["override_rate", "agreement"] }),
    tableOf(ctx, window, { measures: ["violations"], dimensions: ["kind"] }),
  ]);
  const [row] = decisions.rows;
  const ofKind = (...names: string[]) =>
    kinds.rows.reduce((sum, { key, figures }) => {
      return names.includes(key.kind ?? "") ? sum + (figures.violations?.value ?? 0) : sum;
    }, 0);
  return {
    rejected: numberOf(row, "override_rate"),
    would_have: ofKind("would_block", "would_wait"),
    warned: ofKind("warned"),
    approved_wrong: wrongOf(row),
  };
}

const numberOf = (row: RollupRow | undefined, rate: "override_rate" | "agreement"): number => {
  const { value, n } = row?.values[rate] ?? { value: null, n: 0 };
  return Math.round((value ?? 0) * n);
};
const wrongOf = (row: RollupRow | undefined): number =>
  (row?.values.agreement.value === null ? 0 : (row?.values.agreement.n ?? 0)) - numberOf(row, "agreement");

/** Rows by policy with the address of their violations. */
export const withViolations = (rows: readonly Breakdown[], { from, to }: FigureWindow): Breakdown[] =>
  rows.map((row) => {
    const { key, figures } = row;
    const { violations } = figures;
    if (!violations || !key.policy || key.policy === "other") return row;
    const within = { created_after: timestamp(from), created_before: timestamp(to) };
    const query = new URLSearchParams({ source: key.policy, ...within });
    return {
      ...row,
      figures: { ...figures, violations: { ...violations, link: `/v1/governance/violations?${query}` } },
    };
  });
