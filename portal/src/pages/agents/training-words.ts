import type { Schema } from "../../api/types.ts";
import { counted } from "../../lib/words.ts";
import type { Tone } from "../../ui/badge.tsx";

type Training = Pick<Schema<"VersionTraining">, "examples" | "environment" | "method">;
type Metrics = NonNullable<Schema<"VersionTraining">["metrics"]>;

export const verdicts: Readonly<Record<Metrics["verdict"], readonly [word: string, tone: Tone]>> = {
  better: ["better on held-out examples", "good"],
  worse: ["worse on held-out examples", "bad"],
  unclear: ["no clear difference", "warn"],
};

/** From what, and from how much of it: `Trained on 824 examples and measured on 206 others: 40 from feedback and 1,000 given, in development.` */
export function sourceText({ examples, environment, method }: Training): string {
  if (examples === null) return `Trained in ${environment} on an unknown number of examples.`;
  const { feedback, given, dataset, earlier, definition, train, held_out } = examples;
  const sources = [
    feedback > 0 && `${feedback.toLocaleString("en")} from feedback`,
    dataset > 0 && `${dataset.toLocaleString("en")} from datasets`,
    earlier > 0 && `${earlier.toLocaleString("en")} from earlier trainings`,
    given > 0 && `${given.toLocaleString("en")} given with the request`,
    definition > 0 && `${definition.toLocaleString("en")} from its definition`,
  ].filter((each) => each !== false);
  const verb = method === "model" ? "Trained on" : "Selected from";
  return `${verb} ${counted(train, "example")} and measured on ${counted(held_out, "other")}: ${sources.join(", ")}, in ${environment}; each input counts once.`;
}

/** A mean score between 0 and 1, with one decimal of a percent. */
export const measureText = (score: number): string => `${(score * 100).toFixed(1)} %`;

/** `+42.0 points, at least +36.0 with 95 % certainty, on 206 examples`. */
export function intervalText({ difference, low, n }: Metrics): string {
  const points = (share: number): string => `${share >= 0 ? "+" : "−"}${Math.abs(share * 100).toFixed(1)}`;
  const said = [
    difference !== null && `${points(difference)} points`,
    low !== null && `at least ${points(low)} with 95 % certainty`,
    `on ${counted(n, "example")}`,
  ];
  return said.filter((each) => each !== false).join(", ");
}
