import { nearest } from "./nearest.ts";
import { CommandError } from "./terminal.ts";

/** An option of a command. */
export interface Flag {
  /** Without dashes, in kebab case: `trust-below`. */
  readonly name: string;
  readonly short?: string;
  /** Whether it stands alone: `--json`. */
  readonly boolean?: boolean;
  /** What its value is, in a word for help: `<text>`. */
  readonly takes?: string;
  readonly description: string;
  /** Values that complete it. */
  readonly values?: readonly string[];
  /** Whether it may be given several times. */
  readonly multiple?: boolean;
}

/** What stands behind a command's words. */
export interface Parsed {
  readonly positionals: readonly string[];
  /** The values of a flag by its name, in their order; a boolean one has `true` or `false`. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Options that are none of the command's, where it takes others. */
  readonly others: readonly (readonly [name: string, value: string])[];
}

export interface ParseOptions {
  /** Whether options besides the declared ones are taken, with a value each. */
  readonly open?: boolean;
  /** What to say after a fault: where help is. */
  readonly help: string;
}

/**
 * Reads arguments: `--name value`, `--name=value`, `-n value`, of what stands alone `--no-name` or `--name false`, `--` before what only looks like an option. Words of a name may be
 * parted by `_` as by `-`. Throws a CommandError that names the argument, and the nearest option where one is near.
 */
export function parseFlags(args: readonly string[], flags: readonly Flag[], options: ParseOptions): Parsed {
  const state: State = { args, flags, options, at: 0, positionals: [], values: new Map(), others: [] };
  while (state.at < args.length) {
    const arg = args[state.at++] as string;
    if (arg === "--") {
      state.positionals.push(...args.slice(state.at));
      break;
    }
    if (arg.startsWith("--")) readLong(state, arg);
    else if (arg.startsWith("-") && arg !== "-" && !/^-\d/.test(arg)) readShort(state, arg);
    else state.positionals.push(arg);
  }
  return state;
}

/** The last value of a flag. */
export const lastOf = ({ values }: Parsed, name: string): string | undefined => values.get(name)?.at(-1);

/** Whether a flag that stands alone was given, and not taken back. */
export const isSet = (parsed: Parsed, name: string): boolean => lastOf(parsed, name) === "true";

interface State {
  readonly args: readonly string[];
  readonly flags: readonly Flag[];
  readonly options: ParseOptions;
  at: number;
  readonly positionals: string[];
  readonly values: Map<string, string[]>;
  readonly others: [string, string][];
}

function readLong(state: State, arg: string): void {
  const cut = arg.indexOf("=");
  const written = cut < 0 ? arg : arg.slice(0, cut);
  const given = cut < 0 ? undefined : arg.slice(cut + 1);
  const name = written.slice(2).replaceAll("_", "-");
  const flag = state.flags.find((one) => one.name === name);
  const negated =
    flag === undefined && name.startsWith("no-")
      ? state.flags.find((one) => one.boolean && one.name === name.slice(3))
      : undefined;
  if (flag !== undefined) keep(state, flag, written, given);
  else if (negated !== undefined && given === undefined) keep(state, negated, written, "false");
  else readOther(state, written, given);
}

function readShort(state: State, arg: string): void {
  const flag = state.flags.find(({ short }) => short === arg[1]);
  if (flag === undefined) throw unknown(state, arg);
  keep(state, flag, arg.slice(0, 2), arg.length > 2 ? arg.slice(2).replace(/^=/, "") : undefined);
}

function keep(state: State, flag: Flag, written: string, given: string | undefined): void {
  let value = given;
  if (flag.boolean) {
    value ??= /^(true|false)$/.test(state.args[state.at] ?? "") ? state.args[state.at++] : "true";
    if (value !== "true" && value !== "false")
      throw fault(state, `${written} must be true or false, not ${JSON.stringify(value)}.`);
  } else value ??= nextValue(state, written, flag.takes ?? "<value>");
  const before = state.values.get(flag.name);
  if (before !== undefined && !flag.multiple && !flag.boolean) throw fault(state, `${written} is given twice.`);
  state.values.set(flag.name, [...(before ?? []), value]);
}

function readOther(state: State, written: string, given: string | undefined): void {
  const name = written.slice(2).replaceAll("-", "_");
  const near = nearestFlag(state.flags, written);
  // A whole word of an option's name is no slip of the pen: `--question` beside `--on-question`.
  const isSlip = near !== undefined && !near.split("-").includes(name);
  if (!state.options.open || isSlip) throw unknown(state, written);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw unknown(state, written);
  state.others.push([name, given ?? nextValue(state, written, "<value>")]);
}

function nextValue(state: State, written: string, takes: string): string {
  const value = state.args[state.at];
  if (value === undefined || (value.startsWith("--") && value.length > 2))
    throw fault(state, `${written} needs a value: ${written} ${takes}.`);
  state.at++;
  return value;
}

function unknown(state: State, written: string): CommandError {
  const near = nearestFlag(state.flags, written);
  return fault(state, `Unknown option ${written}.${near === undefined ? "" : ` Did you mean --${near}?`}`);
}

const nearestFlag = (flags: readonly Flag[], written: string): string | undefined =>
  nearest(
    written.replace(/^-+/, "").replaceAll("_", "-"),
    flags.map(({ name }) => name),
  );

const fault = ({ options }: State, message: string): CommandError => new CommandError(`${message}\n${options.help}`);

/** Options that every command which calls the service takes. */
export const serviceFlags: readonly Flag[] = [
  { name: "json", boolean: true, description: "the response as JSON" },
  { name: "profile", takes: "<name>", description: "the profile to use (AOS_PROFILE)" },
  { name: "key-file", takes: "<file>", description: "a file with the key" },
  { name: "help", short: "h", boolean: true, description: "this text" },
];
