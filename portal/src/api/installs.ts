import { type ChangeInput, type GetPath, type GetQuery, get, send } from "./client.ts";
import { read, untold } from "./queries.ts";
import type { Schema } from "./types.ts";

export type Install = Schema<"Install">;
export type InstallSummary = Schema<"InstallSummary">;
export type InstallPart = Install["parts"][number];
export type InstallPreview = Schema<"InstallPreview">;
export type InstallResult = Schema<"InstallResult">;
export type PartResult = InstallResult["results"][number];
export type PlannedPart = InstallPreview["parts"][number];
export type NextStep = Install["next_steps"][number];
export type Recall = Schema<"Recall">;

const of = (install: string) => ({ path: { install } });

/** Reads that changes of installs make stale. */
export const installPaths: readonly GetPath[] = [
  "/v1/marketplace/installs",
  "/v1/marketplace/installs/{install}",
  "/v1/marketplace/listings",
  "/v1/marketplace/listings/{listing}",
];

export const listInstalls = (filter: GetQuery<"/v1/marketplace/installs">) =>
  untold(read("/v1/marketplace/installs", { query: filter }));
/** An install. Its next steps follow from what happens to its parts, of which no event of installs tells. */
export const readInstall = (install: string) => untold(read("/v1/marketplace/installs/{install}", of(install)));
export const readInstallNow = (install: string) => get("/v1/marketplace/installs/{install}", of(install));
export const listRecalls = (filter: GetQuery<"/v1/marketplace/recalls">) =>
  untold(read("/v1/marketplace/recalls", { query: filter }));

/** What an install or update would make and ask for. Nothing is made. */
export const previewInstall = ({
  listing,
  ...body
}: { listing: string } & ChangeInput<"post", "/v1/marketplace/listings/{listing}/preview">["body"]) =>
  send("post", "/v1/marketplace/listings/{listing}/preview", { path: { listing }, body });
export const installListing = ({
  listing,
  ...body
}: { listing: string } & ChangeInput<"post", "/v1/marketplace/listings/{listing}/install">["body"]) =>
  send("post", "/v1/marketplace/listings/{listing}/install", { path: { listing }, body });
export const updateInstall = ({
  install,
  ...body
}: { install: string } & ChangeInput<"post", "/v1/marketplace/installs/{install}/update">["body"]) =>
  send("post", "/v1/marketplace/installs/{install}/update", { ...of(install), body });
export const resetInstall = ({ install, onlyMissing }: { install: string; onlyMissing: boolean }) =>
  send("post", "/v1/marketplace/installs/{install}/reset", { ...of(install), body: { only_missing: onlyMissing } });
export const removeInstall = (install: string) => send("delete", "/v1/marketplace/installs/{install}", of(install));

/** What a reset would come to, part by part. */
export const tryReset = async ({ install, onlyMissing }: { install: string; onlyMissing: boolean }) =>
  resultOf(
    await send("post", "/v1/marketplace/installs/{install}/reset", {
      ...of(install),
      query: { dry_run: true },
      body: { only_missing: onlyMissing },
    }),
  );
/** What removing would come to, part by part. */
export const tryRemove = async (install: string) =>
  resultOf(await send("delete", "/v1/marketplace/installs/{install}", { ...of(install), query: { dry_run: true } }));

const resultOf = (dry: unknown): InstallResult => (dry as { result: InstallResult }).result;
