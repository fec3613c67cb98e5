import type { BundleContents } from "./contents.ts";
import type { ListingPermission, PermissionDifference } from "./words.ts";

/** What a bundle asks for, in a stable order: by kind, then by id. */
export function permissionsOf(_contents: BundleContents): ListingPermission[] {
  throw new Error("not built yet");
}

/** SHA-256, in hexadecimal, of id, kind and value of all permissions: wording may change, what is asked for may not. */
export function permissionsDigest(_permissions: readonly ListingPermission[]): string {
  throw new Error("not built yet");
}

/** What changed between two versions. */
export function permissionDifference(
  _before: readonly ListingPermission[],
  _after: readonly ListingPermission[],
): PermissionDifference {
  throw new Error("not built yet");
}
