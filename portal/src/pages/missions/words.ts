import type { Measure, Measured, MissionSummary } from "../../api/missions.ts";
import { percent } from "../../lib/words.ts";

/** A value of the measure as people say it: a rate in percent. */
export function measureText(value: number, aggregate: Measure["aggregate"]): string {
  if (aggregate === "rate") return percent(value);
  return value.toLocaleString("en", { maximumFractionDigits: 2 });
}

const aggregateWords: Readonly<Record<Measure["aggregate"], string>> = {
  count: "Number",
  rate: "Share",
  sum: "Sum",
  mean: "Mean",
  min: "Least",
  max: "Greatest",
};

/** What is measured, in a line: `Share of qualify_lead results where output.qualified`. */
export function measureName({ aggregate, skill, where, value }: Measure): string {
  const of = value === undefined ? `of ${skill} results` : `of ${value} over ${skill} results`;
  return `${aggregateWords[aggregate]} ${of}${where === undefined ? "" : ` where ${where}`}`;
}

export const targetText = ({ target, direction }: Pick<Measured, "target" | "direction">, of: Measure): string =>
  `${direction === "at_most" ? "at most" : "at least"} ${measureText(target, of.aggregate)}`;

export const healthWords: Readonly<Record<MissionSummary["health"], string>> = {
  not_started: "Not started",
  on_track: "On track",
  at_risk: "At risk",
  blocked: "Blocked",
  off_track: "Off track",
  closed: "Closed",
};

export const autonomyWords: Readonly<Record<MissionSummary["autonomy"], string>> = {
  propose: "Propose: people approve every task",
  approve_writes: "Approve writes: people approve tasks that write",
  within_limits: "Within limits: only what policies and risk ask for",
};
