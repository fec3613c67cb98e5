import { setTimeout as after } from "node:timers/promises";
import { Option, type OptionValues } from "commander";
import type { Service } from "./http.ts";
import type { Progress } from "./output/progress.ts";
import { timeOf } from "./output/text.ts";
import { painter, printable, type Terminal } from "./terminal.ts";

/** What holds work until somebody acts (`Hold` of the interface). */
export interface Held {
  readonly kind: string;
  readonly source: string;
  readonly text: string;
  readonly since: string | null;
  readonly lifted_by: string;
  readonly remedy: string;
  readonly url: string;
}

/** What holds what an answer is about; null: nothing. */
export const holdIn = (body: unknown): Held | null => (body as { held_by?: Held | null } | null)?.held_by ?? null;

const ofPeople: ReadonlySet<string> = new Set(["approval", "question"]);
export const asksPeople = ({ kind }: Held): boolean => ofPeople.has(kind);

/** What is asked or what holds, the page where people see to it, and what to do. */
export function holdLines({ text, since, lifted_by, remedy, url }: Held, terminal: Terminal): string[] {
  const paint = painter(terminal);
  return [
    `${paint.changed("held")}  ${printable(text)}`,
    `      ${url}`,
    paint.faint(`      ${printable(remedy)} Needs ${lifted_by}${since === null ? "" : `; since ${timeOf(since)}`}.`),
  ];
}

/** Prints on standard error what holds the work that the command waits for. */
export const writeHold =
  (terminal: Terminal, progress: Progress) =>
  (held: Held | null): void => {
    progress.done();
    terminal.stderr.write(`${held ? holdLines(held, terminal).join("\n") : "Goes on."}\n`);
  };

export const onQuestionOption = (): Option =>
  new Option(
    "--on-question <what>",
    "when people are asked: wait for them, the default, or exit with status 3",
  ).choices(["wait", "exit"]);

export const leavesOnQuestion = ({ onQuestion }: OptionValues): boolean => onQuestion === "exit";

/** People are asked, and the command does not wait for them. */
export class PeopleAsked extends Error {
  override readonly name = "PeopleAsked";
}

/** Calls back whenever the hold changes; null when it is lifted. */
export function onHoldChange(tell: (held: Held | null) => void): (held: Held | null) => void {
  let told: string | null = null;
  return (held) => {
    const now = held && `${held.kind} ${held.source} ${held.text}`;
    if (now !== told) tell(held);
    told = now;
  };
}

interface Watching {
  readonly service: Service;
  readonly path: string;
  readonly tell: (held: Held | null) => void;
  readonly leaves: boolean;
}

/** Milliseconds between two reads of the hold: not every hold sends an event. */
const lookEvery = 2_000;

/** Follows work and reports its holds. Throws PeopleAsked if people are asked and the command does not wait for them. */
export async function whileHeld<T>(
  { service, path, tell, leaves }: Watching,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const [done, asked] = [new AbortController(), new AbortController()];
  const say = onHoldChange(tell);
  const looking = (async () => {
    while (!done.signal.aborted) {
      const { body } = await service.call("GET", path);
      const held = holdIn(body);
      if (done.signal.aborted) return;
      say(held);
      if (leaves && held && asksPeople(held)) return asked.abort(new PeopleAsked());
      await after(lookEvery, undefined, { signal: done.signal });
    }
  })().catch(() => undefined); // what follows the work tells of a service that cannot be reached
  try {
    return await work(asked.signal);
  } finally {
    done.abort();
    await looking;
  }
}
