import { setTimeout as delay } from "node:timers/promises";
import type { Bench, Figure, Result } from "../figure.ts";
import type { Service } from "../service.ts";
import { type ChatTurnTimes, converse, followAll, startConversations } from "./chat-client.ts";
import { processorTime } from "./tasks-processor.ts";
import { type Call, clientOf, deployAgent, dispatchTo } from "./tasks-service.ts";

const agent = "bench-chat";
const conversations = 200;
/** Messages a second that come in over all conversations together. */
const rate = 10;

/** Replies of the built-in model: how soon their first words are with whoever sent the message and reads the answer as a stream. */
export const chat: Figure = {
  name: "chat",
  title: "conversations: from sending a message to the first part of its reply",
  run: (bench) =>
    bench.withService(async (service) => {
      const { call, close } = clientOf(service);
      try {
        await deployAgent(call, agent, { provider: "builtin" });
        return [...(await idle(bench, service, call)), ...(await busy(bench, service, call))];
      } finally {
        close();
      }
    }),
};

/** One message after the other, in one conversation. */
async function idle(bench: Bench, service: Service, call: Call): Promise<Result[]> {
  const turns = bench.quick ? 30 : 100;
  const [conversation] = (await startConversations(call, agent, 1)) as [string];
  for (let i = 0; i < 10; i++) await converse(service, conversation, `Warm up ${i}, please.`);
  const before = await processorTime(service);
  const times: ChatTurnTimes[] = [];
  for (let i = 0; i < turns; i++) times.push(await converse(service, conversation, `What about order ${i}?`));
  const after = await processorTime(service);
  const first = quantiles(times.map((one) => one.first));
  const last = quantiles(times.map((one) => one.end));
  bench.say(
    `  idle: ${turns} messages, one after the other, of a Node client that reads the answer as server-sent events; built-in model, one model step; ` +
      `first part p50 ${first.p50.toFixed(1)} ms, p95 ${first.p95.toFixed(1)} ms; end of the turn p50 ${last.p50.toFixed(1)} ms`,
  );
  const task = await taskCosts(service, call, turns);
  const costs: Result[] = [];
  if (before && after && task) {
    const used = {
      service: (1000 * (after.service - before.service)) / turns,
      database: (1000 * (after.database - before.database)) / turns,
    };
    const told = { bar: null, aim: null, better: "lower" } as const;
    const whole = used.service + used.database;
    bench.say(
      `  processor time a turn ${whole.toFixed(1)} ms (service ${used.service.toFixed(1)}, database ${used.database.toFixed(1)}); ` +
        `of a trivial task, one after the other as well, ${task.toFixed(1)} ms`,
    );
    costs.push({ what: "processor time a turn, service", value: used.service, unit: "ms", ...told });
    costs.push({ what: "processor time a turn, database", value: used.database, unit: "ms", ...told });
    costs.push({ what: "processor time a turn, beside a trivial task", value: whole / task, unit: "×", ...told });
  }
  return [
    { what: "first part, idle, p50", value: first.p50, unit: "ms", bar: 60, aim: 30, better: "lower" },
    { what: "end of the turn, idle, p50", value: last.p50, unit: "ms", bar: null, aim: null, better: "lower" },
    ...costs,
  ];
}

/** Processor time of a trivial task, from its dispatch until it is completed, service and database together (milliseconds). */
async function taskCosts(service: Service, call: Call, tasks: number): Promise<number | null> {
  const before = await processorTime(service);
  for (let i = 0; i < tasks; i++) {
    const id = await dispatchTo(call, agent, i);
    for (let state = ""; state !== "completed"; await delay(5)) {
      const { rows } = await service.pool.query<{ status: string }>("select status from tasks where id = $1", [id]);
      state = rows[0]?.status ?? "";
    }
  }
  const after = await processorTime(service);
  if (!before || !after) return null;
  return (1000 * (after.service + after.database - before.service - before.database)) / tasks;
}

/** Conversations that are all followed, with messages that come at random times. */
async function busy(bench: Bench, service: Service, call: Call): Promise<Result[]> {
  const ids = await startConversations(call, agent, conversations);
  const leave = await followAll(service, await keysOf(call, 4), ids);
  const messages = bench.quick ? 100 : 400;
  const sending: Promise<ChatTurnTimes>[] = [];
  for (let i = 0; i < messages; i++) {
    await delay((2_000 / rate) * Math.random());
    sending.push(converse(service, ids[i % ids.length] as string, `What about order ${i}?`));
  }
  const times = await Promise.all(sending);
  leave();
  const first = quantiles(times.map((one) => one.first));
  bench.say(
    `  ${conversations} conversations, all followed over streams of their own, ${rate} messages a second in all at random times, ${messages} messages: ` +
      `first part p50 ${first.p50.toFixed(1)} ms, p95 ${first.p95.toFixed(1)} ms, the latest ${first.most.toFixed(0)} ms`,
  );
  return [
    { what: "first part, 200 conversations, p95", value: first.p95, unit: "ms", bar: 150, aim: 100, better: "lower" },
    { what: "first part, 200 conversations, p50", value: first.p50, unit: "ms", bar: null, aim: null, better: "lower" },
  ];
}

/** Keys of several callers: one may read a hundred streams. */
function keysOf(call: Call, count: number): Promise<string[]> {
  const issue = async (name: string) =>
    (await call<{ key: string }>("POST", "/v1/admin/keys", { name, role: "operator" })).key;
  return Promise.all(Array.from({ length: count }, (_none, at) => issue(`reader ${at}`)));
}

function quantiles(values: readonly number[]): { p50: number; p95: number; most: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
  return { p50: at(0.5), p95: at(0.95), most: at(1) };
}
