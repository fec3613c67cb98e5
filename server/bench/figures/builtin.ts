import {
  createBuiltinModel,
  createTrainer,
  readArtifact,
  type TrainingExample,
  type TrainingResult,
} from "@aos/builtin-model";
import { randomOf, shuffle } from "../../../packages/builtin-model/src/random.ts";
import { readTable } from "../csv.ts";
import type { Bench, Figure, Result } from "../figure.ts";
import { median } from "../pairs.ts";

/** A field of real data to learn: its examples, and how many are learnt from and held out. */
interface Lesson {
  readonly output: object;
  readonly field: string;
  readonly examples: readonly TrainingExample[];
  readonly train: number;
  readonly heldOut: number;
}

/** Trainings of each lesson, each with a division of its own by its seed; what is told is the median. */
const seeds = [1, 2, 3];
const predictions = 2_000;

/** Customer questions of a bank, 77 classes. */
export const builtinBanking77: Figure = {
  name: "builtin-banking77",
  title: "the built-in model on banking77: 8,003 questions learnt, 2,000 held out",
  async run(bench) {
    const rows = await readTable("banking77.csv");
    const output = { type: "object", properties: { category: { type: "string" } } };
    const examples = rows.map(({ text, category }) => ({ input: { text }, records: {}, output: { category } }));
    const { field, results } = await learn(bench, {
      output,
      field: "/category",
      examples,
      train: 8_003,
      heldOut: 2_000,
    });
    return [
      { what: "accuracy", value: field((one) => one.accuracy), unit: "", bar: 0.905, aim: 0.92, better: "higher" },
      {
        what: "ECE of the stated probability, 10 bins",
        value: field((one) => one.ece),
        unit: "",
        bar: 0.05,
        aim: 0.03,
        better: "lower",
      },
      ...results,
    ];
  },
};

/** Leads with 36 columns, and whether they converted. */
export const builtinLeads: Figure = {
  name: "builtin-leads",
  title: "the built-in model on leads: 4,800 learnt, 1,200 held out",
  async run(bench) {
    const rows = await readTable("leads.csv");
    const output = { type: "object", properties: { converted: { type: "boolean" } } };
    const examples = rows.map(({ Converted, lead_id, ...record }) => ({
      input: { lead_id },
      records: { get_lead: record },
      output: { converted: Converted === "1" },
    }));
    const { field, results } = await learn(bench, {
      output,
      field: "/converted",
      examples,
      train: 4_800,
      heldOut: 1_200,
    });
    return [
      { what: "AUC", value: field((one) => one.auc), unit: "", bar: 0.975, aim: 0.985, better: "higher" },
      { what: "Brier score", value: field((one) => one.brier), unit: "", bar: 0.055, aim: 0.042, better: "lower" },
      {
        what: "ECE of the stated probability, 10 bins",
        value: field((one) => one.ece),
        unit: "",
        bar: 0.05,
        aim: 0.02,
        better: "lower",
      },
      ...results,
    ];
  },
};

type Report = TrainingResult["fields"][number];

async function learn(
  bench: Bench,
  lesson: Lesson,
): Promise<{ field: (read: (report: Report) => number | undefined) => number; results: Result[] }> {
  const chosen = bench.quick ? seeds.slice(0, 1) : seeds;
  bench.say(
    `  ${chosen.length} trainings, each with its own random division, ${predictions.toLocaleString("en")} predictions after as many to warm up; medians`,
  );
  const reports: Report[] = [];
  const seconds: number[] = [];
  const times: number[] = [];
  for (const seed of chosen) {
    const order = shuffle(Int32Array.from(lesson.examples.keys()), randomOf(seed));
    const drawn = Array.from(order, (at) => lesson.examples[at] as TrainingExample);
    const [train, heldOut] = [drawn.slice(0, lesson.train), drawn.slice(lesson.train, lesson.train + lesson.heldOut)];
    if (heldOut.length < lesson.heldOut)
      throw new Error(`the data have ${drawn.length} examples; ${lesson.train + lesson.heldOut} are needed`);
    const on = { signal: new AbortController().signal, progress: () => undefined };
    const before = process.cpuUsage();
    const trained = await createTrainer().train({ output: lesson.output, train, heldOut, seed }, on);
    const used = process.cpuUsage(before);
    const report = trained.fields.find(({ field }) => field === lesson.field) as Report;
    reports.push(report);
    seconds.push(trained.seconds);
    times.push(await predictionMs(trained.artifact, lesson.output, heldOut));
    const { accuracy = Number.NaN, auc, brier = Number.NaN, ece = Number.NaN } = report;
    bench.say(
      `  seed ${seed}: accuracy ${accuracy.toFixed(4)}${auc === undefined ? "" : `, AUC ${auc.toFixed(4)}`}, Brier ${brier.toFixed(4)}, ECE ${ece.toFixed(4)}, ` +
        `${trained.seconds.toFixed(1)} s (processor ${((used.user + used.system) / 1e6).toFixed(1)} s), ${times.at(-1)?.toFixed(3)} ms, ${(trained.artifact.length / 1e6).toFixed(2)} MB`,
    );
  }
  const results: Result[] = [
    { what: "training", value: median(seconds), unit: "s", bar: 20, aim: 8, better: "lower" },
    { what: "prediction", value: median(times), unit: "ms", bar: 3, aim: 0.5, better: "lower" },
  ];
  return { field: (read) => median(reports.map((report) => read(report) ?? Number.NaN)), results };
}

/** Milliseconds of one whole turn of the model: prompt read, answer made and written. */
async function predictionMs(
  artifact: Uint8Array,
  output: object,
  examples: readonly TrainingExample[],
): Promise<number> {
  const model = createBuiltinModel({ artifact: readArtifact(artifact) });
  const turn = ({ input, records }: TrainingExample) =>
    model.doGenerate({
      responseFormat: { type: "json", schema: output as never },
      prompt: [
        { role: "user", content: [{ type: "text", text: JSON.stringify(input) }] },
        ...Object.entries(records).map(([toolName, data]) => ({
          role: "tool" as const,
          content: [
            {
              type: "tool-result" as const,
              toolCallId: toolName,
              toolName,
              output: { type: "json" as const, value: { from: toolName, data } as never },
            },
          ],
        })),
      ],
    });
  let began = 0;
  for (let at = -predictions; at < predictions; at++) {
    if (at === 0) began = performance.now();
    await turn(examples[(at + predictions) % examples.length] as TrainingExample);
  }
  return (performance.now() - began) / predictions;
}
