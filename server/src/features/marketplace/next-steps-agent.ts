import { strongEtag } from "../../kernel/etag.ts";
import { type Candidate, candidateOf, type Lesson } from "./candidate.ts";
import type { BundleContents } from "./contents.ts";
import type { NextStep } from "./install-schemas.ts";
import type { InstallRow, StoredPart } from "./install-store.ts";
import type { Looking } from "./names.ts";
import { isTrainable, stepOf } from "./next-step.ts";
import type { PlannedCall } from "./plan.ts";
import { planHere } from "./plan-here.ts";
import { type GateProgress, readGate, readMeasured, readTried, readVersions } from "./progress-store.ts";

interface Installed {
  readonly row: InstallRow;
  readonly parts: readonly StoredPart[];
  readonly contents: BundleContents;
}

interface Course extends Installed {
  readonly agent: string;
  readonly candidate: Candidate;
  /** The number that the version to measure and deploy has, or will have once all skills are trained. */
  readonly version: number;
}

/** Train, measure, gate, activate, deploy, try: what is left to do until an agent works. */
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

/** Each skill is trained from the version that the one before came to. */
function trainSteps({ parts, contents }: Installed, agent: string, { version, learnt }: Candidate) {
  let from = version?.number ?? 1;
  const steps = contents.training.flatMap(({ skill, file, examples }): NextStep[] => {
    const part = partOf(parts, file);
    if (!part || !isTrainable(examples)) return [];
    const done = learnt.has(skill);
    const body = {
      ...{ skill, version: from, dataset: part.name, feedback: false, held_out: 0.05, seed: 1 },
      note: `Learnt from the examples of ${contents.manifest.title}.`,
    };
    if (!done) from += 1;
    const title = `Train ${skill} on ${examples.length.toLocaleString("en-US")} examples`;
    return [stepOf({ step: "train", title, done, operation: "agents.startTraining", params: { agent }, body })];
  });
  return { steps, version: from };
}

/** Where an update left the gate as it was, because a version is live under it. */
function setGateSteps({ row, parts, contents, agent }: Course, gate: GateProgress | undefined): NextStep[] {
  const planned = planHere(contents, row).find(({ kind }) => kind === "gate");
  const part = parts.find(({ kind }) => kind === "gate");
  if (!planned || (part && part.digest === planned.digest)) return [];
  return [
    stepOf({
      ...{ step: "gate", title: `Set the gate of ${agent} as version ${row.version} has it` },
      ...{ done: gate !== undefined && judgesBy(gate, planned, parts) },
      ...{ operation: "evaluations.setGate", params: { agent }, body: planned.body as Record<string, unknown> },
      if_match: strongEtag(gate?.revision ?? 0, "json"),
    }),
  ];
}

/** Whether a gate judges by the datasets, scorers and floor of a planned one. */
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

/** A run over each dataset that the gate judges by. */
function measureSteps({ row, parts, contents, candidate, version }: Course, measured: ReadonlySet<string>): NextStep[] {
  const planned = planHere(contents, row).find(({ kind }) => kind === "gate");
  if (!planned) return [];
  const { datasets } = planned.body as { datasets: string[] };
  const isOpen = candidate.version?.number === version && candidate.version.gate === "open";
  return datasets.map((dataset) => {
    const part = parts.find(({ kind, name }) => kind === "dataset" && name === dataset);
    return stepOf({
      ...{ step: "measure", title: `Measure version ${version} on ${dataset}` },
      ...{ done: isOpen || measured.has(`${part?.id}:${version}`) },
      ...{ operation: "evaluations.startRun", body: { dataset, version, seed: 1 } },
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

/** What the gate says of the version. Nothing is called: the runs open it. */
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
    ...{ step: "deploy", title: `Deploy version ${version} of ${agent}${instead}`, done: live === version },
    ...{ operation: "agents.deployVersion", params: { agent }, body: { version, note } },
  });
}

interface Trial {
  readonly skill: string;
  readonly input: Record<string, unknown>;
  readonly expect?: string;
}

/** The tasks of `try.json`. */
async function trySteps(ctx: Looking, row: InstallRow, agent: string, { trials }: BundleContents): Promise<NextStep[]> {
  const all = trials as unknown as Trial[];
  const inputs = all.map(({ input }) => JSON.stringify(input));
  const tried = await readTried(ctx, agent, inputs, row.created_at);
  return all.map(({ skill, input, expect }, at) =>
    stepOf({
      ...{ step: "try", title: expect ? `Try ${skill}: ${expect}` : `Try ${skill}` },
      ...{ done: tried.has(inputs[at] as string), operation: "agents.dispatchTask", params: { agent } },
      body: { task: skill, input },
    }),
  );
}
