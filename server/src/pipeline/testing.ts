import { createPorts, join } from "../kernel/port.ts";
import "../features/index.ts"; // declares the actions
import { randomBytes } from "node:crypto";
import { Type } from "typebox";
import type { Demand, Spending } from "../kernel/budget.ts";
import type { GroupContext } from "../kernel/context.ts";
import type { GateOverride } from "../kernel/gate-table.ts";
import { createIds, type NewId } from "../kernel/ids.ts";
import { generateKey, hashKey } from "../kernel/key-format.ts";
import type { LedgerEntry } from "../kernel/ledger.ts";
import { openToAll } from "../kernel/narrowing.ts";
import {
  defineAppend,
  defineInside,
  defineOperation,
  defineRead,
  exempt,
  governs,
  type Operation,
  type PolicyFacts,
} from "../kernel/operation.ts";
import { anonymous, type Scope } from "../kernel/principal.ts";
import { createSeals } from "../kernel/seals.ts";
import type { Call } from "./call.ts";
import type { CompiledPolicy } from "./compliance/compile.ts";
import { createPolicySet } from "./compliance/evaluate.ts";
import { insideCall } from "./inside.ts";
import { createInFlight } from "./limits/in-flight.ts";
import { createOpenStreams } from "./limits/open-streams.ts";
import {
  type CallRows,
  type GateFacts,
  type Hold,
  type KeyFacts,
  type Machine,
  type RecordDraft,
  type StagePort,
  type StoredAnswer,
  stagePort,
} from "./ports.ts";
import { createPipeline, type Outcome } from "./run.ts";

export const testScope: Scope = { organization: "default", environment: "production" };

/** What a test changes while it goes on, and what it looks at afterwards. */
export interface TestMachine {
  readonly machine: Machine;
  readonly secret: string;
  readonly key: KeyFacts;
  /** Drafts of all records, in the order in which they were prepared; those that became durable stand in `written`. */
  readonly drafts: RecordDraft[];
  /** What was written in group commits and transactions, in order. */
  readonly written: CallRows[];
  readonly answers: Map<string, StoredAnswer>;
  readonly faults: unknown[];
  /** Entries of the ledger that were written after their calls. */
  readonly entries: LedgerEntry[];
  /** How reservations ended, in order: `settle`, `settle {"usd":1}` or `release`. */
  readonly ends: string[];
  hold: Hold | null;
  gate: GateFacts | undefined;
  gateOverride: GateOverride;
  policies: readonly CompiledPolicy[];
  /** Answers reservations: from memory, after a wait, or by refusing. */
  reserve: StagePort["budgets"]["reserve"] | "memory" | "later";
  spend: Readonly<Record<string, number>> | undefined;
  /** What the next group commit comes to. */
  append: (rows: CallRows) => Promise<"written" | "lost">;
  /** What the next commit of a transaction comes to. */
  commit: (rows: CallRows) => Promise<void>;
  fresh: boolean;
  readonly spendings: Spending[];
}

/** Transactions of one database: they keep twins apart and store answers. */
function memoryTransactions(state: Pick<TestMachine, "answers" | "commit">): Machine["begin"] {
  const locks = new Set<string>();
  return async () => {
    let mine: string | null = null;
    const end = (): void => void (mine !== null && locks.delete(mine));
    return {
      writer: {} as never,
      claim: async (hash) => {
        if (locks.has(hash)) return false;
        locks.add(hash);
        mine = hash;
        return true;
      },
      findAnswer: async (hash) => state.answers.get(hash),
      commit: async (rows) => {
        await state.commit(rows);
        if (rows.answer) state.answers.set(rows.answer.hash, rows.answer.stored);
        end();
      },
      rollback: async () => end(),
    };
  };
}

