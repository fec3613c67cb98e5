import { BundleFault } from "./faults.ts";
import { readJson } from "./json.ts";
import { FILE_LIMITS } from "./limits.ts";
import { anyObject, list, object, prose, type Shape } from "./shapes.ts";
import type { BundleFiles } from "./tar.ts";
import { type BundleKind, kind, listingName, version } from "./words.ts";

/** Contents of bundle.json: what people read of a bundle before they install it. */
export interface BundleManifest {
  readonly kind: BundleKind;
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly summary: string;
  readonly business_function?: string;
  readonly license?: string;
  /** Names of the connections that the installation must have. */
  readonly requires: { readonly connections: readonly string[]; readonly notes?: readonly string[] };
  /** As computed when the bundle was made; installations compute them again. */
  readonly permissions: Readonly<Record<string, unknown>>;
  /** What it cannot do. */
  readonly limits: readonly string[];
}

export const MANIFEST_FILE = "bundle.json";
export const SCORECARD_FILE = "scorecard.json";

const manifestShape: Shape<BundleManifest> = object(
  {
    kind,
    name: listingName,
    version,
    title: prose(120),
    summary: prose(300),
    requires: object({ connections: list(prose(100), { most: 50 }) }, { notes: list(prose(1_000), { most: 50 }) }),
    permissions: anyObject,
    limits: list(prose(1_000), { most: 50 }),
  },
  { business_function: prose(100), license: prose(100) },
);

/** Reads bundle.json. Throws a BundleFault whose code begins with `manifest_`. */
export function readManifest(files: BundleFiles): BundleManifest {
  const bytes = files.get(MANIFEST_FILE);
  if (!bytes) throw new BundleFault("manifest_missing", { part: "archive", at: "" }, "The archive has no bundle.json.");
  if (bytes.length > FILE_LIMITS.manifest)
    throw new BundleFault("manifest_too_large", { part: MANIFEST_FILE, at: "" }, `It has ${bytes.length} bytes.`);
  const codes = {
    usual: "manifest_json",
    not_utf8: "manifest_not_utf8",
    duplicate_name: "manifest_duplicate_name",
    too_deep: "manifest_too_deep",
  } as const;
  const value = readJson(bytes, MANIFEST_FILE, codes, FILE_LIMITS.depth);
  return manifestShape(value, { code: "manifest_shape", part: MANIFEST_FILE, at: "" });
}

/** Reads scorecard.json; null if there is none. Throws the fault `scorecard_json`. */
export function readScorecard(files: BundleFiles): Readonly<Record<string, unknown>> | null {
  const bytes = files.get(SCORECARD_FILE);
  if (!bytes) return null;
  const spot = { code: "scorecard_json", part: SCORECARD_FILE, at: "" } as const;
  if (bytes.length > FILE_LIMITS.scorecard)
    throw new BundleFault(spot.code, { part: SCORECARD_FILE, at: "" }, `It has ${bytes.length} bytes.`);
  return anyObject(readJson(bytes, SCORECARD_FILE, { usual: "scorecard_json" }, FILE_LIMITS.depth), spot);
}
