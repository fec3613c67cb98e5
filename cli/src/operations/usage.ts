import type { OperationEntry } from "@aos/sdk/operations";
import type { Flag } from "../flags.ts";
import { columnsOf, padded, widthOf, wrapped } from "../output/text.ts";
import { type Painter, painter, type Terminal } from "../terminal.ts";
import { exampleOf } from "./example.ts";
import type { OperationCommand } from "./names.ts";
import { callFlags, type ValueFlag, valueFlags } from "./options.ts";

/** `aos tasks cancel <task> [options]`. */
export function usageLine({ operation, words }: OperationCommand): string {
  return `Usage: aos ${[...words, ...operation.pathParameters.map(({ name }) => `<${name}>`), "[options]"].join(" ")}`;
}

/** The help of an operation's command: what it does, takes and needs, and an example. */
export function operationHelp(command: OperationCommand, terminal: Terminal): string {
  const { operation, aliases } = command;
  const paint = painter(terminal);
  const room = Math.min(columnsOf(terminal) ?? 120, 120);
  const flags = valueFlags(operation);
  const rows = (list: readonly Flag[], required: (flag: Flag) => boolean = () => false): string[] =>
    flagLines(list, required, room);
  const body = flags.filter(({ into }) => into === "body");
  const query = flags.filter(({ into }) => into === "query");
  const fields = new Set(body.filter(({ value }) => value.required).map(({ name }) => name));
  return `${[
    usageLine(command),
    "",
    ...wrapped(described(operation), room),
    ...section(paint, "Arguments", argumentLines(operation, room)),
    ...section(
      paint,
      "Fields",
      rows(body, ({ name }) => fields.has(name)),
    ),
    ...(operation.body?.open ? ["", "  Any other --name <value> sets a field of that name."] : []),
    ...section(paint, operation.method === "GET" ? "Filters" : "Parameters", rows(query)),
    ...section(paint, "Options", rows(callFlags(operation))),
    ...section(paint, "Example", [`  ${exampleOf(command)}`]),
    "",
    paint.faint(
      `${operation.method} ${operation.path}${aliases.length > 0 ? `; also: ${aliases.map((words) => `aos ${words.join(" ")}`).join(", ")}` : ""}`,
    ),
  ].join("\n")}\n`;
}

/** Markdown of the description without what only a browser shows. */
function described({ summary, description }: OperationEntry): string {
  const text = description.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
  return text.startsWith(summary) ? text : `${summary}.\n\n${text}`;
}

function section(paint: Painter, title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", paint.strong(title), ...lines];
}

function argumentLines({ pathParameters }: OperationEntry, room: number): string[] {
  return aligned(
    pathParameters.map(({ name, description = "" }) => [`<${name}>`, description]),
    room,
  );
}

/** Options with what they do; the values of those that have a few. */
export function flagLines(
  flags: readonly (Flag | ValueFlag)[],
  required: (flag: Flag) => boolean,
  room: number,
): string[] {
  const rows = flags.map((flag): [string, string] => {
    const { name, short, takes = "", boolean, description, values = [] } = flag;
    const head = `${short === undefined ? "" : `-${short}, `}--${name}${boolean ? "" : ` ${takes}`}`;
    const known = values.length > 0 && !takes.includes(values[0] as string) ? ` One of ${values.join(", ")}.` : "";
    return [head, `${description}${known}${required(flag) ? " Required." : ""}`.trim()];
  });
  return aligned(rows, room);
}

const widest = 34;

/** Two columns, the second one wrapped. */
export function aligned(rows: readonly (readonly [string, string])[], room: number): string[] {
  const width = Math.min(widest, Math.max(0, ...rows.map(([head]) => widthOf(head))));
  return rows.flatMap(([head, text]) => {
    const lines = wrapped(text, Math.max(30, room - width - 4));
    const first =
      widthOf(head) > width
        ? [`  ${head}`, `${" ".repeat(width + 4)}${lines[0]}`]
        : [`  ${padded(head, width)}  ${lines[0]}`];
    return [...first, ...lines.slice(1).map((line) => " ".repeat(width + 4) + line)].map((line) => line.trimEnd());
  });
}
