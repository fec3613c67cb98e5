import { type Decider, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { CallContext } from "../../../kernel/context.ts";
import { defineFacts } from "../../../kernel/facts.ts";
import type { Content } from "../accountability/confirmations-store.ts";
import type { ConfirmableKind } from "../accountability/kinds.ts";
import { type ConnectionRow, connectionRows } from "./resource.ts";

interface KnownConnection {
  readonly deciders: readonly Decider[];
  readonly changedAt: Date;
}

interface KnownRow {
  organization: string;
  environment: string;
  name: string;
  deciders: unknown;
  changed_at: Date;
}

/** What approvals need to know of connections, by organization, environment and name. */
export const connectionFacts = defineFacts<ReadonlyMap<string, KnownConnection>>({
  topic: "connections",
  async load(db) {
    const rows = await db.query<KnownRow>(
      `select c.organization, c.environment, c.name, c.changed_at, case when k.id is null then c.deciders end as deciders
       from connections c
       left join confirmations k on k.organization = c.organization and k.environment = c.environment
         and k.object = 'connection:' || c.name and k.digest = c.digest`,
    );
    return new Map(
      rows.map(({ organization, environment, name, deciders, changed_at }) => [
        `${organization} ${environment} ${name}`,
        { deciders: storedDeciders(deciders), changedAt: changed_at },
      ]),
    );
  },
});

type Here = Pick<CallContext, "facts" | "scope">;

function known({ facts, scope }: Here, names: readonly string[]): KnownConnection[] {
  if (names.length === 0) return [];
  const all = facts.get(connectionFacts);
  return names.flatMap((name) => all.get(`${scope.organization} ${scope.environment} ${name}`) ?? []);
}

/** Who decided connections of the call's environment, without those that a second person has looked at. From memory. */
export const connectionDeciders = (ctx: Here, names: readonly string[]): readonly Decider[] =>
  unite(...known(ctx, names).map(({ deciders }) => deciders));

/** Whether one of these connections was replaced after a time: a call would go elsewhere than people thought who approved it then. From memory. */
export const connectionsChangedSince = (ctx: Here, names: readonly string[], since: Date): boolean =>
  known(ctx, names).some(({ changedAt }) => changedAt > since);

export const connectionObject = (name: string): string => `connection:${name}`;

/** Where a connection leads and with which secret, as a second person confirms it. */
export const connectionContent = ({
  name,
  digest,
  deciders,
}: Pick<ConnectionRow, "name" | "digest" | "deciders">): Content => ({
  object: connectionObject(name),
  digest: digest ?? "",
  deciders: storedDeciders(deciders),
});

export const confirmableConnection: ConfirmableKind = {
  kind: "connection",
  permission: "admin:read",
  async find(ctx, name) {
    const row = await connectionRows.find(ctx, name);
    return row && { ...connectionContent(row), agents: null, path: "/v1/admin/connections" };
  },
  confirmed: (ctx) => ctx.touch(connectionFacts),
};
