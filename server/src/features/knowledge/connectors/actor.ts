import { first, select } from "../../../db/scoped.ts";
import { type Actor, actorOfCall, asEarlier, storedActor, unite, withDeciders } from "../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { connectionDeciders, defineStanding, resolveActor, stoppedText, tellStopped } from "../../admin/public.ts";
import type { Writer } from "../documents/deciders.ts";
import { type ConnectorRow, connectorRows } from "./resource.ts";
import { scheduleOf } from "./rules.ts";
import { nextRun } from "./schedule.ts";
import { inNameOf } from "./store.ts";

// In whose name a connector brings documents, and who is accountable for what they say: whoever made or changed it.

const connectorObject = (id: string): string => `connector:${id}`;

const permission = "knowledge:write";

type Acting = Pick<ConnectorRow, "id" | "actor">;

const makersOf = ({ id, actor }: Acting) => asEarlier(storedActor(actor).persons, "connector", connectorObject(id));

/** Whoever changes a connector owns it; earlier owners stay deciders of what they left in it. */
export const changedActor = (ctx: WriteContext, row: Acting): Actor => withDeciders(actorOfCall(ctx), makersOf(row));

/** With those who decided the connection: another secret may read another tenant's texts. */
export function writerOfConnector(ctx: WriteContext, row: Acting & Pick<ConnectorRow, "connection">): Writer {
  const connected = connectionDeciders(ctx, row.connection === null ? [] : [row.connection]);
  return {
    author: ctx.principal.id,
    at: new Date(ctx.now),
    deciders: unite(makersOf(row), asEarlier(connected, "connector", connectorObject(row.id))),
  };
}

async function whyStopped(ctx: WriteContext, { stopped_reason, actor }: ConnectorRow): Promise<string | null> {
  if (stopped_reason !== null) return stopped_reason;
  const { stopped } = await resolveActor(ctx, storedActor(actor), permission);
  return stopped === undefined ? null : stoppedText(stopped);
}

/** Returns why it is stopped; null: it goes on. The operation `emits` `automation.stopped`. */
export async function stopUnlessPermitted(ctx: WriteContext, found: ConnectorRow): Promise<string | null> {
  if ((await whyStopped(ctx, found)) === null) return null;
  const row = await connectorRows.lock(ctx, found.id); // somebody else may be its owner by now
  if (!row) return null;
  const stopped_reason = await whyStopped(ctx, row);
  if (stopped_reason === null || row.stopped_reason !== null) return stopped_reason;
  await connectorRows.update(ctx, row.id, { stopped_reason, stopped_at: new Date(ctx.now), next_run_at: null });
  tellStopped(ctx, connectorObject(row.id), storedActor(row.actor).owner, stopped_reason);
  return stopped_reason;
}

export const standingConnector = defineStanding({
  kind: "connector",
  prefix: "cnr",
  permission,
  part: "connector",
  async find(ctx, id) {
    const row = await connectorRows.find(ctx, id);
    const base = row && row.state !== "removing" ? await findName(ctx, row.base) : undefined;
    if (!row || base === undefined) return undefined;
    return {
      object: connectorObject(id),
      actor: storedActor(row.actor),
      deciders: makersOf(row),
      stoppedReason: row.stopped_reason,
      agents: null,
      path: `/v1/knowledge/bases/${base}/connectors`,
    };
  },
  async lock(ctx, id) {
    const row = await connectorRows.lock(ctx, id);
    return row?.state === "removing" ? undefined : row;
  },
  async give(ctx, row, actor) {
    const next = row.stopped_reason === null || row.state !== "active" ? {} : nextOf(row, ctx.now);
    await connectorRows.update(ctx, row.id, { ...next, ...inNameOf(actor) });
  },
});

const findName = async (ctx: ReadContext | WriteContext, base: string): Promise<string | undefined> =>
  (await first(ctx, select(ctx, "knowledge_bases", "b").select("b.name").where("b.id", "=", base)))?.name;

const nextOf = (row: ConnectorRow, now: number) => ({ next_run_at: nextRun(scheduleOf(row), row.id, now) });
