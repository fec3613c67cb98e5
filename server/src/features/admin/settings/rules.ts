import { bodyLimit, depthLimit, ordinaryBounds } from "../../../kernel/body-bounds.ts";
import type { Fault } from "../../../kernel/errors.ts";
import { keptFor } from "../../../kernel/idempotency.ts";
import { PAGE_LIMIT } from "../../../kernel/page.ts";
import type { Environment } from "../../../kernel/principal.ts";
import type { SettingLimits, Settings, SettingsPatch } from "./schemas.ts";

/** Limits of the whole installation; a test checks that the service enforces them. */
export const installationLimits: SettingLimits = {
  json_body_bytes: bodyLimit,
  json_depth: depthLimit,
  json_members: ordinaryBounds.members,
  json_values: ordinaryBounds.values,
  headers_bytes: 16_384,
  request_seconds: 30,
  wait_seconds: 60,
  batch_items: 100,
  page_items: PAGE_LIMIT.most,
  idempotency_hours: keptFor / 3_600_000,
};

const approvals = { expires_in_seconds: null, on_expiry: "reject" } as const;

const standardSettings: Settings = {
  rate: { per_second: 100 },
  tools: { reads: [] },
  approvals: { strict: false, low: approvals, medium: approvals, high: approvals, critical: approvals },
  chat: { retention_days: 30 },
  retention: { deliveries_days: 90, exports_days: 30 },
  analytics: { labels: [], value: [] },
};
const strictSettings: Settings = { ...standardSettings, approvals: { ...standardSettings.approvals, strict: true } };

/** The defaults of an environment. Staging and production are always strict. */
export const standardsOf = (environment: Environment): Settings =>
  environment === "development" ? standardSettings : strictSettings;

/** The settings that an environment has changed, shaped like a patch without nulls that reset. */
export type ChangedSettings = Readonly<Record<string, unknown>>;

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The settings in force: the changed ones over the defaults. Ignores members that are no longer settings. */
export function effectiveSettings(changed: ChangedSettings, environment: Environment): Settings {
  return overlay(standardsOf(environment), changed) as Settings;
}

export function settingsFaults(patch: SettingsPatch | undefined, environment: Environment): Fault[] {
  if (environment === "development" || patch?.approvals?.strict !== false) return [];
  const detail = `is always true in ${environment}: only development can relax approvals. Leave it out`;
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

/** The changed settings after a JSON Merge Patch (RFC 7396). Groups that become empty are removed. */
export function mergeSettings(changed: ChangedSettings, patch: SettingsPatch | ChangedSettings): ChangedSettings {
  const merged: Record<string, unknown> = { ...changed };
  for (const [name, value] of Object.entries(patch)) {
    const before = merged[name];
    delete merged[name];
    if (value === null) continue;
    const next = isGroup(value) ? mergeSettings(isGroup(before) ? before : {}, value) : value;
    if (!isGroup(next) || Object.keys(next).length > 0) merged[name] = next;
  }
  return merged;
}

/** For the audit record: which requests were marked as reads, and which no longer are. */
export function markedReads(before: Settings, after: Settings): string[] {
  const only = (one: Settings, other: Settings): string[] =>
    one.tools.reads.filter((request) => !other.tools.reads.includes(request));
  return [
    ...only(after, before).map((request) => `marked as a read: ${request}`),
    ...only(before, after).map((request) => `no longer marked as a read: ${request}`),
  ];
}

/** The names of the settings that differ, such as `rate.per_second`, sorted. */
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
