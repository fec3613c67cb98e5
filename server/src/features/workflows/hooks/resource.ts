import { Type } from "typebox";
import { isoTime } from "../../../kernel/clock.ts";
import { refuse } from "../../../kernel/errors.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { exempt } from "../../../kernel/operation.ts";
import { defineResource } from "../../../resources/resource.ts";
import { json } from "../../../resources/rows.ts";
import { overlapUntil } from "../../../resources/secrets.ts";
import { erasedBy, keptFor, ownTables, untilRemoved } from "../../../resources/tables.ts";
import { hookExists, tooManyHooks } from "../errors.ts";
import { exampleHook } from "../triggers/example.ts";
import { Hook, HookName, hookNamePattern } from "../triggers/schemas.ts";
import { hookFacts } from "./facts.ts";

export const owned = ownTables({
  workflow_hooks: {
    keeps: untilRemoved("People remove a hook."),
    personal: {
      columns: ["description", "author", "secret_deciders", "previous_deciders"],
      erased: erasedBy("workflows.removeHook"),
    },
  },
  workflow_hook_calls: {
    keeps: keptFor("For 7 days, in which a repeated call starts no second run.", "workflows.triggers"),
    personal: exempt("names a call and its audit record"),
  },
});

/** Who was shown the present secret, and each of the earlier ones. */
interface HookDeciders {
  readonly secret_deciders: unknown;
  readonly previous_deciders: readonly unknown[];
}

const mostHooks = 200;
const possibleName = new RegExp(hookNamePattern);
const ofAllAgents = whole("events of a hook concern all agents");

export const hooks = defineResource({
  table: owned.workflow_hooks,
  key: "name",
  isKey: (text) => possibleName.test(text),
  json: json<HookDeciders>()("secret_deciders", "previous_deciders"),
  taken: ({ scope: { environment } }, name) =>
    refuse(hookExists, `There is a hook ${name} in ${environment}; choose another name.`),
  limit: {
    most: mostHooks,
    lock: "hooks",
    refuse: ({ scope: { environment } }) =>
      refuse(tooManyHooks, `There are ${mostHooks} hooks in ${environment}; remove one first.`),
  },
  path: "/v1/hooks",
  member: Type.Object({ hook: HookName }),
  item: Hook,
  identity: "name",
  example: { params: { hook: exampleHook.name }, item: exampleHook },
  view: (row, { appUrl, now }) => ({
    name: row.name,
    url: `${appUrl}/v1/hooks/${row.name}`,
    description: row.description,
    secret_overlap_until: isoTime(overlapUntil(row, now)),
    created_by: row.author,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }),
  object: "hook",
  objects: "hooks",
  permission: { read: "workflows:read", change: "workflows:write" },
  governs: { read: "hook.read", change: "hook.change" },
  decides: "hook_payload",
  narrowing: { one: ofAllAgents, all: ofAllAgents },
  touches: hookFacts,
});
