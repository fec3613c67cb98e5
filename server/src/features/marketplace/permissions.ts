import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { BundleContents } from "./contents.ts";
import type { ListingPermission, PermissionDifference } from "./words.ts";

/** What a bundle asks for, in a stable order: by kind, then by id. */
export function permissionsOf({ agent }: BundleContents): ListingPermission[] {
  const model = (agent?.model ?? null) as { provider: string } | null;
  return model
    ? [
        {
          id: `model:${model.provider}`,
          kind: "model",
          level: "low",
          text: "Runs on a model.",
          value: { provider: model.provider },
        },
      ]
    : [];
}

type Ask = Pick<ListingPermission, "id" | "kind" | "value">;
const askOf = ({ id, kind, value }: ListingPermission): Ask => ({ id, kind, value });

/** What stands as `permissions` in `bundle.json`. */
export const asksOf = (permissions: readonly ListingPermission[]): { asks: Ask[] } => ({
  asks: permissions.map(askOf),
});

/** SHA-256, in hexadecimal, of id, kind and value of all permissions: wording may change, what is asked for may not. */
export function permissionsDigest(permissions: readonly ListingPermission[]): string {
  const asks = permissions.map(askOf).sort((a, b) => (a.id < b.id ? -1 : 1));
  return createHash("sha256").update(canonicalJson(asks)).digest("hex");
}

/** What changed between two versions. */
export function permissionDifference(
  before: readonly ListingPermission[],
  after: readonly ListingPermission[],
): PermissionDifference {
  const had = new Map(before.map((one) => [one.id, one]));
  const has = new Set(after.map(({ id }) => id));
  const changed = after.flatMap((one) => {
    const earlier = had.get(one.id);
    return earlier && canonicalJson(askOf(earlier)) !== canonicalJson(askOf(one))
      ? [{ before: earlier, after: one }]
      : [];
  });
  return { added: after.filter(({ id }) => !had.has(id)), removed: before.filter(({ id }) => !has.has(id)), changed };
}
