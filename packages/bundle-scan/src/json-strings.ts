/** One text in a JSON file: a value, or the name of a member. */
export interface JsonString {
  readonly pointer: string;
  readonly isName: boolean;
  readonly text: string;
  /** Where its first unit stands in the file. */
  readonly start: number;
  readonly end: number;
  /** Whether units of the text and of the file agree, because nothing is escaped. */
  readonly isPlain: boolean;
}

export interface JsonStrings {
  readonly strings: readonly JsonString[];
  /** Offset of each value by its pointer. */
  readonly values: ReadonlyMap<string, number>;
  /** Offsets of names that are given twice in one object. */
  readonly repeated: readonly number[];
}

interface Frame {
  readonly pointer: string;
  readonly names: Set<string> | null;
  name: string;
  index: number;
  wantsName: boolean;
}

/** Bound on nesting, that of JSON bodies of the service. */
export const DEEPEST = 32;

/** All texts of a JSON text that `JSON.parse` accepts, with their places; null where it nests too deeply. One pass. */
export function jsonStrings(json: string): JsonStrings | null {
  const reader = new Reader(json);
  return reader.read() ? reader : null;
}

class Reader implements JsonStrings {
  readonly strings: JsonString[] = [];
  readonly values = new Map<string, number>();
  readonly repeated: number[] = [];
  private readonly stack: Frame[] = [];
  private readonly json: string;

  constructor(json: string) {
    this.json = json;
  }

  read(): boolean {
    for (let at = 0; at < this.json.length; at++) {
      const char = this.json[at]!;
      const frame = this.stack.at(-1);
      if (char === '"') at = this.text(at);
      else if (char === "{" || char === "[") {
        if (this.stack.length >= DEEPEST) return false;
        this.open(char === "{", at);
      } else if (char === "}" || char === "]") this.stack.pop();
      else if (char === "," && frame) this.next(frame);
      else if (/[-0-9tfn]/.test(char)) at = this.literal(at);
    }
    return true;
  }

  private next(frame: Frame): void {
    frame.index++;
    frame.wantsName = frame.names !== null;
  }

  private open(isObject: boolean, at: number): void {
    const pointer = this.pointer();
    this.values.set(pointer, at);
    this.stack.push({ pointer, names: isObject ? new Set() : null, name: "", index: 0, wantsName: isObject });
  }

  private literal(start: number): number {
    this.values.set(this.pointer(), start);
    let at = start;
    while (at + 1 < this.json.length && /[-+.0-9a-zA-Z]/.test(this.json[at + 1]!)) at++;
    return at;
  }

  private text(open: number): number {
    let close = open + 1;
    let isPlain = true;
    for (; this.json[close] !== '"'; close++)
      if (this.json[close] === "\\") {
        isPlain = false;
        close++;
      }
    const text = isPlain ? this.json.slice(open + 1, close) : String(JSON.parse(this.json.slice(open, close + 1)));
    const frame = this.stack.at(-1);
    const isName = frame?.wantsName === true;
    if (frame && isName) this.name(frame, text, open);
    const pointer = this.pointer();
    if (!isName) this.values.set(pointer, open);
    this.strings.push({ pointer, isName, text, start: open + 1, end: close, isPlain });
    return close;
  }

  private name(frame: Frame, name: string, at: number): void {
    if (frame.names!.has(name)) this.repeated.push(at);
    frame.names!.add(name);
    frame.name = name;
    frame.wantsName = false;
  }

  private pointer(): string {
    const frame = this.stack.at(-1);
    if (frame === undefined) return "";
    const token = frame.names === null ? String(frame.index) : frame.name.replaceAll("~", "~0").replaceAll("/", "~1");
    return `${frame.pointer}/${token}`;
  }
}

/** The offset in the file of a unit of a decoded text. */
export function offsetIn(json: string, one: JsonString, unit: number): number {
  if (one.isPlain) return one.start + unit;
  let at = one.start;
  for (let left = unit; left > 0 && at < one.end; left--) at += json[at] !== "\\" ? 1 : json[at + 1] === "u" ? 6 : 2;
  return at;
}
