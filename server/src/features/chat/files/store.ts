import { all, first, insert, type Row, select, sql } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import type { ChatFile } from "../schemas.ts";

export type FileRow = Omit<Row<"chat_files">, "content" | "text" | "organization" | "environment"> & {
  readonly characters: number | null;
};

const shown = [
  ...(["f.id", "f.conversation", "f.name", "f.media_type", "f.size", "f.sha256"] as const),
  ...(["f.author", "f.audit_ref", "f.created_at"] as const),
];

export async function findFile(ctx: QueryContext, conversation: string, id: string): Promise<FileRow | undefined> {
  if (!isId(id, "fil")) return undefined;
  const query = select(ctx, "chat_files", "f")
    .select(shown)
    .select(sql<number | null>`length(f.text)`.as("characters"));
  return first(ctx, query.where("f.conversation", "=", conversation).where("f.id", "=", id));
}

export async function readBytes(ctx: QueryContext, id: string): Promise<Buffer | undefined> {
  return (await first(ctx, select(ctx, "chat_files", "f").select("f.content").where("f.id", "=", id)))?.content;
}

export async function countFiles(ctx: QueryContext, conversation: string): Promise<number> {
  const query = select(ctx, "chat_files", "f").select(sql<number>`count(*)::int`.as("files"));
  return (await first(ctx, query.where("f.conversation", "=", conversation)))?.files ?? 0;
}

export interface NewFile {
  readonly name: string;
  readonly media_type: string;
  readonly sha256: string;
  readonly content: Buffer;
  readonly text: string | null;
}

export async function addFile(ctx: WriteContext, conversation: string, file: NewFile): Promise<FileRow> {
  const row = {
    conversation,
    id: ctx.newId("fil"),
    name: file.name,
    media_type: file.media_type,
    sha256: file.sha256,
    size: file.content.length,
    author: ctx.principal.id,
    audit_ref: ctx.auditRef,
    created_at: new Date(ctx.now),
  };
  await all(ctx, insert(ctx, "chat_files", { ...row, content: file.content, text: file.text }));
  return { ...row, characters: file.text?.length ?? null };
}

export const fileView = ({ id, conversation, created_at, ...row }: FileRow): ChatFile => ({
  file_id: id,
  conversation_id: conversation,
  ...row,
  created_at: created_at.toISOString(),
});
