import { writeSync } from "node:fs";
import { DocumentFault } from "../fault.ts";
import type { Told } from "../readers/output.ts";
import { read } from "../readers/read.ts";
import type { Asked, Message } from "./messages.ts";
import { withoutNetwork } from "./without-network.ts";

// A process that reads one document: it is given a line and the bytes, prints lines, and ends.

/** Lines that are shorter together are printed together. */
const PART = 2 ** 16;
/** Milliseconds between two reports of progress. */
const OFTEN = 200;

const asleep = new Int32Array(new SharedArrayBuffer(4));

let waiting = "";
let reported = 0;

/** Waits while nobody reads: what was not read yet takes no memory. */
function print(message: Message, now = false): void {
  waiting += `${JSON.stringify(message)}\n`;
  if (!now && waiting.length < PART) return;
  const bytes = Buffer.from(waiting);
  waiting = "";
  for (let from = 0; from < bytes.length; ) from += written(bytes, from);
}

/** Writes what fits. While the pipe is full, which a write may tell instead of waiting, this process sleeps. */
function written(bytes: Buffer, from: number): number {
  try {
    return writeSync(1, bytes, from);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") process.exit(1);
    Atomics.wait(asleep, 0, 0, 2);
    return 0;
  }
}

function tell(told: Told): void {
  const isProgress = "done" in told;
  if (!isProgress) print(told, "rows" in told);
  if (!isProgress || (told.done !== 0 && told.done !== told.all && performance.now() - reported < OFTEN)) return;
  reported = performance.now();
  print(told, true);
}

async function given(): Promise<{ asked: Asked; bytes: Buffer }> {
  let [start, asked, bytes, filled] = ["", null as Asked | null, Buffer.alloc(0), 0];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    let part = chunk;
    if (asked === null) {
      const end = chunk.indexOf(10);
      start += chunk.toString("utf8", 0, end < 0 ? chunk.length : end);
      if (end < 0) continue;
      asked = JSON.parse(start) as Asked;
      bytes = Buffer.allocUnsafeSlow(asked.length);
      part = chunk.subarray(end + 1);
    }
    filled += part.copy(bytes, filled);
  }
  if (asked === null || filled < asked.length) process.exit(1);
  return { asked, bytes };
}

function faultOf(error: unknown): DocumentFault {
  if (error instanceof DocumentFault) return error;
  const message = error instanceof Error ? error.message : "";
  if (error instanceof RangeError && message.includes("call stack"))
    return new DocumentFault(
      "too_complex",
      "Its parts are nested too deep. Save it in a simpler form, such as plain text or PDF.",
    );
  if (error instanceof RangeError)
    return new DocumentFault("out_of_memory", "It takes too much memory. Split it into several documents.");
  return new DocumentFault("damaged", "It is not valid. Open it in its program, save it again, and send that.");
}

withoutNetwork();
const { asked, bytes } = await given();
try {
  await read({ ...asked, bytes }, tell);
  print({ end: true }, true);
} catch (error) {
  const { code, detail } = faultOf(error);
  print({ fault: { code, detail } }, true);
}
process.exit(0);
