/**
 * Lets a text out up to the stop text that is whole first. What may be the beginning of one is held back, so that the result does not depend on the pieces in which
 * the text comes.
 */
export class StopTexts {
  readonly #stops: readonly string[];
  #held = "";
  #stopped = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Returns what can be sent by now. */
  take(text: string): string {
    if (this.#stopped) return "";
    const all = this.#held + text;
    const stop = this.#first(all);
    this.#stopped = stop !== undefined;
    const end = stop ?? all.length - this.#begun(all);
    this.#held = this.#stopped ? "" : all.slice(end);
    return all.slice(0, end);
  }

  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }

  /** Where the stop text begins that ends first; of two that end together the longer one. */
  #first(text: string): number | undefined {
    const found = this.#stops.flatMap((stop) => {
      const at = text.indexOf(stop);
      return at < 0 ? [] : [{ at, end: at + stop.length }];
    });
    return found.sort((a, b) => a.end - b.end || a.at - b.at)[0]?.at;
  }

  /** How many characters at the end may begin a stop text. */
  #begun(text: string): number {
    const lengths = this.#stops.map((stop) => {
      for (let length = Math.min(stop.length - 1, text.length); length > 0; length--)
        if (text.endsWith(stop.slice(0, length))) return length;
      return 0;
    });
    return Math.max(0, ...lengths);
  }
}
