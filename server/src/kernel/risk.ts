import { type DataClass, dataClasses } from "@aos/data-classes";
import type { Environment } from "./principal.ts";

/** Risk of one call: computed from what it can do and how far its agent is trusted; monotone in every input. */
export const riskLevels = ["low", "medium", "high", "critical"] as const;
export type RiskLevel = (typeof riskLevels)[number];

export { type DataClass, dataClasses };

export interface RiskInputs {
  /** The most protected class of data that is touched. */
  readonly data: DataClass;
  readonly reversible: boolean;
  /** Whether the effect reaches outside the company. */
  readonly external: boolean;
  /** Money at stake, in US dollars, from 0. */
  readonly money: number;
  /** Persons affected, from 0. */
  readonly persons: number;
  /** Whether nobody looks before it happens. */
  readonly unattended: boolean;
  /** Lower end of the trust score's interval, in [0, 1]. */
  readonly trust_low: number;
  /** Whether a critical finding about the agent is open. */
  readonly critical_finding: boolean;
  /** Steps by which safeguards make it less likely, 0 to 4. They never lower the impact. */
  readonly mitigation: number;
}

/** The numbers of the rules (start). Steps are upper ends: a value up to the n-th counts n. */
export interface RiskConfig {
  readonly data: Readonly<Record<DataClass, number>>;
  readonly irreversible: number;
  readonly external: number;
  readonly money_steps: readonly number[];
  readonly person_steps: readonly number[];
  /** 1 − trust_low at or above the n-th step counts n. */
  readonly doubt_steps: readonly number[];
  /** Least score of medium, high and critical. */
  readonly level_scores: readonly [number, number, number];
}

export const startRiskConfig: RiskConfig = {
  data: { public: 0, internal: 1, confidential: 2, personal: 2, restricted: 4 },
  irreversible: 2,
  external: 2,
  money_steps: [0, 100, 1_000, 10_000],
  person_steps: [1, 10, 100, 1_000],
  doubt_steps: [0.05, 0.15, 0.3, 0.5],
  level_scores: [4, 7, 10],
};

export interface RiskFloor {
  readonly rule: "restricted_data" | "irreversible_external" | "critical_finding" | "workflow";
  readonly level: RiskLevel;
}

/** One input brought to another value. */
export type RiskChange = {
  readonly [Name in keyof RiskInputs]: { readonly input: Name; readonly to: RiskInputs[Name] };
}[keyof RiskInputs];

export interface Risk {
  readonly level: RiskLevel;
  /** 2 · impact + likelihood, 0 to 12. */
  readonly score: number;
  readonly impact: number;
  readonly likelihood: number;
  readonly inputs: RiskInputs;
  /** Floors that hold, whether or not the score is above them. */
  readonly floors: readonly RiskFloor[];
  /** The one change that would lower the level most, and the level then; null when no single change lowers it. */
  readonly lower: { readonly change: RiskChange; readonly level: RiskLevel } | null;
}

type Assessed = Omit<Risk, "lower">;

const MOST = 4;

/** Assesses one call. Throws a RangeError that names the input when a number is out of its range. */
export function assessRisk(inputs: RiskInputs, config: RiskConfig = startRiskConfig): Risk {
  checkInputs(inputs);
  const assessed = assess(inputs, config);
  return { ...assessed, lower: strongestChange(assessed, config) };
}

function checkInputs(inputs: RiskInputs): void {
  const must = (holds: boolean, rule: string) => {
    if (!holds) throw new RangeError(`risk: ${rule}`);
  };
  must(inputs.money >= 0, "money must be a number from 0");
  must(inputs.persons >= 0, "persons must be a number from 0");
  must(inputs.trust_low >= 0 && inputs.trust_low <= 1, "trust_low must lie in [0, 1]");
  must(
    Number.isInteger(inputs.mitigation) && inputs.mitigation >= 0 && inputs.mitigation <= MOST,
    "mitigation must be a whole number from 0 to 4",
  );
}

function assess(inputs: RiskInputs, config: RiskConfig): Assessed {
  const impact = impactOf(inputs, config);
  const likelihood = Math.max(0, doubtOf(inputs.trust_low, config) - inputs.mitigation);
  const score = 2 * impact + likelihood;
  const floors = floorsOf(inputs);
  const level = floors.reduce((highest, floor) => highestOf(highest, floor.level), levelOf(score, config));
  return { level, score, impact, likelihood, inputs, floors };
}

function impactOf(inputs: RiskInputs, config: RiskConfig): number {
  const worst = Math.max(
    config.data[inputs.data],
    inputs.reversible ? 0 : config.irreversible,
    inputs.external ? config.external : 0,
    stepOf(inputs.money, config.money_steps),
    stepOf(inputs.persons, config.person_steps),
  );
  return Math.min(MOST, worst + (!inputs.reversible && inputs.unattended ? 1 : 0));
}

