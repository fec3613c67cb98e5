import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import type { Budget } from "./budget.ts";
import {
  type Bill,
  type Charge,
  chargeOperator,
  chargeRange,
  charges,
  chargeTyping,
  ERROR_COST,
  isExceeding,
  matches,
  OperationFault,
  OVERFLOW_COST,
} from "./charges.ts";
import { sumOfDoubles } from "./mixed-numbers.ts";
import { compile, type Pattern, PatternRefused } from "./pattern.ts";
import { TYPED_LEVELS } from "./size.ts";

// The only maker of environments: every node that one evaluates is charged to the budget of the evaluation, and without a budget nothing is evaluated.

type Limits = NonNullable<NonNullable<ConstructorParameters<typeof Environment>[0]>["limits"]>;

/** A function that expressions may call besides those of CEL, as cel-js writes signatures, with what a call costs. */
export interface CostedFunction {
  readonly signature: string;
  readonly handler: (...given: never[]) => unknown;
  readonly cost: Charge;
}

export interface EnvironmentOptions {
  /** Whether names that nobody declared are of any type; else they are errors. */
  readonly unlistedVariablesAreDyn: boolean;
  /** Bounds of the parser. */
  readonly limits: Limits;
  readonly functions: readonly CostedFunction[];
}

interface Evaluator {
  run(node: Node, context: unknown): unknown;
  tryEval(node: Node, context: unknown): unknown;
  debugType(value: unknown): unknown;
  debugTypeDeep(value: unknown): unknown;
}

/** What the library keeps at a node besides its declared members, once the node was checked. */
type Handle = (...given: unknown[]) => unknown;
type Node = ASTNode & {
  handle?: Handle;
  units?: number;
  readonly checkedType?: unknown;
  evaluate(evaluator: Evaluator, node: Node, context: unknown): unknown;
  readonly meta: { readonly alternate?: Node; readonly macro?: Macro; readonly evaluate: Node["evaluate"] };
};
type Macro = Node & { readonly bindCtx?: Variable };

/** Where a loop or `cel.bind` has its variable. The library keeps it with the expression, so its values would live as long. */
interface Variable {
  iterValue: unknown;
  accuValue: unknown;
}

let current: Budget | null = null;

function budgetNow(): Budget {
  if (current === null) throw new Error("An expression is evaluated without a budget.");
  return current;
}

/** Evaluates within a budget. Expressions do not evaluate others. */
export function within<T>(budget: Budget, evaluate: () => T): T {
  current = budget;
  try {
    return evaluate();
  } finally {
    current = null;
  }
}

