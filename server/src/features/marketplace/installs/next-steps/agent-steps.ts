import { strongEtag } from "../../../../kernel/etag.ts";
import { TRAINING_LIMITS } from "../../../agents/schemas.ts";
import type { BundleContents } from "../../bundles/contents.ts";
import type { PlannedCall } from "../plan/calls.ts";
import type { Looking } from "../plan/names.ts";
import { planHere } from "../plan/plan.ts";
import type { NextStep } from "../schemas.ts";
import type { InstallRow, StoredPart } from "../store.ts";
import {
  type GateProgress,
  readGate,
  readMeasured,
  readTried,
  readVersions,
  type VersionProgress,
} from "./progress-store.ts";

/** A skill with the dataset that trains it, `ds_…:1`. */
export interface Lesson {
  readonly skill: string;
  readonly dataset: string | null;
}

/** The version that an install has reached. */
export interface Candidate {
  readonly version: VersionProgress | null;
  /** Skills trained on the bundle's examples. */
  readonly learnt: ReadonlySet<string>;
}

/** Of the descendants of the installed version, the one trained on most of the bundle's examples; of several, the newest. An unknown installed version counts as the first. */
export function candidateOf(
  versions: readonly VersionProgress[],
  installed: string | null,
  lessons: readonly Lesson[],
): Candidate {
  const byNumber = new Map(versions.map((version) => [version.number, version]));
  const root = versions.find(({ id }) => id === installed) ?? versions[0] ?? null;
  let best: Candidate = { version: root, learnt: new Set() };
  for (const version of versions) {
    const learnt = root && learntSince(version, root, byNumber, lessons);
    if (learnt && learnt.size >= best.learnt.size) best = { version, learnt };
  }
  return best;
}

/** Null if it does not descend from it. */
function learntSince(
  version: VersionProgress,
  root: VersionProgress,
  byNumber: ReadonlyMap<number, VersionProgress>,
  lessons: readonly Lesson[],
): Set<string> | null {
  const learnt = new Set<string>();
  let at: VersionProgress | undefined = version;
  while (at && at.number > root.number) {
    const { learnt: taught } = at;
    const lesson = taught && lessons.find(({ skill }) => skill === taught.skill);
    if (lesson && (lesson.dataset === null || taught.datasets.includes(lesson.dataset))) learnt.add(lesson.skill);
    at = at.based_on === null ? undefined : byNumber.get(at.based_on);
  }
  return at === root ? learnt : null;
}

/** A step with a call. */
export function stepOf(step: Pick<NextStep, "step" | "title" | "done"> & Partial<NextStep>): NextStep {
  return { operation: null, params: {}, body: {}, if_match: null, ...step };
}

/** Training needs a minimum of examples. */
const isTrainable = (examples: readonly unknown[]): boolean => examples.length >= TRAINING_LIMITS.least;

interface Installed {
  readonly row: InstallRow;
  readonly parts: readonly StoredPart[];
  readonly contents: BundleContents;
}

interface Course extends Installed {
  readonly agent: string;
  readonly candidate: Candidate;
  /** The version to measure and deploy, once all skills are trained. */
  readonly version: number;
}

/** Train, measure, gate, activate, deploy, try: the steps until an agent works. */
export async function agentSteps(
  ctx: Looking,
  installed: Installed,
  connect: readonly NextStep[],
  activate: readonly NextStep[],
): Promise<NextStep[]> {
  const { row, parts, contents } = installed;
  const agent = row.agent as string;
  const versions = await readVersions(ctx, agent);
  const frozen = parts.find(({ kind }) => kind === "agent_version")?.id ?? null;
  const candidate = candidateOf(versions, frozen, lessonsOf(installed));
  const { steps: train, version } = trainSteps(installed, agent, candidate);
  const course: Course = { ...installed, agent, candidate, version };
  const gate = await readGate(ctx, agent);
  const live = versions.find((one) => one.live)?.number ?? null;
  return [
    ...connect,
    ...train,
    ...setGateSteps(course, gate),
    ...measureSteps(course, await readMeasured(ctx, agent)),
    ...gateSteps(course),
    ...activate,
    deployStep(course, live),
    ...(await trySteps(ctx, row, agent, contents)),
  ];
}

const partOf = (parts: readonly StoredPart[], file: string): StoredPart | undefined =>
  parts.findLast((part) => part.kind === "dataset" && part.file === file);

function lessonsOf({ parts, contents }: Installed): Lesson[] {
  return contents.training.flatMap(({ skill, file, examples }) => {
    const part = partOf(parts, file);
    return part && isTrainable(examples) ? [{ skill, dataset: part.stands }] : [];
  });
}

