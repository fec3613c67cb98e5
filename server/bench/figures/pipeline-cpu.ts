import { randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";
import pino from "pino";
import { createRecorder } from "../../src/audit-log/recorder.ts";
import { createSalts } from "../../src/audit-log/salts.ts";
import { FactStore } from "../../src/db/facts.ts";
import { type OpenDatabase, openDatabase } from "../../src/db/open.ts";
import { createReader } from "../../src/db/reader.ts";
import { factSets } from "../../src/features/index.ts";
import { dispatchTask } from "../../src/features/tasks/dispatch/operations/dispatch-task.ts";
import { callOf } from "../../src/http/incoming-call.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createIds } from "../../src/kernel/ids.ts";
import { createPorts, join } from "../../src/kernel/port.ts";
import { createSeals } from "../../src/kernel/seals.ts";
import { unboundedInFlight } from "../../src/pipeline/limits/in-flight.ts";
import { createOpenStreams } from "../../src/pipeline/limits/open-streams.ts";
import { type Machine, stagePort } from "../../src/pipeline/ports.ts";
import { createPipeline } from "../../src/pipeline/run.ts";
import { seedInstallation } from "../../src/seed/index.ts";
import { createCallWatch } from "../../src/telemetry/call-watch.ts";
import { createMeter } from "../../src/telemetry/meter.ts";
import { createStagePort } from "../../src/wiring/stage-port.ts";
import { dispatchBody } from "../bodies.ts";
import type { Bench, Figure } from "../figure.ts";
import { median } from "../pairs.ts";

/** Conditions as people write them: on risk, trust, input, time and who calls; one of each kind in turn. */
const conditions = [
  'risk.level in ["medium", "high", "critical"]',
  "trust.low < 0.6 && risk.score >= 2.0",
  'has(input.lead_id) && input.lead_id.startsWith("ld_")',
  'principal.role == "admin" || principal.kind == "service_account"',
  'skill.name == "qualify_lead" && environment == "development"',
];

/** The processor's time that the stages take, with nothing to wait for. */
export const pipelineCpu: Figure = {
  name: "pipeline-cpu",
  title: "processor time of the pipeline per dispatch, 50 policies active, 5 of them applying",
  async run(bench) {
    const calls = bench.quick ? 4_000 : 20_000;
    bench.say(
      "  included: reading the request's headers and strict JSON, authentication, permissions, body and skill validation, idempotency hash, gate,",
    );
    bench.say(
      "    compliance, trust, risk, handler, answer text and digests, audit record with its commitments, metrics, garbage collection of all that",
    );
    bench.say("  not included: HTTP itself, composing and sending the batch's statement, the database");
    bench.say(
      `  user and system time of this process; ${calls} calls one after another, ${bench.pairs + 2} rounds after two to warm up; median`,
    );
    const narrow = await withPipeline(bench, 5, (dispatch) => timePerCall(bench, dispatch, calls));
    const wide = await withPipeline(bench, 50, (dispatch) => timePerCall(bench, dispatch, calls));
    const none = await withPipeline(bench, 0, (dispatch) => timePerCall(bench, dispatch, calls));
    return [
      {
        what: "50 policies, the scope of 5 covers the call, and all 5 hold",
        value: narrow,
        unit: "µs",
        bar: 60,
        aim: 25,
        better: "lower",
      },
      {
        what: "50 policies, the scope of all covers the call, 5 hold",
        value: wide,
        unit: "µs",
        bar: null,
        aim: null,
        better: "lower",
      },
      { what: "no policy", value: none, unit: "µs", bar: null, aim: null, better: "lower" },
    ];
  },
};

type Dispatch = (n: number) => Promise<number>;

/** Microseconds of processor time per call, median of the rounds. */
async function timePerCall(bench: Bench, dispatch: Dispatch, calls: number): Promise<number> {
  const rounds: number[] = [];
  let n = 0;
  for (let round = 0; round < bench.pairs + 4; round++) {
    const before = process.cpuUsage();
    for (let i = 0; i < calls; i++) {
      const status = await dispatch(n++);
      if (status !== 202) throw new Error(`a dispatch answered ${status}`);
    }
    const { user, system } = process.cpuUsage(before);
    if (round >= 2) rounds.push((user + system) / calls);
  }
  bench.say(`  ${rounds.map((time) => time.toFixed(1)).join(", ")} µs`);
  return median(rounds);
}

/** A pipeline on real facts, whose writes are done at once. The database serves only to load facts and salts before. */
async function withPipeline<T>(bench: Bench, covering: number, work: (dispatch: Dispatch) => Promise<T>): Promise<T> {
  const dataDir = await bench.folder(`pipeline-${covering}`);
  const log = pino({ level: "silent" });
  const database = await openDatabase({ databaseUrl: null, dataDir, applicationName: "aos-bench", log });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= database.close();
    return closing;
  };
  bench.onEnd(close);
  const newId = createIds(systemClock);
  let adminKey = "";
  await seedInstallation(database.pool, {
    newId,
    clock: systemClock,
    random: randomBytes,
    sample: true,
    keepAdminKey: async (secret) => {
      adminKey = secret;
    },
  });
  if (covering > 0) await insertPolicies(database, covering);
  const reader = createReader(database.readPool);
  const facts = new FactStore({
    pool: database.pool,
    reader,
    sets: factSets,
    clock: systemClock,
    report: (error) => bench.say(String(error)),
  });
  await facts.start();
  await facts.stop();
  const pipeline = createPipeline(machineOf(database, facts, newId), [dispatchTask]);
  const requests = requestsOf(adminKey);
  try {
    return await work(async (n) => (await pipeline.run(dispatchTask, callOf(requests(n), newId("req")))).answer.status);
  } finally {
    await close();
  }
}

