/** `all`: every environment of the organization. */
export const killSwitchKinds = [
  "all",
  "environment",
  "agent",
  "version",
  "skill",
  "tool",
  "model",
  "workflow",
] as const;
export type KillSwitchKind = (typeof killSwitchKinds)[number];

/** The mildest first: `drain` accepts no new work, `pause` lets work wait, `stop` ends it. */
export const killSwitchModes = ["drain", "pause", "stop"] as const;
export type KillSwitchMode = (typeof killSwitchModes)[number];

export interface KillSwitch {
  /** `ksw_…`. */
  readonly id: string;
  readonly kind: KillSwitchKind;
  /** Agent, version id, `<agent>.<skill>`, tool, model or workflow name; null for `all` and `environment`. */
  readonly target: string | null;
  readonly mode: KillSwitchMode;
  readonly reason: string;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly engagedAt: number;
}

export interface KillSwitchSubject {
  readonly agent?: string;
  readonly versionId?: string;
  readonly skill?: string;
  readonly tool?: string;
  readonly model?: string;
  readonly workflow?: string;
}

/** Whether a kill switch targets an action. What is unknown of the action is not targeted. */
export function targetsAction({ kind, target }: Pick<KillSwitch, "kind" | "target">, of: KillSwitchSubject): boolean {
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
    case "workflow":
      return of.workflow === target;
  }
}

const beginnings: ReadonlySet<string> = new Set(["task.dispatch", "chat.message"]);

/** Whether the mode holds an action: a pause accepts work and lets it wait, a drain accepts none and lets the rest end. */
export function holdsAction(mode: KillSwitchMode, action: string): boolean {
  if (mode === "stop") return true;
  return beginnings.has(action) ? mode === "drain" : mode === "pause";
}

/** The strictest kill switch that holds an action, the earliest if several; null if none does. */
export function holdOf(stops: readonly KillSwitch[], action: string, of: KillSwitchSubject): KillSwitch | null {
  let found: KillSwitch | null = null;
  for (const stop of stops) {
    if (!holdsAction(stop.mode, action) || !targetsAction(stop, of)) continue;
    const more = found === null ? 1 : strictness(stop) - strictness(found);
    if (found === null || more > 0 || (more === 0 && stop.id < found.id)) found = stop;
  }
  return found;
}

const strictness = ({ mode }: KillSwitch): number => killSwitchModes.indexOf(mode);

export function isCritical(kind: KillSwitchKind, asked: boolean | undefined): boolean {
  return kind === "all" || kind === "environment" || asked === true;
}

/** How long the first person's request is valid (milliseconds). */
export const releaseRequestedFor = 3_600_000;

export type ReleaseTo = "pause" | "released";

export interface Releasing {
  readonly critical: boolean;
  readonly asked: { readonly by: string; readonly at: number; readonly to: ReleaseTo } | null;
}

/** The effect of a request: `done`, `asked` if a second person is needed, or `same_person`. A request for something else replaces the first one. */
export function releaseBy(
  { critical, asked }: Releasing,
  person: string,
  to: ReleaseTo,
  now: number,
): "done" | "asked" | "same_person" {
  if (!critical) return "done";
  if (!isRequestValid(asked, now) || asked.to !== to) return "asked";
  return asked.by === person ? "same_person" : "done";
}

export function isRequestValid(asked: Releasing["asked"], now: number): asked is NonNullable<Releasing["asked"]> {
  return asked !== null && now - asked.at < releaseRequestedFor;
}
