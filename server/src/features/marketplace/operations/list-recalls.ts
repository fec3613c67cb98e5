import { defineList } from "../../../kernel/listing.ts";
import { openToAll } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { exampleRecall } from "../example.ts";
import { Recall } from "../schemas.ts";

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
  read: async () => [] as { id: string }[],
  position: ({ id }) => id,
  view: () => exampleRecall,
});