/** An environment whose evaluations are counted. */
export function createEnvironment({ functions, ...options }: EnvironmentOptions): Environment {
  const environment = new Environment({ ...options, homogeneousAggregateLiterals: false, enableOptionalTypes: false });
  const own = new Map(charges);
  for (const { signature, handler, cost } of functions) {
    environment.registerFunction(signature, handler as (...given: unknown[]) => unknown, { async: false });
    own.set(/(\w+)\(/.exec(signature)?.[1] as string, cost);
  }
  const evaluator = evaluatorOf(environment);
  meterRuns(evaluator, (node) => prepare(node, own));
  boundTypes(evaluator);
  return environment;
}

/** The library's evaluator calls functions with itself as `this`. */
function evaluatorOf(environment: Environment): Evaluator {
  const found: Evaluator[] = [];
  environment.registerFunction(
    "evaluator_(): bool",
    function (this: Evaluator) {
      found.push(this);
      return true;
    },
    { async: false },
  );
  environment.evaluate("evaluator_()");
  return found[0] as Evaluator;
}

/** Both ways in which the library evaluates a node below another one. */
function meterRuns(evaluator: Evaluator, prepareNode: (node: Node) => number): void {
  evaluator.run = function run(this: Evaluator, node: Node, context: unknown): unknown {
    const budget = current ?? budgetNow();
    budget.used += node.units ?? prepareNode(node);
    if (budget.used > budget.stop) budget.exceed(node);
    return node.evaluate(this, node, context);
  };
  evaluator.tryEval = function tryEval(this: Evaluator, node: Node, context: unknown): unknown {
    try {
      return this.run(node, context);
    } catch (error) {
      if (!isExceeding(error)) budgetNow().spend(error instanceof RangeError ? OVERFLOW_COST : ERROR_COST, node);
      return error;
    }
  };
}

/** Types of values name the first {@link TYPED_LEVELS} levels. */
function boundTypes(evaluator: Evaluator): void {
  const { debugTypeDeep } = evaluator;
  let levels = 0;
  evaluator.debugTypeDeep = function typeOf(this: Evaluator, value: unknown): unknown {
    if (levels === TYPED_LEVELS) return this.debugType(value);
    levels++;
    try {
      return debugTypeDeep.call(this, value);
    } finally {
      levels--;
    }
  };
}

/** The root is evaluated without a run: it makes one of itself. */
export function meterRoot(root: ASTNode): void {
  const node = root as Node;
  const { alternate, macro, evaluate } = node.meta;
  let isEntered = false;
  node.evaluate = (evaluator, _node, context) => {
    if (!isEntered) {
      isEntered = true;
      try {
        return evaluator.run(node, context);
      } finally {
        isEntered = false;
      }
    }
    if (alternate) return alternate.evaluate(evaluator, alternate, context);
    return macro ? macro.evaluate(evaluator, macro, context) : evaluate(evaluator, node, context);
  };
}

/** Units of a call whose function is found by the types of what it is given. */
const CALL = 12;

/** Puts the charges of what a node does between its operands and its work. Returns the node's own units. */
function prepare(written: Node, own: ReadonlyMap<string, Charge>): number {
  const node = written.meta.alternate ?? written;
  const units = unitsOf(node);
  written.units = units;
  const { handle } = node;
  const { macro } = node.meta;
  if (macro?.bindCtx) forgetBound(macro, macro.bindCtx);
  if (handle) {
    if (node.op === "call" || node.op === "rcall") node.handle = meteredCall(node, handle, own);
    else if ((node.op as string) === "comprehension") node.handle = meteredRange(node, handle);
    else if (operators.has(node.op)) node.handle = meteredOperator(node, handle);
  }
  return units;
}

const operators: ReadonlySet<string> = new Set(["==", "!=", "in", "+", "-", "*", "/", "%", "<", "<=", ">", ">="]);

function unitsOf({ op, args }: Node): number {
  if (op === "call" || op === "rcall") return CALL;
  if (op === "map") return 4 + 4 * (args as readonly unknown[]).length;
  return operators.has(op) || (op as string) === "comprehension" ? 4 : 1;
}

function meteredOperator(node: Node, found: Handle): Handle {
  const spend = (units: number): void => budgetNow().spend(units, node);
  const handle = (node.op === "+" && sumOfDoubles(node.checkedType, found, spend)) || found;
  return (left, right, ...rest) => {
    const isCheap = typeof left !== "object" && typeof right !== "object" && typeof left !== "string";
    if (!isCheap) chargeOperator({ budget: budgetNow(), place: node }, node.op, left, right);
    return handle(left, right, ...rest);
  };
}

/** Once the budget is exceeded, `all` and `exists` look at no further item. */
function meteredRange(node: Node, handle: Handle): Handle {
  const args = node.args as unknown as { condition?: (accumulated: unknown) => boolean; iterCtx: Variable };
  const { condition } = args;
  if (condition) args.condition = (accumulated) => !budgetNow().isExceeded && condition(accumulated);
  return (range, ...rest) => {
    chargeRange({ budget: budgetNow(), place: node }, range);
    try {
      return handle(range, ...rest);
    } finally {
      forget(args.iterCtx);
    }
  };
}

function forgetBound(macro: Macro, variable: Variable): void {
  const { evaluate } = macro;
  macro.evaluate = (...given) => {
    try {
      return evaluate(...given);
    } finally {
      forget(variable);
    }
  };
}

function forget(variable: Variable): void {
  variable.iterValue = variable.accuValue = undefined;
}

function meteredCall(node: Node, handle: Handle, own: ReadonlyMap<string, Charge>): Handle {
  const [name] = node.args as unknown as [string];
  if (name === "matches" && node.op === "rcall") return meteredMatches(node, handle);
  const charge = own.get(name);
  return (given, ...rest) => {
    const bill: Bill = { budget: budgetNow(), place: node };
    chargeTyping(bill, given as unknown[]);
    const done = charge?.(bill, given as unknown[]);
    return done === undefined ? handle(given, ...rest) : done;
  };
}

function meteredMatches(node: Node, handle: Handle): Handle {
  const pattern = (node.args as unknown as [string, Node, Node[]])[2][0];
  let written: Pattern | undefined;
  return (given, ...rest) => {
    const [text, source, more] = given as unknown[];
    if (typeof text !== "string" || typeof source !== "string" || more !== undefined) return handle(given, ...rest);
    try {
      if (pattern?.op === "value") written ??= compile(source);
      return matches({ budget: budgetNow(), place: node }, text, source, written);
    } catch (error) {
      throw error instanceof PatternRefused ? new OperationFault(error.message) : error;
    }
  };
}
