import { operations } from "@aos/sdk/operations";
import { COMMANDS } from "../commands.ts";
import { GROUPS, groupHelp, incompleteCommand, type Listed, unknownCommand } from "../help.ts";
import type { Name } from "../suggest.ts";
import { exits, type Terminal } from "../terminal.ts";
import { commandsOf, findOperation, type OperationCommand } from "./names.ts";
import { runOperation } from "./run.ts";

let made: readonly OperationCommand[] | undefined;

/** The commands of all operations. Another name of one that a command by hand has is that command's. */
export function operationCommands(): readonly OperationCommand[] {
  made ??= makeCommands();
  return made;
}

function makeCommands(): readonly OperationCommand[] {
  const byHand = new Set(COMMANDS.map(({ words }) => words.join(" ")));
  return commandsOf(Object.values(operations)).map((command) => ({
    ...command,
    aliases: command.aliases.filter((alias) => !byHand.has(alias.join(" "))),
  }));
}

/** Runs the command of an operation, shows the help of a group, or says that there is no such command. Answers the exit status. */
export async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const commands = operationCommands();
  const found = findOperation(commands, args);
  const rest = found === undefined ? args : args.slice(found.length);
  const words = wordsOf(args);
  const asksForGroup = rest.length === 0 || (rest.length === 1 && /^(--help|-h)$/.test(rest[0] as string));
  const inGroup = commandsIn(words, commands);
  const isExact =
    found !== undefined &&
    commands.some((command) => command === found.command && command.words.length === found.length);
  if (
    inGroup.length > 0 &&
    !isExact &&
    (found === undefined || found.length < words.length
      ? args.length - words.length <= 1
      : asksForGroup && rest.length === 1)
  ) {
    terminal.stdout.write(groupHelp(words, inGroup));
    return exits.done;
  }
  const group = groupOf(commands, words);
  if (found !== undefined && !isExact && group.length > found.length) {
    terminal.stderr.write(incompleteCommand(args, group, commandsIn(group, commands)));
    return exits.failed;
  }
  if (found !== undefined) return runOperation(found.command, rest, terminal);
  terminal.stderr.write(unknownCommand(args, namesOf(commands)));
  return exits.failed;
}

/** What can be meant by what is typed: commands, and the other names of those of operations. */
export function namesOf(commands: readonly OperationCommand[]): readonly Name[] {
  return [
    ...COMMANDS.map(({ words }) => ({ words, means: words })),
    ...commands.flatMap(({ words, aliases }) =>
      [words, ...aliases.filter(([word = ""]) => !word.includes("."))].map((name) => ({ words: name, means: words })),
    ),
    ...Object.keys(GROUPS)
      .map((group) => [group])
      .map((words) => ({ words, means: words })),
  ];
}

const commandsIn = (group: readonly string[], commands: readonly OperationCommand[]): readonly Listed[] =>
  listed(commands).filter(
    ({ words }) => words.length > group.length && group.every((word, index) => words[index] === word),
  );

/** The longest group that the words begin with: `knowledge bases sync` of `knowledge bases sync handbook`. */
function groupOf(commands: readonly OperationCommand[], typed: readonly string[]): readonly string[] {
  const lengths = listed(commands).map(({ words }) => words.findIndex((word, index) => word !== typed[index]));
  return typed.slice(0, Math.max(0, ...lengths));
}

function wordsOf(args: readonly string[]): readonly string[] {
  const end = args.findIndex((arg) => arg.startsWith("-"));
  return end < 0 ? args : args.slice(0, end);
}

/** Verbs that stand before others. */
const first = ["list", "get"];

/** All commands, those by hand in the place of those of their operations. */
export function listed(commands: readonly OperationCommand[]): readonly Listed[] {
  const byHand = new Set(COMMANDS.map(({ words }) => words.join(" ")));
  const order = ({ words }: OperationCommand): string =>
    `${words.length} ${words.slice(0, -1).join(" ")} ${first.indexOf(words.at(-1) as string) < 0 ? 1 : 0} ${words.at(-1)}`;
  const others = commands
    .filter(({ words }) => !byHand.has(words.join(" ")))
    .sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return [
    ...COMMANDS,
    ...others.map(({ operation, words }) => ({
      words,
      usage: [...words, ...operation.pathParameters.map(({ name }) => `<${name}>`)].join(" "),
      summary: operation.summary,
    })),
  ];
}
