import { type DataClass, dataClasses, dataClassOf, scanJson } from "@aos/data-classes";
import type { HeldRun } from "./held-run.ts";

/** Most characters of what a search found in which data is looked for. */
const mostScanned = 65_536;

interface ToolStep {
  readonly name: string;
  readonly output?: unknown;
}

/**
 * Notes which classes of data a run has read by searching knowledge, so that policies of its next turns see them as `data.classes`: those that its chunks were
 * given when they were indexed, and those that detectors find in what the run got to see. What it got as placeholders is none.
 */
export function noteFound(held: HeldRun | undefined, { name, output }: ToolStep, redacted = false): void {
  if (!held || output === undefined || output === null) return;
  if (held.work.tools.find((tool) => tool.name === name)?.kind !== "search") return;
  const found = new Set([...(held.found ?? []), ...classesIn(output), ...(redacted ? [] : givenClasses(output))]);
  if (found.size > 0) held.found = [...found];
}

function classesIn(output: unknown): DataClass[] {
  const { kinds, complete } = scanJson(output, { findings: 0, characters: mostScanned });
  return [...kinds.map(dataClassOf), ...(complete ? [] : (["restricted"] as const))];
}

/** The `data_classes` of chunks. */
function givenClasses(output: unknown): DataClass[] {
  const { chunks } = output as { chunks?: readonly { readonly data_classes?: readonly unknown[] }[] };
  const given = (chunks ?? []).flatMap(({ data_classes: classes = [] }) => classes);
  return dataClasses.filter((one) => given.includes(one));
}
