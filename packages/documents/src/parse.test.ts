import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { DocumentFault } from "./fault.ts";
import { LIMITS } from "./limits.ts";
import { parseDocument } from "./parse.ts";
import { LimitedProcess } from "./process/limited-process.ts";
import { strippedSources } from "./process/stripped.ts";
import { handbook, pdfOf } from "./testing/written.ts";

const misbehave = fileURLToPath(new URL("./testing/misbehave.ts", import.meta.url));
const fault = (code: string) => expect.objectContaining({ code });

/** What a process that misbehaves prints, or the fault that it ends as. It is gone in either case. */
async function endOf(act: string, own = {}): Promise<unknown> {
  const child = await LimitedProcess.start({ ...LIMITS, ...own }, misbehave);
  const { output, pid = 0 } = child;
  child.stdin.write(act);
  try {
    const { value, done } = await child.work(() => output.next());
    return done ? await child.ended() : JSON.parse(String(value));
  } catch (error) {
    return error instanceof DocumentFault ? error.code : error;
  } finally {
    await child.gone();
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  }
}

describe("a process that reads a document", () => {
  it("sees no environment, no files, no network, and starts nothing", async () => {
    expect(await endOf("escape")).toEqual({
      environment: [],
      read: "ERR_ACCESS_DENIED",
      write: "ERR_ACCESS_DENIED",
      run: expect.stringContaining("not available"),
      thread: expect.stringContaining("not available"),
      connect: expect.stringContaining("not available"),
      fetch: "undefined",
      code: expect.stringContaining("Code generation from strings"),
    });
  });

  it.each([
    ["exit", "crashed"],
    ["abort", "crashed"],
    ["throw", "crashed"],
    ["loop", "timeout"],
    ["heap", "out_of_memory"],
    ["buffers", "out_of_memory"],
  ])("ends as a fault and leaves nothing behind: %s", async (act, code) => {
    const milliseconds = act === "loop" ? 500 : 20_000;
    expect(await endOf(act, { milliseconds, heap: 64, memory: act === "buffers" ? 300 : 2000 })).toBe(code);
  });
});

describe("reading a document", () => {
  it("tells its progress by pages", async () => {
    const told: [number, number][] = [];
    const document = await parseDocument(
      { bytes: await handbook() },
      { onProgress: (...progress) => told.push(progress) },
    );
    expect(document).toMatchObject({ title: "Handbook", pages: 2, rows: null });
    expect([told[0], told.at(-1)]).toEqual([
      [0, 2],
      [2, 2],
    ]);
  });

  it("gives the rows of a file one after another, however many there are, and stops where nobody goes on", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "aos-rows-"));
    const file = { path: path.join(folder, "rows.csv"), fileName: "rows.csv" };
    await writeFile(file.path, `id,name\n${Array.from({ length: 30_000 }, (_, at) => `${at},Amber\n`).join("")}`);
    const read = await parseDocument(file);
    let count = 0;
    for await (const { external_id, fields } of read.rows ?? [])
      expect([external_id, fields.name]).toEqual([String(count++), "Amber"]);
    expect(count).toBe(30_000);
    const left = await parseDocument(file);
    for await (const { external_id } of left.rows ?? []) if (external_id === "3") break;
    expect((await left.rows?.next())?.done).toBe(true);
    const unread = await parseDocument(file);
    await unread.rows?.return?.();
    await rm(folder, { recursive: true });
  });

  it("ends when its signal does", async () => {
    const stop = new AbortController();
    const large = await pdfOf(Array.from({ length: 300 }, (_, at) => (pdf) => pdf.text(`Page ${at}. `.repeat(500))));
    const onProgress = () => stop.abort(new Error("stopped"));
    await expect(parseDocument({ bytes: large }, { signal: stop.signal, onProgress })).rejects.toThrow("stopped");
    await expect(parseDocument({ bytes: large }, { signal: stop.signal })).rejects.toThrow("stopped");
  });

  it("strips the types of its sources once for all processes", async () => {
    const stripped = await strippedSources();
    expect(stripped).not.toBeNull();
    expect(await strippedSources()).toBe(stripped);
    const sources = JSON.parse(readFileSync(`/dev/fd/${stripped?.descriptor}`, "utf8"));
    const entry = sources[new URL("./process/child-entry.ts", import.meta.url).href];
    expect(entry).toContain("withoutNetwork();");
    expect(entry).not.toContain("Message");
  });

  it("needs no process for a small text", async () => {
    expect((await parseDocument({ bytes: Buffer.from("Hello.") }, { milliseconds: 0 })).text).toBe("Hello.");
  });

  it("throws why a file cannot be read", async () => {
    const bytes = Buffer.from("text");
    await expect(parseDocument({ bytes: Buffer.alloc(0) })).rejects.toEqual(fault("empty"));
    await expect(parseDocument({ bytes }, { bytes: 3 })).rejects.toEqual(fault("too_large"));
    await expect(parseDocument({ bytes, fileName: "a.md" }, { milliseconds: 1 })).rejects.toEqual(fault("timeout"));
    await expect(parseDocument({ bytes: Buffer.from("%PDF-1.7") })).rejects.toEqual(fault("damaged"));
    await expect(parseDocument({ path: "/nowhere/a.pdf" })).rejects.toThrow("ENOENT");
  });
});
