import { afterAttempt, type EffectOutcome, effectOfRow } from "../../../kernel/effect.ts";
import { OutboundError } from "../../../outbound/index.ts";
import type { Ending } from "../../../runtime/endings.ts";
import { memoryPort, runLoop, skillRun, writer } from "../../../runtime/loop.fixture.ts";
import type { JournalStep, LoopPort, SkillRun, ToolCall, ToolResult } from "../../../runtime/port.ts";
import { outcomeOf } from "../../../runtime/remote.ts";
import { answered, notAnswered } from "../../../runtime/tools/http-answer.ts";
import { decideEffect, type StoredEffect } from "../../tasks/steps/effect-store.ts";

// A world in which everything is chosen: what a target does and answers, where the worker dies, what people say. The journal of its tasks is in memory; the loop and
// the rules of effects are those that the service runs by.

/** Picks one of so many; the first option is the course without faults. */
export type Choose = (among: number) => number;

/** What a target does with a request, and what it responds. */
interface Behaviour {
  readonly commits: boolean;
  readonly reply: "ok" | "reset" | "timeout" | "unreachable" | number;
  readonly comeBack?: boolean;
}

const behaviours: readonly Behaviour[] = [
  { commits: true, reply: "ok" },
  ...[true, false].flatMap((commits) =>
    (["reset", "timeout", 500, 503, 408] as const).map((reply) => ({ commits, reply })),
  ),
  { commits: false, reply: 422 },
  { commits: false, reply: 429 },
  { commits: false, reply: 503, comeBack: true },
  { commits: false, reply: "unreachable" },
];

/** The worker dies. */
class Crash extends Error {}

export interface Limits {
  /** Failing requests, at most. */
  readonly faults: number;
  readonly crashes: number;
}

export class World {
  readonly commits: Record<string, number> = {};
  readonly #known = new Set<string>();
  readonly #choose: Choose;
  readonly #honours: boolean;
  #faults: number;
  #crashes: number;
  #ids = 0;

  constructor(choose: Choose, honours: boolean, { faults, crashes }: Limits) {
    this.#choose = choose;
    this.#honours = honours;
    this.#faults = faults;
    this.#crashes = crashes;
  }

  readonly id = (): string => `stp_${++this.#ids}`;

  /** The worker may die here. */
  readonly mayCrash = (): void => {
    if (this.#crashes === 0 || this.#choose(2) === 0) return;
    this.#crashes--;
    throw new Crash();
  };

  request(tool: string, key: string) {
    const { commits, reply, comeBack } = this.#faults === 0 ? (behaviours[0] as Behaviour) : this.#behaviour();
    if (reply !== "ok") this.#faults--;
    if (commits && !(this.#honours && this.#known.has(key))) {
      this.#known.add(key);
      this.commits[tool] = (this.commits[tool] ?? 0) + 1;
    }
    const url = "http://target.example/";
    if (typeof reply === "string" && reply !== "ok") {
      const sent = reply !== "unreachable";
      const code = { reset: "connection_lost", timeout: "timeout", unreachable: "connect_failed" } as const;
      return outcomeOf(notAnswered("write", new OutboundError(code[reply], "it broke", { sent }), url));
    }
    const headers = { "content-type": "application/json", ...(comeBack && { "retry-after": "1" }) };
    const status = reply === "ok" ? 200 : reply;
    return outcomeOf(answered("write", { status, headers, url, body: Buffer.from('{"booked":true}') }, []));
  }

  #behaviour(): Behaviour {
    return behaviours[this.#choose(behaviours.length)] as Behaviour;
  }

  /** People look at the target and answer, or end the task. */
  answers = (): boolean => this.#choose(2) === 0;
  /** Whether people find the effect with this key at the target. */
  readonly found = (key: string): boolean => this.#known.has(key);
}

type Row = { -readonly [K in Exclude<keyof StoredEffect, "taken">]: StoredEffect[K] } & {
  origin: string;
  before: EffectOutcome;
  closed: boolean;
};

/** The tables that survive a crash. */
export class Store {
  readonly effects: Row[] = [];

  of(origin: string, taken: ReadonlySet<string>): StoredEffect[] {
    const open = this.effects.filter((row) => row.origin === origin && !row.closed);
    return open.map((row) => ({ ...row, taken: taken.has(row.key) }));
  }

  row(key: string | undefined): Row | undefined {
    return this.effects.find((row) => row.key === key);
  }

  inDoubt = (origin: string): boolean =>
    this.effects.some((row) => row.origin === origin && row.outcome === "unknown" && !row.closed);
}

type TaskEnd = { readonly kind: "completed" } | { readonly kind: "failed" | "cancelled"; readonly code: string };

/** One task: attempts of workers that may die, with people between them. */
export class OneTask {
  readonly #world: World;
  readonly #store: Store;
  readonly #origin: string;
  readonly #id: string;
  readonly #run: SkillRun;
  readonly #steps: (JournalStep & { effect?: string })[] = [];
  #asked: string | undefined;

  constructor(world: World, store: Store, origin: string, tool: string, repeatable: boolean) {
    [this.#world, this.#store, this.#origin, this.#id] = [world, store, origin, world.id()];
    const tools = [writer(tool, { repeatable })];
    this.#run = skillRun({ tools, input: { to: "ann" }, direct: { tool } });
  }

  async carryOut(): Promise<TaskEnd> {
    for (let resumed = false; ; resumed = true) {
      const ending = await this.#attempt(resumed);
      if (ending === "crashed") continue;
      if (ending.kind === "completed") return ending;
      if (ending.kind === "failed") return { kind: "failed", code: ending.failure.code };
      if (ending.kind !== "waiting") throw new Error(`unexpected: ${ending.kind}`);
      if (!this.#world.answers()) return { kind: "cancelled", code: "cancelled" };
      this.#answer();
    }
  }

  async #attempt(resumed: boolean): Promise<Ending | "crashed"> {
    const doubt = this.#doubt();
    try {
      return await runLoop(undefined as never, {
        port: this.#port(),
        run: { ...this.#run, resumed, ...(doubt && { doubt }) },
        callRemote: async ({ name }, { effect }) => {
          this.#world.mayCrash();
          const outcome = this.#world.request(name, effect?.key as string);
          this.#world.mayCrash();
          return outcome;
        },
        pause: async () => undefined,
      });
    } catch (error) {
      if (error instanceof Crash) return "crashed";
      throw error;
    }
  }

  /** What the start of a task finds: an open effect of another task of the origin, unless it is this very call to a target that knows it by its key. */
  #doubt(): SkillRun["doubt"] {
    const [tool] = this.#run.tools;
    if (tool?.repeatable) return undefined;
    const left = this.#store.effects.find(
      ({ origin, outcome, task_id }) => origin === this.#origin && outcome === "unknown" && task_id !== this.#id,
    );
    return left && { number: 1, kind: "tool", name: left.tool, input: { to: "ann" }, effect: left.key, failure: null };
  }

  #port(): LoopPort {
    return {
      ...memoryPort(),
      journal: async () => this.#steps,
      callTool: async (call) => this.#call(call),
      endStep: async (id, end) => {
        this.#world.mayCrash();
        const step = this.#step(id);
        const row = this.#store.row(step.effect);
        Object.assign(step, { state: end.state, output: end.state === "finished" ? end.output : null });
        if (end.state !== "finished") Object.assign(step, { failure: end.failure });
        const attempted = { finished: "done", failed: "refused", unknown: "unknown" } as const;
        if (row) row.outcome = afterAttempt(row.before, attempted[end.state]);
        if (row) row.output = JSON.stringify(step.output);
        this.#world.mayCrash();
        return { output: step.output };
      },
      handOver: async () => ({ kind: "lost" }),
      handCalls: async () => false,
      askOutcome: async ({ id }) => {
        this.#asked = id;
        return true;
      },
      askDoubt: async ({ effect, failure: _why, ...step }) => {
        this.#asked = this.#write({ ...step, state: "unknown", effect });
        return true;
      },
    };
  }

  #step = (id: string) => this.#steps.find((step) => step.id === id) as JournalStep & { effect?: string };

  #write(step: Pick<JournalStep, "number" | "kind" | "name" | "input" | "state"> & { effect: string }): string {
    const id = this.#world.id();
    const at = this.#steps.findIndex(({ number }) => number === step.number);
    this.#steps.splice(at < 0 ? 0 : at, at < 0 ? 0 : 1, { ...step, id, output: null, failure: null });
    return id;
  }

