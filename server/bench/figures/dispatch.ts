import { startEcho } from "../echo.ts";
import type { Figure } from "../figure.ts";
import { dispatchLoad } from "../loads.ts";
import { pairs } from "../pairs.ts";
import { runLoad } from "../wrk.ts";

const connections = 64;

/** The given operation at its full depth: four stages, task, approval, audit record, two events, idempotency key, one durable commit before the answer. */
export const dispatch: Figure = {
  name: "dispatch",
  title: "dispatch with require_approval and an Idempotency-Key: ratio to echo",
  run: (bench) =>
    bench.withService(async (service) => {
      const echo = await startEcho(bench.onEnd);
      const folder = await bench.folder("loads");
      const load = dispatchLoad(service.key);
      const rate = async (url: string): Promise<number> =>
        (await runLoad({ url, load, connections, seconds: bench.seconds, folder })).perSecond;
      bench.say(
        `  ${connections} connections, ${bench.seconds} s a run, ${bench.pairs} pairs after one run each to warm up; distinct keys, 200 leads`,
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
