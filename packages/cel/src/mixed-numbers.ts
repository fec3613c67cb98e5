import type { Environment } from "@marcbachmann/cel-js";

type Calculate = (left: number, right: number) => number;

const arithmetic: Readonly<Record<string, Calculate>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
};

/**
 * Lets an int meet a double in `+ - * /` (a double results) and in `==` and `!=`; CEL itself has only the comparisons by order. There is no `%` of doubles.
 */
export function allowMixedNumbers(environment: Environment): Environment {
  for (const [operator, calculate] of Object.entries(arithmetic)) {
    const handler = (left: bigint | number, right: bigint | number): number => calculate(Number(left), Number(right));
    environment.registerOperator(`int ${operator} double: double`, handler);
    environment.registerOperator(`double ${operator} int: double`, handler);
  }
  return environment.registerOperator("int == double: bool", isEqual);
}

/** A type of the library's checker. */
interface CheckedType {
  readonly kind: string;
  readonly name: string;
  readonly valueType?: CheckedType;
}

/**
 * Two lists one after the other, where the library says that all their members are doubles although it knows the type of one list only: ints of the other become doubles.
 * `undefined`: the type says no such thing. `spend`: charges units of work.
 */
export function sumOfDoubles<Sum extends (...given: unknown[]) => unknown>(
  type: unknown,
  sum: Sum,
  spend: (units: number) => void,
): Sum | undefined {
  const { kind, name } = (type ?? {}) as Partial<CheckedType>;
  if (kind !== "list" || !name?.includes("double")) return undefined;
  return ((...given: unknown[]) => toDoubles(type as CheckedType, sum(...given), spend)) as Sum;
}

function toDoubles({ kind, name, valueType }: CheckedType, value: unknown, spend: (units: number) => void): unknown {
  if (name === "double") return typeof value === "bigint" ? Number(value) : value;
  if (!name.includes("double") || !valueType || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    if (kind !== "list") return value;
    spend(2 * value.length);
    return value.map((one) => toDoubles(valueType, one, spend));
  }
  if (kind !== "map") return value;
  const entries = Object.entries(value);
  spend(8 * entries.length);
  return Object.fromEntries(entries.map(([key, one]) => [key, toDoubles(valueType, one, spend)]));
}

/** Compares values, without rounding the int. */
function isEqual(left: unknown, right: unknown): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: `===` never holds between a bigint and a number.
  return left == right;
}
