import { setTimeout as after } from "node:timers/promises";
import { type Progress, progressOn } from "../output/progress.ts";
import { counted } from "../output/text.ts";
import { now } from "../terminal.ts";
import { type Gate, type GateVersion, gatePath } from "./gate.ts";
import { ask, askAll, commandWith, may, type Promotion } from "./promotion.ts";

interface Run {
  readonly run_id: string;
  readonly dataset_id: string;
  readonly dataset: string;
  readonly dataset_version: number;
  readonly state: "queued" | "running" | "completed" | "failed";
  readonly progress: { readonly done: number; readonly total: number };
  readonly waits_for: string | null;
  readonly failure: { readonly detail: string } | null;
}

/** Runs the version over the datasets of the target's gate until its verdict is there. A verdict that allows the deployment is reused. */
export async function evaluate(promotion: Promotion, gate: Gate): Promise<void> {
  const { report, target, dryRun, version } = promotion;
  const known = entryOf(gate, version);
  if (known !== undefined && holds(gate, known)) {
    report.add(
      "evaluate",
      "already",
      `The gate of ${target.environment} is open for version ${version}. ${known.reasons.join(" ")}`.trim(),
    );
    return;
  }
  const sets = gate.rules?.datasets ?? [];
  if (dryRun) {
    report.add(
      "evaluate",
      "would",
      `Run version ${version} over ${sets.map(({ name }) => name).join(", ")} in ${target.environment}.`,
    );
    return;
  }
  if (!may(target, "evaluations:write")) {
    const start = sets.map((set) =>
      commandWith(
        target,
        "evaluations",
        "runs",
        "start",
        "--dataset",
        set.name,
        "--version",
        String(version),
        "--wait",
      ),
    );
    report.add(
      "evaluate",
      "missing",
      "There is no verdict yet, and this key lacks evaluations:write. An evaluator can run:",
      start,
    );
    return;
  }
  const runs = await startRuns(promotion, gate);
  const ended = await endOf(promotion, runs);
  if (ended === null) return;
  reportVerdict(promotion, ended, runs);
}

const entryOf = (gate: Gate, version: number): GateVersion | undefined =>
  gate.versions.find((one) => one.version === version);

/** Whether a verdict is what a deployment asks for: open, and against what is live. */
function holds({ versions }: Gate, { state, version, compared_with }: GateVersion): boolean {
  const live = versions.find(({ deployed }) => deployed);
  return state === "open" && (live === undefined || live.version === version || compared_with === live.version);
}

/** Starts a run over each pinned dataset, or continues one that an interrupted promotion has started. */
async function startRuns({ agent, version, target }: Promotion, { rules }: Gate): Promise<readonly string[]> {
  const going = await askAll<Run>(
    target,
    `/v1/evaluations/runs?agent=${agent}&version=${version}&state=queued,running`,
  );
  const ids: string[] = [];
  for (const { dataset_id, version: dataset_version } of rules?.datasets ?? []) {
    const same = going.find((run) => run.dataset_id === dataset_id && run.dataset_version === dataset_version);
    const body = {
      dataset: dataset_id,
      dataset_version,
      version,
      note: `Before version ${version} goes live in ${target.environment}.`,
    };
    ids.push((same ?? (await ask<Run>(target, "POST", "/v1/evaluations/runs", { json: body }))).run_id);
  }
  return ids;
}

const pause = 500;
/** How long a gate may take to judge runs that have ended (milliseconds). */
const patience = 20_000;

/** Waits for the runs and their verdict. Returns null, and reports it, if a run failed. */
async function endOf(promotion: Promotion, ids: readonly string[]): Promise<Gate | null> {
  const { terminal, target } = promotion;
  const progress = progressOn(terminal);
  if (!terminal.showsProgress)
    terminal.stderr.write(`Evaluating version ${promotion.version} in ${target.environment}: ${ids.join(", ")}.\n`);
  try {
    for (let quiet = now(); ; await after(pause)) {
      const runs = await readRuns(promotion, ids, progress);
      if (runs.some(({ state }) => state === "failed")) return toldFailure(promotion, runs);
      if (runs.some(({ state, waits_for }) => state !== "completed" || waits_for !== null)) {
        quiet = now();
        continue;
      }
      const gate = await ask<Gate>(target, "GET", gatePath(promotion));
      const judged = entryOf(gate, promotion.version)?.runs ?? [];
      if (ids.every((id) => judged.includes(id)) || now() - quiet > patience) return gate;
    }
  } finally {
    progress.done();
  }
}

async function readRuns({ target }: Promotion, ids: readonly string[], progress: Progress): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const id of ids) runs.push(await ask<Run>(target, "GET", `/v1/evaluations/runs/${id}`));
  progress.say(
    runs.map(({ dataset, state, progress: { done, total } }) => `${dataset}: ${state}, ${done} of ${total}`).join("; "),
  );
  return runs;
}

function toldFailure({ report, target }: Promotion, runs: readonly Run[]): null {
  for (const { run_id, dataset, failure } of runs.filter(({ state }) => state === "failed")) {
    const why = failure?.detail ?? "no reason was given";
    report.add("evaluate", "refused", `The run over ${dataset} failed for a reason outside the version: ${why}`, [
      commandWith(target, "evaluations", "runs", "get", run_id),
    ]);
  }
  return null;
}

function reportVerdict({ report, target, version, agent }: Promotion, gate: Gate, runs: readonly string[]): void {
  const entry = entryOf(gate, version);
  const said = (entry?.reasons ?? []).join(" ");
  if (entry === undefined || holds(gate, entry)) {
    report.add("evaluate", "done", `The gate of ${target.environment} is open for version ${version}. ${said}`.trim());
    return;
  }
  if (entry.state !== "open" && entry.consequence === "allow") {
    report.add(
      "evaluate",
      "done",
      `The gate is ${entry.state}, and ${target.environment} lets the version act. ${said}`.trim(),
    );
    return;
  }
  const more = entry.decision?.items_to_settle;
  const settle =
    entry.state === "inconclusive" && more ? ` ${counted(more, "independent item")} like these would settle it.` : "";
  const look = runs.map((run) => commandWith(target, "evaluations", "runs", "get", run));
  const set = gate.rules?.datasets[0]?.name ?? "";
  const next =
    entry.state === "inconclusive"
      ? [...look, `aos evaluations datasets items add ${set} --items "$(cat more-cases.json)"`]
      : look;
  report.add(
    "evaluate",
    "refused",
    `The gate of ${target.environment} is ${entry.state} for version ${version} of ${agent}. ${said}${settle}`,
    next,
  );
}
