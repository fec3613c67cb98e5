import type { Figure } from "../figure.ts";
import { dispatchLoad } from "../loads.ts";
import { median } from "../pairs.ts";
import { type LoadResult, runLoad } from "../wrk.ts";

/** How long a caller waits: alone, and among many. */
export const dispatchLatency: Figure = {
  name: "dispatch-latency",
  title: "time of a dispatch: p99 at 64 connections, p50 at 1 connection",
  run: (bench) =>
    bench.withService(async (service) => {
      const folder = await bench.folder("loads");
      const load = dispatchLoad(service.key);
      const once = (connections: number): Promise<LoadResult> =>
        runLoad({ url: service.url, load, connections, seconds: bench.seconds, folder });
      bench.say(
        `  ${bench.seconds} s a run, ${bench.pairs} runs of each in turn after one to warm up; median of the runs`,
      );
      await once(64);
      const many: number[] = [];
      const one: number[] = [];
      for (let i = 0; i < bench.pairs; i++) {
        const crowd = await once(64);
        const alone = await once(1);
        many.push(crowd.p99);
        one.push(alone.p50);
        bench.say(
          `  64: p50 ${crowd.p50.toFixed(1)}, p99 ${crowd.p99.toFixed(1)}, longest ${crowd.longest.toFixed(0)} ms at ${crowd.perSecond.toFixed(0)}/s` +
            `   1: p50 ${alone.p50.toFixed(2)}, p99 ${alone.p99.toFixed(1)} ms at ${alone.perSecond.toFixed(0)}/s`,
        );
      }
      return [
        { what: "p99, 64 connections", value: median(many), unit: "ms", bar: 30, aim: 12, better: "lower" },
        { what: "p50, 1 connection", value: median(one), unit: "ms", bar: 2.5, aim: 1, better: "lower" },
      ];
    }),
};
