import { hasAtMost } from "@aos/text";
/**
 * Regular expressions of users, matched in linear time. A pattern in a schema of a user's runs on other people's input, and a backtracking
 * engine can be made to take exponential time by both together (also without nested quantifiers: `^(a|a)*$`, `a*a*b`). Therefore patterns are
 * simulated as automata with remembered state sets (Thompson 1968; a lazily built DFA), which costs at most text × pattern. Only patterns that cannot
 * backtrack more than that go to the native engine. Lookaround, back-references and word boundaries are refused.
 */
export interface LinearPattern {
  readonly source: string;
  /** Whether the pattern matches anywhere in the text (as JSON Schema wants). False for texts of more than LONGEST_TEXT characters. */
  test(text: string): boolean;
}

/** A pattern that is not accepted; the message says why and what to do, for the author of the schema. */
export class PatternRefused extends Error {}

export const LONGEST_PATTERN = 512;
/** In UTF-16 units. */
export const LONGEST_TEXT = 16_384;
const MOST_REPEATS = 1000;
const MOST_INSTRUCTIONS = 600;
const MOST_STATES = 500;
const MOST_TRANSITIONS = 5000;

/** Compiles a pattern with the meaning that ECMAScript gives it under the flag `u`. Throws PatternRefused. */
export function compileLinearPattern(source: string): LinearPattern {
  if (source.length > LONGEST_PATTERN)
    throw new PatternRefused(`a pattern may have at most ${LONGEST_PATTERN} characters`);
  let native: RegExp;
  try {
    native = new RegExp(source, "u");
  } catch {
    throw new PatternRefused("this is no valid regular expression (ECMAScript, flag u)");
  }
  const tree = new Parser(source).parse();
  const test = cannotBacktrack(source) ? (text: string) => native.test(text) : matcher(compile(tree));
  return { source, test: (text) => hasAtMost(LONGEST_TEXT, text) && test(text) };
}

/**
 * Whether even a backtracking engine needs at most text × pattern steps: no groups and no alternatives, and no quantifier, or one in a pattern
 * that can only begin at the start of the text.
 */
