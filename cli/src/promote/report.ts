import { columnsOf, wrapped } from "../output/text.ts";
import { type Painter, painter, printable, type Terminal } from "../terminal.ts";

/** `already`: nothing to do. `would`: a real run would do it. `missing`, `refused`: nothing is deployed before `next` is done. */
export type StepState = "already" | "done" | "would" | "missing" | "refused";

export interface Step {
  readonly step: string;
  readonly state: StepState;
  readonly detail: string;
  /** Commands to type next. */
  readonly next: readonly string[];
}

export class Report {
  readonly steps: Step[] = [];
  readonly #terminal: Terminal;
  readonly #json: boolean;
  readonly #paint: Painter;

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal;
    this.#json = json;
    this.#paint = painter(terminal);
  }

  get blocked(): boolean {
    return this.steps.some(({ state }) => state === "missing" || state === "refused");
  }

  add(step: string, state: StepState, detail: string, next: readonly string[] = []): void {
    const entry: Step = { step, state, detail, next };
    this.steps.push(entry);
    if (!this.#json) this.#terminal.stdout.write(`${this.#linesOf(entry).join("\n")}\n`);
  }

  #linesOf({ step, state, detail, next }: Step): string[] {
    const { added, removed, changed, faint, strong } = this.#paint;
    const colour = { already: faint, done: added, would: changed, missing: removed, refused: removed }[state];
    const indent = 23;
    const width = Math.max(40, (columnsOf(this.#terminal) ?? 120) - indent);
    const [first = "", ...rest] = wrapped(printable(detail), width);
    return [
      `  ${step.padEnd(11)}  ${colour(state.padEnd(8))}${first}`,
      ...rest.map((line) => " ".repeat(indent) + line),
      ...next.map((line) => `${" ".repeat(indent)}${strong(printable(line))}`),
    ];
  }
}
