/**
 * What `npm run torture` runs: services that are killed, paused and cut off under load, and a look for what was lost, doubled or stuck. First an installation of
 * two API processes and two workers on PostgreSQL 15 (twenty SIGKILLs, four pauses of PostgreSQL of 20 s, terminated backends), then one service with its embedded
 * PostgreSQL, killed twenty times with everything that belongs to it.
 *
 *     npm run torture                            both
 *     npm run torture -- installation            the first only
 *     npm run torture -- rounds                  the second only; AOS_KILL_ROUNDS says how often
 *     AOS_TORTURE_SEED=7 npm run torture         the blows and the load of an earlier run, whose seed it printed
 *     npm run torture -- --kills 4 --pauses 1 --minutes 1        a short one
 *
 * The exit code is 1 where anything was found.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installedPostgres } from "./postgres-programs.ts";

const number = (standard: string) => ({ type: "string", default: standard }) as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: number("20"),
    pauses: number("4"),
    "pause-seconds": number("20"),
    terminations: number("40"),
    minutes: number("7"),
    clients: number("8"),
    "rest-ms": number("400"),
    "quiet-seconds": number("60"),
    postgres: number("15"),
    /** Keeps the logs and the database where anything was found. */
    keep: { type: "boolean", default: false },
  },
});
const parts = positionals.length > 0 ? positionals : ["installation", "rounds"];
let found = 0;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130)); // ends what was started, too

if (parts.includes("installation")) {
  const { torture } = await import("../server/test/failure/torture.ts");
  const programs = installedPostgres(values.postgres);
  if (programs === undefined) console.log(`PostgreSQL ${values.postgres} is not installed: on the embedded one.`);
  const findings = await torture({
    seed: Number(process.env.AOS_TORTURE_SEED ?? randomInt(1_000_000)),
    kills: Number(values.kills),
    pauses: Number(values.pauses),
    pauseMs: Number(values["pause-seconds"]) * 1_000,
    terminations: Number(values.terminations),
    loadMs: Number(values.minutes) * 60_000,
    clients: Number(values.clients),
    restMs: Number(values["rest-ms"]),
    quietMs: Number(values["quiet-seconds"]) * 1_000,
    programs: programs && { folder: programs.folder, major: Number(programs.major), release: programs.major },
    keep: values.keep,
    say: (line) => console.log(line),
  });
  found = findings.length;
  console.log(found === 0 ? "Passed: nothing lost, doubled, stuck or falsely alarmed." : `Failed: ${found} findings.`);
}
if (parts.includes("rounds")) {
  const test = fileURLToPath(new URL("test.ts", import.meta.url));
  const args = [...process.execArgv, test, "server/test/failure/kill.slow.test.ts"];
  const env = { AOS_KILL_ROUNDS: "20", ...process.env };
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env });
  if (status !== 0) found += 1;
}
process.exit(found === 0 ? 0 : 1);
