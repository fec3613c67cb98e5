import { readFile } from "node:fs/promises";
import type { Command } from "./commands.ts";

/** The text of `aos help`. */
export function help(commands: readonly Command[]): string {
  const rows = [...commands.map(({ usage, summary }) => [usage, summary]), ["help", "Show this text"], ["--version", "Show the version"]];
  const width = Math.max(...rows.map(([usage = ""]) => usage.length));
  const lines = rows.map(([usage = "", summary = ""]) => `  aos ${usage.padEnd(width)}  ${summary}`);
  return `Agent Operations Service\n\n${lines.join("\n")}\n`;
}

/** What `--help` says of a command that has no text of its own. */
export function commandHelp({ usage, summary }: Command): string {
  return `Usage: aos ${usage}\n\n${summary}.\n`;
}

/** The version of the repository's package. */
export async function version(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** What to say about arguments that begin with no command: with the nearest one, where one is near. */
export function unknownCommand(args: readonly string[], commands: readonly Command[]): string {
  const given = args.filter((argument) => !argument.startsWith("-")).slice(0, 2);
  const near = nearest(given, commands);
  const hint = near === undefined ? "" : ` Did you mean "aos ${near.words.join(" ")}"?`;
  return `There is no command "aos ${(given.length === 0 ? args : given).join(" ")}".${hint} "aos help" lists the commands.\n`;
}

/** The command with the fewest edits from what was typed; none where a third of its letters or more differ. A first word alone suggests its first command. */
function nearest(given: readonly string[], commands: readonly Command[]): Command | undefined {
  const ranked = commands
    .map((command) => {
      const typed = given.slice(0, command.words.length);
      const wanted = command.words.slice(0, Math.max(1, typed.length)).join(" ");
      return { command, share: editDistance(typed.join(" "), wanted) / wanted.length };
    })
    .sort((a, b) => a.share - b.share);
  const best = ranked[0];
  return best !== undefined && best.share <= 0.34 ? best.command : undefined;
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment) that turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      current.push(least);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
