import { readFile } from "node:fs/promises";
import type { Command } from "./commands.ts";
import groups from "./groups.json" with { type: "json" };
import { type Name, suggest } from "./suggest.ts";

/** The groups of operations, with what they are about. */
export const GROUPS: Readonly<Record<string, string>> = groups;

/** The text of `aos help`. */
export function help(commands: readonly Command[]): string {
  const rows: (readonly [string, string])[] = [
    ...commands.map(({ usage, summary }) => [usage, summary] as const),
    ...Object.entries(GROUPS).map(([group, about]) => [`${group} …`, about] as const),
  ];
  const width = Math.max(...rows.map(([usage]) => usage.length));
  const line = (usage: string, summary: string): string => `  aos ${usage.padEnd(width)}  ${summary}`;
  const areas = [...new Set(commands.map(({ area }) => area))].map((area) => {
    const own = commands.filter((command) => command.area === area);
    return `${area}\n${own.map(({ usage, summary }) => line(usage, summary)).join("\n")}`;
  });
  const groups = Object.entries(GROUPS).map(([group, about]) => line(`${group} …`, about));
  return `Agent Operations Service

${areas.join("\n\n")}

Every operation of the service, by group (aos tasks lists the commands of a group)
${groups.join("\n")}

aos <command> --help shows a command's options with an example. aos --version shows the version.
Exit status: 0 done, 1 failed, 2 cancelled, 3 waits for people (--on-question exit), 4 not signed in.
`;
}

/** What `--help` says of a command that has no text of its own. */
export function commandHelp({ usage, summary }: Command): string {
  return `Usage: aos ${usage}\n\n${summary}.\n`;
}

/** A command as the help of its group lists it. */
export interface Listed {
  readonly words: readonly string[];
  readonly usage: string;
  readonly summary: string;
}

/** The help of a group: its commands, those written by hand first. */
export function groupHelp(group: readonly string[], commands: readonly Listed[]): string {
  const width = Math.min(56, Math.max(...commands.map(({ usage }) => usage.length)));
  const about = group.length === 1 ? GROUPS[group[0] as string] : undefined;
  const lines = commands.map(({ usage, summary }) => `  aos ${usage.padEnd(width)}  ${summary}`);
  return `Usage: aos ${group.join(" ")} <command>\n\n${about === undefined ? "" : `${about}\n\n`}${lines.join("\n")}\n\naos <command> --help shows a command's options with an example.\n`;
}

/** The version of the repository's package. */
export async function version(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** What to say about arguments that begin with no command: with the nearest one, where one is near. */
export function unknownCommand(args: readonly string[], names: readonly Name[]): string {
  const end = args.findIndex((argument) => argument.startsWith("-"));
  const given = end < 0 ? args : args.slice(0, end);
  const near = given.length === 0 ? undefined : suggest(given, names);
  const hint = near === undefined ? "" : ` Did you mean "aos ${near.join(" ")}"?`;
  const group =
    given[0] !== undefined && given[0] in GROUPS
      ? `"aos ${given[0]}" lists the commands of the group.`
      : '"aos help" lists the commands.';
  return `Unknown command "aos ${(given.length === 0 ? args : given.slice(0, 4)).join(" ")}".${hint} ${group}\n`;
}

/** What to say about arguments that name a group and none of its commands, though their beginning alone is a command. */
export function incompleteCommand(
  args: readonly string[],
  group: readonly string[],
  inGroup: readonly Listed[],
): string {
  const typed = `aos ${args.slice(0, group.length + 1).join(" ")}`;
  const [only, ...others] = inGroup;
  const hint = only === undefined || others.length > 0 ? "" : ` Did you mean "aos ${only.usage}"?`;
  return `Unknown command "${typed}".${hint} "aos ${group.join(" ")}" lists the commands of the group.\n`;
}
