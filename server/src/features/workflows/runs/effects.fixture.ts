import { setImmediate } from "node:timers/promises";
import {
  type Action,
  advance,
  control,
  newRun,
  type Outcome,
  type Plan,
  planOf,
  type RunState,
  type Step,
  smallBudget,
} from "@aos/workflow";
import { type Choose, type Limits, OneTask, Store, World } from "./effects-world.fixture.ts";

// Runs of a workflow with one write: every course of each.

/** Runs a function once for each combination of choices; returns how many there are. */
async function explore(carryOut: (choose: Choose) => Promise<void>): Promise<number> {
  let path: number[] = [];
  for (let cases = 1; ; cases++) {
    const sizes: number[] = [];
    const taken: number[] = [];
    await carryOut((among) => {
      sizes.push(among);
      taken.push(path[taken.length] ?? 0);
      return taken.at(-1) as number;
    });
    if (cases % 200 === 0) await setImmediate(); // abort signals are collected between turns of the loop
    let last = taken.length - 1;
    while (last >= 0 && (taken[last] as number) + 1 >= (sizes[last] as number)) last--;
    if (last < 0) return cases;
    path = [...taken.slice(0, last), (taken[last] as number) + 1];
  }
}

/** How a workflow handles failure, and what people do after its run. */
export interface Way {
  readonly name: string;
  readonly steps: readonly Step[];
  /** How often somebody retries the run from its write after a failure. */
  readonly retryFrom: number;
}

export interface Course {
  readonly status: RunState["status"];
  readonly act: string | undefined;
  /** Effects at the target, by tool. */
  readonly commits: Readonly<Record<string, number>>;
}

const now = 1_000_000_000;

/** Runs one course to its end. The tools `book` and `unbook` write; `fail` fails. */
async function courseOf(choose: Choose, way: Way, honours: boolean, limits: Limits): Promise<Course> {
  const world = new World(choose, honours, limits);
  const store = new Store();
  const plan = planOf({ workflow: "trial", steps: [...way.steps] });
  let state = newRun({ input: {}, run: {} }, now);
  state = await toItsEnd(plan, state, world, store, honours);
  for (let again = 0; again < way.retryFrom && state.status === "failed"; again++) {
    const next = control(plan, state, { action: "retry_from", step: "act" });
    if (!next.ok) throw new Error(next.detail);
    state = await toItsEnd(plan, next.state, world, store, honours);
  }
  return { status: state.status, act: state.steps.get("act")?.status, commits: world.commits };
}

async function toItsEnd(plan: Plan, begun: RunState, world: World, store: Store, honours: boolean): Promise<RunState> {
  let state = begun;
  let outcomes: Outcome[] = [];
  for (let at = now; ; at += 3_600_000) {
    const next = advance(plan, state, outcomes, at, smallBudget());
    state = next.state;
    outcomes = [];
    for (const command of next.commands) {
      if (command.kind === "start") outcomes.push(await startedAs(command, world, store, honours));
      if (command.kind === "undo") outcomes.push(await undoneAs(command.step, command.action, world, store, honours));
    }
    if (outcomes.length === 0 && next.wakeAt === null) return state;
  }
}

type Start = { readonly step: string; readonly attempt: number; readonly action: Action };

async function startedAs(
  { step, attempt, action }: Start,
  world: World,
  store: Store,
  honours: boolean,
): Promise<Outcome> {
  const at = { kind: "ended", step, attempt } as const;
  if (toolOf(action) === "fail") return { ...at, status: "failed", failure: { code: "broken", detail: "It fails." } };
  const end = await new OneTask(world, store, step, toolOf(action), honours).carryOut();
  if (end.kind === "completed") return { ...at, status: "completed", output: {} };
  const failure = { code: end.code, detail: "It did not complete." };
  return { ...at, status: store.inDoubt(step) ? "outcome_unknown" : end.kind, failure };
}

async function undoneAs(step: string, action: Action, world: World, store: Store, honours: boolean): Promise<Outcome> {
  const end = await new OneTask(world, store, `${step} !undo`, toolOf(action), honours).carryOut();
  if (end.kind === "completed") for (const row of store.effects) if (row.origin.startsWith(step)) row.closed = true;
  return { kind: "undone", step, ok: end.kind === "completed" };
}

const toolOf = (action: Action): string => (action.kind === "tool" ? action.tool : "");

const book = (name: string) => ({ agent: "sales", name, arguments: { to: "'ann'" } });
const act: Step = { id: "act", tool: book("book") };
const retry = { attempts: 3, backoff: "1s" };

export const ways: readonly Way[] = [
  { name: "tries its step three times", steps: [{ ...act, retry }], retryFrom: 0 },
  { name: "goes on without its step", steps: [{ ...act, retry, on_error: "continue" }], retryFrom: 0 },
  { name: "is done again from its step by people, twice", steps: [act], retryFrom: 2 },
  {
    name: "is undone where its step fails, or the one after it",
    steps: [
      { ...act, on_error: "compensate", compensate: { tool: book("unbook") } },
      { id: "after", needs: ["act"], tool: book("fail"), on_error: "compensate" },
    ],
    retryFrom: 0,
  },
];

/** Runs every course and checks its outcome; returns how many there are. Throws with the course that breaks a rule. */
export function allCourses(way: Way, honours: boolean, limits: Limits): Promise<number> {
  return explore(async (choose) => {
    const { status, act: step, commits } = await courseOf(choose, way, honours, limits);
    const { book: done = 0, unbook: undone = 0 } = commits;
    const holds =
      done <= 1 &&
      undone <= done &&
      // Nobody claims to know an outcome that they cannot know.
      (step !== "completed" || done === 1) &&
      ((step !== "failed" && step !== "cancelled") || done === 0) &&
      (status !== "compensated" || done === undone);
    if (!holds) throw new Error(`a rule of effects is broken: ${JSON.stringify({ status, step, done, undone })}`);
  });
}
