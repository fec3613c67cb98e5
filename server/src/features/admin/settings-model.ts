import type { Fault } from "../../kernel/errors.ts";
import type { Environment } from "../../kernel/principal.ts";
import type { Settings, SettingsPatch } from "./people-schemas.ts";

const approvals = { expires_in_seconds: null, on_expiry: "reject" } as const;

/** What holds where an environment has set nothing of its own: 100 requests a second of a key, and approvals that wait for ever (start). */
export const standardSettings: Settings = {
  rate: { per_second: 100 },
  tools: { reads: [] },
  approvals: { strict: false, low: approvals, medium: approvals, high: approvals, critical: approvals },
};
const strictSettings: Settings = { ...standardSettings, approvals: { ...standardSettings.approvals, strict: true } };

/** The standards of an environment. Staging and production are always strict. */
export const standardsOf = (environment: Environment): Settings =>
  environment === "development" ? standardSettings : strictSettings;

/** What an environment has changed: the same shape as a patch that holds no null but where null is a value. */
export type ChangedSettings = Readonly<Record<string, unknown>>;

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The settings in force: what was changed, over the standards. Members that are no settings any more are passed over. */
export function effectiveSettings(changed: ChangedSettings, environment: Environment): Settings {
  return overlay(standardsOf(environment), changed) as Settings;
}

/** Only development can be less strict than staging and production, which are not relaxed by any setting. */
export function settingsFaults(patch: SettingsPatch | undefined, environment: Environment): Fault[] {
  if (environment === "development" || patch?.approvals?.strict !== false) return [];
  const detail = `is always true in ${environment}: only development can relax approvals; leave it out`;
  return [{ pointer: "/settings/approvals/strict", code: "not_changeable", detail }];
}

function overlay(standard: object, changed: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(standard).map(([name, value]) => {
      const own = Object.hasOwn(changed, name) ? changed[name] : undefined;
      if (own === undefined) return [name, value];
      return [name, isGroup(value) ? overlay(value, isGroup(own) ? own : {}) : own];
    }),
  );
}

/**
 * What is changed after a JSON Merge Patch (RFC 7396): null removes a member, and with it everything below it, so that the standard holds
 * again; groups that hold nothing any more go too.
 */
export function mergeSettings(changed: ChangedSettings, patch: SettingsPatch): ChangedSettings {
  return merge(changed, patch as Readonly<Record<string, unknown>>);
}

function merge(
  target: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const merged: Record<string, unknown> = { ...target };
  for (const [name, value] of Object.entries(patch)) {
    const before = merged[name];
    delete merged[name];
    if (value === null) continue;
    const next = isGroup(value) ? merge(isGroup(before) ? before : {}, value) : value;
    if (!isGroup(next) || Object.keys(next).length > 0) merged[name] = next;
  }
  return merged;
}

/** Which requests were marked as reads, and which no longer are, in words for the record. */
export function markedReads(before: Settings, after: Settings): string[] {
  const only = (one: Settings, other: Settings): string[] =>
    one.tools.reads.filter((request) => !other.tools.reads.includes(request));
  return [
    ...only(after, before).map((request) => `marked as a read: ${request}`),
    ...only(before, after).map((request) => `no longer marked as a read: ${request}`),
  ];
}

/** The settings that two states have differently, as `rate.per_second`, in alphabetical order. */
export function differences(before: Settings, after: Settings): string[] {
  const leaves = (value: unknown, path: string): [string, unknown][] =>
    isGroup(value)
      ? Object.entries(value).flatMap(([name, one]) => leaves(one, path === "" ? name : `${path}.${name}`))
      : [[path, value]];
  const old = new Map(leaves(before, ""));
  return leaves(after, "")
    .flatMap(([path, value]) => (JSON.stringify(old.get(path)) === JSON.stringify(value) ? [] : [path]))
    .sort();
}
