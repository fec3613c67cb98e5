import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DocumentFault } from "../fault.ts";
import type { Limits } from "../limits.ts";
import { type Stripped, strippedSources } from "./stripped.ts";

const entry = fileURLToPath(new URL("./child-entry.ts", import.meta.url));

/** Milliseconds between two looks at the memory of the process. */
const LOOK = 100;
/** Of what it prints to standard error, so many characters at the end are kept. */
const TAIL = 4000;

/**
 * Bounds what the process may use even if this one is killed: seconds of the processor; and it leaves no core file. The rest is a command that replaces the shell.
 */
const BOUNDED = 'ulimit -c 0; ulimit -t "$0"; exec "$@"';

/** What the process may read: this package, the libraries, and nothing else. */
const readable: readonly string[] = [path.resolve(path.dirname(entry), "../../.."), ...libraryFolders()];

function libraryFolders(): string[] {
  const folders: string[] = [];
  for (let folder = path.dirname(entry); ; folder = path.dirname(folder)) {
    const libraries = path.basename(folder) === "node_modules" ? folder : path.join(folder, "node_modules");
    if (existsSync(libraries)) folders.push(libraries);
    if (folder === path.dirname(folder)) return [...new Set(folders)];
  }
}

/** A process of Node without environment, file system and further processes, that is killed once it uses too much. */
export class LimitedProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #limits: Limits;
  readonly #closed: Promise<void>;
  readonly #looking: NodeJS.Timeout;
  #fault: unknown = null;
  #left: number;
  #errors = "";
  #end = { code: null as number | null, signal: null as string | null };

  static async start(limits: Limits, script = entry): Promise<LimitedProcess> {
    return new LimitedProcess(limits, script, await strippedSources());
  }

  private constructor(limits: Limits, script: string, stripped: Stripped | null) {
    this.#limits = limits;
    this.#left = limits.milliseconds;
    const seconds = Math.ceil(limits.milliseconds / 1000) * 2 + 5;
    const command = [process.execPath, ...options(limits), ...(stripped?.options ?? []), script];
    this.#child = spawn("/bin/sh", ["-c", BOUNDED, String(seconds), ...command], {
      env: {},
      cwd: "/",
      stdio: ["pipe", "pipe", "pipe", ...(stripped === null ? [] : [stripped.descriptor])],
    }) as ChildProcessWithoutNullStreams;
    this.#child.stdin.on("error", () => undefined);
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-TAIL);
    });
    this.#closed = new Promise((resolve) => {
      // It did not start, which says nothing of the document.
      this.#child.once("error", (error) => {
        this.kill(error);
        resolve();
      });
      this.#child.once("close", (code, signal) => {
        this.#end = { code, signal };
        resolve();
      });
    });
    this.#looking = setInterval(() => void this.#look(), LOOK).unref();
    void this.#closed.then(() => clearInterval(this.#looking));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stdin(): NodeJS.WritableStream {
    return this.#child.stdin;
  }

  get output(): AsyncIterator<Buffer> {
    return this.#child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Ends it at once. The first reason is the one that {@link ended} throws. */
  kill(reason: unknown = null): void {
    this.#fault ??= reason;
    this.#child.kill("SIGKILL");
  }

  /** Waits for something that it does, within what is left of its time. */
  async work<T>(wait: () => Promise<T>): Promise<T> {
    const from = performance.now();
    const timer = setTimeout(() => this.kill(this.#tookTooLong()), Math.max(0, this.#left));
    try {
      return await wait();
    } finally {
      clearTimeout(timer);
      this.#left -= performance.now() - from;
    }
  }

  /** Throws why it ended, once it has, without having said that it was done. */
  async ended(): Promise<never> {
    await this.#closed;
    if (this.#fault !== null) throw this.#fault;
    if (/heap out of memory|allocation failed|out of memory/i.test(this.#errors)) throw this.#tookTooMuch();
    if (this.#end.signal === "SIGXCPU" || this.#end.code === 128 + 24) throw this.#tookTooLong();
    throw crashed();
  }

  /** Resolves once nothing is left of it. */
  async gone(): Promise<void> {
    this.kill();
    this.#child.stdout.destroy();
    await this.#closed;
  }

  #tookTooLong(): DocumentFault {
    return new DocumentFault(
      "timeout",
      `Reading it took longer than ${this.#limits.milliseconds / 1000} seconds. Split it, or save it in a simpler form.`,
    );
  }

  #tookTooMuch(): DocumentFault {
    return new DocumentFault("out_of_memory", "It takes too much memory. Split it into several documents.");
  }

  /** The heap has a bound of its own; what lies outside of it, such as unpacked streams, is seen here. */
  async #look(): Promise<void> {
    const { pid } = this.#child;
    const memory = pid === undefined ? 0 : await residentMemory(pid);
    if (memory > this.#limits.memory) this.kill(this.#tookTooMuch());
  }
}

export const crashed = (): DocumentFault =>
  new DocumentFault(
    "crashed",
    "Reading it failed. Save it again in its program, or as PDF or plain text, and send that.",
  );

const options = ({ heap }: Limits): string[] => [
  "--permission",
  ...readable.map((folder) => `--allow-fs-read=${folder}/*`),
  ...[
    `--max-old-space-size=${heap}`,
    "--disallow-code-generation-from-strings",
    "--disable-warning=ExperimentalWarning",
  ],
];

/** Megabytes of a process; 0 where that is not known, as when it has ended. */
async function residentMemory(pid: number): Promise<number> {
  try {
    if (process.platform === "linux")
      return Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
    const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
    return Number(stdout.trim()) / 1024;
  } catch {
    return 0;
  }
}
