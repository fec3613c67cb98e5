import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { dispatchOne } from "./bodies.ts";
import type { Bench } from "./figure.ts";
import { fill } from "./fill.ts";
import { databaseLine } from "./machine.ts";
import { root } from "./programs.ts";
import { type Service, startService } from "./service.ts";

export interface BenchOptions {
  readonly quick: boolean;
  readonly say: (line: string) => void;
}

/** What a bench makes and must undo. */
export interface RunningBench {
  readonly bench: Bench;
  /** The folder with all data of this bench. */
  readonly home: string;
  /** Undoes everything that was started or made, the last first. Calling again waits for the same. */
  end(): Promise<void>;
}

/** Sets a bench up: its folder (`AOS_BENCH_DIR`, else one in the repository, so that it lies on a disk), and what figures share. */
export async function createBench({ quick, say }: BenchOptions): Promise<RunningBench> {
  const parent = process.env.AOS_BENCH_DIR ?? root;
  const home = await mkdtemp(path.join(parent, ".aos-bench-"));
  const cleaners: (() => Promise<unknown>)[] = [() => rm(home, { recursive: true, force: true })];
  let ending: Promise<void> | undefined;
  let filled: Promise<Service> | undefined;
  let services = 0;
  let described = false;

  const onEnd = (clean: () => Promise<unknown>): void => void cleaners.push(clean);
  const folder = async (name: string): Promise<string> => {
    const made = path.join(home, name);
    await mkdir(made, { recursive: true });
    return made;
  };
  const start = async (): Promise<Service> => {
    const service = await startService(path.join(home, `data-${++services}`), onEnd);
    if (!described) say(await databaseLine(service.pool));
    described = true;
    await dispatchOne(service.url, service.key);
    return service;
  };
  const bench: Bench = {
    quick,
    seconds: quick ? 2 : 6,
    pairs: 3,
    manyRows: quick ? 20_000 : 1_000_000,
    say,
    folder,
    onEnd,
    async withService(work) {
      const service = await start();
      try {
        return await work(service);
      } finally {
        await service.stop();
      }
    },
    filled() {
      filled ??= (async () => {
        const service = await start();
        await fill(service, { rows: bench.manyRows, say });
        return service;
      })();
      return filled;
    },
  };
  const end = (): Promise<void> => {
    ending ??= (async () => {
      for (let clean = cleaners.pop(); clean; clean = cleaners.pop()) await clean();
    })();
    return ending;
  };
  return { bench, home, end };
}
