import { sql } from "../../../db/scoped.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { isId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Query } from "../../../resources/rows.ts";
import { type MemoryRow, memories } from "./resource.ts";

export interface MemoryFilter {
  readonly user?: string;
  readonly conversation?: string;
}

export function filtered(query: Query<MemoryRow>, { user, conversation }: MemoryFilter): Query<MemoryRow> {
  const ofUser = user === undefined ? query : query.where("r.end_user", "=", user);
  return conversation === undefined ? ofUser : ofUser.where("r.conversation", "=", conversation);
}

/** Those of its conversations and, unless the key is narrowed to agents, of users who write to it. */
const readBy = ({ principal }: ReadContext, agent: string) => {
  const own = sql<boolean>`exists (select from chat_conversations c where c.organization = r.organization and c.environment = r.environment
    and c.id = r.conversation and c.agent = ${agent})`;
  if (principal.agents !== null) return own;
  return sql<boolean>`(${own} or (r.conversation is null and exists (select from chat_conversations c where c.organization = r.organization
    and c.environment = r.environment and c.end_user = r.end_user and c.agent = ${agent})))`;
};

export const listMemoriesOf = (
  ctx: ReadContext,
  agent: string,
  filter: MemoryFilter,
  page: PageRequest,
): Promise<MemoryRow[]> => memories.rows.page(ctx, page, (query) => filtered(query, filter).where(readBy(ctx, agent)));

export const findMemoryOf = async (ctx: ReadContext, agent: string, id: string): Promise<MemoryRow | undefined> =>
  isId(id, "mem")
    ? memories.rows.findBy(ctx, (query) => query.where("r.id", "=", id).where(readBy(ctx, agent)))
    : undefined;
