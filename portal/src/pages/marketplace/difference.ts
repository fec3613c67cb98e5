import type { ListingPermission } from "../../api/marketplace.ts";

export interface Difference {
  readonly added: readonly ListingPermission[];
  readonly removed: readonly ListingPermission[];
  readonly changed: readonly { readonly before: ListingPermission; readonly after: ListingPermission }[];
}

/** What changed from one list of permissions to another: by id, and by what stands behind the sentence. */
export function differenceOf(before: readonly ListingPermission[], after: readonly ListingPermission[]): Difference {
  const known = new Map(before.map((one) => [one.id, one]));
  const still = new Set(after.map(({ id }) => id));
  const same = (a: ListingPermission, b: ListingPermission): boolean =>
    a.text === b.text && a.level === b.level && JSON.stringify(a.value) === JSON.stringify(b.value);
  return {
    added: after.filter(({ id }) => !known.has(id)),
    removed: before.filter(({ id }) => !still.has(id)),
    changed: after.flatMap((one) => {
      const old = known.get(one.id);
      return old === undefined || same(old, one) ? [] : [{ before: old, after: one }];
    }),
  };
}
