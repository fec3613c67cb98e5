import { first, type Row, select } from "../../db/scoped.ts";
import { isId } from "../../kernel/ids.ts";
import type { Here } from "./listing-store.ts";

export interface InstallRow extends Omit<Row<"marketplace_installs">, "state"> {
  readonly state: "installing" | "installed" | "incomplete" | "removed";
}

/** An install of the call's environment, removed ones included. */
export async function findInstall(ctx: Here, id: string): Promise<InstallRow | undefined> {
  if (!isId(id, "ins")) return undefined;
  const query = select(ctx, "marketplace_installs", "i").selectAll().where("i.id", "=", id);
  return first(ctx, query.$castTo<InstallRow>());
}