function machineOf(database: OpenDatabase, facts: FactStore, newId: Machine["newId"]): Machine {
  const reader = createReader(database.readPool);
  const prepare = createRecorder(createSalts(database.pool, { clock: systemClock, ttlMs: 3_600_000 }), "default");
  const never = (): never => {
    throw new Error("a dispatch does not use this");
  };
  const stages = createStagePort({
    facts,
    reader,
    clock: systemClock,
    keyUsed: () => undefined,
    sessionUsed: () => undefined,
    budgets: { reserve: () => null, charge: async () => undefined, spend: () => undefined },
  });
  return {
    clock: systemClock,
    newId,
    appUrl: "http://127.0.0.1:4000",
    formerKeysUntil: 0,
    personalSignIn: true,
    // Loaded once; the store confirms them by asking the database, which is no work of the pipeline.
    facts: {
      get: (set) => facts.get(set),
      fresh: () => true,
      freshWithin: async () => true,
      refresh: async () => undefined,
    },
    port: createPorts([join(stagePort, stages)], [stagePort]),
    inFlight: unboundedInFlight,
    streams: createOpenStreams(),
    seals: createSeals(randomBytes(32)),
    rateLimit: { take: () => ({ allowed: true, headers: {} }), attempt: () => ({ allowed: true, headers: {} }) },
    reader,
    cursors: () => ({ seal: never, open: never }),
    begin: never,
    recorder: { prepare, append: async () => "written" },
    report: (error) => {
      throw error;
    },
    watch: createCallWatch({ tracer: null, meter: createMeter(), log: pino({ level: "silent" }), requeueTask: "none" }),
  };
}

/** `covering` of the 50 apply to dispatches of `sales`, 5 of them with a condition that holds; the others concern other agents. None denies. */
async function insertPolicies({ pool }: OpenDatabase, covering: number): Promise<void> {
  for (let i = 0; i < 50; i++) {
    const holds = i < 5;
    const condition = conditions[i % conditions.length] as string;
    const definition = {
      scope: { actions: ["task.dispatch"], ...(i < covering ? {} : { agents: [`other-${i}`] }) },
      when: holds ? condition : `(${condition}) && trust.score > 0.99`,
      effect: i === 0 ? "require_approval" : "tag",
      params: i === 0 ? { approvers: 1 } : { tags: [`noted-${i}`] },
      reason_code: `reason_${i}`,
      message: `Policy ${i} of the bench.`,
      controls: [],
    };
    await pool.query(
      "insert into policies (organization, environment, id, version, state, definition, author) values ('default', 'development', $1, 1, 'active', $2, 'bench')",
      [`pol_bench${String(i).padStart(2, "0")}`, JSON.stringify(definition)],
    );
  }
}

/** Requests as the door reads them: what Fastify hands over, with the body's bytes. */
function requestsOf(key: string): (n: number) => FastifyRequest {
  const bodies = Array.from({ length: 200 }, (_, lead) => Buffer.from(JSON.stringify(dispatchBody(lead))));
  return (n) =>
    ({
      method: "POST",
      url: "/v1/agents/sales/tasks",
      ip: "127.0.0.1",
      params: { agent: "sales" },
      body: bodies[n % bodies.length],
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": `bench-${n}` },
    }) as unknown as FastifyRequest;
}
