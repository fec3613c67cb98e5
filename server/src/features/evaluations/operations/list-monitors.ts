import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { exampleMonitor } from "../example.ts";
import { listMonitors as readPage } from "../review-store.ts";
import { monitorView } from "../review-view.ts";
import { Monitor } from "../schemas.ts";

export const listMonitors = defineList({
  id: "evaluations.listMonitors",
  path: "/v1/evaluations/monitors",
  summary: "List monitors",
  description: "What draws live tasks for review, with how far the queue is worked off and how far reviewers agree.",
  filters: { agent: Type.Optional(Type.String({ description: "Monitors of this agent." })) },
  item: Monitor,
  example: { item: exampleMonitor },
  permission: "evaluations:read",
  narrowing: limitedTo("lists monitors of the key's agents"),
  compliance: governs("review.read"),
  audit: "monitors",
  read: readPage,
  position: ({ id }) => id,
  view: monitorView,
});
