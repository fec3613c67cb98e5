import { defineList } from "../../../../kernel/listing.ts";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleRecall } from "../../example.ts";
import { Recall } from "../../schemas.ts";
import { recallView } from "../rules.ts";
import { listRecallRows } from "../store.ts";

export const listRecalls = defineList({
  id: "marketplace.listRecalls",
  path: "/v1/marketplace/recalls",
  summary: "List quarantines and recalls",
  description: "Newest first, each with what it stopped.",
  item: Recall,
  example: { item: exampleRecall },
  permission: "marketplace:read",
  narrowing: openToAll("a catalogue for everybody, of no agent"),
  compliance: governs("listing.read"),
  audit: "recalls",
  read: (ctx, _filter, page) => listRecallRows(ctx, page),
  position: ({ id }) => id,
  view: recallView,
});
