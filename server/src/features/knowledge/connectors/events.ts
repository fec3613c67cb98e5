import { Type } from "typebox";
import { defineEvent } from "../../../kernel/events.ts";
import { nullable, Time } from "../../../kernel/schema-words.ts";
import { connectorReaders } from "../events.ts";

const about = {
  base_id: Type.String({ description: "`kb_…`" }),
  base: Type.String({ description: "The base's name." }),
  connector_id: Type.String({ description: "`cnr_…`" }),
  connector: Type.String({ description: "The connector's name." }),
  sync_id: Type.String({ description: "`syn_…`" }),
  added: Type.Integer(),
  changed: Type.Integer(),
  removed: Type.Integer(),
  failed: Type.Integer({ description: "Items that could not be taken." }),
};

export const syncCompleted = defineEvent({
  type: "knowledge.sync.completed",
  summary: "A knowledge base took over what changed at a source.",
  readers: connectorReaders,
  schema: Type.Object({ event: Type.Literal("knowledge.sync.completed"), ...about }),
});

export const syncFailed = defineEvent({
  type: "knowledge.sync.failed",
  summary: "A source of a knowledge base could not be read to its end. What came until then stays.",
  readers: connectorReaders,
  schema: Type.Object({
    event: Type.Literal("knowledge.sync.failed"),
    ...about,
    code: Type.String({ description: "Why, such as `connect_failed`." }),
    failures_in_a_row: Type.Integer(),
    next_run_at: nullable(Time, "When it is tried again by itself; null: it is not."),
  }),
});
