import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { withoutNetwork } from "../process/without-network.ts";

// A process that does what a hijacked reader might, as its input names it.

withoutNetwork();
const [asked] = (await once(process.stdin, "data")) as [Buffer];

/** What comes of trying. */
async function tried(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
    return "allowed";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
}

const kept: Buffer[] = [];
const acts: Readonly<Record<string, () => unknown>> = {
  exit: () => process.exit(7),
  abort: () => process.abort(),
  throw: () => {
    throw new Error("thrown");
  },
  loop: () => {
    for (;;);
  },
  heap: () => {
    for (const all: string[][] = []; ; ) all.push(Array.from({ length: 1000 }, () => Math.random().toString(36)));
  },
  buffers: () => {
    for (;;) kept.push(Buffer.alloc(2 ** 24, 1));
  },
  escape: async () => ({
    environment: Object.keys(process.env).filter((name) => !/^(PWD|OLDPWD|SHLVL|_)$/.test(name)),
    read: await tried(() => readFileSync("/etc/passwd")),
    write: await tried(() => writeFileSync("/tmp/aos-documents-escaped", "x")),
    run: await tried(() => import("node:child_process")),
    thread: await tried(() => import("node:worker_threads")),
    connect: await tried(() => import("node:net")),
    fetch: typeof globalThis.fetch,
    code: await tried(() => new Function("return 1")()),
  }),
};
process.stdout.write(`${JSON.stringify(await acts[asked.toString().trim()]?.())}\n`);
