import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

// Requests that are made to hold a service up, each from one caller who may make it.

/** A request that is sent again and again. */
export interface Hostile {
  readonly name: string;
  /** The role whose key it needs. */
  readonly role: "viewer" | "builder";
  readonly path: string;
  /** The body of the request of a number, from 0. */
  body(at: number): string;
}

/** Words that look like those of a language; number 7 is always the same one. */
const word = (at: number): string => {
  const syllables = ["ba", "do", "fi", "ge", "hu", "ka", "lo", "mi", "nu", "pe", "ra", "so", "ti", "vu", "we", "zo"];
  return [at, at >> 4, at >> 8, at >> 12].map((n) => syllables[n & 15]).join("");
};
const wordsFrom = (start: number, count: number): string =>
  Array.from({ length: count }, (_, at) => word((start * 7919 + at * 104_729) % 65_536)).join(" ");

const once = (body: object): (() => string) => {
  const text = JSON.stringify(body);
  return () => text;
};

/** One object of 60,000 members: 0.8 MB. */
export const wideJson: Hostile = {
  name: "wide JSON",
  role: "viewer",
  path: "/v1/governance/check",
  body: once({
    action: "document.add",
    input: Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`m${at}`, at])),
  }),
};

export const testedBase = "hostile";

/** Texts that a base holds while it is tested. */
export const testedDocuments = Array.from({ length: 300 }, (_, at) => ({
  external_id: `text-${at}`,
  text: wordsFrom(at, 250),
}));

/** 500 questions of 1,000 characters, with expected documents: 0.9 MB. */
export const manyQuestions: Hostile = {
  name: "test of a base",
  role: "viewer",
  path: `/v1/knowledge/bases/${testedBase}/test`,
  body: once({
    questions: Array.from({ length: 500 }, (_, at) => ({
      question: wordsFrom(at, 200).slice(0, 1000),
      expected: [`text-${at % 300}`, ...Array.from({ length: 3 }, (_none, n) => `${at}-${n}-${"x".repeat(240)}`)],
    })),
  }),
};

/** A table of 40,000 columns in 80 kB. */
export const wideTable: Hostile = {
  name: "wide table",
  role: "builder",
  path: `/v1/knowledge/bases/${testedBase}/documents`,
  body: (at) =>
    JSON.stringify({
      external_id: `table-${at}`,
      media_type: "text/html",
      text: `<table><tr><td>x${at}<td>b</tr><tr>${"<td>a".repeat(16_000)}</tr></table>`,
    }),
};

const trial = (name: string, when: string, input: object): Hostile => ({
  name,
  role: "viewer",
  path: `/v1/workflows/${triedWorkflow}/test`,
  body: once({ definition: { workflow: triedWorkflow, steps: [{ id: "a", when, wait: { for: "1s" } }] }, input }),
});

/** The workflow that trials name; what they try stands in their bodies. */
export const triedWorkflow = "hostile";

/** A pattern that takes a backtracking matcher 2^40 steps. */
export const slowPattern = trial("slow pattern", `'${"a".repeat(40)}!'.matches('(a+)+$')`, {});

/** Four loops in one another over 100 items: 100 million steps. */
export const nestedLoops = trial(
  "nested loops",
  "input.items.exists(a, input.items.exists(b, input.items.exists(c, input.items.exists(d, a + b + c + d < 0.0))))",
  { items: Array.from({ length: 100 }, (_, at) => at + 0.5) },
);

export const hostileLoads: readonly Hostile[] = [wideJson, manyQuestions, wideTable, slowPattern, nestedLoops];

/** What came of sending: how often each status was answered, and the longest answer (milliseconds). */
export interface Sent {
  readonly statuses: Readonly<Record<string, number>>;
  readonly longest: number;
}

interface Sending {
  readonly callers: number;
  readonly seconds: number;
  /** Seconds after the last request until the answers that are missing are given up. */
  readonly patience?: number;
}

/** Sends a load from so many callers, each again as soon as it has its answer, for so long; from a thread, so that it holds up no probe. */
export function sendHostile(url: string, key: string, load: Hostile, sending: Sending): Promise<Sent> {
  const sender = new Worker(fileURLToPath(import.meta.url), { workerData: { url, key, name: load.name, sending } });
  return new Promise((resolve, reject) => sender.once("message", resolve).once("error", reject));
}

async function send(
  url: string,
  key: string,
  load: Hostile,
  { callers, seconds, patience = 30 }: Sending,
): Promise<Sent> {
  const statuses: Record<string, number> = {};
  const end = performance.now() + 1000 * seconds;
  const over = AbortSignal.timeout(1000 * (seconds + patience));
  let longest = 0;
  let number = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const began = performance.now();
      const status = await post(url + load.path, key, load.body(number++), over);
      statuses[status] = (statuses[status] ?? 0) + 1;
      longest = Math.max(longest, performance.now() - began);
      if (status === "503" || status === "429") await delay(50);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { statuses, longest };
}

async function post(url: string, key: string, body: string, signal: AbortSignal): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  try {
    const answer = await fetch(url, { method: "POST", headers, body, signal });
    await answer.arrayBuffer();
    return String(answer.status);
  } catch (error) {
    return (error as Error).name;
  }
}

if (!isMainThread && workerData?.sending) {
  const { url, key, name, sending } = workerData as { url: string; key: string; name: string; sending: Sending };
  const load = hostileLoads.find((one) => one.name === name) as Hostile;
  parentPort?.postMessage(await send(url, key, load, sending));
}
