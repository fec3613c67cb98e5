import { rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config/config.ts";
import { storedJson } from "../kernel/stored-json.ts";

/** Where a running service of a data folder is reached, so that commands on the same machine need not know its port. */
export interface RunningService {
  readonly pid: number;
  /** Where it listens, for callers on this machine. */
  readonly url: string;
  /** The address of its portal. */
  readonly app_url: string;
}

const fileOf = (dataDir: string): string => path.join(dataDir, "service.json");

/** Says where this process listens, until it ends. */
export async function announceService({ dataDir, host, port, appUrl }: Config): Promise<void> {
  const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  const local = everywhere[host] ?? host;
  const url = `http://${local.includes(":") ? `[${local}]` : local}:${port}`;
  const service: RunningService = { pid: process.pid, url, app_url: appUrl };
  await writeFile(fileOf(dataDir), `${JSON.stringify(service)}\n`, { mode: 0o600 });
  process.once("exit", () => rmSync(fileOf(dataDir), { force: true }));
}

const serviceJson = storedJson<{ file: RunningService }>();

/** The service that runs on a data folder; undefined where none does. */
export async function findRunningService(dataDir: string): Promise<RunningService | undefined> {
  try {
    const service = serviceJson({ file: await readFile(fileOf(dataDir), "utf8") }, "file");
    process.kill(service.pid, 0); // throws where there is no such process
    return service;
  } catch {
    return undefined;
  }
}
