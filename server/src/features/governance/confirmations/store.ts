import { all, first, rowsOf, select } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { ConfirmationRow } from "../../admin/public.ts";
import { confirmationRows, memberRows } from "../../admin/shared-rows.ts";
import type { Confirmation } from "./schemas.ts";

const confirmations = (ctx: ReadContext | WriteContext) =>
  select(ctx, confirmationRows, "c")
    .leftJoin(rowsOf(ctx, memberRows, "m"), "m.id", "c.confirmed_by")
    .select(["c.id", "c.object", "c.digest", "c.how", "c.confirmed_by", "c.created_at", "m.name"]);

export async function listConfirmationRows(
  ctx: ReadContext,
  { object }: { readonly object?: string },
  { after, take }: PageRequest,
): Promise<ConfirmationRow[]> {
  let rows = confirmations(ctx);
  if (object !== undefined) rows = rows.where("c.object", "=", object);
  if (after !== undefined) rows = rows.where("c.id", "<", after.id);
  return all(ctx, rows.orderBy("c.id", "desc").limit(take));
}

/** The look at exactly this content in the environment of the call. */
export async function findConfirmation(
  ctx: ReadContext | WriteContext,
  { object, digest }: { readonly object: string; readonly digest: string },
): Promise<Confirmation | undefined> {
  const row = await first(ctx, confirmations(ctx).where("c.object", "=", object).where("c.digest", "=", digest));
  return row && confirmationView(row);
}

export function confirmationView({ id, name, created_at, ...row }: ConfirmationRow): Confirmation {
  return {
    confirmation_id: id,
    object: row.object,
    digest: row.digest,
    how: row.how as Confirmation["how"],
    confirmed_by: row.confirmed_by,
    confirmed_by_name: name ?? row.confirmed_by,
    confirmed_at: created_at.toISOString(),
  };
}
