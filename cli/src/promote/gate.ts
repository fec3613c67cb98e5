import { quoted } from "../operations/example.ts";
import { problemOf } from "../problems.ts";
import { ask, askAll, commandWith, type Definition, may, type Promotion, Refused } from "./promotion.ts";

export interface GateVersion {
  readonly version: number;
  readonly deployed: boolean;
  readonly state: "open" | "failed" | "inconclusive" | "expired" | "missing";
  readonly consequence: "allow" | "require_approval" | "deny";
  readonly reasons: readonly string[];
  readonly runs: readonly string[];
  readonly decision: { readonly items_to_settle: number | null } | null;
  readonly compared_with: number | null;
}

interface Rules {
  readonly datasets: readonly { readonly dataset_id: string; readonly name: string; readonly version: number }[];
  readonly scorers: readonly {
    readonly scorer: string;
    readonly version: number;
    readonly floor?: number;
    readonly pass_at?: number;
  }[];
  readonly floor: number;
  readonly tolerance: number;
  readonly repeats: number;
  readonly max_repeats: number;
  readonly lifetime_days: number;
  readonly fail_closed: boolean;
}

export interface Gate {
  readonly rules: Rules | null;
  readonly consequences: { readonly missing: GateVersion["consequence"] };
  readonly versions: readonly GateVersion[];
}

export const gatePath = ({ agent }: Promotion): string => `/v1/evaluations/gates/${agent}`;

/** The gate of the target: its own where it has one, else the source's with the same pins. Null where none is needed, or none can be had. */
export async function bringGate(promotion: Promotion, definition: Definition): Promise<Gate | null> {
  const { report, source, target, dryRun } = promotion;
  const reply = await target.service.call("GET", gatePath(promotion));
  const problem = problemOf(reply);
  if (problem !== null) throw new Refused(problem, target.service);
  const gate = reply.body as Gate;
  if (gate.rules !== null) {
    report.add("gate", "already", `${target.environment} has one: ${pinsOf(gate.rules)}.`);
    return gate;
  }
  if (gate.consequences.missing === "allow") {
    report.add("gate", "already", `${target.environment} has no gate and does not require one.`);
    return null;
  }
  const { rules } = await ask<Gate>(source, "GET", gatePath(promotion));
  if (rules === null) {
    const detail = `Neither ${source.environment} nor ${target.environment} has a gate, so nothing shows that the version works. Create one; cases.json is a list of about 15 cases such as [{"input": {…}, "expected": {…}}]:`;
    report.add("gate", "missing", detail, await toMakeOne(promotion, definition));
    return null;
  }
  if (!may(target, "evaluations:write")) {
    const set = `${commandWith(target, "evaluations", "gates", "set", promotion.agent)} -f gate.yaml`;
    report.add(
      "gate",
      "missing",
      `${target.environment} has no gate, and this key lacks evaluations:write. An evaluator can set one:`,
      [set],
    );
    return null;
  }
  report.add(
    "gate",
    dryRun ? "would" : "done",
    `${dryRun ? "set" : "was set"} as in ${source.environment}: ${pinsOf(rules)}.`,
  );
  if (dryRun) return { ...gate, rules };
  return ask<Gate>(target, "PUT", gatePath(promotion), { json: bodyOf(rules), ifMatch: reply.etag ?? "" });
}

const pinsOf = ({ datasets, scorers }: Rules): string =>
  [
    ...datasets.map(({ name, version }) => `${name} (version ${version})`),
    ...scorers.map(({ scorer, version }) => `${scorer} (version ${version})`),
  ].join(", ");

/** What follows from verdicts (`table`, `on_missing`) is each environment's own rule and stays behind; a gate that refuses whatever is not open does so there, too. */
function bodyOf({
  datasets,
  scorers,
  floor,
  tolerance,
  repeats,
  max_repeats,
  lifetime_days,
  fail_closed,
}: Rules): object {
  return {
    datasets: datasets.map(({ dataset_id, version }) => ({ dataset: dataset_id, version })),
    scorers: scorers.map(({ scorer, version, floor: own, pass_at }) => ({
      scorer,
      version,
      ...(own === undefined ? {} : { floor: own }),
      ...(pass_at === undefined ? {} : { pass_at }),
    })),
    floor,
    tolerance,
    repeats,
    max_repeats,
    lifetime_days,
    ...(fail_closed ? { fail_closed } : {}),
  };
}

/** Commands that make a gate, with what there is already. */
async function toMakeOne({ agent, target }: Promotion, { skills }: Definition): Promise<readonly string[]> {
  const sets = await askAll<{ readonly name: string }>(target, `/v1/evaluations/datasets?agent=${agent}`);
  const scorers = await askAll<{ readonly scorer: string; readonly kind: string; readonly pointer: string }>(
    target,
    "/v1/evaluations/scorers",
  );
  const set = sets[0]?.name ?? `${agent}-cases`;
  const scorer = scorers.find(({ kind, pointer }) => kind === "json_match" && pointer === "")?.scorer;
  const sample = JSON.stringify([{ output: { a: 1 }, expected: { a: 1 }, score: 1 }]);
  const create = `aos evaluations datasets create --name ${set} --agent ${agent} --skill ${skills[0]?.name} --items "$(cat cases.json)"`;
  const rules = ["--datasets", set, "--scorers", JSON.stringify([{ scorer: scorer ?? "matches" }]), "--floor", "0.8"];
  return [
    ...(sets.length > 0 ? [] : [create]),
    ...(scorer === undefined
      ? [`aos evaluations scorers set matches --kind json_match --samples ${quoted(sample)}`]
      : []),
    commandWith(target, "evaluations", "gates", "set", agent, ...rules),
  ];
}
