import { expect, it } from "vitest";
import { type DataKind, dataKinds } from "./classes.ts";
import { scanText } from "./scan-text.ts";
import { corpus, type Sample } from "./testing/corpus.ts";
import { writtenSamples } from "./testing/written.ts";

/** What every detector must reach on the corpus. */
const FLOORS = { precision: 0.99, recall: 0.97 };

interface Tally {
  right: number;
  wrong: number;
  missed: number;
  hardNegatives: number;
}

function tally(samples: readonly Sample[]): { byKind: Map<DataKind, Tally>; errors: string[] } {
  const byKind = new Map(dataKinds.map((kind) => [kind, { right: 0, wrong: 0, missed: 0, hardNegatives: 0 }]));
  const errors: string[] = [];
  for (const { text, expects, about } of samples) {
    const open = [...expects];
    if (expects.length === 0) byKind.get(about)!.hardNegatives++;
    for (const { kind, format, start, end } of scanText(text)) {
      const value = text.slice(start, end);
      const at = open.findIndex((one) => one.kind === kind && one.value === value);
      if (at >= 0) open.splice(at, 1);
      else errors.push(`wrong ${kind} (${format}): ${JSON.stringify(value)} in ${JSON.stringify(text)}`);
      byKind.get(kind)![at >= 0 ? "right" : "wrong"]++;
    }
    for (const { kind, value } of open) {
      byKind.get(kind)!.missed++;
      errors.push(`missed ${kind}: ${JSON.stringify(value)} in ${JSON.stringify(text)}`);
    }
  }
  return { byKind, errors };
}

const samples = corpus();
const { byKind, errors } = tally(samples);
const precision = ({ right, wrong }: Tally): number => right / (right + wrong);
const recall = ({ right, missed }: Tally): number => right / (right + missed);

it("keeps the floors of precision and recall for every detector", () => {
  const rows = [...byKind].map(([kind, one]) => {
    const cells = [
      kind,
      one.right + one.missed,
      one.hardNegatives,
      one.wrong,
      one.missed,
      precision(one).toFixed(4),
      recall(one).toFixed(4),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const head = [
    "| detector | to find | hard negatives | wrong | missed | precision | recall |",
    "|---|---|---|---|---|---|---|",
  ];
  console.info([...head, ...rows, ...errors].join("\n"));
  for (const [kind, one] of byKind) {
    expect(precision(one), `precision of ${kind}\n${errors.join("\n")}`).toBeGreaterThanOrEqual(FLOORS.precision);
    expect(recall(one), `recall of ${kind}\n${errors.join("\n")}`).toBeGreaterThanOrEqual(FLOORS.recall);
  }
});

it("finds exactly what is marked in the texts that were written by hand", () => {
  expect(tally(writtenSamples()).errors).toEqual([]);
});

it("has hundreds of positives and of hard negatives for every detector", () => {
  for (const [kind, { right, missed, hardNegatives }] of byKind) {
    expect(right + missed, kind).toBeGreaterThanOrEqual(300);
    expect(hardNegatives, kind).toBeGreaterThanOrEqual(300);
  }
});

it("draws the same corpus every time", () => {
  expect(corpus()).toEqual(samples);
});
