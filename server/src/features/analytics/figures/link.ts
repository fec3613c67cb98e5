import { timestamp } from "../../../kernel/clock.ts";
import { type Family, finalStates, type MeasureName, measures } from "../rollups/measures.ts";
import type { Filters } from "../rollups/types.ts";

// Where the things behind figures are listed: a path of the interface, or null where no list can tell them apart.

interface Within {
  readonly from: number;
  readonly to: number;
}

interface List {
  readonly path: string;
  readonly many: Readonly<Record<string, string>>;
  readonly one: Readonly<Record<string, string>>;
  /** States of the list for a value of the dimension that is none of them. */
  readonly states?: Readonly<Record<string, readonly string[]>>;
}

const openTasks = ["queued", "awaiting_approval", "running", "input_required"];
const lists: Partial<Record<Family, List>> = {
  tasks: {
    path: "/v1/tasks",
    many: { agent: "agent", risk: "risk", status: "status" },
    one: { version: "version", skill: "task", key: "key", member: "member", origin: "origin" },
    states: { open: openTasks },
  },
  violations: {
    path: "/v1/governance/violations",
    many: { agent: "agent", kind: "kind" },
    one: { policy: "source" },
  },
};

function listedAt(list: List | undefined, filters: Filters, { from, to }: Within): string | null {
  if (!list) return null;
  const query = new URLSearchParams();
  for (const [dimension, values] of Object.entries(filters)) {
    const isLabel = dimension.startsWith("label:");
    const several = list.many[dimension];
    const member = isLabel && list === lists.tasks ? "label" : (several ?? list.one[dimension]);
    const known = (values ?? []).filter((value) => value !== null && value !== "other" && !value.includes(","));
    const isExact =
      known.length === (values ?? []).length && (known.length === 1 || (several !== undefined && known.length > 1));
    if (member === undefined || !isExact || query.has(member)) return null;
    const texts = known.flatMap((value) => list.states?.[value as string] ?? [value as string]);
    query.set(member, isLabel ? `${dimension.slice("label:".length)}:${texts[0]}` : texts.join(","));
  }
  query.set("created_after", timestamp(from));
  query.set("created_before", timestamp(to));
  return `${list.path}?${query}`;
}

export const taskLink = (filters: Filters, from: number, to: number): string | null =>
  listedAt(lists.tasks, filters, { from, to });

export const violationLink = (filters: Filters, from: number, to: number): string | null =>
  listedAt(lists.violations, filters, { from, to });

const ofJudged: ReadonlySet<MeasureName> = new Set(["judged", "accepted_rate", "trust_calibration_error"]);

const ofEnded: ReadonlySet<MeasureName> = new Set(["duration_p50", "duration_p90", "duration_p99"]);

/**
 * What a measure is about, in a window and under filters. A share or a mean leads to all that it is over. Lists of approvals and of deliveries know no times, and
 * steps have no list.
 */
export function linkOf(name: MeasureName, filters: Filters, window: Within): string | null {
  const { family, formula } = measures[name];
  const only = "only" in formula && formula.kind === "sum" ? formula.only : undefined;
  if ("less" in formula || (only && filters[only.dimension as "status"] !== undefined)) return null;
  const among = formula.kind === "rate" ? formula.among : ofEnded.has(name) ? finalStates : undefined;
  const of = { ...(among && { [among.dimension]: among.values }), ...filters };
  const link = listedAt(lists[family], { ...of, ...(only && { [only.dimension]: only.values }) }, window);
  return link !== null && ofJudged.has(name) ? `${link}&judged=true` : link;
}
