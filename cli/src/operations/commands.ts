import { operations } from "@aos/sdk/operations";
import { type AosCommand, find, place } from "../command.ts";
import { COMMANDS } from "../commands.ts";
import groups from "../groups.json" with { type: "json" };
import { type Name, suggest } from "../suggest.ts";
import { argumentsOf, defineOperation } from "./command.ts";
import { commandsOf, findOperation, type OperationCommand } from "./names.ts";

let made: readonly OperationCommand[] | undefined;

/** The commands of all operations. Another name of one that a command by hand has is that command's. */
export function operationCommands(): readonly OperationCommand[] {
  made ??= makeCommands();
  return made;
}

const said = (words: readonly string[]): string => words.join(" ");
const byHand = new Set(COMMANDS.map(({ words }) => said(words)));

function makeCommands(): readonly OperationCommand[] {
  return commandsOf(Object.values(operations)).map((command) => ({
    ...command,
    aliases: command.aliases.filter((alias) => !byHand.has(said(alias))),
  }));
}

/** Adds the commands of all operations to the program, but those that are written by hand. The noun alone, as `aos tasks events`, reads. */
export function addOperations(program: AosCommand): void {
  for (const { words } of COMMANDS) place(program, words).helpGroup("Commands:");
  for (const named of operationCommands()
    .filter(({ words }) => !byHand.has(said(words)))
    .sort(inHelp)) {
    const noun = said(named.words.slice(0, -1));
    const isDefault = named.aliases.some((alias) => said(alias) === noun);
    const command = place(program, named.words, { isDefault }).summary(named.operation.summary);
    for (const argument of argumentsOf(named.operation)) command.addArgument(argument);
    command.load = async () => defineOperation(command, named);
  }
  for (const group of program.descendants(({ load }) => load === undefined))
    group.on("command:*", (operands: string[]) => group.error(unknownCommand([...group.words, ...operands], group)));
  program.on("command:*", (operands: string[]) => program.error(unknownCommand(operands)));
}

/** Short names before long ones, and `list` and `get` before other verbs. */
const inHelp = (a: OperationCommand, b: OperationCommand): number => (order(a) < order(b) ? -1 : 1);
const order = ({ words }: OperationCommand): string =>
  [words.length, ...words.slice(0, -1), ["list", "get"].includes(words.at(-1) ?? "") ? 0 : 1, words.at(-1)].join(" ");

/** The words with the name of a command in the place of another name of it: `agents.deployVersion`, `admin keys rm`. */
export function canonical(program: AosCommand, words: readonly string[]): readonly string[] {
  const found = findOperation(operationCommands(), words);
  const isKnown = found === undefined || find(program, words).words.length >= found.length;
  return isKnown ? words : [...found.command.words, ...words.slice(found.length)];
}

/** What to say about words that name no command: with the nearest one, if one is near. */
export function unknownCommand(typed: readonly string[], group?: AosCommand): string {
  const [only, ...others] = group?.descendants(({ load }) => load !== undefined) ?? [];
  const near = only !== undefined && others.length === 0 ? only.term : suggest(typed, allNames())?.join(" ");
  const hint = near === undefined ? "" : ` Did you mean "aos ${near}"?`;
  const where =
    group === undefined
      ? '"aos help" lists the commands.'
      : `"aos ${said(group.words)}" lists the commands of the group.`;
  return `Unknown command "aos ${said(typed.slice(0, 4))}".${hint} ${where}`;
}

/** What can be meant by what is typed: commands, groups, and the other names of operations. */
function allNames(): readonly Name[] {
  const same = (words: readonly string[]): Name => ({ words, means: words });
  return [
    ...COMMANDS.map(({ words }) => same(words)),
    ...operationCommands().flatMap(({ words, aliases }) => [
      same(words),
      ...aliases.filter(([word = ""]) => !word.includes(".")).map((alias) => ({ words: alias, means: words })),
    ]),
    ...Object.keys(groups).map((group) => same([group])),
  ];
}
