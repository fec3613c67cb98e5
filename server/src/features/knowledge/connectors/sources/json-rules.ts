import type { Fault } from "../../../../kernel/errors.ts";
import type { JsonApiSource } from "../source-schemas.ts";

const fault = (member: string, code: string, detail: string): Fault => ({ pointer: `/source/${member}`, code, detail });

const membersOf: Readonly<Record<string, readonly string[]>> = {
  cursor: ["by", "cursor", "parameter", "size", "size_parameter"],
  link: ["by", "next"],
  page: ["by", "first", "parameter", "size", "size_parameter"],
  offset: ["by", "parameter", "size", "size_parameter"],
};

/** What the schema does not say of members that depend on one another. */
export function jsonApiFaults({ pages, item, item_at, text, media_type, since, updated }: JsonApiSource): Fault[] {
  const faults: Fault[] = [];
  if (pages?.by === "cursor" && pages.cursor === undefined)
    faults.push(fault("pages/cursor", "required", "must say where an answer has the cursor of the next page"));
  for (const member of Object.keys(pages ?? {}))
    if (pages && !membersOf[pages.by]?.includes(member))
      faults.push(fault(`pages/${member}`, "not_for_pages", `is not for pages by ${pages.by}; leave it out`));
  if (item_at !== undefined && item === undefined)
    faults.push(fault("item_at", "not_without_item", "needs `item`, the address that answers with the item"));
  if (media_type !== undefined && text === undefined)
    faults.push(fault("media_type", "not_without_text", "needs `text`, of which it says what it is"));
  if (since !== undefined && updated === undefined)
    faults.push(fault("updated", "required", "must say where an item has its time of change, which `since` compares"));
  return faults;
}
