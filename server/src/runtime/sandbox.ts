import type { Demand } from "../kernel/budget.ts";
import type { Clock } from "../kernel/clock.ts";
import { refuse } from "../kernel/errors.ts";
import { chargedUsd } from "../kernel/ledger.ts";
import type { Scope } from "../kernel/principal.ts";
import { notFound } from "../kernel/problems.ts";
import type { SkillOutcome, SkillRequest, SkillRunner, SkillUsage, TriedCall } from "../kernel/skill-runner.ts";
import { bounded } from "./bounded.ts";
import type { Ending } from "./endings.ts";
import { type Gathered, gatherAll, hindranceIn, hindranceOfCall } from "./gather.ts";
import type { BegunTurn, Failure, Kept, LoopPort, RunHold, SkillRun, StepEnd, ToolResult, Using } from "./port.ts";
import type { Skills } from "./skills.ts";

/** What a run outside of tasks does outside of itself. The tasks slice builds it. */
export interface TrialPort {
  holdOf(using: Using): RunHold;
  beginModel(step: { readonly name: string }, demand: Demand): Promise<BegunTurn | Kept>;
  callTool(call: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }): Promise<ToolResult>;
  /** What the run gets to see of what a call answered that the runtime made. */
  answered(id: string, output: unknown): unknown;
  /** Puts back what stands behind placeholders. */
  restore<T>(value: T): T;
}

export interface SandboxPort {
  /** Null: there is no such version, or it has no such skill. */
  begin(
    scope: Scope,
    versionId: string,
    skill: string,
    input: Readonly<Record<string, unknown>>,
    more: Pick<SkillRequest, "draft" | "charged">,
  ): Promise<{ readonly run: SkillRun; readonly port: TrialPort } | null>;
}

export interface SandboxParts {
  readonly port: SandboxPort;
  readonly skills: Skills;
  readonly clock: Clock;
}

/** Runs skills outside of tasks. A version or skill that does not exist is refused with `not_found`. */
export function createSkillRunner({ port, skills, clock }: SandboxParts): SkillRunner {
  const begin = async (request: SkillRequest, input: Readonly<Record<string, unknown>>) => {
    const { scope, versionId, skill } = request;
    const begun = await port.begin(scope, versionId, skill, input, request);
    if (begun) return begun;
    throw refuse(notFound, `There is no version ${versionId} with a skill ${skill}.`);
  };
  const runOne = async (request: Parameters<SkillRunner["run"]>[0]): Promise<SkillOutcome> => {
    const started = clock.now();
    const { run, port: trial } = await begin(request, request.input);
    const trying = new Trying(run, trial, request);
    const { scope, signal, seed } = request;
    const ending = await bounded({ run, port: trying.port, signal }, (within) =>
      skills.perform({ scope, port: trying.port, run, seed, ...within }),
    );
    return outcomeOf(ending, trying, { ...trying.used, ms: clock.now() - started });
  };
  const gatherOne = async (request: SkillRequest, input: Readonly<Record<string, unknown>>): Promise<Gathered> => {
    const { run, port: trial } = await begin(request, input);
    const trying = new Trying(run, trial, {}, "gathers");
    const { scope, signal, seed } = request;
    const reading = { ...run, model: { provider: "builtin" }, briefing: { ...run.briefing, output: null } } as const;
    const ending = await bounded({ run, port: trying.port, signal }, (within) =>
      skills.perform({ scope, port: trying.port, run: reading, seed, untrained: true, ...within }),
    );
    const outcome = outcomeOf(ending, trying, { ...trying.used, ms: 0 });
    return { records: trial.restore(trying.found), hindrance: hindranceIn(outcome) ?? trying.hindrance };
  };
  return { run: runOne, gather: (request) => gatherAll(gatherOne, request) };
}

/** One run outside of tasks: what it used, and what its tools found. */
class Trying {
  readonly used = { steps: 0, tokens: 0, costUsd: 0 };
  readonly found: Record<string, unknown> = {};
  /** Why a tool did not say what it has, or that it has nothing, where something else than the version kept it from that. */
  hindrance: Failure | null = null;
  /** What it asked, where it asked anything: outside of tasks nobody answers. */
  question: string | null = null;
  readonly port: LoopPort;
  readonly #run: SkillRun;
  readonly #trial: TrialPort;
  /** The tools of calls that the runtime makes, by the calls' ids. */
  readonly #begun = new Map<string, Call>();
  readonly #watch: Watch;

