import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { DocumentFault } from "./fault.ts";
import { type DocumentFile, parseDocument } from "./parse.ts";
import { type Hostile, hostileFiles } from "./testing/hostile/index.ts";
import { handbook } from "./testing/written.ts";

const limits = { heap: 128, memory: 400 };
/** A file may take so long (milliseconds), and more, so many times as long as an ordinary one, on a machine that does other things as well. */
const [LEAST, MOST, TIMES] = [1000, 4000, 2];
/** What has to end in one way gets the time for it on a machine that stalls. */
const CERTAIN = 60_000;
/** Files read at a time. */
const AT_ONCE = 3;
/** Beside its own time, a process may take so long to start, to hand over its text, and to end, while another one works. */
const ROUND = 6000;
const secret = /root:.*:0:0:/;

/** How a file ended: as `read`, or as the code of its fault. */
async function endOf(file: DocumentFile, milliseconds: number): Promise<string> {
  try {
    const { text, rows } = await parseDocument(file, { ...limits, milliseconds });
    expect(text).not.toMatch(secret);
    if (rows !== null) for await (const _row of rows);
    return "read";
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    expect(error.detail).toMatch(/^[A-Z].*\.$/s);
    return error.code;
  }
}

const processes = async (): Promise<string[]> => {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "ppid=,args="]);
  return stdout.split("\n").filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes("child-entry"));
};

it("ends every hostile file as text or as a fault, in time, and reads an ordinary document afterwards", {
  timeout: 1_200_000,
}, async () => {
  let calls = 0;
  const server = createServer((_request, response) => {
    calls++;
    response.end("<p>x</p>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const seed = Number(process.env.AOS_HOSTILE_SEED ?? 16);
  const corpus = await hostileFiles(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seed);
  const ordinary = await handbook();
  let patience = LEAST;
  const readOrdinary = async (): Promise<void> => {
    const from = performance.now();
    expect((await parseDocument({ bytes: ordinary })).text).toContain("A carpet of two metres costs 400 euros.");
    patience = Math.min(MOST, Math.max(LEAST, TIMES * (performance.now() - from)));
  };
  await readOrdinary();
  const failures: string[] = [];
  const slowest: [number, string][] = [];
  for (const [kind, files] of Object.entries(corpus)) {
    const ends = new Map<string, number>();
    const check = async ({ about, ends: expected, ...file }: Hostile): Promise<void> => {
      const from = performance.now();
      const milliseconds = expected === undefined ? patience : CERTAIN;
      const end = await endOf(file, milliseconds).catch((error) => `threw ${error}`);
      const took = performance.now() - from;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      slowest.push([took, `${kind}: ${about}: ${end}`]);
      if (process.env.AOS_HOSTILE_LIST)
        console.log(`${Math.round(took)} ms ${kind} | ${file.fileName.slice(0, 40)} | ${about} | ${end}`);
      if (end.startsWith("threw") || took > milliseconds + ROUND || (expected !== undefined && end !== expected))
        failures.push(`${kind}: ${about}: ${end} after ${Math.round(took)} ms, expected ${expected ?? "any end"}`);
    };
    const waiting = [...files];
    const work = async (): Promise<void> => {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await check(file);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    console.log(`${files.length} ${kind}: ${[...ends].map(([end, count]) => `${count} ${end}`).join(", ")}`);
    await readOrdinary();
  }
  const count = Object.values(corpus).flat().length;
  slowest.sort(([a], [b]) => b - a);
  console.log(
    `${count} hostile files; the slowest:\n${slowest
      .slice(0, 8)
      .map(([took, about]) => `  ${Math.round(took)} ms ${about}`)
      .join("\n")}`,
  );
  server.close();
  expect(failures).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(200);
  expect(calls).toBe(0);
  expect(await processes()).toEqual([]);
});
