import { type DataClass, dataClasses, type RiskLevel, riskLevels } from "./risk.ts";
import type { ApprovalDemand, DemandedExpiry, RequiredStage, Requirement } from "./verdict.ts";

// Approval rules: who must approve what. A rule only ever adds to what policies, risk and callers demand (`stricter`).

/** What a rule is about; all that is given has to hold. With `tools` single calls of these (`*`: of any), else tasks as a whole. */
export interface RuleCondition {
  readonly agents?: readonly string[];
  readonly skills?: readonly string[];
  readonly tools?: readonly string[];
  readonly risk_at_least?: RiskLevel;
  /** By what detectors find in the input, and what the run has read. */
  readonly data_class_at_least?: DataClass;
  /** `field` leads to a number of the input, by names with dots between them. */
  readonly amount?: { readonly field: string; readonly above: number };
}

export interface RuleDemand {
  readonly stages: readonly RequiredStage[];
  /** Whether nobody who stands behind the request is among those who approve. */
  readonly four_eyes: boolean;
  readonly expiry: DemandedExpiry | null;
}

/** The text of a rule, as it is stored. */
export interface RuleDefinition {
  readonly when: RuleCondition;
  readonly require: RuleDemand;
}

/** One version of a rule, in force. */
export interface ApprovalRule extends RuleDefinition {
  readonly name: string;
  readonly title: string;
  readonly version: number;
}

/** What a rule asks about of a task or a call. */
export interface SeenByRule {
  readonly agent: string | undefined;
  readonly skill: string | undefined;
  /** Undefined: a task as a whole. */
  readonly tool: string | undefined;
  readonly risk: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  /** The most protected class of data in it. Called only if a rule asks. */
  dataLevel(): string;
}

/** The actions of agents that a rule judges: dispatch and start of tasks by every way in, or calls of tools. */
export const actionsOfRule = ({ tools }: RuleCondition): readonly string[] =>
  tools === undefined ? ["task.dispatch", "task.run", "chat.message"] : ["tool.call"];

/** Whether a rule is about this. Never throws: what cannot be compared counts as the case that the rule is for. */
export function isOfRule(when: RuleCondition, seen: SeenByRule): boolean {
  const { agents, skills, tools, risk_at_least: risk, data_class_at_least: data, amount } = when;
  return (
    (tools === undefined ? seen.tool === undefined : isNamed(tools, seen.tool)) &&
    (agents === undefined || isNamed(agents, seen.agent)) &&
    (skills === undefined || isNamed(skills, seen.skill)) &&
    (risk === undefined || isAtLeast(riskLevels, seen.risk, risk)) &&
    (amount === undefined || isAbove(valueAt(seen.input, amount.field), amount.above)) &&
    (data === undefined || isAtLeast(dataClasses, seen.dataLevel(), data))
  );
}

const isNamed = (names: readonly string[], name: string | undefined): boolean =>
  name !== undefined && (names.includes("*") || names.includes(name));

/** An unknown level counts as the highest. */
function isAtLeast(levels: readonly string[], level: string | undefined, least: string): boolean {
  const at = level === undefined ? -1 : levels.indexOf(level);
  return at < 0 || at >= levels.indexOf(least);
}

/** Something that is no number cannot be shown to be below: it counts as above. Nothing is not above. */
function isAbove(value: unknown, bound: number): boolean {
  if (value === undefined || value === null) return false;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number !== "number" || Number.isNaN(number) || number > bound;
}

function valueAt(input: Readonly<Record<string, unknown>>, field: string): unknown {
  let value: unknown = input;
  for (const name of field.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** How many persons a rule asks in all. */
export const quorumOf = (stages: readonly RequiredStage[]): number =>
  stages.reduce((sum, { quorum }) => sum + quorum, 0);

/** What a rule asks for. */
export function demandOfRule({
  name,
  title,
  version,
  require: { stages, four_eyes, expiry },
}: ApprovalRule): ApprovalDemand {
  const requirement: Requirement = { kind: "rule", id: name, name: title, version, stages };
  return {
    approvers: Math.max(1, quorumOf(stages)),
    requester_allowed: !four_eyes,
    reasons: [reasonOfRule({ name, title })],
    required_by: [requirement],
    ...(expiry && { expiry }),
  };
}

export const reasonOfRule = ({ name, title }: Pick<ApprovalRule, "name" | "title">): string =>
  `The approval rule ${title} (${name}) asks for it.`;
