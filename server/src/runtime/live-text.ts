import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";
import type { Tell, Telling, Told } from "../kernel/chat-turn.ts";

/** The least pause between two pieces of a text that are sent (milliseconds). */
const coalesceMs = 50;

/** Tells the text of one step of a run while a model writes it: the first piece at once, then what came in a while. */
export class LiveText {
  readonly #tell: Tell;
  readonly #step: number;
  readonly #over = new AbortController();
  #waiting: Told[];
  #telling: Promise<void> | null = null;
  #outcome: Telling = { kind: "told", text: null };

  constructor(tell: Tell, step: number) {
    this.#tell = tell;
    this.#step = step;
    this.#waiting = [{ kind: "begin", step }];
  }

  readonly take = (text: string): void => {
    const last = this.#waiting.at(-1);
    if (last?.kind === "text") this.#waiting[this.#waiting.length - 1] = { ...last, text: last.text + text };
    else this.#waiting.push({ kind: "text", step: this.#step, text });
    if (this.#telling) return;
    this.#telling = this.#run();
    this.#telling.catch(() => undefined); // whoever ends the text hears of it
  };

  /** Tells the rest. `text`: all of it, as it was let out. */
  async end(): Promise<Telling> {
    this.#over.abort();
    await this.#telling;
    if (this.#outcome.kind !== "told") return this.#outcome;
    return this.#tell([...this.#waiting.splice(0), { kind: "end", step: this.#step }]);
  }

  /** Stops telling, since the step broke off. */
  async stop(): Promise<void> {
    this.#over.abort();
    await this.#telling?.catch(() => undefined);
  }

  async #run(): Promise<void> {
    const { signal } = this.#over;
    await immediate(); // what a model says in one go is one piece
    while (this.#waiting.length > 0 && this.#outcome.kind === "told" && !signal.aborted) {
      const began = performance.now();
      this.#outcome = await this.#tell(this.#waiting.splice(0));
      const left = began + coalesceMs - performance.now();
      if (left > 0) await delay(left, undefined, { signal }).catch(() => undefined);
    }
    this.#telling = null;
  }
}