function cannotBacktrack(source: string): boolean {
  const bare = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, "x");
  if (/[(|]/.test(bare)) return false;
  const quantifiers = bare.match(/[*+?]|\{\d/g)?.length ?? 0;
  return quantifiers === 0 || (quantifiers === 1 && bare.startsWith("^"));
}

type Node =
  | { readonly kind: "atom"; readonly source: string }
  | { readonly kind: "start" | "end" }
  | { readonly kind: "sequence" | "alternatives"; readonly nodes: readonly Node[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly least: number; readonly most: number };

const ATOM =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|.)|./suy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;

/** Reads a pattern whose syntax the native engine has already accepted. */
class Parser {
  private readonly source: string;
  private at = 0;

  constructor(source: string) {
    this.source = source;
  }

  parse(): Node {
    return this.alternatives();
  }

  private alternatives(): Node {
    const nodes = [this.sequence()];
    while (this.source[this.at] === "|") {
      this.at++;
      nodes.push(this.sequence());
    }
    return nodes.length === 1 ? nodes[0]! : { kind: "alternatives", nodes };
  }

  private sequence(): Node {
    const nodes: Node[] = [];
    while (this.at < this.source.length && this.source[this.at] !== "|" && this.source[this.at] !== ")")
      nodes.push(this.quantified());
    return { kind: "sequence", nodes };
  }

  private quantified(): Node {
    const node = this.term();
    QUANTIFIER.lastIndex = this.at;
    const match = QUANTIFIER.exec(this.source);
    if (match === null) return node;
    this.at = QUANTIFIER.lastIndex;
    const [, sign, from, comma, to] = match;
    const least = sign === undefined ? Number(from) : sign === "+" ? 1 : 0;
    const bounded =
      sign === undefined
        ? comma === ""
          ? least
          : to === ""
            ? Number.POSITIVE_INFINITY
            : Number(to)
        : Number.POSITIVE_INFINITY;
    const most = sign === "?" ? 1 : bounded;
    if (least > MOST_REPEATS || (most > MOST_REPEATS && most !== Number.POSITIVE_INFINITY)) {
      throw new PatternRefused(
        `a counted repetition may go up to ${MOST_REPEATS}; use minLength and maxLength instead`,
      );
    }
    return { kind: "repeat", node, least, most };
  }

  private term(): Node {
    if (this.source[this.at] === "(") return this.group();
    if (this.source[this.at] === "^" || this.source[this.at] === "$")
      return { kind: this.source[this.at++] === "^" ? "start" : "end" };
    ATOM.lastIndex = this.at;
    const source = ATOM.exec(this.source)![0];
    this.at = ATOM.lastIndex;
    if (/^\\[1-9k]/.test(source))
      throw new PatternRefused("back-references are not allowed, because they cannot be matched in linear time");
    if (/^\\[bB]$/.test(source))
      throw new PatternRefused(
        "word boundaries (\\b, \\B) are not allowed; name the characters around the word instead",
      );
    return { kind: "atom", source };
  }

  private group(): Node {
    const head = /\((?:\?:|\?<(?![=!])[^>]*>|(?!\?))/y;
    head.lastIndex = this.at;
    if (!head.test(this.source))
      throw new PatternRefused(
        "lookahead, lookbehind and modifiers are not allowed; split the rule into several patterns with allOf",
      );
    this.at = head.lastIndex;
    const node = this.alternatives();
    this.at++;
    return node;
  }
}

type Instruction =
  | { readonly op: "char"; readonly atom: number }
  | { op: "split"; a: number; b: number }
  | { op: "jump"; to: number }
  | { readonly op: "start" | "end" | "match" };

interface Program {
  readonly code: readonly Instruction[];
  /** One native expression for each different character class or character of the pattern; applied to single code points only. */
  readonly atoms: readonly RegExp[];
}

function compile(tree: Node): Program {
  const code: Instruction[] = [];
  const atoms = new Map<string, number>();
  let steps = 0;

  function emit(node: Node): void {
    if (code.length >= MOST_INSTRUCTIONS || ++steps > 10 * MOST_INSTRUCTIONS) {
      throw new PatternRefused(
        "the pattern is too large once its repetitions are written out; use fewer or smaller counts",
      );
    }
    if (node.kind === "atom") {
      if (!atoms.has(node.source)) atoms.set(node.source, atoms.size);
      code.push({ op: "char", atom: atoms.get(node.source)! });
    } else if (node.kind === "sequence") node.nodes.forEach(emit);
    else if (node.kind === "alternatives") emitAlternatives(node.nodes);
    else if (node.kind === "repeat") emitRepeat(node.node, node.least, node.most);
    else code.push({ op: node.kind });
  }

  function emitAlternatives(nodes: readonly Node[]): void {
    const jumps: { op: "jump"; to: number }[] = [];
    for (const node of nodes.slice(0, -1)) {
      const split = { op: "split" as const, a: code.length + 1, b: 0 };
      const jump = { op: "jump" as const, to: 0 };
      code.push(split);
      emit(node);
      code.push(jump);
      jumps.push(jump);
      split.b = code.length;
    }
    emit(nodes[nodes.length - 1]!);
    for (const jump of jumps) jump.to = code.length;
  }

  function emitRepeat(node: Node, least: number, most: number): void {
    for (let count = 0; count < least; count++) emit(node);
    if (most === Number.POSITIVE_INFINITY) {
      const split = { op: "split" as const, a: code.length + 1, b: 0 };
      const start = code.push(split) - 1;
      emit(node);
      code.push({ op: "jump", to: start });
      split.b = code.length;
      return;
    }
    const splits: { op: "split"; a: number; b: number }[] = [];
    for (let count = least; count < most; count++) {
      const split = { op: "split" as const, a: code.length + 1, b: 0 };
      code.push(split);
      splits.push(split);
      emit(node);
    }
    for (const split of splits) split.b = code.length;
  }

  emit(tree);
  code.push({ op: "match" });
  return { code, atoms: [...atoms.keys()].map((source) => new RegExp(`^(?:${source})$`, "u")) };
}

/** A set of places in the program, closed under steps that read nothing. */
interface State {
  /** Places that read a character or wait for the end. */
  readonly places: readonly number[];
  readonly first: boolean;
  /** Whether a match has been reached, whatever follows. */
  readonly matched: boolean;
  /** Whether a match is reached if the text ends here; worked out when first asked. */
  matchedAtEnd: boolean | null;
  readonly next: Map<number, State>;
}

function matcher({ code, atoms }: Program): (text: string) => boolean {
  const initial = closure([0], true, false);
  let states = new Map<string, State>();
  let transitions = 0;

  function closure(from: readonly number[], first: boolean, last: boolean): State {
    const seen = new Uint8Array(code.length);
    const stack = [...from];
    const places: number[] = [];
    let matched = false;
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      if (seen[place] === 1) continue;
      seen[place] = 1;
      const step = code[place]!;
      if (step.op === "split") stack.push(step.a, step.b);
      else if (step.op === "jump") stack.push(step.to);
      else if (step.op === "match") matched = true;
      else if (step.op === "char") places.push(place);
      else if (step.op === "start" ? first : last) stack.push(place + 1);
      else if (step.op === "end") places.push(place);
    }
    places.sort((a, b) => a - b);
    return { places, first, matched, matchedAtEnd: null, next: new Map() };
  }

  function follow(state: State, char: number): State {
    const text = String.fromCodePoint(char);
    const fits = atoms.map((atom) => atom.test(text));
    const after: number[] = [0];
    for (const place of state.places) {
      const step = code[place]!;
      if (step.op === "char" && fits[step.atom]) after.push(place + 1);
    }
    const reached = closure(after, false, false);
    const key = `${reached.matched}${reached.places.join()}`;
    if (states.size >= MOST_STATES || transitions >= MOST_TRANSITIONS) {
      // Forget and begin again: memory stays bounded, and each step still costs one pass over the pattern at most.
      states = new Map();
      transitions = 0;
      initial.next.clear();
      state.next.clear();
    }
    const known = states.get(key) ?? reached;
    states.set(key, known);
    state.next.set(char, known);
    transitions++;
    return known;
  }

  return (text) => {
    let state = initial;
    for (let at = 0; at < text.length && !state.matched; at++) {
      const char = text.codePointAt(at)!;
      if (char > 0xffff) at++;
      state = state.next.get(char) ?? follow(state, char);
    }
    if (state.matched) return true;
    state.matchedAtEnd ??= closure(state.places, state.first, true).matched;
    return state.matchedAtEnd;
  };
}
