import { setTimeout as delay } from "node:timers/promises";
import { readLag } from "../../src/audit-log/index.ts";
import { timeOfId } from "../../src/kernel/ids.ts";
import type { Figure } from "../figure.ts";
import { untilSequenced } from "../fill.ts";
import { dispatchLoad } from "../loads.ts";
import { runLoad } from "../wrk.ts";

const connections = 64;
const everyMs = 50;

/** Whether the audit log's sequencer keeps up with dispatches, beside them on the same machine. */
export const sequencer: Figure = {
  name: "sequencer",
  title: "sequencer while dispatch runs: leaves/s against records/s, and how far it is behind",
  run: (bench) =>
    bench.withService(async (service) => {
      const seconds = bench.quick ? 3 : 20;
      const folder = await bench.folder("loads");
      const load = dispatchLoad(service.key);
      const state = async (): Promise<{ leaves: number; behindMs: number }> => {
        const lag = (await readLag(service.pool)).find(({ scope }) => scope.environment === "development");
        const oldest = lag?.oldestWaiting ? timeOfId(lag.oldestWaiting) : undefined;
        return { leaves: lag?.treeSize ?? 0, behindMs: oldest === undefined ? 0 : Math.max(0, Date.now() - oldest) };
      };
      bench.say(
        `  ${connections} connections, ${seconds} s after a run to warm up; age of the oldest record that is not in the log, every ${everyMs} ms`,
      );
      await runLoad({ url: service.url, load, connections, seconds: bench.seconds, folder });
      await untilSequenced(service.pool);
      const before = await state();
      const began = performance.now();
      const running = { yes: true };
      const dispatched = runLoad({ url: service.url, load, connections, seconds, folder }).finally(() => {
        running.yes = false;
      });
      let most = 0;
      const ages: number[] = [];
      while (running.yes) {
        const { behindMs } = await state();
        most = Math.max(most, behindMs);
        ages.push(behindMs);
        await delay(everyMs);
      }
      const { requests } = await dispatched;
      const after = await state();
      const perSecond = (after.leaves - before.leaves) / ((performance.now() - began) / 1000);
      ages.sort((a, b) => a - b);
      bench.say(
        `  ${requests} dispatches, ${after.leaves - before.leaves} leaves meanwhile; behind: median ${ages[Math.floor(ages.length / 2)]} ms, most ${most} ms, ${ages.length} looks`,
      );
      return [
        { what: "leaves/s while dispatch runs", value: perSecond, unit: "/s", bar: null, aim: null, better: "higher" },
        // 1: every record of the run was in the log when the last answer had come. The bar leaves the one second that it may be behind.
        {
          what: "leaves per dispatch meanwhile",
          value: (after.leaves - before.leaves) / requests,
          unit: "",
          bar: 1 - 1 / seconds,
          aim: null,
          better: "higher",
        },
        { what: "distance behind, most", value: most, unit: "ms", bar: 1000, aim: null, better: "lower" },
      ];
    }),
};
