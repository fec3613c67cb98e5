import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Service, startService } from "../../server/bench/service.ts";
import { createCleanUp } from "../clean-up.ts";
import { createCall } from "../journeys/client.ts";
import { furnish } from "./furnish.ts";
import { type Point, plot } from "./plot.ts";
import { databaseMemory, metricsToken, takeSample } from "./sample.ts";
import { MixedWork, type Work } from "./work.ts";

const usage = `Usage: npm run soak -- [--minutes <n>] [--rate <n>] [--every <seconds>] [--out <folder>]

Runs a service of its own under mixed work at a steady rate, and writes soak.csv, soak.svg and work.json: memory, disk and tables over time, and what was done.

  --minutes  how long (60)
  --rate     pieces of work a second; one takes one to ten calls (2)
  --every    seconds between looks (15)
  --out      where the files go (a new folder)
`;

interface Options {
  readonly minutes: number;
  readonly rate: number;
  readonly every: number;
  readonly out: string;
}

/** Runs a soak as a command. Returns the exit status: 0 all work was done, 1 some failed, 2 wrong usage. */
export async function runSoak(args: string[]): Promise<number> {
  const options = await readOptions(args);
  if (!options) {
    process.stderr.write(usage);
    return 2;
  }
  const cleanUp = createCleanUp();
  try {
    process.env.AOS_METRICS_TOKEN = metricsToken;
    const dataDir = await mkdtemp(path.join(tmpdir(), "aos-soak-"));
    const service = await startService(dataDir, cleanUp.add);
    return await soak(service, options, cleanUp.add);
  } finally {
    await cleanUp.end();
  }
}

async function readOptions(args: string[]): Promise<Options | null> {
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({ args, options: { minutes: text, rate: text, every: text, out: text } });
    const number = (given: string | undefined, standard: number): number => {
      const value = given === undefined ? standard : Number(given);
      if (!(value > 0)) throw new Error(`${given} is no number above 0`);
      return value;
    };
    const out = values.out ?? (await mkdtemp(path.join(tmpdir(), "soak-")));
    await mkdir(out, { recursive: true });
    return {
      minutes: number(values.minutes, 60),
      rate: number(values.rate, 2),
      every: number(values.every, 15),
      out,
    };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n`);
    return null;
  }
}

async function soak(
  service: Service,
  { minutes, rate, every, out }: Options,
  onEnd: (clean: () => Promise<unknown>) => void,
): Promise<number> {
  const call = createCall(service.url, service.key, randomUUID);
  const points: Point[] = [];
  const began = performance.now();
  const minute = (): number => (performance.now() - began) / 60_000;
  const look = async (): Promise<void> => {
    const sample = { ...(await takeSample(service)), database_memory_bytes: await databaseMemory(service) };
    points.push({ minute: minute(), sample });
    await writeFile(path.join(out, "soak.csv"), csvOf(points));
    await writeFile(path.join(out, "soak.svg"), plot(points));
  };
  await look();
  await furnish(call, onEnd);
  const works = new MixedWork(call).kinds();
  const done = new Counts();
  const looking = setInterval(() => void look().catch((error) => done.failed("look", error)), every * 1000);
  const under = new Set<Promise<void>>();
  for (let at = 0; minute() < minutes; at++) {
    await delay(Math.max(0, (at * 1000) / rate - (performance.now() - began)));
    if (under.size > 50) continue; // the service is slower than the rate: the rate gives way
    const doing = done.count(pick(works, at)).finally(() => under.delete(doing));
    under.add(doing);
  }
  clearInterval(looking);
  await Promise.all(under);
  await look();
  await writeFile(path.join(out, "work.json"), `${JSON.stringify(done, null, 2)}\n`);
  process.stdout.write(`${JSON.stringify(done, null, 2)}\n${out}\n`);
  return done.failures.length === 0 ? 0 : 1;
}

/** Each kind once, then in proportion to its weight, spread evenly: the kind that is furthest behind its share. */
function pick(works: readonly Work[], at: number): Work {
  const total = works.reduce((sum, { weight }) => sum + weight, 0);
  const behind = (work: Work): number =>
    work.begun === 0 ? Number.POSITIVE_INFINITY : ((at + 1) * work.weight) / total - work.begun;
  const next = works.reduce((best, work) => (behind(work) > behind(best) ? work : best));
  next.begun += 1;
  return next;
}

/** What was done, by kind, and what failed. */
class Counts {
  readonly done: Record<string, number> = {};
  readonly failures: string[] = [];

  async count({ name, act }: Work): Promise<void> {
    try {
      await act();
      this.done[name] = (this.done[name] ?? 0) + 1;
    } catch (error) {
      this.failed(name, error);
    }
  }

  failed(name: string, error: unknown): void {
    if (this.failures.length < 1000) this.failures.push(`${new Date().toISOString()} ${name}: ${String(error)}`);
  }
}

/** A row a look. Tables that came later have no figure before. */
function csvOf(points: readonly Point[]): string {
  const names = [...new Set(points.flatMap(({ sample }) => Object.keys(sample)))];
  const rows = points.map(({ minute, sample }) => [minute.toFixed(3), ...names.map((name) => sample[name] ?? "")]);
  return [["minute", ...names], ...rows].map((row) => `${row.join(",")}\n`).join("");
}