/** What a machine knows of callers besides its one key: nobody has signed in. */
const noSignIn = {
  keyById: () => undefined,
  lookUpKey: async () => undefined,
  keyUsed: () => undefined,
  sessionByHash: () => undefined,
  sessionUsed: () => undefined,
  lookUpLink: async () => undefined,
};
const unlimited = {
  take: () => ({ allowed: true, headers: { RateLimit: "taken" } }),
  attempt: () => ({ allowed: true, headers: {} }),
};

/** What the stages know, as the test says. */
function stagePortOf(state: TestMachine, clock: Machine["clock"]): StagePort {
  const reservation = () => ({
    settle: (actual?: Demand) => void state.ends.push(actual ? `settle ${JSON.stringify(actual)}` : "settle"),
    release: () => void state.ends.push("release"),
  });
  return {
    keyByHash: (hash) => (hash === hashKey(state.secret).toString("hex") ? state.key : undefined),
    ...noSignIn,
    gate: () => state.gate,
    gateOverride: () => state.gateOverride,
    policies: () => createPolicySet(state.policies, clock.now()),
    hold: () => state.hold,
    budgets: {
      reserve(scope, spending, now) {
        state.spendings.push(spending);
        if (state.reserve === "memory") return reservation();
        if (state.reserve === "later") return Promise.resolve().then(reservation);
        return state.reserve(scope, spending, now);
      },
      charge: async (_scope, entry) => void state.entries.push(entry),
      spend: () => state.spend,
    },
  };
}

/** Keeps drafts, and writes as the test says. */
const recorderOf = (state: TestMachine): Machine["recorder"] => ({
  prepare(draft) {
    state.drafts.push(draft);
    const { id, context } = draft;
    return { id, ...testScope, body: JSON.stringify(draft), context, saltId: "salt", newSalt: null };
  },
  append: (rows) => state.append(rows),
});

const keyOfAdmin = (newId: NewId): KeyFacts => ({
  principal: { ...anonymous, kind: "member", id: newId("mbr"), role: "admin", keyId: newId("key") },
  scope: testScope,
  expiresAt: null,
  revokedAt: null,
  addresses: null,
  ratePerSecond: null,
});

/** The machines behind the stages, in memory: what is written is kept, and what they answer is for the test to say. */
export function createTestMachine(): TestMachine {
  const clock = { now: () => Date.UTC(2026, 0, 2, 9, 30) };
  const newId = createIds(clock);
  const state = {
    secret: generateKey("production", randomBytes),
    key: keyOfAdmin(newId),
    drafts: [],
    written: [],
    answers: new Map(),
    faults: [],
    entries: [],
    ends: [],
    spendings: [],
    hold: null,
    gate: undefined,
    gateOverride: {},
    policies: [],
    spend: undefined,
    reserve: "memory",
    fresh: true,
    append: async (rows: CallRows) => {
      state.written.push(rows);
      return "written";
    },
    commit: async (rows: CallRows) => void state.written.push(rows),
  } as unknown as TestMachine & { machine: Machine };
  const machine: Machine = {
    clock,
    newId,
    formerKeysUntil: 0,
    appUrl: "http://portal.test",
    personalSignIn: true,
    watch: null,
    reader: {} as Machine["reader"],
    seals: createSeals(Buffer.alloc(32, 7)),
    facts: {
      get: () => undefined as never,
      fresh: () => state.fresh,
      freshWithin: async () => state.fresh,
      refresh: async () => undefined,
    },
    port: createPorts([join(stagePort, stagePortOf(state, clock))], [stagePort]),
    rateLimit: unlimited,
    inFlight: createInFlight(),
    streams: createOpenStreams(),
    cursors: () => ({ seal: () => "", open: () => undefined }),
    begin: memoryTransactions(state),
    recorder: recorderOf(state),
    report: (error) => void state.faults.push(error),
  };
  return Object.assign(state, { machine });
}

