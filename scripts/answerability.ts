import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createBench } from "../server/bench/bench.ts";
import { root } from "../server/bench/programs.ts";
import type { Service } from "../server/bench/service.ts";
import { type Collection, readCollections, readElsewhere, smallOnes } from "./answerability/collections.ts";
import { addCollection, askAll, type Sample } from "./answerability/gather.ts";
import { chooseAnswerability, outcomes, outcomesOf } from "./answerability/report.ts";

const { AOS_BENCH_DATA: data = "", AOS_DEBIAN_PACKAGES: packages = "", AOS_SAMPLES: samplesFile = "" } = process.env;
const each = 60;
const few = 6;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function gather(): Promise<Sample[]> {
  const collections = await readCollections(data, packages);
  const { bench, end } = await createBench({ quick: true, say });
  const samples: Sample[] = [];
  try {
    await bench.withService(async (service) => {
      for (const collection of collections) {
        const others = collections.filter((one) => one !== collection);
        samples.push(
          ...(await askWhole(service, collection, others)),
          ...(await askSmall(service, collection, others)),
        );
        say(`${collection.name}: ${collection.documents.length} documents, ${samples.length} samples`);
      }
    });
  } finally {
    await end();
  }
  return samples;
}

const withoutPages = (texts: readonly string[]) => texts.map((text) => ({ text, pages: new Set<string>() }));

async function askWhole(service: Service, collection: Collection, others: readonly Collection[]): Promise<Sample[]> {
  const { name, questions, setAside } = collection;
  const { fit } = await readElsewhere();
  await addCollection(service, collection);
  const foreign = others.flatMap((one) => every(one.questions, each / 4)).map(({ text }) => text);
  const ask = (kind: Sample["kind"], set: string | null, some: typeof questions) =>
    askAll(service.pool, name, kind, set, some);
  const samples = [
    ...(await ask("right", null, questions)),
    ...(await ask("near", null, every(questions, each))),
    ...(await ask("elsewhere", null, withoutPages([...foreign, ...fit.slice(0, each)]))),
  ];
  for (const set of setAside) {
    samples.push(...(await ask("right", set.name, set.questions)));
    samples.push(...(await ask("near", set.name, set.questions.slice(0, 20))));
    samples.push(...(await ask("elsewhere", set.name, withoutPages(set.elsewhere))));
  }
  return samples;
}

async function askSmall(service: Service, collection: Collection, others: readonly Collection[]): Promise<Sample[]> {
  const { fit } = await readElsewhere();
  const samples: Sample[] = [];
  for (const [at, small] of smallOnes(collection).entries()) {
    await addCollection(service, small);
    const ask = (kind: Sample["kind"], some: typeof small.questions) =>
      askAll(service.pool, small.name, kind, null, some);
    const absent = collection.questions.filter((one) => !small.questions.includes(one));
    const foreign = others.flatMap(({ questions }) => questions.slice(at, at + 2)).map(({ text }) => text);
    samples.push(...(await ask("right", small.questions)));
    samples.push(...(await ask("near", withoutPages(every(absent, few).map(({ text }) => text)))));
    samples.push(...(await ask("elsewhere", withoutPages([...foreign, ...fit.slice(at * few, (at + 1) * few)]))));
  }
  return samples;
}

function every<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_none, at) => all[Math.floor(at * step)] as T);
}

/** From a file of an earlier run, where `AOS_SAMPLES` names one that is there. */
async function readSamples(): Promise<Sample[]> {
  if (existsSync(samplesFile)) {
    const lines = (await readFile(samplesFile, "utf8")).trim().split("\n");
    return lines.map((line) => JSON.parse(line) as Sample);
  }
  const samples = await gather();
  if (samplesFile !== "") await writeFile(samplesFile, samples.map((one) => JSON.stringify(one)).join("\n"));
  return samples;
}

const head =
  'import type { Evidence } from "./evidence.ts";\n\n// Written by `npm run answerability`, which says how (decision 0078).\n\n';
const samples = await readSamples();
const { chosen, leftOut } = chooseAnswerability(samples.filter(({ aside }) => aside === null));
await writeFile(
  path.join(root, "server/src/features/knowledge/search/judgement-weights.ts"),
  `${head}export type Weights = { readonly [name in keyof Evidence | "constant"]: number };\n\nexport const answerability: Readonly<Record<"first" | "three", Weights> & Record<"quoted" | "listed", number>> = ${JSON.stringify(chosen, null, 2)};\n`,
);
say(`quoted from ${chosen.quoted}, listed from ${chosen.listed}`);
say("set | kind | questions | quoted right | wrong | listed with the right page | without | refused");
const sets = Map.groupBy(
  samples,
  ({ base, kind, aside }) => `${aside === null ? base : `${base}, ${aside}`} | ${kind}`,
);
for (const [name, own] of sets) {
  const judged = leftOut.filter(
    ({ base, kind, aside }) => own[0]?.aside === null && base === own[0].base && kind === own[0].kind && aside === null,
  );
  say(`${name} | ${own[0]?.aside === null ? outcomesOf(judged, chosen.quoted, chosen.listed) : outcomes(own, chosen)}`);
}
