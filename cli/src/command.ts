import { readFile } from "node:fs/promises";
import { Command, CommanderError, InvalidArgumentError, type Option, type OptionValues } from "commander";
import { membersOf } from "./json.ts";
import { nearest } from "./suggest.ts";
import { CommandError, exits, painter, type Terminal } from "./terminal.ts";

export interface Given {
  readonly options: OptionValues;
  /** Options that the command does not declare, where it takes others. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly terminal: Terminal;
  readonly json: boolean;
  /** An argument by its place; empty if it was left out. */
  readonly argument: (index: number) => string;
}

/** For options that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

export function number(value: string): number {
  if (value.trim() === "" || !Number.isFinite(Number(value))) throw new InvalidArgumentError("It must be a number.");
  return Number(value);
}

export class AosCommand extends Command {
  readonly terminal: Terminal;
  /** Adds options and action just before the command is parsed, so that only the code of the one that runs is loaded. */
  load: ((command: AosCommand) => Promise<unknown>) | undefined;
  private isConfigured = false;
  /** The commands that its help lists; default: all below it. */
  listed: readonly AosCommand[] | undefined;
  status: number = exits.done;
  private open = false;
  private readonly fields: [string, string][] = [];
  private usageStatus: number = exits.failed;

  constructor(name: string, terminal: Terminal) {
    super(name);
    this.terminal = terminal;
    this.helpCommand(false);
    this.hook("preSubcommand", async (_, subcommand) => {
      await (subcommand as AosCommand).configure();
    });
  }

  override createCommand(name: string): AosCommand {
    return new AosCommand(name, this.terminal);
  }

  async configure(): Promise<this> {
    if (!this.isConfigured) await this.load?.(this);
    this.isConfigured = true;
    return this;
  }

  /** The commands below it that fit, in the order of help. */
  descendants(fits: (command: AosCommand) => boolean): readonly AosCommand[] {
    return (this.commands as AosCommand[]).flatMap((one) => [...(fits(one) ? [one] : []), ...one.descendants(fits)]);
  }

  /** `tasks cancel <task>`. */
  get term(): string {
    const args = this.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
    return [...this.words, ...(this.load === undefined ? ["…"] : args)].join(" ");
  }

  /** The words after `aos`. */
  get words(): readonly string[] {
    return this.parent === null ? [] : [...(this.parent as AosCommand).words, this.name()];
  }

  /** Options of every command that calls the service. */
  serviceOptions(): this {
    return this.option("--json", "the response as JSON")
      .option("--profile <name>", "the profile to use (AOS_PROFILE)")
      .option("--key-file <file>", "a file with the key");
  }

  addOptions(options: readonly Option[]): this {
    for (const option of options) this.addOption(option);
    return this;
  }

  examples(...lines: readonly string[]): this {
    const title = painter(this.terminal).strong(lines.length > 1 ? "Examples:" : "Example:");
    return this.addHelpText("after", `\n${[title, ...lines.map((line) => `  ${line}`)].join("\n")}`);
  }

  /** Takes `--<name> <value>` of any other name. */
  openOptions(): this {
    this.open = true;
    return this;
  }

  /** The exit status of wrong usage and of every CommandError. */
  usageExit(status: number): this {
    this.usageStatus = status;
    return this;
  }

  /** The action of the command. What it throws for the user is shown in a line. */
  run(work: (given: Given) => Promise<number>): this {
    return this.action(async () => {
      const options = this.optsWithGlobals();
      const empty = this.registeredArguments.find((argument, at) => argument.required && this.args[at] === "");
      if (empty !== undefined) this.error(`error: argument '${empty.name()}' is empty`);
      const { terminal, fields } = this;
      const argument = (index: number): string => this.args[index] ?? "";
      try {
        this.root.status = await work({ options, fields, terminal, json: options.json === true, argument });
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        terminal.stderr.write(`aos: ${error.message}\n`);
        this.root.status = error.exit === exits.failed ? this.usageStatus : error.exit;
      }
    });
  }

  /** An action that reads the arguments itself. */
  handOver(work: (args: readonly string[]) => Promise<number> | number): this {
    const json = (): readonly string[] => (this.optsWithGlobals().json ? ["--json"] : []);
    return this.option("--json", "as JSON")
      .allowUnknownOption()
      .allowExcessArguments()
      .action(async () => {
        this.root.status = await work([...this.args, ...json()]);
      });
  }

  /** Runs the program. Returns the exit status. */
  async execute(args: readonly string[]): Promise<number> {
    try {
      await this.parseAsync(args, { from: "user" });
      return this.status;
    } catch (error) {
      if (error instanceof CommanderError) return error.exitCode;
      throw error;
    }
  }

  /** A group alone shows its commands. */
  override help(): never {
    return super.help();
  }

  override error(message: string, options: { code?: string; exitCode?: number } = {}): never {
    const hint = this.commands.length > 0 ? "" : `\naos ${this.words.join(" ")} --help shows its options.`;
    return super.error(message.replace(/^error: /, "aos: ") + hint, { exitCode: this.usageStatus, ...options });
  }

  /**
   * Also takes `--dry_run` for `--dry-run`, and `--wait false`, `--wait=false` and `--no-wait` for options without a value: an API has fields
   * that are true, false or absent.
   */
  override parseOptions(argv: readonly string[]): { operands: string[]; unknown: string[] } {
    if (this.parent === null) return super.parseOptions([...argv]);
    const end = argv.indexOf("--") < 0 ? argv.length : argv.indexOf("--");
    const args: string[] = [];
    for (let at = 0; at < end; at++) {
      const arg = argv[at] as string;
      const [, written = "", inline] = /^--([\w-]+)(=.*)?$/s.exec(arg) ?? [];
      const name = written.replaceAll("_", "-");
      const option = this.options.find(({ long, short }) => long === `--${name}` || short === arg);
      const positive = this.options.find((one) => one.isBoolean() && `no-${one.name()}` === name);
      if (option?.isBoolean()) {
        const next = /^(true|false)$/.test(argv[at + 1] ?? "") && inline === undefined ? argv[++at] : inline?.slice(1);
        this.setFlag(option, next ?? "true");
      } else if (option !== undefined) {
        args.push(`${option.long}${inline ?? ""}`, ...(inline === undefined ? argv.slice(++at, at + 1) : []));
      } else if (positive !== undefined) this.setFlag(positive, "false");
      else if (this.takes(name)) this.fields.push([written.replaceAll("-", "_"), inline?.slice(1) ?? argv[++at] ?? ""]);
      else args.push(arg);
    }
    return super.parseOptions([...args, ...argv.slice(end)]);
  }

  private get root(): AosCommand {
    return (this.parent as AosCommand | null)?.root ?? this;
  }

  private setFlag(option: Option, value: string): void {
    if (value !== "true" && value !== "false")
      this.error(`error: option '${option.long}' must be true or false, not '${value}'`);
    this.setOptionValueWithSource(option.attributeName(), value === "true", "cli");
  }

  /** Whether an undeclared option is a field. One that is nearly a declared option is a slip of the pen. */
  private takes(name: string): boolean {
    if (!this.open || !/^[A-Za-z_][\w-]*$/.test(name) || name === "help") return false;
    const near = nearest(
      name,
      this.options.map((option) => option.name()),
    );
    // A whole word of an option's name is none: `--question` beside `--on-question`.
    return near === undefined || near.split("-").includes(name);
  }
}

