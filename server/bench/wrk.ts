import { writeFile } from "node:fs/promises";
import path from "node:path";
import { findProgram, run } from "./programs.ts";

/** A kind of request, as the body of a Lua script for wrk: defines `request`, may define `init`. */
export interface Load {
  readonly name: string;
  readonly script: string;
}

export interface LoadOptions {
  readonly url: string;
  readonly load: Load;
  readonly connections: number;
  readonly seconds: number;
  /** Folder for the script. */
  readonly folder: string;
}

/** What came of one run. Times in milliseconds. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/** The report of a run, as the script prints it: numbers only. */
interface Printed {
  readonly requests: number;
  readonly duration_us: number;
  readonly p50_us: number;
  readonly p99_us: number;
  readonly max_us: number;
  readonly refused: number;
  readonly broken: number;
  readonly timeouts: number;
}

const mark = "aos-bench ";
const report = `
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('\\n${mark}{"requests":%d,"duration_us":%d,"p50_us":%.1f,"p99_us":%.1f,"max_us":%.1f,"refused":%d,"broken":%d,"timeouts":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    e.status, e.connect + e.read + e.write, e.timeout))
end
`;

/** Runs `wrk -t1` once. Throws where a request was refused or broke: such a run measures something else. */
export async function runLoad({ url, load, connections, seconds, folder }: LoadOptions): Promise<LoadResult> {
  const wrk = await findProgram(
    "wrk",
    "install it (Debian, Ubuntu: apt-get install wrk; macOS: brew install wrk), then run the bench again.",
  );
  const script = path.join(folder, `${load.name}.lua`);
  await writeFile(script, load.script + report);
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "30s", "-s", script, url];
  return readReport(await run(wrk, args));
}

/** Reads the line that {@link runLoad}'s script prints. Throws for runs without requests, and for those with errors. */
export function readReport(output: string): LoadResult {
  const line = output.split("\n").find((one) => one.startsWith(mark));
  if (line === undefined) throw new Error(`wrk printed no report: ${output.trim().slice(-300)}`);
  const printed = JSON.parse(line.slice(mark.length)) as Printed;
  const { requests, refused, broken, timeouts } = printed;
  if (refused + broken + timeouts > 0) {
    throw new Error(
      `of ${requests} requests ${refused} were refused (4xx or 5xx), ${broken} broke and ${timeouts} timed out: this run measures nothing`,
    );
  }
  if (requests === 0) throw new Error("not one request was answered");
  return {
    requests,
    perSecond: requests / (printed.duration_us / 1e6),
    p50: printed.p50_us / 1000,
    p99: printed.p99_us / 1000,
    longest: printed.max_us / 1000,
  };
}
