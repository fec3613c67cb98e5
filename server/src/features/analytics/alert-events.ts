import { Type } from "typebox";
import { defineEvent, everyone } from "../../kernel/events.ts";
import { nullable, Time } from "../../kernel/schema-words.ts";
import { AlertCondition, AlertId } from "./alerts-schemas.ts";
import { measureNames } from "./measures.ts";

const common = {
  alert_id: AlertId,
  name: Type.String(),
  measure: Type.Enum(measureNames),
  condition: AlertCondition,
  agent: nullable(Type.String(), "The agent that it watches; null: several or all."),
  value: nullable(Type.Number(), "What was measured."),
  n: Type.Integer({ description: "Things in the window." }),
  from: Type.String({ format: "date-time", description: "Beginning of the measured window." }),
  to: Time,
  link: Type.String({ description: "Where people read it." }),
};
const told = <T extends string>(type: T, summary: string) =>
  defineEvent({ type, summary, readers: everyone, schema: Type.Object({ event: Type.Literal(type), ...common }) });

export const alertFired = told("analytics.alert.fired", "A watched measure is beyond its threshold.");
export const alertCleared = told("analytics.alert.cleared", "A watched measure is back within its threshold.");
