import type { Gate, Json, Starter } from "./files.ts";
import { normalized, overlaps } from "./overlap.ts";

const least = { examples: 120, items: 100, trials: 3 } as const;
const PATH = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;
const known =
  /^(bundle\.json|readme\.md|agent\.yaml|datasets\.json|scorers\.json|gate\.json|scorecard\.json|try\.json|(training|datasets)\/[a-z0-9_-]+\.jsonl|(knowledge|policies)\/[a-z0-9-]+\.json)$/;

/** What is wrong with the files of a starter, in words; none: they fit the format of a bundle and the rules for starters. */
export function faultsOf(starter: Starter): string[] {
  return [
    ...fileFaults(starter),
    ...manifestFaults(starter),
    ...referenceFaults(starter),
    ...trainingFaults(starter),
    ...datasetFaults(starter),
    ...trialFaults(starter),
  ];
}

function fileFaults({ files, readme }: Starter): string[] {
  const faults = files.flatMap((file) => {
    if (!PATH.test(file) || file.length > 100) return [`${file} is no path of a bundle`];
    return known.test(file) ? [] : [`${file} has no place in a bundle of kind agent`];
  });
  for (const heading of ["What it needs", "Try it", "What it was measured on", "What it cannot do", "Make it yours"])
    if (!readme.includes(`\n## ${heading}\n`)) faults.push(`readme.md has no section "${heading}"`);
  return faults;
}

const fields = new Set("kind name version title summary business_function license requires limits".split(" "));

function manifestFaults({ manifest, agent, folder }: Starter): string[] {
  const faults = Object.keys(manifest).flatMap((field) => (fields.has(field) ? [] : [`bundle.json has ${field}`]));
  const check = (holds: boolean, what: string) => {
    if (!holds) faults.push(`bundle.json: ${what}`);
  };
  check(manifest.kind === "agent", "kind is not agent");
  check(
    /^[a-z][a-z0-9-]{0,39}$/.test(manifest.name) && folder.endsWith(`/${manifest.name}`),
    "name is not the folder's",
  );
  check(manifest.name === agent.agent, "name is not the agent's");
  check(/^\d+\.\d+\.\d+$/.test(manifest.version), "version is no x.y.z");
  check(manifest.summary.length > 0 && manifest.summary.length <= 300, "summary is empty or too long");
  check(Array.isArray(manifest.requires?.connections), "requires.connections is missing");
  check(manifest.limits?.length > 0, "limits is empty");
  return faults;
}

const missing = (what: string, names: readonly string[], there: readonly string[]): string[] =>
  names.filter((name) => !there.includes(name)).map((name) => `${what} names ${name}, which is not there`);

export const scorerNames = ({ scorers }: Gate): string[] =>
  scorers.map((one) => (typeof one === "string" ? one : one.scorer));

function referenceFaults({ agent, training, datasets, gate, scorers, bases, trials, policies }: Starter): string[] {
  const skills = agent.skills.map(({ name }) => name);
  const scoped = policies.flatMap(({ scope }) => (scope as { agents?: string[] } | undefined)?.agents ?? [""]);
  return [
    ...missing("training/", [...training.keys()], skills),
    ...missing(
      "datasets.json",
      datasets.map(({ skill }) => skill),
      skills,
    ),
    ...missing(
      "datasets.json",
      datasets.map((dataset) => dataset.agent),
      [agent.agent],
    ),
    ...missing(
      "try.json",
      trials.map(({ skill }) => skill),
      skills,
    ),
    ...missing(
      "gate.json",
      gate.datasets,
      datasets.map(({ name }) => name),
    ),
    ...missing(
      "gate.json",
      scorerNames(gate),
      scorers.map(({ name }) => name),
    ),
    ...missing(
      "agent.yaml",
      agent.knowledge ?? [],
      bases.map(({ name }) => name),
    ),
    ...missing("a policy's scope", scoped, [agent.agent]),
  ];
}

function trainingFaults({ training }: Starter): string[] {
  return [...training].flatMap(([skill, examples]) => {
    const texts = examples.map(({ input }) => normalized(input));
    const twice = texts.filter((text, at) => texts.indexOf(text) !== at);
    const few = examples.length < least.examples ? [`has ${examples.length} examples`] : [];
    return [...few, ...twice.map((text) => `has twice: ${text}`)].map((what) => `training/${skill}.jsonl ${what}`);
  });
}

function datasetFaults({ datasets, training, gate }: Starter): string[] {
  const gated = datasets.filter(({ name }) => gate.datasets.includes(name));
  const items = gated.reduce((sum, dataset) => sum + dataset.items.length, 0);
  const few = items < least.items ? [`gate.json rests on ${items} items`] : [];
  return [
    ...few,
    ...datasets.flatMap(({ name, skill, items, data }) => {
      const inputs = items.map(({ input }) => input);
      const learnt = (training.get(skill) ?? []).map(({ input }) => input);
      const texts = inputs.map(normalized);
      return [
        ...(data?.length > 40 ? [] : [`datasets.json does not say on what data ${name} stands`]),
        ...texts.flatMap((text, at) =>
          texts.indexOf(text) === at ? [] : [`datasets/${name}:${at + 1} stands there twice`],
        ),
        ...overlaps(inputs, learnt).map(
          ({ item, example, share }) =>
            `datasets/${name}:${item + 1} is training/${skill}:${example + 1} (${share.toFixed(2)})`,
        ),
      ];
    }),
  ];
}

function trialFaults({ trials, training }: Starter): string[] {
  const faults = trials.length === least.trials ? [] : [`try.json has ${trials.length} tasks`];
  trials.forEach(({ skill, input, expect, output }, at) => {
    if (!expect || Object.keys(output ?? {}).length === 0) faults.push(`try.json:${at + 1} expects nothing`);
    const learnt = (training.get(skill) ?? []).map((example) => example.input);
    if (overlaps([input], learnt).length > 0) faults.push(`try.json:${at + 1} stands in the training`);
  });
  return faults;
}

/** The fields that do not agree with what is expected, as `name: value`. */
export function disagreements(expected: Json, output: Json | null): string[] {
  return Object.entries(expected).flatMap(([name, value]) =>
    JSON.stringify(output?.[name]) === JSON.stringify(value) ? [] : [`${name}: ${JSON.stringify(output?.[name])}`],
  );
}
