import { type Answer, type ChangeInput, type GetPath, type GetQuery, send } from "./client.ts";
import { read } from "./queries.ts";
import type { Schema } from "./types.ts";

export type Install = Schema<"Install">;
export type InstallSummary = Schema<"InstallSummary">;
export type InstallResult = Schema<"InstallResult">;
export type InstallPreview = Schema<"InstallPreview">;
export type InstallPart = Install["parts"][number];
export type PlannedPart = InstallPreview["parts"][number];
export type NextStep = Install["next_steps"][number];
export type Recall = Answer<"/v1/marketplace/recalls">["data"][number];

/** Reads that an install, and each change of one, makes stale. */
export const installPaths: readonly GetPath[] = [
  "/v1/marketplace/installs",
  "/v1/marketplace/installs/{install}",
  "/v1/marketplace/listings",
  "/v1/marketplace/listings/{listing}",
];

export const listInstalls = (filter: GetQuery<"/v1/marketplace/installs">) =>
  read("/v1/marketplace/installs", { query: filter });
export const readInstall = (install: string) => read("/v1/marketplace/installs/{install}", { path: { install } });
export const listRecalls = (filter: GetQuery<"/v1/marketplace/recalls">) =>
  read("/v1/marketplace/recalls", { query: filter });

/** What an install, or the update of one, would make and ask for. */
export const previewInstall = ({
  listing,
  ...body
}: { listing: string } & NonNullable<ChangeInput<"post", "/v1/marketplace/listings/{listing}/preview">["body"]>) =>
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
  send("post", "/v1/marketplace/installs/{install}/update", { path: { install }, body });
export const resetInstall = ({
  install,
  ...body
}: { install: string } & NonNullable<ChangeInput<"post", "/v1/marketplace/installs/{install}/reset">["body"]>) =>
  send("post", "/v1/marketplace/installs/{install}/reset", { path: { install }, body });
export const removeInstall = (install: string) =>
  send("delete", "/v1/marketplace/installs/{install}", { path: { install } });
