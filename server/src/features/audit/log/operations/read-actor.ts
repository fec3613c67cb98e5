import { Type } from "typebox";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { insufficientScope } from "../../../../kernel/problems.ts";
import { closed, createdRange } from "../../../../kernel/schema-words.ts";
import { exampleActorSummary } from "../../example.ts";
import { ActorSummary } from "../../schemas.ts";
import { LogParameter, logOf } from "../logs.ts";
import { summarize } from "../summary-store.ts";

export const readActor = defineRead({
  id: "audit.readActor",
  path: "/v1/audit/actors/{actor}",
  summary: "Read what a person, key or job did",
  description:
    "Counts of the records of one actor, by operation, key and object. `GET /v1/audit/events?actor=` lists the records themselves, and `key=` those of a key.",
  params: Type.Object({
    actor: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Who called: `mbr_…`, `key_…`, `system:<job>` or `anonymous`.",
    }),
  }),
  query: Type.Object({ log: LogParameter, ...createdRange }, closed),
  output: ActorSummary,
  example: { params: { actor: exampleActorSummary.actor }, output: exampleActorSummary },
  permission: "audit:read",
  load: exempt("names whoever the log has; of somebody who never called there are no records"),
  narrowing: limitedTo("counts records that concern the key's agents alone, and those of its own calls"),
  compliance: governs("audit.read"),
  audit: ({ params }) => `audit:${params.actor}`,
  errors: [insufficientScope],
  async handle(ctx, { params: { actor }, query: { log, ...range } }) {
    const who = actor.startsWith("key_") ? { key: actor } : { actor };
    const { all, by } = await summarize(ctx, logOf(ctx, log), { ...range, ...who });
    return {
      actor,
      ...all,
      actions: by.action.map(([action, counts]) => ({ action, ...counts })),
      keys: by.key.map(([key_id, counts]) => ({ key_id, ...counts })),
      objects: by.object.map(([object, counts]) => ({ object, ...counts })),
    };
  },
});
