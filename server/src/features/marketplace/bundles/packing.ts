import type { BundleFiles, BundleManifest } from "@aos/bundle";
import type { Decider } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { ListingSource } from "../listings/schemas.ts";
import { readContents } from "./contents.ts";
import { packAgent, packPolicies, packTools, packWorkflow } from "./packing-agent.ts";
import { packDatasets, packScorers } from "./packing-data.ts";
import { jsonFile, oneInvalid, type Packed, requireScopes, type SaidOfData } from "./packing-words.ts";
import { asksOf, permissionsOf } from "./permissions.ts";

export interface SaidOfBundle {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly summary: string;
  readonly business_function?: string | undefined;
  readonly license?: string | undefined;
  readonly readme?: string | undefined;
  readonly limits: readonly string[];
  readonly requires?: readonly string[] | undefined;
  readonly data?: SaidOfData["now"] | undefined;
  /** Descriptions of datasets in the version before. */
  readonly dataBefore?: SaidOfData["before"];
}

/** Files to be signed, with the members of `bundle.json`. */
export interface PackedBundle {
  readonly files: BundleFiles;
  readonly manifest: BundleManifest;
  readonly deciders: readonly Decider[];
}

/** Refuses a source that names what the caller does not have. */
export async function packBundle(ctx: WriteContext, source: ListingSource, said: SaidOfBundle): Promise<PackedBundle> {
  requireScopes(ctx, readsOf(source));
  const {
    files: packed,
    connections,
    deciders,
  } = await packSource(ctx, source, {
    now: said.data ?? {},
    before: said.dataBefore ?? {},
  });
  const files = new Map(packed);
  if (said.readme !== undefined) files.set("readme.md", Buffer.from(said.readme));
  const { name, version, title, summary, business_function, license, limits, requires } = said;
  const unasked: BundleManifest = {
    kind: source.kind,
    name,
    version,
    title,
    summary,
    ...(business_function !== undefined && { business_function }),
    ...(license !== undefined && { license }),
    requires: { connections, ...(requires && { notes: requires }) },
    permissions: {},
    limits,
  };
  const contents = readContents(files, unasked);
  const manifest = { ...unasked, permissions: asksOf(permissionsOf(contents)) };
  files.set("bundle.json", jsonFile(manifest));
  return { files, manifest, deciders };
}

function packSource(ctx: WriteContext, source: ListingSource, said: SaidOfData): Promise<Packed> {
  const [first] = Object.keys(said.now);
  const hasData = source.kind === "agent" || source.kind === "dataset";
  if (first !== undefined && !hasData)
    throw oneInvalid(
      "/data",
      "not_packed",
      `is said of datasets, and a bundle of kind ${source.kind} has none; leave it out`,
    );
  switch (source.kind) {
    case "agent":
      return packAgent(ctx, source, said);
    case "workflow":
      return packWorkflow(ctx, source);
    case "tool_set":
      return packTools(ctx, source);
    case "policy_pack":
      return packPolicies(ctx, source);
    case "dataset":
      return packDatasets(ctx, source.datasets, said);
    case "scorer":
      return packScorers(ctx, source.scorers);
  }
}

/** Permissions of the reads that a source needs. */
function readsOf(source: ListingSource): string[] {
  switch (source.kind) {
    case "agent":
      return [
        "agents:read",
        "evaluations:read",
        ...(source.knowledge ? ["knowledge:read"] : []),
        ...(source.policies ? ["governance:read"] : []),
      ];
    case "workflow":
      return ["workflows:read"];
    case "tool_set":
      return ["agents:read"];
    case "policy_pack":
      return ["governance:read"];
    default:
      return ["evaluations:read"];
  }
}
