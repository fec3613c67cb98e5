import type { QueryContext } from "../../../kernel/db.ts";
import { keyRows, memberRows } from "../../admin/shared-rows.ts";
import { agentVersionRows } from "../../agents/shared-rows.ts";
import { killSwitchRows, policyRows } from "../../governance/shared-rows.ts";
import { webhookRows } from "../../webhooks/shared-rows.ts";
import type { Breakdown } from "../figures/window-schemas.ts";

// What the values of dimensions are called: ids are for machines.

type Names = ReadonlyMap<string, string>;

/** Kinds of ids with a name, by their prefix, and where it stands. */
const named: Readonly<Record<string, string>> = {
  mbr: `select id, name from ${memberRows} members where organization = $1 and id = any($3) and $2 <> ''`,
  key: `select id, name from ${keyRows} keys where organization = $1 and environment = $2 and id = any($3)`,
  ver: `select id, agent || ' version ' || number as name from ${agentVersionRows} agent_versions where organization = $1 and id = any($3) and $2 <> ''`,
  pol: `select id, name from ${policyRows} policies where organization = $1 and environment = $2 and id = any($3) and name <> ''`,
  ksw: `select id, 'Kill switch: ' || concat_ws(' ', kind, target) as name from ${killSwitchRows} kill_switches where organization = $1 and id = any($3) and $2 <> ''`,
  whk: `select id, url as name from ${webhookRows} webhooks where organization = $1 and environment = $2 and id = any($3)`,
};
const idText = /(?:mbr|key|ver|pol|ksw|whk)_[0-9a-hjkmnp-tv-z]{26}/;
const machines: Readonly<Record<string, string>> = {
  pause: "Pause of an agent",
  gate: "Evaluation gate",
};

/** The names of these values, as far as they have one that says more than they do. A statement for each kind of id that occurs. */
export async function namesOf(
  { db, scope }: QueryContext,
  values: readonly (string | null | undefined)[],
): Promise<Names> {
  const asked = [...new Set(values.flatMap((value) => value ?? []))];
  const ids = [...new Set(asked.flatMap((value) => idText.exec(value)?.[0] ?? []))];
  const byKind = Map.groupBy(ids, (id) => id.slice(0, 3));
  const found = await Promise.all(
    [...byKind].map(([kind, some]) =>
      db.query<{ id: string; name: string }>(named[kind] as string, [scope.organization, scope.environment, some]),
    ),
  );
  const names = new Map(found.flat().map(({ id, name }) => [id, name]));
  return new Map(asked.flatMap((value) => nameOf(value, names) ?? []).map(([value, name]) => [value, name] as const));
}

function nameOf(value: string, names: Names): [[string, string]] | undefined {
  const own = names.get(value) ?? machines[value];
  if (own !== undefined) return [[value, own]];
  if (value.startsWith("system:")) return [[value, `The service (${value.slice("system:".length)})`]];
  const [, scope, unit, period] = /^budget:(.+)\/(\w+)\/(\w+)$/.exec(value) ?? [];
  if (scope !== undefined)
    return [[value, `Budget of ${scopeName(scope, names)}: ${unit} a ${period}`.replace("a total", "in total")]];
  return /^(agent|key|member):|^environment$/.test(value) ? [[value, scopeName(value, names)]] : undefined;
}

/** What a budget covers, in words. */
function scopeName(scope: string, names: Names): string {
  if (scope === "environment") return "the environment";
  const [kind = "", id = ""] = scope.split(/:(.*)/s);
  return kind === "agent" ? id : `${kind} ${names.get(id) ?? id}`;
}

export async function withNames<R extends Pick<Breakdown, "key">>(
  ctx: QueryContext,
  rows: readonly R[],
): Promise<(R & Pick<Breakdown, "names">)[]> {
  const names = await namesOf(
    ctx,
    rows.flatMap(({ key }) => Object.values(key)),
  );
  return rows.map((row) => {
    const own = Object.entries(row.key).flatMap(([dimension, value]) => {
      const name = value === null ? undefined : names.get(value);
      return name === undefined ? [] : [[dimension, name] as const];
    });
    return own.length === 0 ? row : { ...row, names: Object.fromEntries(own) };
  });
}