export async function version(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return String(membersOf(text).version);
}

/** The root of the program. */
export function createProgram(terminal: Terminal): AosCommand {
  const { stdout, stderr } = terminal;
  const paint = painter(terminal);
  const width = (): number => Math.min(terminal.columns ?? 120, 120);
  return new AosCommand("aos", terminal)
    .description("Agent Operations Service")
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: width,
      getErrHelpWidth: width,
      // Titles and examples are coloured by `painter`.
      getOutHasColors: () => true,
    })
    .configureHelp({
      // Source lines are joined; paragraphs and lists stay.
      commandDescription: (command) => command.description().replaceAll(/(?<!\n)\n(?!\n|[-*] )/g, " "),
      styleTitle: (title) => paint.strong(title),
      subcommandTerm: (command) => `aos ${(command as AosCommand).term}`,
      visibleCommands: (command) => [
        ...((command as AosCommand).listed ?? (command as AosCommand).descendants(({ load }) => load !== undefined)),
      ],
      groupItems: (_all, visible, groupOf) => Map.groupBy(visible, groupOf),
    })
    .serviceOptions()
    .helpOption("-h, --help", "show help");
}

/** The command that the words begin with. */
export function find(program: AosCommand, words: readonly string[]): AosCommand {
  const [word, ...rest] = words;
  const next = program.commands.find((one) => one.name() === word) as AosCommand | undefined;
  return next === undefined ? program : find(next, rest);
}

/** The command of these words; it and its groups are made where they are missing. */
export function place(
  program: AosCommand,
  words: readonly string[],
  options: { isDefault?: boolean } = {},
): AosCommand {
  const known = find(program, words);
  return words
    .slice(known.words.length)
    .reduce((group, word, at, { length }) => group.command(word, at === length - 1 ? options : {}), known);
}