/** How many steps a value is above; a value equal to a step is not above it. */
function stepOf(value: number, steps: readonly number[]): number {
  let above = 0;
  for (const step of steps) if (value > step) above++;
  return above;
}

/** How many steps the doubt 1 − trust_low has reached. Trust has four decimals; rounding undoes what subtracting in binary adds to them. */
function doubtOf(trustLow: number, config: RiskConfig): number {
  const doubt = Math.round((1 - trustLow) * 1e6) / 1e6;
  let reached = 0;
  for (const step of config.doubt_steps) if (doubt >= step) reached++;
  return reached;
}

function levelOf(score: number, config: RiskConfig): RiskLevel {
  let reached = 0;
  for (const least of config.level_scores) if (score >= least) reached++;
  return riskLevels[reached]!;
}

function floorsOf(inputs: RiskInputs): RiskFloor[] {
  const floors: RiskFloor[] = [];
  if (inputs.data === "restricted") floors.push({ rule: "restricted_data", level: "high" });
  if (!inputs.reversible && inputs.external) floors.push({ rule: "irreversible_external", level: "high" });
  if (inputs.critical_finding) floors.push({ rule: "critical_finding", level: "critical" });
  return floors;
}

/** Which of two levels is the higher. */
export function highestOf(a: RiskLevel, b: RiskLevel): RiskLevel {
  return riskLevels.indexOf(a) >= riskLevels.indexOf(b) ? a : b;
}

/**
 * Tries every single change and takes the one with the lowest level, then the lowest score. Among equals the first: changes are tried from the
 * ones that are easiest to make (a person looks, a finding is closed, trust grows) to those that alter what is done, each by its least step first.
 */
function strongestChange(now: Assessed, config: RiskConfig): Risk["lower"] {
  let best: { change: RiskChange; then: Assessed } | null = null;
  if (now.level === "low") return null;
  for (const change of possibleChanges(now.inputs, config)) {
    const then = assess({ ...now.inputs, [change.input]: change.to }, config);
    const than = best?.then ?? now;
    const rank = riskLevels.indexOf(then.level) - riskLevels.indexOf(than.level);
    if (rank < 0 || (rank === 0 && best !== null && then.score < than.score)) best = { change, then };
  }
  return best === null ? null : { change: best.change, level: best.then.level };
}

function* possibleChanges(inputs: RiskInputs, config: RiskConfig): Generator<RiskChange> {
  if (inputs.unattended) yield { input: "unattended", to: false };
  if (inputs.critical_finding) yield { input: "critical_finding", to: false };
  for (let to = inputs.mitigation + 1; to <= MOST; to++) yield { input: "mitigation", to };
  for (const step of [...config.doubt_steps].reverse()) {
    // The least trust whose doubt stays below the step, in the four decimals in which trust is published.
    const to = Math.round((1 - step) * 10_000 + 1) / 10_000;
    if (to > inputs.trust_low) yield { input: "trust_low", to };
  }
  for (const to of [...config.money_steps].reverse()) if (to < inputs.money) yield { input: "money", to };
  for (const to of [...config.person_steps].reverse()) if (to < inputs.persons) yield { input: "persons", to };
  for (const to of [...dataClasses].reverse())
    if (config.data[to] < config.data[inputs.data]) yield { input: "data", to };
  if (!inputs.reversible) yield { input: "reversible", to: true };
  if (inputs.external) yield { input: "external", to: false };
}

/** What a level of risk asks for. */
export interface ApprovalDemand {
  /** Whether the risk asks for approval by itself. The other members also hold when something else asks (caller, gate, policy). */
  readonly asked: boolean;
  readonly approvers: number;
  /** Whether who requested may approve as well. */
  readonly requester_allowed: boolean;
  /** Whether the task is marked, because elsewhere this risk would have asked. */
  readonly tagged: boolean;
}

export type ApprovalDemands = Readonly<Record<Environment, Readonly<Record<RiskLevel, ApprovalDemand>>>>;

const one: ApprovalDemand = { asked: false, approvers: 1, requester_allowed: true, tagged: false };
const guarded: Readonly<Record<RiskLevel, ApprovalDemand>> = {
  low: one,
  medium: one,
  high: { asked: true, approvers: 1, requester_allowed: false, tagged: false },
  critical: { asked: true, approvers: 2, requester_allowed: false, tagged: false },
};
const tagged: ApprovalDemand = { ...one, tagged: true };

/** What follows from risk (start). */
export const startApprovalDemands: ApprovalDemands = {
  production: guarded,
  staging: guarded,
  development: { low: one, medium: one, high: tagged, critical: tagged },
};

/** What a level of risk demands in an environment. */
export function approvalDemand(
  level: RiskLevel,
  environment: Environment,
  demands: ApprovalDemands = startApprovalDemands,
): ApprovalDemand {
  return demands[environment][level];
}