/** Calls an operation through a pipeline that has these. */
export function caller(test: TestMachine, operations: readonly Operation[]) {
  const pipeline = createPipeline(test.machine, operations);
  const call = (operation: Operation, members: Partial<Call> = {}): Promise<Outcome> =>
    pipeline.run(operation, {
      ...insideCall(test.machine.newId("req"), operation, "test", testScope, {}, {}),
      credential: { kind: "bearer", secret: test.secret },
      address: "192.0.2.7",
      target: `POST ${operation.id}`,
      ...members,
    });
  return { pipeline, call };
}

/** What the tests' operations show to policies. */
export const salesFacts = {
  agent: { name: "sales", labels: ["inbound"] },
  version: { number: 3, id: "ver_01jd8x0000000000000000000b" },
  skill: { name: "qualify_lead" },
  risk: { level: "low", score: 2, impact: 1, likelihood: 0 },
  trust: { score: 0.5, low: 0.1958, high: 0.8042 },
} as const satisfies PolicyFacts;

interface Made {
  /** Runs in place of the handler's own work; what it throws is thrown. */
  readonly work?: (
    ctx: { spent?: (actual: Demand) => void; note?: (text: string) => void },
    body: Record<string, unknown>,
  ) => unknown;
  readonly replay?: (
    hash: string,
  ) => Promise<{ bodyDigest: string; keyId?: string; output: { ok: boolean } } | undefined>;
  readonly action?: string;
  /** The short way of the call inside; without it there is none. */
  readonly together?: (ctx: GroupContext) => { ok: boolean } | undefined;
}

const nothing = Type.Object({});
const Ok = Type.Object({ ok: Type.Boolean() });
const parts = {
  ...({
    summary: "Test",
    permission: "tasks:write",
    params: nothing,
    query: nothing,
    output: Ok,
  } as const),
  ...({
    load: exempt("names nothing"),
    narrowing: openToAll("names nothing"),
    gate: exempt("no version acts"),
  } as const),
  audit: () => ({ object: "task:tsk_1", task: "tsk_01jd8x0000000000000000000c" }),
};
const spends = (): Spending => ({ agent: "sales", keyId: null, principal: "mbr_1", demand: { tasks: 1 } });
const facts = (_ctx: unknown, { body }: { body: unknown }) => ({
  ...salesFacts,
  input: body as Record<string, unknown>,
});

/** An operation of each way to commit, on the action `task.dispatch` by default, that spends. */
export function madeOperations({ work, replay, together, action = "task.dispatch" }: Made = {}) {
  const compliance = governs(action, facts, { spends, inputOf: "task" });
  const body = Type.Object({}, { additionalProperties: true });
  const done = (ctx: object, given: unknown): { ok: boolean } => {
    const result = work?.(ctx, given as Record<string, unknown>);
    return (result ?? { ok: true }) as { ok: boolean };
  };
  const example = { output: { ok: true } };
  const decides = exempt("a test");
  const change = { ...parts, method: "POST", body, decides, compliance, example } as const;
  const grouped = defineAppend({
    ...({ ...change, id: "tests.append", path: "/v1/tests", status: 202, commit: "grouped" } as const),
    handle: (ctx, { body }) => done(ctx, body),
    replay: async (_ctx, hash) => {
      const found = await replay?.(hash);
      return found && { keyId: null, ...found };
    },
  });
  const own = defineOperation({
    ...({ ...change, id: "tests.change", path: "/v1/changes" } as const),
    handle: async (ctx, { body }) => done(ctx, body),
  });
  const read = defineRead({
    ...({ ...parts, id: "tests.read", path: "/v1/reads", compliance, example } as const),
    handle: (ctx) => done(ctx, {}),
  });
  const { permission: _permission, params: _params, query: _query, output: _output, ...insideParts } = parts;
  const inside = defineInside({
    ...insideParts,
    ...{
      id: "tests.inside",
      permission: exempt("a machine"),
      compliance: governs(action, () => salesFacts, { spends }),
    },
    together: (ctx) => together?.(ctx),
    handle: async (ctx) => done(ctx, {}),
  });
  return { grouped, own, read, inside };
}
