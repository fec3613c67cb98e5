import { dispatchOne } from "../bodies.ts";
import { startEcho } from "../echo.ts";
import type { Figure } from "../figure.ts";
import { readLoad } from "../loads.ts";
import { pairs } from "../pairs.ts";
import { runLoad } from "../wrk.ts";

const connections = 64;
const tasks = 200;

/** One task by its id, recorded in the audit log before it is answered. */
export const read: Figure = {
  name: "read",
  title: "GET /v1/tasks/{task}, audited before the answer: ratio to echo of a GET",
  run: (bench) =>
    bench.withService(async (service) => {
      const echo = await startEcho(bench.onEnd);
      const folder = await bench.folder("loads");
      const ids: string[] = [];
      for (let lead = 0; lead < tasks; lead++) ids.push((await dispatchOne(service.url, service.key, lead)).task_id);
      const load = readLoad(
        "read",
        service.key,
        ids.map((id) => `/v1/tasks/${id}`),
      );
      const rate = async (url: string): Promise<number> =>
        (await runLoad({ url, load, connections, seconds: bench.seconds, folder })).perSecond;
      bench.say(
        `  ${connections} connections, ${bench.seconds} s a run, ${bench.pairs} pairs after one run each to warm up; ${tasks} tasks in turn`,
      );
      await rate(service.url);
      await rate(echo.url);
      const { ratio } = await pairs(
        bench.pairs,
        () => rate(service.url),
        () => rate(echo.url),
        (a, b) => bench.say(`  service ${a.toFixed(0)}/s  echo ${b.toFixed(0)}/s  ratio ${(a / b).toFixed(3)}`),
      );
      await echo.stop();
      return [{ what: "ratio to echo, 64 connections", value: ratio, unit: "", bar: 0.18, aim: 0.3, better: "higher" }];
    }),
};
