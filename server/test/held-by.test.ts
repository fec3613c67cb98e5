import { expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { HeldBy, Hold } from "../src/kernel/hold.ts";
import { describe as describeOperation } from "../src/kernel/operation-seal.ts";

/** States in which something waits for somebody, by whatever name it is called. */
const waits = /^(queued|pending|waiting|awaiting_.*|.*_required|paused|held|blocked|on_hold)$/;

/** What has such a state, by the member that names it, and is held by nothing that people lift. This list may only shrink. */
const exceptions: Readonly<Record<string, string>> = {
  "status of task_id,status,trust_score,audit_ref": "the answer to a dispatch: exactly four members",
  "status of run_id,workflow,version,status": "a dead letter: the run has ended",
  "status of mission_id,goal,status,measure": "a report of what was done",
  "status of status,n,oldest_at,link": "counts of tasks by status",
  "state of alert_id,name,measure,filters": "an alert waits for figures",
  "state of at,state,event,value": "what became of an alert",
  "state of connector_id,base_id,name,kind": "shows its own pause",
  "state of webhook_id,url,description,events": "shows its own state, and stands in the inbox when it is disabled",
  "state of conversation_id,message_id,turn_id,state": "the answer to a message: conversation and task say it",
  "state of type,approval_id,state,summary": "a part of a message: the approval says it",
  "state of type,call_id,tool,by": "a part of a message: the approval of the call says it",
  "state of conversation_id,agent,channel,title": "waits in a queue for a person of the team",
  "status of message_id,conversation_id,number,role": "a message: its conversation says it",
  "state of delivery_id,webhook_id,event_id,event": "waits for its next attempt",
  "state of document_id,base_id,base,external_id": "waits for a worker that reads it",
  "state of document_id,base_id,base,state": "waits for a worker that reads it",
  "state of outcome,document_id,base_id,base": "waits for a worker that reads it",
  "state of export_id,format,schema_version,filter": "waits for a worker that writes it",
  "state of job_id,agent,skill,state": "a training: waits for a worker",
  "state of run_id,agent,skill,version": "an evaluation: waits for a worker",
  "state of shadow_run_id,task_id,skill,state": "waits for a worker",
  "state of sink_id,name,kind,target": "an audit sink: its position and lag say how far it is",
  "state of sync_id,base_id,connector_id,connector": "waits for a worker",
};

interface Schema {
  readonly properties?: Readonly<Record<string, Schema & { readonly enum?: readonly unknown[] }>>;
}

/** Objects of a schema whose state says that they wait, each once, by the member and what tells it apart. */
function* waitingObjects(schema: unknown, seen: Set<unknown>): Generator<readonly [string, Schema]> {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return;
  seen.add(schema);
  const { properties } = schema as Schema;
  for (const name of ["status", "state"] as const) {
    const words = properties?.[name]?.enum ?? [];
    if (words.some((word) => typeof word === "string" && waits.test(word)))
      yield [
        `${name} of ${Object.keys(properties ?? {})
          .slice(0, 4)
          .join(",")}`,
        schema as Schema,
      ];
  }
  for (const one of Object.values(schema)) yield* waitingObjects(one, seen);
}

const found = (): Map<string, Schema[]> => {
  const seen = new Set<unknown>();
  const objects = publishedOperations()
    .map(describeOperation)
    .flatMap(({ output }) => [...waitingObjects(output, seen)]);
  return Map.groupBy(objects, ([name]) => name) as never;
};

it("whatever can wait says what holds it, in every answer that shows it", () => {
  const silent = [...found()].flatMap(([name, all]) =>
    (all as unknown as [string, Schema][]).some(([, { properties }]) => properties?.held_by === undefined)
      ? [name]
      : [],
  );
  expect(silent.sort()).toEqual(Object.keys(exceptions).sort());
});

it("every hold that is shown comes from the one maker", () => {
  const shapes = publishedOperations()
    .map(describeOperation)
    .flatMap(({ output }) => heldBys(output));
  expect(shapes.length).toBeGreaterThan(0);
  for (const shape of shapes)
    expect(shape === HeldBy || (shape as { anyOf: unknown[] }).anyOf.includes(Hold)).toBe(true);
});

/** The schemas of all members that are called `held_by`. */
function heldBys(schema: unknown): unknown[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {} } = schema as Schema;
  const own = Object.entries(properties).flatMap(([name, one]) => (name === "held_by" ? [one] : []));
  return [...own, ...Object.values(schema).flatMap(heldBys)];
}
