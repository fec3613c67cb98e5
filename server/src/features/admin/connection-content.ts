import type { Row } from "../../db/scoped.ts";
import { first, select } from "../../db/scoped.ts";
import { storedDeciders } from "../../kernel/actor.ts";
import type { ConfirmableKind } from "./accountable-objects.ts";
import type { Content } from "./confirmations.ts";
import { connectionFacts } from "./connection-facts.ts";

/** The name of a connection among what people confirm. */
export const connectionObject = (name: string): string => `connection:${name}`;

/** Where a connection leads and with which secret, as a second person confirms it. */
export const connectionContent = ({
  name,
  digest,
  deciders,
}: Pick<Row<"connections">, "name" | "digest" | "deciders">): Content => ({
  object: connectionObject(name),
  digest: digest ?? "",
  deciders: storedDeciders(deciders),
});

export const confirmableConnection: ConfirmableKind = {
  kind: "connection",
  permission: "admin:read",
  async find(ctx, name) {
    const named = select(ctx, "connections", "c").select(["c.name", "c.digest", "c.deciders"]);
    const row = await first(ctx, named.where("c.name", "=", name));
    return row && { ...connectionContent(row), agents: null, path: "/v1/admin/connections" };
  },
  confirmed: (ctx) => ctx.touch(connectionFacts),
};
