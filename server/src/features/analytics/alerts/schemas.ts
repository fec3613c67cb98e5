import { type Static, Type } from "typebox";
import { Count, closed, nullable, stoppedMembers, Time } from "../../../kernel/schema-words.ts";
import { measureNames } from "../rollups/measures.ts";

// Shapes of alerts on the wire. A part of schemas.ts, which it does not import.

export const AlertId = Type.String({ description: "The alert's id, `alr_…`." });
export const alertStates = ["waiting", "ok", "pending", "firing", "recovering", "no_data"] as const;
export const AlertState = Type.Enum(alertStates, {
  description:
    "`waiting`: not looked at yet. `ok`: not beyond the threshold. `pending`: beyond it, not yet for as long as `for_minutes`. `firing`. `recovering`: still firing, back within `clear_at` but not yet for as long as `for_minutes`. `no_data`: fewer things in the window than `least_n`.",
});
export type AlertState = Static<typeof AlertState>;

const Threshold = Type.Number({ description: "In the unit of the measure." });
const Above = Type.Object(
  {
    kind: Type.Literal("above"),
    threshold: Threshold,
    clear_at: Type.Optional(
      Type.Number({ description: "It clears at or below this. Default: a tenth of the threshold below it." }),
    ),
  },
  closed,
);
const Below = Type.Object(
  {
    kind: Type.Literal("below"),
    threshold: Threshold,
    clear_at: Type.Optional(
      Type.Number({ description: "It clears at or above this. Default: a tenth of the threshold above it." }),
    ),
  },
  closed,
);
const Unusual = Type.Object(
  {
    kind: Type.Literal("anomaly"),
    direction: Type.Enum(["high", "low", "both"] as const),
    once_in: Type.Integer({
      minimum: 20,
      maximum: 1_000_000,
      description:
        "How rare a value has to be: once in so many windows, compared with the same window of the weeks before.",
    }),
  },
  closed,
);
export const AlertCondition = Type.Union([Above, Below, Unusual], {
  description:
    "`above` and `below`: beyond a threshold. `anomaly`: unlike the same window of the six weeks before; it needs four of them.",
});
export type AlertCondition = Static<typeof AlertCondition>;

export const AlertFilters = Type.Record(
  Type.String({ maxLength: 80 }),
  Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { minItems: 1, maxItems: 20 }),
  { maxProperties: 5, description: "Values of dimensions of the measure: `agent`, `skill`, `label:customer` …" },
);

export const AlertNotify = Type.Object(
  {
    members: Type.Array(Type.String({ pattern: "^mbr_[0-9a-z]{26}$" }), {
      maxItems: 20,
      uniqueItems: true,
      description: "Members who get an e-mail, where the installation has a mail server and they have an address.",
    }),
  },
  { ...closed, description: "Who is notified besides webhook endpoints, which subscribe to `analytics.alert.*`." },
);

const windowMinutes = (more = "") =>
  Type.Integer({
    minimum: 1,
    maximum: 43_200,
    description: `The window that is measured: so many minutes up to now.${more}`,
  });
const forMinutes = (more = "") =>
  Type.Integer({
    minimum: 0,
    maximum: 10_080,
    description: `How long it has to hold before it fires, and to be over before it clears.${more}`,
  });
const leastN = (more = "") =>
  Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: `Fewer things in the window are no data: nothing fires or clears then.${more}`,
  });

const settings = {
  name: Type.String({ minLength: 1, maxLength: 120, description: "For people." }),
  measure: Type.Enum(measureNames, { description: "`GET /v1/analytics/schema` describes them." }),
  filters: AlertFilters,
  window_minutes: windowMinutes(),
  condition: AlertCondition,
  for_minutes: forMinutes(),
  least_n: leastN(),
  notify: AlertNotify,
};

export const CreateAlertBody = Type.Object(
  {
    name: settings.name,
    measure: settings.measure,
    condition: settings.condition,
    filters: Type.Optional(settings.filters),
    window_minutes: Type.Optional(windowMinutes(" Default: 60.")),
    for_minutes: Type.Optional(forMinutes(" Default: 0.")),
    least_n: Type.Optional(
      leastN(" Default: 20 for shares, means and percentiles; 0 for counts and sums, so that silence is a value."),
    ),
    notify: Type.Optional(settings.notify),
  },
  closed,
);
export type CreateAlertBody = Static<typeof CreateAlertBody>;

export const ChangeAlertBody = Type.Object(
  {
    paused: Type.Optional(
      Type.Boolean({ description: "A paused alert is not looked at, and fires and clears nothing." }),
    ),
    name: Type.Optional(settings.name),
    condition: Type.Optional(settings.condition),
    for_minutes: Type.Optional(settings.for_minutes),
    least_n: Type.Optional(settings.least_n),
    notify: Type.Optional(settings.notify),
  },
  { ...closed, minProperties: 1, description: "What is left out stays." },
);
export type ChangeAlertBody = Static<typeof ChangeAlertBody>;

export const AlertSummary = Type.Object(
  {
    alert_id: AlertId,
    ...settings,
    paused: Type.Boolean(),
    state: AlertState,
    state_since: Time,
    fired: Type.Boolean({ description: "Whether it has fired and not cleared, whatever its state." }),
    value: nullable(Type.Number(), "At the last look; null: nothing to measure."),
    n: Count("Things in the window at the last look."),
    looked_at: nullable(Time, "Null: not yet."),
    error: nullable(Type.String(), "Why the last look could not measure; null: it could."),
    ...stoppedMembers,
    revision: Type.Integer({ minimum: 1, description: "Counts the changes." }),
    created_by: Type.String(),
    created_at: Time,
    link: nullable(Type.String(), "The things in the window now, a path of this interface."),
  },
  { description: "A measure that is watched." },
);
export type AlertSummary = Static<typeof AlertSummary>;

export const AlertTransition = Type.Object(
  {
    at: Time,
    state: AlertState,
    event: nullable(Type.Enum(["fired", "cleared"] as const), "The notification that was sent; null: none."),
    value: nullable(Type.Number()),
    n: Count("Things in the window."),
  },
  { description: "A change of an alert's state." },
);
export type AlertTransition = Static<typeof AlertTransition>;

export const Alert = Type.Object(
  {
    ...AlertSummary.properties,
    history: Type.Array(AlertTransition, { description: "Changes of its state, newest first, at most 100." }),
  },
  { description: "A measure that is watched, with what became of it." },
);
export type Alert = Static<typeof Alert>;

export const RemovedAlert = Type.Object({ alert_id: AlertId, removed: Type.Literal(true) });
