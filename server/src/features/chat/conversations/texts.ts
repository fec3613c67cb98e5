import { all, select } from "../../../db/scoped.ts";
import { asEarlier, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { keyDeciders } from "../../admin/public.ts";
import { recordedCallers } from "../../audit/public.ts";
import type { ConversationText } from "../../tasks/public.ts";

/** With the members who brought them. */
export async function listConversationTexts(ctx: WriteContext, conversation: string): Promise<ConversationText[]> {
  const user = select(ctx, "chat_conversations", "c").select("c.end_user").where("c.id", "=", conversation);
  const memories = await all(
    ctx,
    select(ctx, "chat_memories", "y")
      .select(["y.id", "y.text", "y.author", "y.audit_ref", "y.created_at"])
      .where((y) => y.or([y("y.conversation", "=", conversation), y("y.end_user", "=", user)])),
  );
  const files = await all(
    ctx,
    select(ctx, "chat_files", "f")
      .select(["f.id", "f.text", "f.author", "f.audit_ref", "f.created_at"])
      .where("f.conversation", "=", conversation)
      .where("f.text", "is not", null),
  );
  const callers = await recordedCallers(ctx, [...new Set([...memories, ...files].map(({ audit_ref }) => audit_ref))]);
  const broughtAs = async (kind: string, row: (typeof files)[number]): Promise<ConversationText> => {
    const caller = callers.get(row.audit_ref);
    // A copied file keeps its author, and its record is that of the call that copied it.
    const author = row.author === null ? [] : await keyDeciders(ctx, row.author, null);
    const persons = unite(author, caller && (await keyDeciders(ctx, caller.principal, caller.keyId)));
    const at = row.created_at.toISOString();
    const deciders = asEarlier(persons, "document", `${kind}:${row.id}`).map((one) => ({ ...one, at }));
    return { text: row.text ?? "", deciders: deciders.filter(({ id }) => id.startsWith("mbr_")) };
  };
  const texts: ConversationText[] = [];
  for (const memory of memories) texts.push(await broughtAs("memory", memory));
  for (const file of files) texts.push(await broughtAs("file", file));
  return texts;
}

/** Includes erased ones. */
export async function listHistory({ scope, db }: WriteContext, conversation: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `with recursive line (id) as (
       select $3::text union
       select c.forked_from ->> 'conversation_id' from line l join chat_conversations c on c.organization = $1 and c.environment = $2 and c.id = l.id
       where c.forked_from is not null)
     select id from line`,
    [scope.organization, scope.environment, conversation],
  );
  return rows.map(({ id }) => id);
}