  /** `gathers`: no model is asked; the built-in one says which tools the input suffices for, and that is no call. */
  constructor(run: SkillRun, trial: TrialPort, watch: Watch, gathers?: "gathers") {
    this.#run = run;
    this.#watch = watch;
    this.#trial = trial;
    this.port = {
      holdOf: (using) => (gathers && using.model !== null ? "go" : trial.holdOf(using)),
      journal: async () => [],
      beginModel: async (step, demand) => {
        this.used.steps++;
        return gathers
          ? { kind: "begun", id: "", shown: async (prompt) => prompt, settle: async () => undefined }
          : this.#metered(await trial.beginModel(step, demand));
      },
      callTool: (call) => this.#call(call),
      endStep: async (id, end) => this.#end(id, end),
      refuseStep: async () => true,
      ask: async (_step, { text }) => {
        this.question = text;
        return true;
      },
      handCalls: async () => false,
      handOver: async () => ({ kind: "done", text: "" }),
      askOutcome: async () => true,
      askDoubt: async () => true,
    };
  }

  /** Counts what a turn is charged. */
  #metered(begun: BegunTurn | Kept): BegunTurn | Kept {
    if (begun.kind !== "begun") return begun;
    const settle = async (used: Demand): Promise<void> => {
      this.used.tokens += used.tokens ?? 0;
      this.used.costUsd += used.usd ?? 0;
      await begun.settle(used);
    };
    return { ...begun, settle };
  }

  async #call(call: Call): Promise<ToolResult> {
    this.used.steps++;
    const stub = stubOf(this.#run, this.#watch.fixtures, call.tool);
    if (stub) {
      this.#tell(call, stub.outcome, stub.output);
      return { kind: "output", id: "", output: stub.output, verdict: "not_applicable", costUsd: 0 };
    }
    const result = await this.#trial.callTool(call);
    if ("costUsd" in result) this.used.costUsd += chargedUsd(result.costUsd);
    if (result.kind === "output") {
      this.found[call.tool] = result.output;
      this.#tell(call, "read", result.output);
    }
    if (result.kind === "failed") this.#failed(call, result.failure);
    if (result.kind === "refused") this.#tell(call, "refused", result.failure);
    if (result.kind === "begun") this.#begun.set(result.id, call);
    return result;
  }

  #end(id: string, end: StepEnd): { readonly output: unknown } {
    if (end.state === "unknown") return { output: null };
    this.used.tokens += end.tokens ?? 0;
    const call = this.#begun.get(id);
    if (call === undefined) return { output: null };
    if (end.state === "failed") {
      this.#failed(call, end.failure);
      return { output: null };
    }
    const output = this.#trial.answered(id, end.output);
    this.found[call.tool] = output;
    this.#tell(call, "read", output);
    return { output };
  }

  #tell(call: Call, outcome: TriedCall["outcome"], result: unknown): void {
    this.#watch.heard?.(this.restore({ tool: call.tool, arguments: call.arguments, outcome, result }));
  }

  #failed(call: Call, failure: Failure): void {
    this.#tell(call, "failed", failure);
    this.hindrance ??= hindranceOfCall(failure);
  }

  restore<T>(value: T): T {
    return this.#trial.restore(value);
  }
}

type Watch = Pick<Parameters<SkillRunner["run"]>[0], "fixtures" | "heard">;
type Call = Parameters<LoopPort["callTool"]>[0];

/** What stands in for a call: its fixture, or of a tool that writes, or that may not be called, that nothing happened. */
function stubOf(run: SkillRun, fixtures: Watch["fixtures"], name: string) {
  if (fixtures && Object.hasOwn(fixtures.outputs, name))
    return { outcome: "fixture" as const, output: fixtures.outputs[name] };
  const writes = run.tools.some((tool) => tool.name === name && tool.effect === "write");
  const withheld = (why: string) => ({ outcome: "withheld" as const, output: { carried_out: false, why } });
  if (writes) return withheld("The skill runs outside of a task: nothing is written.");
  return fixtures?.only ? withheld("There is no fixture for this tool, and tools are not called here.") : null;
}

function outcomeOf(ending: Ending, trying: Trying, usage: SkillUsage): SkillOutcome {
  switch (ending.kind) {
    case "completed":
      return { kind: "completed", output: trying.restore(ending.output), usage, features: ending.features };
    case "failed":
    case "blocked":
      return { kind: "failed", failure: trying.restore(ending.failure), usage };
    case "waiting": {
      const detail = `It asked: ${trying.question ?? "whether a call took effect"}. Outside of a task nobody answers.`;
      return { kind: "failed", failure: { code: "input_required", detail }, usage };
    }
    default: {
      const using = ending.kind === "held" ? (ending.tool ?? ending.model) : null;
      const detail = `A stop or pause stands against ${using ?? "running it"}.`;
      return { kind: "failed", failure: { code: "held", detail }, usage };
    }
  }
}
