import { defineFacts } from "../../../kernel/facts.ts";
import type { Environment, Scope } from "../../../kernel/principal.ts";

interface SignedChannel {
  readonly scope: Scope;
  readonly sealed: Buffer;
}

/** Over all environments: only the signature tells which one is called. */
export const channelFacts = defineFacts<ReadonlyMap<string, readonly SignedChannel[]>>({
  topic: "chat_channels",
  async load(db) {
    const rows = await db.query<{ organization: string; environment: Environment; name: string; secret: Buffer }>(
      "select organization, environment, name, secret from chat_channels where kind = 'slack' and enabled and secret is not null",
    );
    const channels = rows.map(({ organization, environment, name, secret }) => ({
      name,
      scope: { organization, environment },
      sealed: secret,
    }));
    return Map.groupBy(channels, ({ name }) => name);
  },
});
