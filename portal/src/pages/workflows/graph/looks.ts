import {
  Bot,
  CalendarClock,
  CircleStop,
  Equal,
  Hand,
  Hourglass,
  type LucideIcon,
  Split,
  Workflow,
  Wrench,
} from "lucide-react";
import type { Tone } from "../../../ui/badge.tsx";
import type { GraphNode } from "./model.ts";

/** What the picture shows of a step beside its definition. */
export interface NodeLook {
  readonly status?: string;
  /** Counts, cost and what it waits for, in a few words. */
  readonly note?: string;
  readonly errors?: number;
  readonly warnings?: number;
}

export const kinds: Readonly<Record<GraphNode["kind"], readonly [word: string, icon: LucideIcon]>> = {
  agent: ["Agent", Bot],
  tool: ["Tool", Wrench],
  approval: ["Approval", Hand],
  wait: ["Wait", Hourglass],
  parallel: ["Parallel", Split],
  workflow: ["Workflow", Workflow],
  set: ["Set", Equal],
  end: ["End", CircleStop],
  trigger: ["Trigger", CalendarClock],
};

/** States of a step of a run: the tone and the word. */
const states: Readonly<Record<string, readonly [tone: Tone, word: string]>> = {
  pending: ["neutral", "Not started"],
  running: ["accent", "Running"],
  waiting: ["warn", "Waiting"],
  skipped: ["neutral", "Skipped"],
  completed: ["good", "Completed"],
  failed: ["bad", "Failed"],
  rejected: ["bad", "Rejected"],
  cancelled: ["neutral", "Cancelled"],
  compensated: ["info", "Compensated"],
  compensating: ["accent", "Compensating"],
  compensation_failed: ["bad", "Compensation failed"],
  outcome_unknown: ["bad", "Outcome unknown"],
  awaiting_people: ["warn", "Waiting for people"],
  held: ["warn", "Held"],
};

export const stepState = (status: string): readonly [tone: Tone, word: string] => states[status] ?? ["neutral", status];
