import { isSet, type Parsed } from "../flags.ts";
import type { Reply, Service } from "../http.ts";
import { columnsOfList } from "../output/columns.ts";
import { detailLines } from "../output/detail.ts";
import { withPredictions } from "../output/predictions.ts";
import { summaryOf } from "../output/summaries.ts";
import { type Row, tableLines } from "../output/table.ts";
import { exitOf, problemOf, tellProblem } from "../problems.ts";
import type { Terminal } from "../terminal.ts";

/** What an answer is shown by: whose it is, and how it was asked for. */
export interface Shown {
  readonly operation: { readonly id: string };
  readonly parsed: Parsed;
  readonly service: Service;
  readonly terminal: Terminal;
}

/** Shows an answer: as it came for programs, as lines for people. Answers the exit status. */
export function showReply({ operation, parsed, service, terminal }: Shown, reply: Reply): number {
  const problem = problemOf(reply);
  const json = isSet(parsed, "json");
  if (problem !== null) {
    if (!json || reply.body === undefined) return tellProblem(problem, terminal, service.access.profile);
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
