import { setTimeout as delay } from "node:timers/promises";
import { startWireServer } from "../../src/runtime/models/providers/testing.ts";
import type { Bench, Figure } from "../figure.ts";
import { median } from "../pairs.ts";
import { type Call, clientOf, deployAgent, dispatchTo } from "./tasks-service.ts";

/** What people do to end a task that runs, and the state that it ends in. */
const ways = {
  cancel: {
    status: "cancelled",
    end: (call: Call, task: string) => call("POST", `/v1/tasks/${task}/cancel`, { reason: "The bench ends it." }),
  },
  stop: {
    status: "cancelled",
    end: (call: Call, _task: string, agent: string) =>
      call("POST", "/v1/governance/kill-switch", { kind: "agent", target: agent, reason: "The bench stops it." }),
  },
} as const;
type Way = keyof typeof ways;

/** How long a model goes on writing once somebody has ended its task, or stopped its agent. */
export const tasksCancel: Figure = {
  name: "tasks-cancel",
  title: "cancel of a running step, and an engaged stop, until the model's stream is broken off",
  run: (bench) =>
    bench.withService(async (service) => {
      const rounds = bench.quick ? 3 : 10;
      const { call, close } = clientOf(service);
      bench.say(
        `  ${rounds} rounds of each in turn, the slowest counts; a server on loopback that speaks OpenAI's chat interface, streams a beginning and then stays silent; timed from the call until that server sees its connection broken off; one process of role all`,
      );
      const times: Record<Way, number[]> = { cancel: [], stop: [] };
      try {
        for (let i = 0; i < rounds; i++) {
          for (const way of ["cancel", "stop"] as const)
            times[way].push(await timeOf(bench, call, way, `bench-${way}-${i}`));
        }
      } finally {
        close();
      }
      for (const way of ["cancel", "stop"] as const)
        bench.say(
          `  ${way}: ${times[way].map((time) => time.toFixed(2)).join(" ")} s, median ${median(times[way]).toFixed(2)}`,
        );
      return [
        { what: "cancel, slowest", value: Math.max(...times.cancel), unit: "s", bar: 2, aim: 0.5, better: "lower" },
        { what: "engaged stop, slowest", value: Math.max(...times.stop), unit: "s", bar: 2, aim: 0.5, better: "lower" },
      ];
    }),
};

/** Seconds from the call that ends the task until the model's server has lost its client. */
async function timeOf(bench: Bench, call: Call, way: Way, agent: string): Promise<number> {
  const asked = Promise.withResolvers<void>();
  const server = await startWireServer(() => {
    asked.resolve();
    return { stream: [beginning], after: "hang" };
  });
  bench.onEnd(() => server.close());
  try {
    await deployAgent(call, agent, {
      provider: "openai-compatible",
      name: "scripted",
      settings: { base_url: server.url },
    });
    const task = await dispatchTo(call, agent, 1);
    await within(30_000, asked.promise, "the model was not asked");
    await delay(Math.random() * 500); // the service looks now and then: each round ends at another moment of that
    const began = performance.now();
    await ways[way].end(call, task, agent);
    await within(30_000, server.abandoned, "the model's stream went on");
    const seconds = (performance.now() - began) / 1000;
    const { status } = await call<{ status: string }>("GET", `/v1/tasks/${task}/result?wait=30`);
    if (status !== ways[way].status) throw new Error(`after ${way} the task was ${status}, not ${ways[way].status}`);
    return seconds;
  } finally {
    await server.close();
  }
}

/** The first piece of a streamed answer (Chat Completions, "Streaming"). */
const beginning = `data: ${JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "scripted",
  choices: [{ index: 0, delta: { role: "assistant", content: '{"number":' }, finish_reason: null }],
})}\n\n`;

async function within(ms: number, what: Promise<void>, otherwise: string): Promise<void> {
  const limit = new AbortController();
  try {
    await Promise.race([
      what,
      delay(ms, undefined, { signal: limit.signal }).then(() => {
        throw new Error(`${otherwise} within ${ms / 1000} s`);
      }),
    ]);
  } finally {
    limit.abort();
  }
}
