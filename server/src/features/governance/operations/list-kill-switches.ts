import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { commaList } from "../../../kernel/schema-words.ts";
import { exampleStop } from "../kill-switch/example.ts";
import { listStops as readPage } from "../kill-switch/store.ts";
import { stopView } from "../kill-switch/view.ts";
import { Stop, StopKind, StopState } from "../kill-switch-schemas.ts";

const filters = {
  state: Type.Optional(
    Type.Array(StopState, {
      default: ["engaged", "release_asked"],
      description: "States, separated by commas; those in force unless told.",
    }),
  ),
  kind: commaList(StopKind, "Kinds"),
};

export const listStops = defineList({
  id: "governance.listStops",
  path: "/v1/governance/kill-switch",
  summary: "List kill switches",
  description:
    "The kill switches that act in this environment, newest first, with what they ended and how long that took; those in force unless `state` asks for others.",
  filters,
  item: Stop,
  example: { item: exampleStop },
  permission: "governance:read",
  narrowing: limitedTo("lists kill switches that stop the key's agents, those for all agents among them"),
  compliance: governs("stop.read"),
  audit: "stops",
  sort: "-engaged_at",
  read: readPage,
  position: ({ id }) => id,
  view: stopView,
});
