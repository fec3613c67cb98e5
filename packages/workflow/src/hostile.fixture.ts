// Expressions and values as somebody would choose them who wants to hold up the service. Written from the language definition of CEL and its list of
// standard functions, not from what this package charges.

/** Whole numbers from 0 up to, not including, `below`. */
export type Random = (below: number) => number;

/** The same numbers for the same seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;

const texts = (random: Random): string => {
  const length = pick(random, [10, 500, 5_000, 40_000]);
  return pick(random, [
    () => `${"a".repeat(length)}!`,
    () => Array.from({ length }, () => (random(2) === 0 ? "a" : "b")).join(""),
    () => "é".repeat(length),
    () => "漢字😀".repeat(length / 4),
    () => "a,".repeat(length / 2),
    () => `${" ".repeat(length)}x`,
    () => "1".repeat(length),
    () => "ab1 ".repeat(length / 4),
  ])();
};

/** What a hostile caller sends as input. */
export function hostileInput(random: Random): Readonly<Record<string, unknown>> {
  const count = pick(random, [3, 100, 2_000]);
  const item = (n: number): unknown => ({
    by: n % 17,
    n,
    item: `item ${n}`,
    tags: ["a", "b", `${n % 5}`],
    text: "x".repeat(20),
  });
  // As JSON has numbers, and as a schema's integers are seen.
  const numberOf = pick<(n: number) => number | bigint>(random, [(n) => n, BigInt]);
  let deep: unknown = 1;
  for (let depth = 0; depth < 50; depth++) deep = random(2) === 0 ? [deep] : { a: deep, b: [deep === 1] };
  return {
    text: texts(random),
    other: texts(random),
    words: Array.from({ length: count }, (_, n) => `word ${n % 50}`),
    numbers: Array.from({ length: count }, (_, n) => numberOf((n * 7919) % 1_000)),
    items: Array.from({ length: count }, (_, n) => item(n)),
    same: Array.from({ length: count }, (_, n) => item(n)),
    table: Array.from({ length: 30 }, (_, row) => Array.from({ length: 30 }, (_, column) => numberOf(row * column))),
    wide: Object.fromEntries(Array.from({ length: pick(random, [5, 3_000, 15_000]) }, (_, n) => [`k${n}`, n])),
    deep,
    twin: JSON.parse(JSON.stringify(deep)) as unknown,
  };
}

const patterns = [
  "(a+)+$",
  "(a|aa)+$",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(.*a){20}",
  ".*a.{60}$",
  "(x+x+)+y",
  "(?i)(\\\\w+\\\\s?)+$",
  "\\\\p{L}+\\\\d{1,40}$",
  "(a?){30}a{30}",
  "(?=a)b",
  "(a)\\\\1",
  "[",
  "a{1000}{1000}",
];
const zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Nowhere/Land"];

type Names = readonly string[];

/** A random expression; `depth` is what may still be nested. */
export function hostileExpression(random: Random, depth = 5): string {
  return new Writer(random).any(depth, []);
}

class Writer {
  readonly #random: Random;
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  #pick<T>(from: readonly T[]): T {
    return pick(this.#random, from);
  }

