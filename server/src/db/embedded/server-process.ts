import { spawn } from "node:child_process";
import { open, readFile, rename, stat } from "node:fs/promises";
import type { Socket } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseError, type DatabaseLog } from "../database-error.ts";
import { type Account, spawnIdentity } from "./account.ts";
import { lastLine } from "./cluster.ts";

/**
 * The watcher, a shell in a session of its own: starts PostgreSQL and reads from our pipe. When the pipe ends, because we closed it or died in any way,
 * it asks PostgreSQL for a fast shutdown (SIGINT). It ends with PostgreSQL. Signals meant for our terminal or our process reach neither.
 */
const WATCHER = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
( cat <&3 >/dev/null; kill -INT "$server" ) 2>/dev/null 3<&3 &
reader=$!
exec 3<&-
wait "$server"
code=$?
kill "$reader" 2>/dev/null
exit "$code"
`;

/** Recovery after a crash replays up to `max_wal_size` of log; a slow disk may need minutes. */
const START_LIMIT_MS = 10 * 60_000;
const SLOW_START_MS = 3_000;
const LOG_LIMIT_BYTES = 8 * 1024 * 1024;

/** A running server. */
export interface ServerProcess {
  /** Settles when PostgreSQL is gone, with its exit code; never rejects. */
  readonly ended: Promise<number>;
  /** Asks for a fast shutdown; the server is gone when `ended` settles. */
  close(): void;
}

interface ServerOptions {
  readonly postgres: string;
  readonly args: readonly string[];
  readonly data: string;
  readonly account: Account | undefined;
  readonly logFile: string;
  readonly log: DatabaseLog;
  readonly whileStarting: (() => void) | undefined;
  /** A start that takes longer says why, as far as PostgreSQL's log tells (milliseconds, 3,000 by default). */
  readonly slowAfterMs?: number | undefined;
}

/** Starts PostgreSQL and waits until it accepts connections. Its own log goes to `logFile`; a long one is put aside first. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { logFile } = options;
  const logged = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (logged > LOG_LIMIT_BYTES) await rename(logFile, `${logFile}.old`);
  await using file = await open(logFile, "a", 0o600);
  const logStart = (await file.stat()).size;
  const child = spawn("/bin/sh", ["-c", WATCHER, "aos-postgres", options.postgres, ...options.args], {
    ...spawnIdentity(options.account),
    detached: true,
    stdio: ["pipe", file.fd, file.fd],
  });
  let hasEnded = false;
  const ended = new Promise<number>((resolve) => {
    child.once("error", () => resolve(127));
    child.once("exit", (code) => resolve(code ?? 128));
  }).finally(() => {
    hasEnded = true;
  });
  const pipe = child.stdin as Socket;
  pipe.on("error", () => undefined); // the watcher was killed: `ended` says so
  options.whileStarting?.();
  await untilReady(options, () => hasEnded, logStart);
  // A running database does not keep our process alive; one that is stopping does.
  child.unref();
  pipe.unref();
  return {
    ended,
    close() {
      child.ref();
      pipe.end();
    },
  };
}

/** Waits for the word "ready" on line 8 of `postmaster.pid`, which is how `pg_ctl` waits too. */
async function untilReady(
  { data, logFile, log, slowAfterMs = SLOW_START_MS }: ServerOptions,
  hasEnded: () => boolean,
  logStart: number,
): Promise<void> {
  const began = Date.now();
  const written = async (): Promise<string> => (await readFile(logFile)).subarray(logStart).toString("utf8");
  let said = "";
  let lookAgain = slowAfterMs;
  while (true) {
    const lines = (await readFile(path.join(data, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
    if (lines[7]?.trim() === "ready") return;
    if (hasEnded()) {
      const text = await written();
      const fatal = text.split("\n").filter((line) => /\b(FATAL|PANIC)\b/.test(line));
      throw new DatabaseError(
        `The embedded database did not start: ${lastLine(fatal.join("\n") || text)} (see ${logFile})`,
      );
    }
    const waited = Date.now() - began;
    if (waited > START_LIMIT_MS)
      throw new DatabaseError(
        `The embedded database was not ready after ${START_LIMIT_MS / 60_000} minutes (see ${logFile}).`,
      );
    if (waited >= lookAgain) {
      lookAgain = waited + slowAfterMs / 3;
      const text = slowStartText(await written());
      if (text !== said) log.info(text);
      said = text;
    }
    await delay(5);
  }
}

/** Why a start takes long, by what PostgreSQL has written since it began. A slow machine is no sign of a recovery. */
function slowStartText(written: string): string {
  return /database system (shutdown )?was (not properly shut down|interrupted)/.test(written)
    ? "The database recovers from an unclean stop; this can take a minute."
    : "The database is still starting.";
}
