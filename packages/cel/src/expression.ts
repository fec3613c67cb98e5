import type { ASTNode, Environment, ParseResult } from "@marcbachmann/cel-js";
import type { Budget } from "./budget.ts";
import { meterRoot, within } from "./meter.ts";

/** UTF-16 units and values of a result, once shared parts are written out: it is stored as JSON. */
const LARGEST_RESULT = 8 * 1024 * 1024;

/**
 * An expression that was parsed. It is made by {@link Expression.parse} alone, and evaluated only within a {@link Budget}: there is no way to it without a bound.
 */
export class Expression {
  readonly source: string;
  readonly root: ASTNode;
  readonly #program: ParseResult;

  private constructor(source: string, program: ParseResult) {
    this.source = source;
    this.#program = program;
    this.root = program.ast;
    meterRoot(program.ast);
  }

  /** Throws the parser's error, whose `summary` says what is wrong. */
  static parse(environment: Environment, source: string): Expression {
    return new Expression(source, environment.parse(source));
  }

  /**
   * What it comes to with these names, as JSON. Throws `TooCostly` or `NeedsThread` where that is beyond the budget, whatever the expression does with errors,
   * and else what is wrong with its values.
   */
  evaluate(names: Readonly<Record<string, unknown>>, budget: Budget): unknown {
    budget.begin();
    // The library may keep what it is given for as long as it keeps the expression.
    const given = new Map<string, unknown>();
    for (const name of Object.keys(names)) given.set(name, names[name]);
    try {
      const value = within(budget, () => toJson(this.#program(given), budget));
      budget.check();
      return value;
    } catch (error) {
      budget.check();
      throw error;
    } finally {
      given.clear();
    }
  }
}

/** Values of CEL as JSON: whole numbers and timestamps as people write them. */
function toJson(value: unknown, budget: Budget): unknown {
  const size = { left: LARGEST_RESULT };
  const convert = (one: unknown): unknown => {
    const length = typeof one === "string" ? one.length : 1;
    budget.spend(2 + (length >>> 4), null);
    size.left -= length;
    if (size.left < 0) budget.refuseResult();
    if (typeof one === "bigint") return Number(one);
    if (typeof one !== "object" || one === null) return one;
    if (one instanceof Date) return one.toISOString();
    if (one instanceof Uint8Array) return convert(Buffer.from(one).toString("base64"));
    if (Array.isArray(one)) return one.map(convert);
    const entries = one instanceof Map ? [...one] : Object.entries(one);
    budget.spend(8 * entries.length, null);
    return Object.fromEntries(entries.map(([name, member]) => [String(name), convert(member)]));
  };
  return convert(value);
}
