import { printable, type Terminal } from "../terminal.ts";
import { columns, type Fields, fieldsOf, intervalOf, listOf, rounded, tableLines } from "./table.ts";
import { cellOf, counted } from "./text.ts";

// What agents are said to need, to be used by and to do: tables in place of nested answers.

type Lines = readonly string[] | null;

const table = (rows: readonly Fields[], text: string, terminal: Terminal): readonly string[] =>
  rows.length === 0 ? [] : ["", ...tableLines(rows, columns(text), terminal)];

export function health({ agent, environment, version, state, checks }: Fields, terminal: Terminal): Lines {
  if (!Array.isArray(checks)) return null;
  const which = version === null ? "not deployed" : `version ${version}`;
  return [
    printable(`${agent} in ${environment}: ${String(state).replace("_", " ")} (${which})`),
    ...table(listOf(checks), "CHECK=check STATE=state ABOUT=subject DETAIL=detail* REMEDY=remedy*", terminal),
  ];
}

export function dependents(body: Fields, terminal: Terminal): Lines {
  const { agent, dependents: rows, active, unseen, more } = body;
  if (!Array.isArray(rows)) return null;
  const hidden = Array.isArray(unseen) && unseen.length > 0 ? [`Your key may not read: ${unseen.join(", ")}.`] : [];
  const rest = more === true ? ["There are more than are shown."] : [];
  const head =
    rows.length === 0
      ? `Nothing that your key may read uses ${agent}.`
      : `${counted(rows.length, "thing")} use ${agent}; ${active} break when it is archived.`;
  return [
    printable(head),
    ...table(listOf(rows), "KIND=kind NAME=name* STATE=state BREAKS=active ID=id", terminal),
    ...hidden,
    ...rest,
  ];
}

export function validation(body: Fields, terminal: Terminal): Lines {
  const { agent, revision, valid, findings, verdicts, costs } = body;
  if (!Array.isArray(findings) || !Array.isArray(verdicts)) return null;
  const asked = listOf(verdicts)
    .filter(({ verdict }) => verdict !== "allow")
    .map(({ reasons, ...one }) => ({ ...one, why: Array.isArray(reasons) ? reasons.join(" ") : null }));
  const estimates = listOf(costs).map((one) => ({
    ...one,
    interval: one.high === null ? null : intervalOf(one.low, one.high),
  }));
  return [
    printable(`Draft of ${agent}, revision ${revision}: ${valid === true ? "valid here" : "not valid here"}`),
    ...table(listOf(findings), "SEVERITY=severity AT=pointer CODE=code DETAIL=detail*", terminal),
    ...table(asked, "ACTION=action SKILL=skill TOOL=tool VERDICT=verdict WHY=why*", terminal),
    ...table(estimates, "SKILL=skill BY=basis TASKS=tasks MEAN_USD=mean_usd 95_%=interval P90_USD=p90_usd", terminal),
  ];
}

export function preview(body: Fields, terminal: Terminal): Lines {
  const { agent, version, task, status, output, failure, calls, findings, steps, tokens, cost_usd, ms } = body;
  if (!Array.isArray(calls)) return null;
  const said = status === "completed" ? JSON.stringify(output, null, 2) : cellOf(fieldsOf(failure).detail);
  const used = `${counted(Number(steps), "step")}, ${tokens} tokens, $${rounded(cost_usd, 4)}, ${ms} ms; nothing was stored.`;
  return [
    printable(`${task} of ${agent}, ${version === null ? "the draft" : `version ${version}`}: ${status}`),
    ...said.split("\n").map(printable),
    ...table(listOf(calls), "TOOL=tool OUTCOME=outcome ARGUMENTS=arguments* RESULT=result*", terminal),
    ...table(listOf(findings), "SEVERITY=severity CODE=code DETAIL=detail*", terminal),
    printable(used),
  ];
}

export function skillSchemas({ agent, version, live, skills }: Fields, terminal: Terminal): Lines {
  if (!Array.isArray(skills)) return null;
  const fieldsIn = (schema: unknown): string | null => {
    const { properties, required } = fieldsOf(schema);
    const needed = new Set(Array.isArray(required) ? required : []);
    const names = Object.keys(fieldsOf(properties)).map((name) => (needed.has(name) ? `${name}*` : name));
    return names.length === 0 ? null : names.join(", ");
  };
  const rows = listOf(skills).map(({ task, description, input, output }) => ({
    task,
    description,
    input: fieldsIn(input),
    output: fieldsIn(output),
  }));
  return [
    printable(
      `${agent}, version ${version}${live === true ? "" : " (not live here)"}; * is required, --json shows the schemas`,
    ),
    ...table(rows, "TASK=task INPUT=input* OUTPUT=output* DESCRIPTION=description*", terminal),
  ];
}
