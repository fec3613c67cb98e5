import type { OptionValues } from "commander";
import type { Reply, Service } from "../http.ts";
import { columnsOfList } from "../output/columns.ts";
import { detailLines } from "../output/detail.ts";
import { summaryOf } from "../output/summaries.ts";
import { type Row, tableLines } from "../output/table.ts";
import { exitOf, problemOf, writeProblem } from "../problems.ts";
import type { Terminal } from "../terminal.ts";

export interface Shown {
  readonly operation: { readonly id: string };
  readonly options: OptionValues;
  readonly service: Service;
  readonly terminal: Terminal;
}

/** Shows the reply as JSON with --json, else as text. Returns the exit status. */
export function showReply({ operation, options, service, terminal }: Shown, reply: Reply): number {
  const problem = problemOf(reply);
  const { json } = options;
  if (problem !== null) {
    if (!json || reply.body === undefined) return writeProblem(problem, terminal, service.access.profile);
    terminal.stderr.write(`${JSON.stringify(reply.body)}\n`);
    return exitOf(problem);
  }
  if (reply.body === undefined || isText(reply))
    terminal.stdout.write(reply.text === "" || reply.text.endsWith("\n") ? reply.text : `${reply.text}\n`);
  else if (json) terminal.stdout.write(`${JSON.stringify(reply.body, null, 2)}\n`);
  else showValue(operation.id, reply.body, terminal);
  return 0;
}

const isText = ({ headers }: Reply): boolean => !/json/.test(headers.get("content-type") ?? "json");

function showValue(id: string, body: unknown, terminal: Terminal): void {
  const { data } = (typeof body === "object" && body !== null ? body : {}) as { data?: unknown };
  const summary = summaryOf(id, body, terminal);
  if (summary !== null) {
    terminal.stdout.write(`${summary.join("\n")}\n`);
    if (terminal.showsProgress) terminal.stderr.write("Use --json for the full response.\n");
  } else if (Array.isArray(data)) showRows(id, data as Row[], terminal);
  else terminal.stdout.write(`${detailLines(withPredictions(body), terminal).join("\n")}\n`);
}

/** A list as a table; that there is nothing is said on standard error. */
export function showRows(id: string, rows: readonly Row[], terminal: Terminal): void {
  if (rows.length === 0) terminal.stderr.write("Nothing.\n");
  else terminal.stdout.write(`${tableLines(rows, columnsOfList(id, rows), terminal).join("\n")}\n`);
}

/** A task with its predictions in a line for each field, `card_linking 93.1 %, card_arrival 3 %`; anything else as it is. */
export function withPredictions(body: unknown): unknown {
  if (!isObject(body) || !isObject(body.predictions)) return body;
  const fields = Object.entries(body.predictions).map(([field, values]) => [
    field,
    Array.isArray(values) ? values.map(lineOf) : values,
  ]);
  return { ...body, predictions: Object.fromEntries(fields) };
}

function lineOf(one: unknown): string {
  const { value, probability, none } = (isObject(one) ? one : {}) as {
    value?: unknown;
    probability?: number;
    none?: boolean;
  };
  const share = Math.round((probability ?? 0) * 1000) / 10;
  return `${none ? "none of these" : String(value)} ${share} %`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
