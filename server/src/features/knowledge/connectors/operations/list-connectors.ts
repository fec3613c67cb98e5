import { byObject } from "../../../../kernel/narrowing.ts";
import { ofKnownBase } from "../../bases/narrowing.ts";
import { connectors } from "../operation-parts.ts";
import { seenOf } from "../store.ts";

export const listConnectors = connectors.listOperation({
  id: "knowledge.listConnectors",
  summary: "List a base's sources",
  description: "The connectors of the base, newest first, each with its latest sync. Credentials are not shown.",
  narrowing: byObject("the agents that name the base", ofKnownBase),
  narrow: (query, { ctx, loaded: { id } }) => seenOf(ctx, id, query),
});
