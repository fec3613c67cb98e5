import type { Shape } from "@aos/rollup";
import { timeOfId } from "../../kernel/ids.ts";
import { type Family, familyBins, familyDimensions, familySums, labelled } from "./measures.ts";

/** What a row that contributes to the rollups is; the word of `analytics_pending`. */
export const kinds = ["task", "approval", "violation", "delivery"] as const;
export type Kind = (typeof kinds)[number];

/** The family under which `analytics_facts` keeps what a source of a kind contributes; a task's includes its steps. */
export const factsFamily = {
  task: "tasks",
  approval: "approvals",
  violation: "violations",
  delivery: "deliveries",
} as const satisfies Record<Kind, Family>;

/** The families in the order in which stored facts name them by number: add at the end only. */
export const families = ["tasks", "steps", "approvals", "violations", "deliveries"] as const satisfies Family[];

/** Columns of a family's blocks: its dimensions, then the labels that were ever declared where it has them; its sums and bins. */
export const shapeOf = (family: Family, labels: number): Shape => ({
  dims: familyDimensions[family].length + (labelled.has(family) ? labels : 0),
  sums: familySums[family].length,
  bins: familyBins[family].length,
});

/** Numbers of values that stand for no value of their own. */
export const otherNumber = 0;
export const noneNumber = 1;
export const firstNumber = 2;

export const minuteMs = 60_000;
export const quarterMinutes = 15;
export const hourMinutes = 60;
export const dayMinutes = 1_440;

/** The time of a source: that of its id, which its key begins with. */
export const timeOfSource = (source: string): number => timeOfId(source.split("/", 1)[0] as string) ?? 0;
/** The minute in which a source stands, since the epoch. */
export const minuteOfSource = (source: string): number => Math.floor(timeOfSource(source) / minuteMs);
export const quarterOf = (minute: number): number => minute - (minute % quarterMinutes);
export const hourOf = (minute: number): number => minute - (minute % hourMinutes);
export const dayOf = (minute: number): number => minute - (minute % dayMinutes);
