import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { invalidBody, notFound } from "../../../kernel/problems.ts";
import { type MeasureName, measures } from "../rollups/measures.ts";
import { dimensionsOf } from "../rollups/requests.ts";
import { alerts } from "./resource.ts";
import type { AlertCondition, ChangeAlertBody, CreateAlertBody } from "./schemas.ts";
import { knownMembers } from "./store.ts";
import type { AlertRow } from "./view.ts";

const fault = (pointer: string, code: string, detail: string): Fault => ({ pointer, code, detail });

export function conditionFaults(condition: AlertCondition | undefined): Fault[] {
  if (condition === undefined || condition.kind === "anomaly" || condition.clear_at === undefined) return [];
  const { kind, threshold, clear_at } = condition;
  const isFine = kind === "above" ? clear_at <= threshold : clear_at >= threshold;
  if (isFine) return [];
  const side = kind === "above" ? "at or below" : "at or above";
  return [fault("/condition/clear_at", "beyond_threshold", `must be ${side} the threshold, ${threshold}`)];
}

/** A condition that no value of the measure meets, so that the alert could never fire: none is below 0, and no share above 1. */
export function neverMetFaults(measure: MeasureName, condition: AlertCondition | undefined): Fault[] {
  if (condition === undefined || condition.kind === "anomaly") return [];
  const { kind, threshold } = condition;
  const isShare = measures[measure].unit === "share";
  const isMet = kind === "below" ? threshold > 0 : !isShare || threshold < 1;
  if (isMet) return [];
  const remedy = kind === "below" ? "above 0" : "below 1";
  const why = isShare ? "lies between 0 and 1" : "is never below 0";
  return [
    fault("/condition/threshold", "never_met", `must be ${remedy}: ${measure} ${why}, so the alert could never fire`),
  ];
}

export function refuseNeverMet(measure: MeasureName, condition: AlertCondition | undefined): void {
  const errors = neverMetFaults(measure, condition);
  if (errors[0]) throw refuse(invalidBody, `${errors[0].pointer}: ${errors[0].detail}.`, { errors });
}

/** Dimensions that the measure cannot be grouped by; `labels` are those that the environment declares. */
export function filterFaults(
  { measure, filters = {} }: Pick<CreateAlertBody, "measure" | "filters">,
  labels: readonly string[],
): Fault[] {
  const family = measures[measure as MeasureName].family;
  const known = dimensionsOf(family, labels);
  const allowed = known.join(", ");
  return Object.keys(filters).flatMap((name) =>
    known.includes(name)
      ? []
      : [fault(`/filters/${name}`, "unknown_dimension", `${measure} has no such dimension; it has ${allowed}`)],
  );
}

/** A label of a report, `<name>:<value>`, that is no dimension here. */
export function labelFaults(label: string | undefined, declared: readonly string[]): Fault[] {
  const [name = ""] = label?.split(":") ?? [];
  if (label === undefined || declared.includes(name)) return [];
  const remedy = declared.length === 0 ? "none is" : `declared are ${declared.join(", ")}`;
  return [fault("/label", "unknown_dimension", `${name} is not declared as a dimension in the settings; ${remedy}`)];
}

export async function refuseUnknownMembers(
  ctx: WriteContext,
  { notify }: Pick<ChangeAlertBody, "notify">,
): Promise<void> {
  const ids = notify?.members ?? [];
  const known = await knownMembers(ctx, ids);
  const errors = ids.flatMap((id, at) =>
    known.has(id) ? [] : [fault(`/notify/members/${at}`, "unknown_member", `${id} is no member of the organization`)],
  );
  if (errors[0]) throw refuse(invalidBody, `${errors[0].pointer}: ${errors[0].detail}.`, { errors });
}

/** Locks the alert that a call loaded. Throws if it was removed, or changed since the revision that the call is based on. */
export async function lockLoadedAlert(ctx: WriteContext, loaded: AlertRow): Promise<AlertRow> {
  const alert = await alerts.rows.lock(ctx, loaded.id);
  if (!alert) throw refuse(notFound, "The alert was just removed.");
  if (ctx.basedOnLoaded && alert.revision !== loaded.revision) throw changedMeanwhile();
  return alert;
}

/** What reads figures later stops without that permission, so that a key without it sets nothing up. */
export const readerFaults = ({ principal: { scopes } }: Pick<CallContext, "principal">): Fault[] =>
  scopes === null || scopes.includes("analytics:read")
    ? []
    : [{ pointer: "", code: "exceeds_caller", detail: "takes analytics:read, which your key's scopes leave out" }];