  #new(): string {
    return `v${this.#names++}`;
  }

  any(depth: number, names: Names): string {
    const write = this.#pick([this.text, this.list, this.bool, this.int, this.map, this.bool, this.list]);
    // Without `dyn` the checker refuses most before anything is evaluated.
    if (this.#random(4) === 0 && depth > 0) return this.#bind(depth, names, write);
    return `dyn(${write.call(this, depth, names)})`;
  }

  /** `cel.bind` doubles what it is given: the next one doubles that. */
  #bind(depth: number, names: Names, write: (depth: number, names: Names) => string): string {
    const made = this.#random(2) === 0 ? this.text : this.list;
    let value = `dyn(${made.call(this, depth - 1, names)})`;
    let isMap = false;
    const rounds = this.#random(12);
    const bound: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const name = this.#new();
      bound.push(`cel.bind(${name}, ${value}, `);
      const shared = [`dyn([${name}, ${name}])`, `dyn({'a': ${name}, 'b': ${name}})`];
      value = this.#pick(isMap ? shared : [`${name} + ${name}`, `${name} + ${name} + ${name}`, ...shared]);
      isMap = value.startsWith("dyn({");
    }
    const last = this.#new();
    const body = this.#random(3) === 0 ? last : write.call(this, depth - 1, [...names, last]);
    return `${bound.join("")}cel.bind(${last}, ${value}, ${body})${")".repeat(rounds)}`;
  }

  text(depth: number, names: Names): string {
    if (depth <= 0)
      return this.#pick(["input.text", "input.other", "'aaaaaaaaaaaaaaaa'", "'b'", "''", ...names.slice(-1)]);
    const inner = (): string => this.text(depth - 1, names);
    return this.#pick([
      () => `(${inner()} + ${inner()})`,
      () => `${inner()}.lowerAscii()`,
      () => `${inner()}.upperAscii()`,
      () => `${inner()}.trim()`,
      () => `${inner()}.substring(1)`,
      () => `dyn(${this.list(depth - 1, names)}).join(${inner()})`,
      () => `${inner()}.split(${inner()}).join(${inner()})`,
      () => `string(${this.any(depth - 1, names)})`,
      () => `bytes(${inner()}).base64()`,
      () => `string(bytes(${inner()}))`,
      () => `(${this.bool(depth - 1, names)} ? ${inner()} : ${inner()})`,
      () => `'${"long literal ".repeat(this.#random(40))}'`,
    ])();
  }

  list(depth: number, names: Names): string {
    if (depth <= 0)
      return this.#pick([
        "input.items",
        "input.same",
        "input.words",
        "input.numbers",
        "input.table",
        "[1, 2, 3]",
        "[]",
        "['a', 'b']",
        ...names.slice(-1),
      ]);
    const [inner, name] = [this.list(depth - 1, names), this.#new()];
    const own = [...names, name];
    return this.#pick([
      () => `${inner}.map(${name}, ${this.any(depth - 1, own)})`,
      () => `${inner}.map(${name}, ${this.bool(depth - 1, own)}, ${this.any(depth - 1, own)})`,
      () => `${inner}.filter(${name}, ${this.bool(depth - 1, own)})`,
      () => `(dyn(${inner}) + dyn(${this.list(depth - 1, names)}))`,
      () => `${this.text(depth - 1, names)}.split(${this.#pick(["''", "','", "'a'", this.text(0, names)])})`,
      () => `[${this.any(depth - 1, names)}, ${this.any(depth - 1, names)}]`,
      () => `best(${inner}, ${this.int(depth - 1, names)})`,
      () => `best(${inner}.map(${name}, {'by': ${name}, 'item': ${name}}), 3)`,
      () => `results(${inner}, {'outputs': ${this.list(depth - 1, names)}, 'completed': 1})`,
    ])();
  }

  bool(depth: number, names: Names): string {
    if (depth <= 0) return this.#pick(["true", "false", "input.deep == input.twin", "input.items == input.same"]);
    const [name, inner] = [this.#new(), () => this.bool(depth - 1, names)];
    const own = [...names, name];
    const quantifier = this.#pick(["exists", "all", "exists_one"]);
    return this.#pick([
      () => `${this.list(depth - 1, names)}.${quantifier}(${name}, ${this.bool(depth - 1, own)})`,
      () => `input.wide.${quantifier}(${name}, ${this.bool(depth - 1, own)})`,
      () => `${this.text(depth - 1, names)}.matches('${this.#pick(patterns)}')`,
      () => `${this.text(depth - 1, names)}.matches(${this.text(depth - 1, names)})`,
      () =>
        `${this.text(depth - 1, names)}.${this.#pick(["contains", "startsWith", "endsWith"])}(${this.text(depth - 1, names)})`,
      () => `(${this.any(depth - 1, names)} ${this.#pick(["==", "!="])} ${this.any(depth - 1, names)})`,
      () => `(${this.any(depth - 1, names)} in ${this.list(depth - 1, names)})`,
      () => `(${this.text(depth - 1, names)} in input.wide)`,
      () => `(${this.int(depth - 1, names)} ${this.#pick(["<", "<=", ">", ">="])} ${this.int(depth - 1, names)})`,
      () => `(${this.text(depth - 1, names)} < ${this.text(depth - 1, names)})`,
      () => `(${inner()} ${this.#pick(["&&", "||"])} ${inner()})`,
      () => `!${inner()}`,
      () => `has(input.${this.#pick(["text", "deep", "absent"])})`,
    ])();
  }

  int(depth: number, names: Names): string {
    if (depth <= 0) return this.#pick(["0", "1", "3", "9223372036854775807", "size(input.text)", "size(input.wide)"]);
    const inner = (): string => this.int(depth - 1, names);
    return this.#pick([
      () => `(${inner()} ${this.#pick(["+", "-", "*", "/", "%"])} ${inner()})`,
      () => `-${inner()}`,
      () => `size(${this.any(depth - 1, names)})`,
      () => `${this.text(depth - 1, names)}.${this.#pick(["indexOf", "lastIndexOf"])}(${this.text(depth - 1, names)})`,
      () => `int(${this.text(depth - 1, names)})`,
      () => `int(double(${this.text(depth - 1, names)}))`,
      () => `now.${this.#pick(["getHours", "getDayOfYear", "getMonth"])}('${this.#pick(zones)}')`,
      () => `timestamp(${this.text(depth - 1, names)}).getFullYear()`,
      () =>
        `duration(${this.#pick([this.text(depth - 1, names), "'1h30m'", `'${"9".repeat(1 + this.#random(300))}'`, `'${"1s".repeat(1 + this.#random(300))}'`, `'${"ms".repeat(1 + this.#random(60))}!'`])}).getSeconds()`,
    ])();
  }

  map(depth: number, names: Names): string {
    if (depth <= 0) return this.#pick(["input.wide", "input.deep", "input.twin", "{}", "input"]);
    return this.#pick([
      () => `{'a': ${this.any(depth - 1, names)}, 'b': ${this.any(depth - 1, names)}}`,
      () => `{${this.text(depth - 1, names)}: ${this.any(depth - 1, names)}}`,
      () => `bytes('{"a": [1, 2, {"b": null}]}').json()`,
      () => `bytes(${this.text(depth - 1, names)}).json()`,
    ])();
  }
}
