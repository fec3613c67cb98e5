import type { Figure } from "../figure.ts";
import { clientOf, deployAgent, dispatchTo, quantile } from "./tasks-service.ts";

const agent = "bench-idle";

/** How long somebody waits for a task when nothing else is to be done. */
export const tasksIdle: Figure = {
  name: "tasks-idle",
  title: "one trivial task at a time: from the dispatch until its result is read",
  run: (bench) =>
    bench.withService(async (service) => {
      const tasks = bench.quick ? 30 : 200;
      const { call, close } = clientOf(service);
      const timeOf = async (number: number): Promise<number> => {
        const began = performance.now();
        const id = await dispatchTo(call, agent, number);
        const { status } = await call<{ status: string }>("GET", `/v1/tasks/${id}/result?wait=30`);
        if (status !== "completed") throw new Error(`the task ${id} was ${status} after 30 s`);
        return performance.now() - began;
      };
      try {
        await deployAgent(call, agent, { provider: "builtin" });
        bench.say(
          `  ${tasks} tasks one by one after ${warmUp} to warm up; dispatch, then GET /v1/tasks/{task}/result?wait=30 until it answers; one process of role all; built-in model, no tools`,
        );
        for (let i = 0; i < warmUp; i++) await timeOf(i);
        const times: number[] = [];
        for (let i = 0; i < tasks; i++) times.push(await timeOf(i));
        bench.say(`  fastest ${Math.min(...times).toFixed(1)}, slowest ${Math.max(...times).toFixed(1)} ms`);
        return [
          {
            what: "dispatch to result, p50",
            value: quantile(times, 0.5),
            unit: "ms",
            bar: 40,
            aim: 15,
            better: "lower",
          },
          {
            what: "dispatch to result, p99",
            value: quantile(times, 0.99),
            unit: "ms",
            bar: null,
            aim: null,
            better: "lower",
          },
        ];
      } finally {
        close();
      }
    }),
};

const warmUp = 20;
