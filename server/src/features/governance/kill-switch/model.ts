/** What a kill switch stops. `all`: every environment of the organization. */
export const killSwitchKinds = ["all", "environment", "agent", "version", "skill", "tool", "model"] as const;
export type KillSwitchKind = (typeof killSwitchKinds)[number];

/** How it stops, the mildest first: `drain` takes no new work, `pause` lets work wait, `stop` ends it. */
export const killSwitchModes = ["drain", "pause", "stop"] as const;
export type KillSwitchMode = (typeof killSwitchModes)[number];

/** A kill switch that is in force. */
export interface KillSwitch {
  /** `ksw_…`. */
  readonly id: string;
  readonly kind: KillSwitchKind;
  /** Agent, version id, `<agent>.<skill>`, tool or model name; null for `all` and `environment`. */
  readonly target: string | null;
  readonly mode: KillSwitchMode;
  readonly reason: string;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly engagedAt: number;
}

/** What an action is about, as far as a stop can name it. */
export interface KillSwitchSubject {
  readonly agent?: string;
  readonly versionId?: string;
  readonly skill?: string;
  readonly tool?: string;
  readonly model?: string;
}

/** Whether what an action is about lies within a stop. What is not known of the action is not within. */
export function covers({ kind, target }: Pick<KillSwitch, "kind" | "target">, of: KillSwitchSubject): boolean {
  switch (kind) {
    case "all":
    case "environment":
      return true;
    case "agent":
      return of.agent === target;
    case "version":
      return of.versionId === target;
    case "skill":
      return of.agent !== undefined && of.skill !== undefined && `${of.agent}.${of.skill}` === target;
    case "tool":
      return of.tool === target;
    case "model":
      return of.model === target;
  }
}

/** What begins work. All other actions of agents go on with it, or start what was accepted. */
const beginnings: ReadonlySet<string> = new Set(["task.dispatch", "chat.message"]);

/** Whether a stop of this mode stands against an action: a pause accepts work and lets it wait, a drain accepts none and lets it end. */
export function bears(mode: KillSwitchMode, action: string): boolean {
  if (mode === "stop") return true;
  return beginnings.has(action) ? mode === "drain" : mode === "pause";
}

/** The strictest of the stops that stand against an action; of two that are equally strict the earlier one. Null: none does. */
export function holdOf(stops: readonly KillSwitch[], action: string, of: KillSwitchSubject): KillSwitch | null {
  let found: KillSwitch | null = null;
  for (const stop of stops) {
    if (!bears(stop.mode, action) || !covers(stop, of)) continue;
    if (
      found === null ||
      strictness(stop) > strictness(found) ||
      (strictness(stop) === strictness(found) && stop.id < found.id)
    )
      found = stop;
  }
  return found;
}

const strictness = ({ mode }: KillSwitch): number => killSwitchModes.indexOf(mode);

/** Whether a stop takes two persons to loosen or release: those that reach furthest always do. */
export function isCritical(kind: KillSwitchKind, asked: boolean | undefined): boolean {
  return kind === "all" || kind === "environment" || asked === true;
}

/** For how long the first of two persons' word stands (milliseconds). */
export const releaseRequestedFor = 3_600_000;

export type ReleaseTo = "pause" | "released";

/** What is known of a stop when somebody wants it loosened. */
export interface Releasing {
  readonly critical: boolean;
  readonly asked: { readonly by: string; readonly at: number; readonly to: ReleaseTo } | null;
}

/**
 * What one more word for loosening a stop comes to: `done`; `asked`, where it takes a second person and this is the first; or `same_person`, who has
 * said so before. Who wants something else than was asked for begins anew. A word that is older than an hour has lapsed.
 */
export function releaseBy(
  { critical, asked }: Releasing,
  person: string,
  to: ReleaseTo,
  now: number,
): "done" | "asked" | "same_person" {
  if (!critical) return "done";
  if (!stands(asked, now) || asked.to !== to) return "asked";
  return asked.by === person ? "same_person" : "done";
}

/** Whether the first person's word still stands. */
export function stands(asked: Releasing["asked"], now: number): asked is NonNullable<Releasing["asked"]> {
  return asked !== null && now - asked.at < releaseRequestedFor;
}
