import { readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { Bench, Figure, Result } from "../figure.ts";
import { type Hostile, hostileLoads, sendHostile, testedBase, testedDocuments, triedWorkflow } from "../hostile.ts";
import { type Probed, probeDispatch, probeHealth, quantile } from "../probe.ts";
import { root } from "../programs.ts";
import type { Service } from "../service.ts";
import { type Call, clientOf } from "./tasks-service.ts";

/** Callers that send a load at the same time. */
const callers = 18;
/** What `/healthz` and a dispatch may take beside a load (seconds). */
const bars = { health: 0.25, dispatch: 0.5 } as const;

/** How long others wait beside loads that are made to hold the service up. `AOS_BENCH_LOADS`: names of some of them, with commas between. */
export const loads: Figure = {
  name: "loads",
  title: `${callers} hostile calls at a time: how long /healthz and a colleague's dispatch take beside them`,
  async run(bench) {
    const folder = await bench.folder("loop-delay");
    const before = { ...process.env };
    process.env.AOS_BENCH_LOOP_FOLDER = folder;
    process.env.NODE_OPTIONS = `--import=${path.join(root, "server/bench/loop-delay.mjs")}`;
    try {
      const results: Result[] = [];
      for (const load of chosen())
        results.push(...(await bench.withService((service) => beside(bench, service, load, folder))));
      return results;
    } finally {
      for (const name of ["AOS_BENCH_LOOP_FOLDER", "NODE_OPTIONS"]) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  },
};

function chosen(): readonly Hostile[] {
  const names = process.env.AOS_BENCH_LOADS?.split(",");
  return names ? hostileLoads.filter(({ name }) => names.includes(name)) : hostileLoads;
}

/** One load on a service of its own, which may be left with work. */
async function beside(bench: Bench, service: Service, load: Hostile, folder: string): Promise<Result[]> {
  const { call, close } = clientOf(service);
  try {
    const keys = await prepare(call);
    await measured(bench, service, keys, null, folder);
    return await measured(bench, service, keys, load, folder);
  } finally {
    close();
  }
}

interface Keys {
  readonly viewer: string;
  readonly builder: string;
  readonly colleague: string;
}

async function prepare(call: Call): Promise<Keys> {
  const keyOf = async (role: string, account: string): Promise<string> =>
    (await call<{ key: string }>("POST", "/v1/admin/keys", { name: account, role, for: { service_account: account } }))
      .key;
  await call("POST", "/v1/knowledge/bases", { name: testedBase });
  await call("POST", `/v1/knowledge/bases/${testedBase}/documents/bulk`, { documents: testedDocuments });
  await call("POST", "/v1/workflows", {
    workflow: triedWorkflow,
    description: "Is tried.",
    steps: [{ id: "a", wait: { for: "1s" } }],
  });
  return {
    viewer: await keyOf("viewer", "hostile-viewer"),
    builder: await keyOf("builder", "hostile-builder"),
    colleague: await keyOf("operator", "colleague"),
  };
}

/** Probes the service beside a load, or beside nothing. */
async function measured(
  bench: Bench,
  { url, pid }: Service,
  keys: Keys,
  load: Hostile | null,
  folder: string,
): Promise<Result[]> {
  process.kill(pid, "SIGUSR2"); // forgets the delay of the start
  const own = monitorEventLoopDelay({ resolution: 5 });
  own.enable();
  const health = probeHealth(url);
  const dispatch = probeDispatch(url, keys.colleague);
  const sent = load
    ? await sendHostile(url, keys[load.role], load, { callers, seconds: bench.seconds })
    : await delay(1000 * Math.min(2, bench.seconds)).then(() => null);
  const probed = { health: await health.stop(), dispatch: await dispatch.stop() };
  own.disable();
  process.kill(pid, "SIGUSR2");
  await delay(200);
  const loop = JSON.parse(await readFile(path.join(folder, `${pid}.json`), "utf8")) as { max: number; p99: number };
  const name = load?.name ?? "nothing";
  const told = sent ? `; answers ${JSON.stringify(sent.statuses)}, the longest ${sent.longest.toFixed(0)} ms` : "";
  bench.say(
    `  beside ${name}: /healthz ${shown(probed.health)}, dispatch ${shown(probed.dispatch)}; event loop of the service ${loop.max.toFixed(0)} ms at most (p99 ${loop.p99.toFixed(0)}), of the client ${(own.max / 1e6).toFixed(0)} ms; load average ${os.loadavg()[0]?.toFixed(1)}${told}`,
  );
  return load ? resultsOf(name, probed) : [];
}

const shown = ({ times, failures }: Probed): string =>
  `p99 ${quantile(times, 0.99).toFixed(0)} ms, at most ${quantile(times, 1).toFixed(0)} ms of ${times.length}${failures > 0 ? ` (${failures} failed)` : ""}`;

function resultsOf(name: string, { health, dispatch }: { health: Probed; dispatch: Probed }): Result[] {
  const one = (what: string, { times, failures }: Probed, bar: number): Result => ({
    what: `${what} beside ${name}, at most`,
    value: failures > 0 ? Number.POSITIVE_INFINITY : quantile(times, 1) / 1000,
    unit: "s",
    bar,
    aim: null,
    better: "lower",
  });
  return [one("/healthz", health, bars.health), one("a dispatch", dispatch, bars.dispatch)];
}
