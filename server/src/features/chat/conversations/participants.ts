import { all, select, sql } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Participant } from "../schemas.ts";
import type { ConversationRow } from "./store.ts";

interface Author {
  readonly role: "user" | "agent" | "person";
  readonly author: string | null;
  readonly name: string | null;
  readonly messages: number;
  readonly first_at: Date;
  readonly last_at: Date;
}

const listAuthors = (ctx: QueryContext, conversation: string): Promise<Author[]> =>
  all(
    ctx,
    select(ctx, "chat_messages", "m")
      .select(["m.role", "m.author"])
      .select([
        sql<string | null>`(array_agg(m.author_name order by m.number desc))[1]`.as("name"),
        sql<number>`count(*)::int`.as("messages"),
        sql<Date>`min(m.created_at)`.as("first_at"),
        sql<Date>`max(m.created_at)`.as("last_at"),
      ])
      .where("m.conversation", "=", conversation)
      .where("m.role", "<>", "system")
      .groupBy(["m.role", "m.author"])
      .orderBy(sql`min(m.number)`),
  ) as Promise<Author[]>;

/** Includes those who may write but have not. */
export async function participantsOf(ctx: QueryContext, row: ConversationRow): Promise<Participant[]> {
  const authors = await listAuthors(ctx, row.id);
  const known: Pick<Author, "role" | "author" | "name">[] = [
    { role: "user", author: row.end_user, name: row.end_user },
    { role: "agent", author: row.agent, name: row.agent },
    ...(row.handler === null ? [] : [{ role: "person" as const, author: row.handler, name: row.handler_name }]),
  ];
  const silent = known.filter(
    ({ role, author }) =>
      !authors.some((one) => one.role === role && (one.author === author || (role === "user" && author === null))),
  );
  const all = [...authors, ...silent.map((one) => ({ ...one, messages: 0, first_at: null, last_at: null }))];
  return all.map(({ role, author, name, messages, first_at, last_at }) => ({
    kind: role,
    id: author,
    name: name ?? author ?? role,
    messages,
    version: role === "agent" && author === row.agent ? row.version_number : null,
    first_at: first_at?.toISOString() ?? null,
    last_at: last_at?.toISOString() ?? null,
    active: isActive(row, role, author),
  }));
}

function isActive({ state, handler, agent }: ConversationRow, role: Author["role"], author: string | null): boolean {
  if (state === "closed") return false;
  if (role === "user") return true;
  return role === "agent" ? handler === null && author === agent : handler === author;
}
