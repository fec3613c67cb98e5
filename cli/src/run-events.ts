import { operations } from "@aos/sdk/operations";
import { type Held, holdIn, holdLines } from "./holds.ts";
import { type Following, type Reply, type Service, StreamRefused } from "./http.ts";
import { columns, type Row, rounded, tableLines } from "./output/table.ts";
import { counted, timeOf } from "./output/text.ts";
import { problemOf } from "./problems.ts";
import { exits, now, painter, printable, type Terminal } from "./terminal.ts";

export interface RunAddress {
  readonly workflow: string;
  readonly run: string;
}

/** A run as the service shows it (`WorkflowRunDetail` of the interface), as far as commands look into it. */
export interface RunShown {
  readonly run_id: string;
  readonly workflow: string;
  readonly version: number;
  readonly status: string;
  readonly output: unknown;
  readonly failure: { readonly code: string; readonly detail: string } | null;
  readonly cost_usd: number;
  readonly finished_at: string | null;
  readonly held_by: Held | null;
  readonly steps: readonly Row[];
}

export interface RunEvent {
  readonly sequence: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const pathOfRun = ({ workflow, run }: RunAddress): string =>
  `/v1/workflows/${encodeURIComponent(workflow)}/runs/${encodeURIComponent(run)}`;

export const readRun = (service: Service, at: RunAddress): Promise<Reply> => service.call("GET", pathOfRun(at));

const ends: ReadonlySet<string> = new Set(["completed", "failed", "cancelled", "compensated", "compensation_failed"]);

/** Also if the run cannot be read. */
export const hasRunEnded = (reply: Reply): boolean =>
  problemOf(reply) !== null || ends.has((reply.body as RunShown).status);

/** What happened in a run, then what happens, until it has ended. Throws StreamRefused. */
export async function* runEvents(
  service: Service,
  at: RunAddress,
  following: Following = {},
): AsyncGenerator<RunEvent, void> {
  for await (const { id, type, data } of service.follow(operations["workflows.listRunEvents"], { ...at }, following)) {
    const event = {
      sequence: id,
      type,
      data: (data as { data?: RunEvent["data"] }).data ?? (data as RunEvent["data"]),
    };
    yield event;
    if (type === "run" && ends.has(String(event.data.status)) && hasRunEnded(await readRun(service, at))) return;
  }
}

/** The answer in the place of a stream; rethrows what is none. */
export function refusedStream(error: unknown): Reply {
  if (error instanceof StreamRefused) return error.reply;
  throw error;
}

/** An event in a line: when, which step, where it stands, and what is particular about it. */
export function runEventLine({ type, data }: RunEvent, terminal: Terminal): string {
  const paint = painter(terminal);
  const status = String(data.status ?? "");
  const colour = /^(completed|compensated)$/.test(status)
    ? paint.added
    : /^(failed|rejected|cancelled|outcome_unknown|compensation_failed)$/.test(status)
      ? paint.removed
      : paint.changed;
  const at =
    typeof data.finished_at === "string" ? data.finished_at : (data.started_at ?? new Date(now()).toISOString());
  const name = type === "run" ? "the run" : printable(String(data.step));
  return `${paint.faint(timeOf(String(at)))}  ${name.padEnd(20)}  ${colour(status.padEnd(12))}  ${particulars(data)}`.trimEnd();
}

function particulars({ attempt, failure, trust_score, cost_usd, task_id, undo }: RunEvent["data"]): string {
  const { detail } = (failure ?? {}) as { detail?: string };
  const parts = [
    ...(Number(attempt) > 1 ? [`attempt ${attempt}`] : []),
    ...(typeof undo === "string" ? [`undo ${undo}`] : []),
    ...(typeof trust_score === "number" ? [`trust ${rounded(trust_score)}`] : []),
    ...(typeof cost_usd === "number" && cost_usd > 0 ? [`$${rounded(cost_usd, 4)}`] : []),
    ...(typeof task_id === "string" ? [task_id] : []),
    ...(detail === undefined ? [] : [detail]),
  ];
  return printable(parts.join(", "));
}

/** A run for people: what it came to, and its steps as a table. */
export function runLines(run: RunShown, terminal: Terminal): string[] {
  const head = `${run.run_id}: ${run.workflow}, version ${run.version}: ${run.status}, $${rounded(run.cost_usd, 4)}, ${counted(run.steps.length, "step")}`;
  const rows = run.steps.map((step) => ({ ...step, what: whatOf(step) }));
  return [
    printable(head),
    ...(run.failure === null ? [] : [printable(run.failure.detail)]),
    ...(run.held_by ? holdLines(run.held_by, terminal) : []),
    "",
    ...tableLines(
      rows,
      columns(
        "STEP=step KIND=kind STATUS=status TRY=attempt TRUST=trust_score COST_USD=cost_usd TASK=task_id WHAT=what*",
      ),
      terminal,
    ),
    ...(run.output === null ? [] : ["", `output: ${printable(JSON.stringify(run.output))}`]),
  ];
}

function whatOf(step: Row): string {
  const { failure, items, output, child_run } = step;
  if (typeof failure === "object" && failure !== null) return (failure as { detail: string }).detail;
  const held = holdIn(step);
  if (held) return held.text;
  if (typeof items === "object" && items !== null) {
    const { total, completed, failed } = items as Readonly<Record<string, number>>;
    return `${completed} of ${counted(Number(total), "item")}${failed ? `, ${failed} failed` : ""}`;
  }
  if (typeof child_run === "string") return child_run;
  return output === null || output === undefined ? "" : JSON.stringify(output);
}

/** The exit status of a run's end: 0 completed, 2 cancelled, else 1. */
export const exitOfRun = (status: string): number =>
  status === "completed" ? exits.done : status === "cancelled" ? exits.cancelled : exits.failed;
