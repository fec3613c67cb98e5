import { setTimeout as delay } from "node:timers/promises";
import type { Figure } from "../figure.ts";
import { dispatchLoad } from "../loads.ts";
import { residentMb } from "../programs.ts";
import { runLoad } from "../wrk.ts";

const connections = 64;
const everyMs = 250;

/** Resident memory of the service's own process; PostgreSQL's processes are not in it. */
export const memory: Figure = {
  name: "memory",
  title: "memory of the service without PostgreSQL, idle and under dispatch load",
  run: (bench) =>
    bench.withService(async (service) => {
      const idleSeconds = bench.quick ? 3 : 10;
      const loadSeconds = bench.quick ? 3 : 20;
      bench.say(
        `  resident set, idle ${idleSeconds} s after the start and one dispatch; then the most in ${loadSeconds} s at ${connections} connections, every ${everyMs} ms`,
      );
      await delay(idleSeconds * 1000);
      const idle = await residentMb(service.pid);
      const load = runLoad({
        url: service.url,
        load: dispatchLoad(service.key),
        connections,
        seconds: loadSeconds,
        folder: await bench.folder("loads"),
      });
      let most = 0;
      let running = true;
      const watching = (async () => {
        while (running) {
          most = Math.max(most, await residentMb(service.pid));
          await delay(everyMs);
        }
      })();
      const { perSecond } = await load.finally(() => {
        running = false;
      });
      await watching;
      bench.say(`  idle ${idle.toFixed(0)} MB; most under ${perSecond.toFixed(0)} dispatches/s ${most.toFixed(0)} MB`);
      return [
        { what: "idle", value: idle, unit: "MB", bar: 200, aim: 130, better: "lower" },
        { what: "under dispatch load", value: most, unit: "MB", bar: 400, aim: 250, better: "lower" },
      ];
    }),
};
