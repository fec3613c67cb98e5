import { setTimeout as after } from "node:timers/promises";
import { type Flag, lastOf, type Parsed } from "./flags.ts";
import type { Service } from "./http.ts";
import type { Progress } from "./output/progress.ts";
import { timeOf } from "./output/text.ts";
import { CommandError, painter, printable, type Terminal } from "./terminal.ts";

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
export const heldIn = (body: unknown): Held | null => (body as { held_by?: Held | null } | null)?.held_by ?? null;

const ofPeople: ReadonlySet<string> = new Set(["approval", "question"]);
/** Whether people are asked. */
export const asksPeople = ({ kind }: Held): boolean => ofPeople.has(kind);

/** What is asked or what holds, the page where people see to it, and what to do. */
export function heldLines({ text, since, lifted_by, remedy, url }: Held, terminal: Terminal): string[] {
  const paint = painter(terminal);
  return [
    `${paint.changed("held")}  ${printable(text)}`,
    `      ${url}`,
    paint.faint(`      ${printable(remedy)} Needs ${lifted_by}${since === null ? "" : `; since ${timeOf(since)}`}.`),
  ];
}

/** Prints on standard error what holds the work that the command waits for. */
export const sayHeld =
  (terminal: Terminal, progress: Progress) =>
  (held: Held | null): void => {
    progress.done();
    terminal.stderr.write(`${held ? heldLines(held, terminal).join("\n") : "Goes on."}\n`);
  };

export const onQuestionFlag: Flag = {
  name: "on-question",
  takes: "<wait|exit>",
  values: ["wait", "exit"],
  description: "when people are asked: wait for them, the default, or exit with status 3",
};

/** Whether the command ends where people are asked. */
export function leavesOnQuestion(parsed: Parsed): boolean {
  const given = lastOf(parsed, "on-question") ?? "wait";
  if (given !== "wait" && given !== "exit")
    throw new CommandError(`--on-question takes wait or exit, not ${JSON.stringify(given)}.`);
  return given === "exit";
}

/** People are asked, and the command does not wait for them. */
export class PeopleAsked extends Error {
  override readonly name = "PeopleAsked";
}

/** Calls back with what holds work whenever that is another; null: nothing any more. */
export function holdTeller(tell: (held: Held | null) => void): (held: Held | null) => void {
  let told: string | null = null;
  return (held) => {
    const now = held && `${held.kind} ${held.source} ${held.text}`;
    if (now !== told) tell(held);
    told = now;
  };
}

interface Watching {
  readonly service: Service;
  /** Where what is held is read. */
  readonly path: string;
  readonly tell: (held: Held | null) => void;
  /** Whether to end where people are asked. */
  readonly leaves: boolean;
}

/** Milliseconds between two looks at what holds work: its events do not tell of everything that can. */
const lookEvery = 2_000;

/** Follows work, and tells what holds it meanwhile. Throws PeopleAsked where people are asked and the command does not wait for them. */
export async function whileHeld<T>(
  { service, path, tell, leaves }: Watching,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const [done, asked] = [new AbortController(), new AbortController()];
  const say = holdTeller(tell);
  const looking = (async () => {
    while (!done.signal.aborted) {
      const { body } = await service.call("GET", path);
      const held = heldIn(body);
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
