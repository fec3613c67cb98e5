import { Type } from "typebox";
import { defineEvent, everyone } from "../../../kernel/events.ts";
import { nullable } from "../../../kernel/schema-words.ts";
import { KillSwitchId, KillSwitchKind, KillSwitchMode, KillSwitchTarget } from "./schemas.ts";

const common = {
  kill_switch_id: KillSwitchId,
  kind: KillSwitchKind,
  target: nullable(KillSwitchTarget),
  mode: KillSwitchMode,
  critical: Type.Boolean(),
  reason: Type.String(),
};

export const killSwitchEngagedEvent = defineEvent({
  type: "kill_switch.engaged",
  summary: "People stopped work of agents.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("kill_switch.engaged"),
    ...common,
    by: Type.String({ description: "Who engaged it." }),
  }),
});

export const killSwitchReleased = defineEvent({
  type: "kill_switch.released",
  summary: "A kill switch was released, or loosened to a pause.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("kill_switch.released"),
    ...common,
    mode: Type.Enum(["pause", "drain", "stop"] as const, { description: "The mode that it had." }),
    to: Type.Enum(["pause", "released"] as const, { description: "`pause`: it is in force still, as a pause." }),
    by: Type.Array(Type.String(), { description: "Who released it: of a critical one two persons." }),
  }),
});
