import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { endChild } from "./programs.ts";

/** The running baseline. */
export interface Echo {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the baseline in a process of its own, under the same Node as the service. */
export async function startEcho(onEnd: (clean: () => Promise<unknown>) => void): Promise<Echo> {
  const program = path.join(import.meta.dirname, "echo-server.ts");
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = (): Promise<void> => endChild(child);
  onEnd(stop);
  const [line] = (await Promise.race([
    once(child.stdout.setEncoding("utf8"), "data"),
    once(child, "exit").then(() => [""]),
  ])) as [string];
  if (line === "") throw new Error("the baseline did not start");
  return { url: `http://127.0.0.1:${line.trim()}`, stop };
}
