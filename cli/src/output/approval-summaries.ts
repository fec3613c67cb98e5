import { printable, type Terminal } from "../terminal.ts";
import { columns, type Fields, fieldsOf, listOf, tableLines } from "./table.ts";
import { cellOf, counted } from "./text.ts";

// What happened to an approval, and how like cases were decided, in lines and tables.

type Lines = (body: Fields, terminal: Terminal) => readonly string[] | null;

const history: Lines = (body, terminal) => {
  if (!Array.isArray(body.entries)) return null;
  const rows = listOf(body.entries).map(({ actor, on_behalf_of, to, ...entry }) => ({
    ...entry,
    actor: fieldsOf(actor).name,
    behalf: fieldsOf(on_behalf_of).name ?? fieldsOf(to).name,
  }));
  const titles = "TIME=at WHAT=kind WHO=actor* FOR_OR_TO=behalf* ROUND=round TIMES=times UNTIL=until TEXT=text*";
  return rows.length === 0 ? ["Nothing happened."] : tableLines(rows, columns(titles), terminal);
};

const similar: Lines = (body, terminal) => {
  if (!Array.isArray(body.cases)) return null;
  const said = `${counted(Number(body.considered), "decided case")} of this agent, skill and tool: ${cellOf(body.approved)} approved, ${cellOf(body.rejected)} rejected or sent back`;
  const rows = listOf(body.cases).map(({ outcome, decided_by, ...one }) => ({
    ...one,
    by: fieldsOf(decided_by).name,
    task: fieldsOf(outcome).task_status,
    accepted: fieldsOf(outcome).accepted,
  }));
  const titles =
    "ALIKE=similarity TITLE=title* DECISION=decision BY=by* DECIDED=decided_at TASK=task ACCEPTED=accepted WHY=reason* ID=task_id";
  return rows.length === 0 ? [printable(said)] : [printable(said), "", ...tableLines(rows, columns(titles), terminal)];
};

export const approvalSummaries: Readonly<Record<string, Lines>> = {
  "approvals.readHistory": history,
  "approvals.readSimilar": similar,
};
