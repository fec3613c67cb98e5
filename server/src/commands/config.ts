import { styleText } from "node:util";
import { ConfigError, readConfig, type ShownSetting, showConfig } from "../config/config.ts";

/** What `aos config` needs of its surroundings. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream;
}

const USAGE = "Usage: aos config [--json]";

/** `aos config`: prints every setting with the value in force. Answers the exit code. */
export function run(args: readonly string[], terminal: Terminal = process): number {
  const wrong = args.find((argument) => argument !== "--json");
  if (wrong !== undefined) {
    terminal.stderr.write(`aos config does not know ${wrong}. ${USAGE}\n`);
    return 1;
  }
  try {
    const settings = showConfig(readConfig(terminal.env), terminal.env);
    terminal.stdout.write(
      args.includes("--json") ? `${JSON.stringify(settings, null, 2)}\n` : table(settings, terminal),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    terminal.stderr.write(`${error.message}\n`);
    return 1;
  }
}

/** Four columns, as wide as their contents; what the environment sets stands out on a terminal with colours (https://no-color.org). */
function table(settings: readonly ShownSetting[], terminal: Terminal): string {
  const coloured = terminal.stdout.isTTY === true && !terminal.env.NO_COLOR;
  const rows = settings.map((setting) => [
    setting.name,
    setting.value || "(none)",
    setting.default || "(none)",
    setting.meaning,
  ]);
  const head = ["name", "value", "default", "meaning"];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string[] =>
    cells.map((cell, column) => (column === 3 ? cell : cell.padEnd(widths[column] ?? 0)));
  const paint = (style: "bold" | "cyan" | "dim", text: string): string =>
    coloured ? styleText(style, text, { validateStream: false }) : text;
  const lines = [line(head).map((cell) => paint("dim", cell))];
  for (const [index, row] of rows.entries()) {
    const [name = "", value = "", standard = "", meaning = ""] = line(row);
    lines.push([
      paint("bold", name),
      settings[index]?.set ? paint("cyan", value) : value,
      paint("dim", standard),
      meaning,
    ]);
  }
  return `${lines.map((cells) => cells.join("  ").trimEnd()).join("\n")}\n`;
}