/** Each skill is trained from the version that the previous training made. */
function trainSteps({ parts, contents }: Installed, agent: string, { version, learnt }: Candidate) {
  let from = version?.number ?? 1;
  const steps = contents.training.flatMap(({ skill, file, examples }): NextStep[] => {
    const part = partOf(parts, file);
    if (!part || !isTrainable(examples)) return [];
    const done = learnt.has(skill);
    const body = {
      skill,
      version: from,
      dataset: part.name,
      feedback: false,
      held_out: 0.05,
      seed: 1,
      note: `Learnt from the examples of ${contents.manifest.title}.`,
    };
    if (!done) from += 1;
    const title = `Train ${skill} on ${examples.length.toLocaleString("en-US")} examples`;
    return [stepOf({ step: "train", title, done, operation: "agents.startTraining", params: { agent }, body })];
  });
  return { steps, version: from };
}

/** For an update that left the gate alone because a version is live under it. */
function setGateSteps({ row, parts, contents, agent }: Course, gate: GateProgress | undefined): NextStep[] {
  const planned = planHere(contents, row).find(({ kind }) => kind === "gate");
  const part = parts.find(({ kind }) => kind === "gate");
  if (!planned || (part && part.digest === planned.digest)) return [];
  return [
    stepOf({
      step: "gate",
      title: `Set the gate of ${agent} as version ${row.version} has it`,
      done: gate !== undefined && judgesBy(gate, planned, parts),
      operation: "evaluations.setGate",
      params: { agent },
      body: planned.body as Record<string, unknown>,
      if_match: strongEtag(gate?.revision ?? 0, "json"),
    }),
  ];
}

/** Whether a gate has the datasets, scorers and floor of a planned one. */
function judgesBy({ definition }: GateProgress, { body }: PlannedCall, parts: readonly StoredPart[]): boolean {
  const { datasets, scorers, floor } = body as {
    datasets: string[];
    scorers: { scorer: string; floor?: number }[];
    floor?: number;
  };
  const stands = new Map(parts.filter(({ kind }) => kind === "dataset").map((part) => [part.name, part.stands]));
  const pinned = new Set(definition.datasets.map(({ dataset_id, version }) => `${dataset_id}:${version}`));
  return (
    pinned.size === datasets.length &&
    datasets.every((name) => pinned.has(stands.get(name) ?? "")) &&
    definition.scorers.length === scorers.length &&
    scorers.every((rule) => definition.scorers.some((one) => one.scorer === rule.scorer && one.floor === rule.floor)) &&
    (floor === undefined || definition.floor === floor)
  );
}

/** A run over each dataset of the gate. */
function measureSteps({ row, parts, contents, candidate, version }: Course, measured: ReadonlySet<string>): NextStep[] {
  const planned = planHere(contents, row).find(({ kind }) => kind === "gate");
  if (!planned) return [];
  const { datasets } = planned.body as { datasets: string[] };
  const isOpen = candidate.version?.number === version && candidate.version.gate === "open";
  return datasets.map((dataset) => {
    const part = parts.find(({ kind, name }) => kind === "dataset" && name === dataset);
    return stepOf({
      step: "measure",
      title: `Measure version ${version} on ${dataset}`,
      done: isOpen || measured.has(`${part?.id}:${version}`),
      operation: "evaluations.startRun",
      body: { dataset, version, seed: 1 },
    });
  });
}

const gateWords = {
  open: "is open",
  failed: "is closed",
  inconclusive: "cannot decide yet",
  expired: "is out of date",
  missing: "has no verdict yet",
} as const;

/** A step without a call: the runs open the gate. */
function gateSteps({ contents, agent, candidate, version }: Course): NextStep[] {
  if (!contents.gate) return [];
  const { gate, reasons } =
    candidate.version?.number === version ? candidate.version : { gate: "missing" as const, reasons: [] };
  const because = reasons.length > 0 ? `: ${reasons.map((reason) => reason.replace(/[.]$/, "")).join("; ")}` : "";
  const title = `The gate of version ${version} ${gateWords[gate]}${because}`;
  return [stepOf({ step: "gate", title, done: gate === "open", params: { agent } })];
}

function deployStep({ contents, agent, version }: Course, live: number | null): NextStep {
  const instead = live === null || live === version ? "" : ` in the place of version ${live}`;
  const note = `${contents.manifest.title} ${contents.manifest.version}.`;
  return stepOf({
    step: "deploy",
    title: `Deploy version ${version} of ${agent}${instead}`,
    done: live === version,
    operation: "agents.deployVersion",
    params: { agent },
    body: { version, note },
  });
}

interface Trial {
  readonly skill: string;
  readonly input: Record<string, unknown>;
  readonly expect?: string;
}

/** From `try.json`. */
async function trySteps(ctx: Looking, row: InstallRow, agent: string, { trials }: BundleContents): Promise<NextStep[]> {
  const all = trials as unknown as Trial[];
  const inputs = all.map(({ input }) => JSON.stringify(input));
  const tried = await readTried(ctx, agent, inputs, row.created_at);
  return all.map(({ skill, input, expect }, at) =>
    stepOf({
      step: "try",
      title: expect ? `Try ${skill}: ${expect}` : `Try ${skill}`,
      done: tried.has(inputs[at] as string),
      operation: "agents.dispatchTask",
      params: { agent },
      body: { task: skill, input },
    }),
  );
}
