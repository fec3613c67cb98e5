import { escapeToken } from "@aos/strict-json";
import { type DataClass, type DataKind, dataClassOf, dataKinds, type Finding, maximumClass } from "./classes.ts";
import { scanText } from "./scan-text.ts";

/** A finding in a JSON value. */
export interface JsonFinding extends Finding {
  /** JSON Pointer (RFC 6901) of the string, the number, or the member whose name it stands in. A pointer shows names; one that leads to a name with a finding shows the finding. */
  readonly pointer: string;
  /** Whether it stands in a value or in the name of a member. Positions in a number are those in its decimal text. */
  readonly in: "value" | "name";
}

export interface JsonScan {
  /** In the order of the document, at most as many as the caller wants. */
  readonly findings: readonly JsonFinding[];
  /** How many there are, listed or not. */
  readonly count: number;
  readonly kinds: readonly DataKind[];
  /** The most protected class of what was found; public when nothing was. */
  readonly data_class: DataClass;
  /** False when not everything was read, because the value is larger or deeper than the limits: then treat what is left as the caller's rules say. */
  readonly complete: boolean;
}

export interface ScanJsonLimits {
  /** The most findings that are listed; all are counted. */
  readonly findings: number;
  /** The most units that are read of all strings and names together. */
  readonly characters: number;
  /** The most levels of arrays and objects. */
  readonly depth: number;
}

export const startScanLimits: ScanJsonLimits = { findings: 100, characters: 4_000_000, depth: 200 };

/** Below this a number can be neither a card nor a telephone number nor a national id. */
export const LEAST_NUMBER = 100_000_000;

/** Finds data in the strings, whole numbers and member names of a JSON value, each read once. What JSON does not have (functions, undefined) is passed over. */
export function scanJson(value: unknown, limits: Partial<ScanJsonLimits> = {}): JsonScan {
  const walk = new Walk(limits);
  walk.value(value, "", 0);
  return walk.result();
}

const none: readonly DataKind[] = [];

class Walk {
  private readonly most: number;
  private readonly depth: number;
  private readonly findings: JsonFinding[] = [];
  private readonly kinds: DataKind[] = [];
  private readonly path: (string | number)[] = [];
  private count = 0;
  /** How many units may still be read. */
  private left: number;
  private complete = true;

  constructor(limits: Partial<ScanJsonLimits>) {
    this.most = limits.findings ?? startScanLimits.findings;
    this.depth = limits.depth ?? startScanLimits.depth;
    this.left = limits.characters ?? startScanLimits.characters;
  }

  result(): JsonScan {
    const { findings, count, complete } = this;
    if (count === 0) return { findings, count, kinds: none, data_class: "public", complete };
    const kinds = dataKinds.filter((kind) => this.kinds.includes(kind));
    return { findings, count, kinds, data_class: maximumClass(kinds.map(dataClassOf)), complete };
  }

  value(value: unknown, name: string, depth: number): void {
    if (typeof value === "string") this.text(value, name, "value", false);
    else if (typeof value === "number") {
      if (Number.isSafeInteger(value) && value >= LEAST_NUMBER) this.text(String(value), name, "value", true);
    } else if (typeof value === "object" && value !== null) {
      if (depth >= this.depth) this.complete = false;
      else if (Array.isArray(value)) this.elements(value, name, depth + 1);
      else this.members(value, depth + 1);
    }
  }

  private elements(values: readonly unknown[], name: string, depth: number): void {
    for (let index = 0; index < values.length; index++) {
      this.path.push(index);
      this.value(values[index], name, depth);
      this.path.pop();
    }
  }

  private members(members: object, depth: number): void {
    for (const name of Object.keys(members)) {
      this.path.push(name);
      this.text(name, "", "name", false);
      this.value((members as Record<string, unknown>)[name], name, depth);
      this.path.pop();
    }
  }

  private text(text: string, name: string, place: JsonFinding["in"], wordsOnly: boolean): void {
    const whole = text.length <= this.left;
    if (!whole) this.complete = false;
    const read = whole ? text : text.slice(0, this.left);
    this.left -= read.length;
    const found = scanText(read, name, wordsOnly);
    if (found.length === 0) return;
    const pointer = this.path.map((token) => `/${typeof token === "number" ? token : escapeToken(token)}`).join("");
    for (const one of found) {
      this.count++;
      if (!this.kinds.includes(one.kind)) this.kinds.push(one.kind);
      if (this.findings.length < this.most) this.findings.push({ ...one, pointer, in: place });
    }
  }
}