  #call({ number, tool, arguments: given }: ToolCall): ToolResult {
    const action = `${tool} ${JSON.stringify(given)}`;
    const taken = new Set(this.#steps.filter((step) => step.number < number).map(({ effect }) => effect ?? ""));
    const repeatable = this.#run.tools[0]?.repeatable === true;
    const decided = decideEffect(this.#store.of(this.#origin, taken), { action, target: "it", repeatable });
    if (decided.kind === "doubt")
      return { kind: "sent_back", failure: { code: "outcome_unknown", detail: "It was not made." } };
    this.#world.mayCrash();
    const key = decided.effect?.key ?? `${this.#origin} ${this.#store.effects.length}`;
    const step = { number, kind: "tool", name: tool, input: given, state: "started", effect: key } as const;
    if (decided.kind === "reuse") {
      const output = JSON.parse(decided.effect.output ?? "null") as unknown;
      return { kind: "output", id: this.#write({ ...step, state: "finished" }), output, verdict: "allow", costUsd: 0 };
    }
    const id = this.#write(step);
    const row = this.#store.row(key);
    if (row) Object.assign(row, { before: row.outcome, outcome: "unknown", task_id: this.#id, step_id: id });
    else
      this.#store.effects.push({
        key,
        origin: this.#origin,
        action,
        asked: null,
        tool,
        target: "it",
        outcome: "unknown",
        before: "none",
        ...{
          task_id: this.#id,
          step_id: id,
          output: null,
          edit_approval_id: null,
          intact: true,
          hidden: false,
          closed: false,
        },
      });
    const { before } = this.#store.row(key) as Row;
    this.#world.mayCrash();
    return { kind: "begun", id, arguments: given, costUsd: 0, effect: effectOfRow({ key, before }) };
  }

  /** Stores what people found, like `endAskedStep`. */
  #answer(): void {
    const step = this.#step(this.#asked as string);
    const row = this.#store.row(step.effect) as Row;
    const done = this.#world.found(row.key);
    const output = done ? { took_effect: true, output: null } : null;
    const failure = done ? null : { code: "interrupted", detail: "It did not take effect." };
    Object.assign(step, { state: done ? "finished" : "failed", output, failure });
    Object.assign(row, { outcome: done ? "done" : "refused", task_id: this.#id, output: JSON.stringify(output) });
  }
}
