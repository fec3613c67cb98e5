import type { LanguageModelV4 } from "@ai-sdk/provider";
import { effectOfRow } from "../kernel/effect.ts";
import type { Ending } from "./endings.ts";
import type { Running, RunProgress } from "./loop.ts";
import type { JournalStep, LoopPort, RunTool, SkillRun, ToolResult } from "./port.ts";
import { runTask } from "./run-task.ts";
import { noRunWatch } from "./watch.ts";

/** A record tool, or one of another kind. */
export const tool = (name: string, more: Partial<RunTool> = {}): RunTool => ({
  name,
  effect: "read",
  idFields: [`${name.replace(/^get_/, "")}_id`],
  costUsd: 0,
  repeatable: more.effect !== "write",
  spec: { kind: "record", name, base: "leads" },
  ...more,
});

/** A tool that writes, with these arguments; calls of it come to the test. */
export const writer = (name: string, more: Partial<RunTool> = {}): RunTool =>
  tool(name, {
    effect: "write",
    repeatable: false,
    idFields: [],
    spec: {
      kind: "http",
      name,
      effect: "write",
      arguments: {
        type: "object",
        required: ["to"],
        properties: { to: { type: "string", maxLength: 20 } },
        additionalProperties: false,
      },
    },
    ...more,
  });

/** A run of a skill by a provider's model, with one record tool. */
export const skillRun = (more: Partial<SkillRun> = {}): SkillRun => ({
  agent: "sales",
  version: 1,
  versionId: "ver_1",
  skill: "qualify_lead",
  input: { lead_id: "ld_1" },
  model: { provider: "openai", name: "sample-model" },
  briefing: {
    agent: "You prepare leads.",
    skill: "Look the lead up.",
    description: null,
    input: { type: "object", properties: { lead_id: { type: "string" } } },
    output: {
      type: "object",
      required: ["qualified"],
      properties: { qualified: { type: "boolean" } },
      additionalProperties: false,
    },
    examples: [],
  },
  tools: [tool("get_lead")],
  limits: { seconds: 120, steps: 12, tokens: null, costUsd: null },
  spent: { tokens: 0, costUsd: 0, ms: 0 },
  resumed: false,
  runId: "tsk_1 1",
  ...more,
});

/** A port that finds every record and keeps the journal in memory, and what was done with it. */
export interface MemoryPort extends LoopPort {
  readonly steps: JournalStep[];
  /** What was done outside, in order. */
  readonly log: string[];
  readonly settled: unknown[];
  /** What turns were to use at most. */
  readonly demands: unknown[];
}

export function memoryPort(more: Partial<LoopPort> = {}, earlier: readonly JournalStep[] = []): MemoryPort {
  const steps: JournalStep[] = [...earlier];
  const log: string[] = [];
  const settled: unknown[] = [];
  const demands: unknown[] = [];
  const write = (step: JournalStep): void => {
    const at = steps.findIndex(({ number }) => number === step.number);
    steps.splice(at < 0 ? steps.length : at, at < 0 ? 0 : 1, step);
  };
  const port: LoopPort = {
    holdOf: () => "go",
    journal: async () => steps,
    async beginModel(step, demand) {
      demands.push(demand);
      log.push(`model ${step.number}`);
      write({ ...step, id: `stp_${step.number}`, state: "started", output: null, failure: null });
      return {
        kind: "begun",
        id: `stp_${step.number}`,
        shown: async (prompt) => prompt,
        settle: async (used) => void settled.push(used),
      };
    },
    async callTool({ number, tool: name, arguments: input }): Promise<ToolResult> {
      log.push(`tool ${number} ${name}`);
      const id = `stp_${number}`;
      if (name.startsWith("get_")) {
        write({ number, kind: "tool", name, input, id, state: "finished", output: { found: input }, failure: null });
        return { kind: "output", id, output: { found: input }, verdict: "allow", costUsd: 0 };
      }
      const before = steps.some((step) => step.id === id && step.state !== "failed") ? "unknown" : "none";
      write({ number, kind: "tool", name, input, id, state: "started", output: null, failure: null });
      return { kind: "begun", id, arguments: input, costUsd: 0, effect: effectOfRow({ key: `key of ${id}`, before }) };
    },
    async endStep(id, end) {
      const step = steps.find((one) => one.id === id) as JournalStep;
      const output = end.state === "finished" ? end.output : null;
      write({ ...step, state: end.state, output, failure: end.state === "finished" ? null : end.failure });
      return { output };
    },
    async refuseStep(step, failure) {
      write({ ...step, id: `stp_${step.number}`, state: "failed", output: null, failure });
      return true;
    },
    ask: async (_step, { text }) => log.push(`ask ${text}`) > 0,
    async handOver(step, { cause, team }) {
      log.push(`hand over to ${team} (${cause})`);
      const output = { text: `${team} answers from now on.` };
      write({ ...step, id: `stp_${step.number}`, state: "finished", output, failure: null });
      return { kind: "done", ...output };
    },
    handCalls: async (calls) => log.push(`handed out ${calls.map(({ tool }) => tool).join(", ")}`) > 0,
    askOutcome: async ({ name }) => log.push(`ask about ${name}`) > 0,
    askDoubt: async ({ name }) => log.push(`ask about the ${name} of before`) > 0,
    ...more,
  };
  return { ...port, steps, log, settled, demands };
}

/** Runs the loop with a model. Faults of the service that it reports fail the test. */
export function runLoop(
  model: LanguageModelV4,
  { port = memoryPort(), run = skillRun(), ...more }: Partial<Omit<Running, "port">> & { port?: LoopPort } = {},
): Promise<Ending> {
  const progress: RunProgress = { tool: null, model: null };
  return runTask({
    model,
    port,
    run,
    progress,
    costOf: () => 0,
    watch: noRunWatch,
    callRemote: async () => ({ kind: "answered", data: { sent: true } }),
    signal: new AbortController().signal,
    report: (error) => {
      throw error;
    },
    ...more,
  });
}
