import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { exampleKillSwitch } from "../example.ts";
import { KillSwitch, KillSwitchKind, KillSwitchState } from "../schemas.ts";
import { listKillSwitches as readPage } from "../store.ts";
import { killSwitchView } from "../view.ts";

const filters = {
  state: Type.Optional(
    Type.Array(KillSwitchState, {
      default: ["engaged", "release_requested"],
      description: "States, separated by commas; default: those in force.",
    }),
  ),
  kind: commaList(KillSwitchKind, "Kinds"),
};

export const listKillSwitches = defineList({
  id: "governance.listKillSwitches",
  path: "/v1/governance/kill-switch",
  summary: "List kill switches",
  description:
    "The kill switches that act in this environment, newest first, with what they ended and how long that took; those in force unless `state` asks for others.",
  filters,
  item: KillSwitch,
  example: { item: exampleKillSwitch },
  permission: "governance:read",
  narrowing: limitedTo("lists kill switches that stop the key's agents, those for all agents among them"),
  compliance: governs("kill_switch.read"),
  audit: "kill_switches",
  sort: "-engaged_at",
  read: readPage,
  position: ({ id }) => id,
  view: killSwitchView,
});
