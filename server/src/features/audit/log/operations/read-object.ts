import { Type } from "typebox";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { insufficientScope } from "../../../../kernel/problems.ts";
import { closed, createdRange } from "../../../../kernel/schema-words.ts";
import { exampleObjectSummary } from "../../example.ts";
import { ObjectSummary } from "../../schemas.ts";
import { LogParameter, logOf } from "../logs.ts";
import { summarize } from "../summary-store.ts";

export const readObject = defineRead({
  id: "audit.readObject",
  path: "/v1/audit/objects/{type}/{id}",
  summary: "Read what happened to an object",
  description:
    "Counts of the records about one object, by operation, key and actor: who did what to it, and when last. `GET /v1/audit/events?object=<type>:<id>` lists the records.",
  params: Type.Object({
    type: Type.String({
      minLength: 1,
      maxLength: 60,
      description: "The kind of object, as records name it: `agent`, `task`, `policy` …",
    }),
    id: Type.String({ minLength: 1, maxLength: 300, description: "Its id or name." }),
  }),
  query: Type.Object({ log: LogParameter, ...createdRange }, closed),
  output: ObjectSummary,
  example: { params: { type: "agent", id: "sales" }, output: exampleObjectSummary },
  permission: "audit:read",
  load: exempt("names whatever the log has; of something that was never called for there are no records"),
  narrowing: limitedTo("counts records that concern the key's agents alone, and those of its own calls"),
  compliance: governs("audit.read"),
  audit: ({ params }) => `audit:${params.type}:${params.id}`,
  errors: [insufficientScope],
  async handle(ctx, { params: { type, id }, query: { log, ...range } }) {
    const object = `${type}:${id}`;
    const { all, by } = await summarize(ctx, logOf(ctx, log), { ...range, object });
    return {
      object,
      ...all,
      actions: by.action.map(([action, counts]) => ({ action, ...counts })),
      keys: by.key.map(([key_id, counts]) => ({ key_id, ...counts })),
      actors: by.actor.map(([actor, counts]) => ({ actor, ...counts })),
    };
  },
});
