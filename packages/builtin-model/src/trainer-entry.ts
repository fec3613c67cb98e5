import { parentPort, workerData } from "node:worker_threads";
import type { JsonSchema } from "@aos/json-schema";
import { ArtifactError, digestOf, readArtifact } from "./artifact-format.ts";
import type { JudgedAnswer, TrainingExample, TrainingRequest, TrainingResult, Yardstick } from "./contract.ts";
import { TooManyExamples } from "./dataset.ts";
import { examine } from "./examine.ts";
import { fit, UntrainableError } from "./fit.ts";
import { yardstickOf } from "./yardstick.ts";

// The thread in which examples are learnt from, and artifacts are measured.

/** What the thread is started for. */
export type Errand =
  | { readonly kind: "train"; readonly request: TrainingRequest }
  | {
      readonly kind: "evaluate";
      readonly artifact: Uint8Array | null;
      readonly output: JsonSchema;
      readonly examples: readonly TrainingExample[];
      readonly yardstick: Yardstick;
    };

/** What it tells. `refused`: the request cannot be carried out, and the text is for people. */
export type Report =
  | { readonly share: number; readonly note: string }
  | { readonly trained: TrainingResult }
  | { readonly examined: readonly JudgedAnswer[] }
  | { readonly refused: string };

/** Share of a training that the learning takes; the rest measures. */
const learning = 0.95;
/** Progress is reported when it has grown so much. */
const worthTelling = 0.01;

function train({ output, train: examples, heldOut, seed }: TrainingRequest, tell: (report: Report) => void): void {
  const began = performance.now();
  let [told, last] = [-1, ""];
  const progress = (share: number, note: string): void => {
    const now = Math.max(told, share);
    if (now - told < worthTelling && note === last) return;
    [told, last] = [now, note];
    tell({ share: now, note });
  };
  const artifact = fit(output, examples, seed, (share, note) => progress(share * learning, note));
  progress(learning, `measuring ${heldOut.length} held-out examples`);
  const outputsOf = (list: readonly TrainingExample[]) => list.map((example) => example.output);
  const yardstick = yardstickOf(output, outputsOf(examples), outputsOf(heldOut));
  const { fields, heldOut: answers } = examine(readArtifact(artifact), output, heldOut, yardstick);
  const seconds = (performance.now() - began) / 1000;
  tell({ trained: { artifact, digest: digestOf(artifact), seconds, fields, yardstick, heldOut: answers } });
}

function evaluated({
  artifact,
  output,
  examples,
  yardstick,
}: Extract<Errand, { kind: "evaluate" }>): readonly JudgedAnswer[] {
  return examine(artifact && readArtifact(artifact), output, examples, yardstick).heldOut;
}

function run(errand: Errand, tell: (report: Report) => void): void {
  try {
    if (errand.kind === "train") train(errand.request, tell);
    else tell({ examined: evaluated(errand) });
  } catch (error) {
    const forPeople =
      error instanceof UntrainableError || error instanceof ArtifactError || error instanceof TooManyExamples;
    if (!forPeople) throw error;
    tell({ refused: error.message });
  }
}

if (parentPort) {
  const port = parentPort;
  run(workerData as Errand, (report) => port.postMessage(report));
}
