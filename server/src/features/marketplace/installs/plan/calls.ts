import { hash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { Operation } from "../../../../kernel/operation.ts";
import { describe } from "../../../../kernel/operation-seal.ts";
import { definePort, type PortReader } from "../../../../kernel/port.ts";
import type { PartKind, PlannedPart } from "../schemas.ts";

/** Operations of other slices by which installs make, change and remove parts. */
export const installCallIds = [
  "agents.archiveAgent",
  "agents.bindTool",
  "agents.changeDraft",
  "agents.createAgent",
  "agents.freezeVersion",
  "agents.restoreAgent",
  "agents.unbindTool",
  "evaluations.addItems",
  "evaluations.createDataset",
  "evaluations.setGate",
  "evaluations.setScorer",
  "governance.createPolicy",
  "governance.replacePolicy",
  "governance.retirePolicy",
  "knowledge.addDocuments",
  "knowledge.changeBase",
  "knowledge.createBase",
  "knowledge.deleteBase",
  "knowledge.deleteDocument",
  "workflows.archiveWorkflow",
  "workflows.createWorkflow",
  "workflows.replaceDraft",
] as const;
export type InstallCallId = (typeof installCallIds)[number];

export const installCalls = definePort<Readonly<Record<InstallCallId, Operation>>>("calls of installs");

/** The permission that the operation needs. */
export function permissionOf({ port }: PortReader, id: InstallCallId): string {
  const { permission } = describe(port(installCalls)[id]);
  return typeof permission === "string" ? permission : "";
}

/** One call of an install; its index in the plan is its index in the batch. Several calls may make one part, such as many documents. */
export interface PlannedCall {
  readonly kind: PartKind;
  /** The part's name here, with the suffix. Documents have the name of their base, versions and gates that of their agent. */
  readonly name: string;
  readonly file: string;
  /** `keep` makes no call. */
  readonly action: PlannedPart["action"];
  readonly operation: InstallCallId;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly ifMatch?: string;
  /** Keys of parts (`partKey`) that must exist first. */
  readonly needs: readonly string[];
  /** SHA-256, in hexadecimal, of the canonical JSON of all bodies that make the part: what the bundle holds, as it was asked for here. */
  readonly digest: string;
  /** Of an existing part that has one. */
  readonly id?: string | null;
}

/** How parts are named. */
export interface PlanOptions {
  readonly suffix: string;
  /** The agent that gets tools or datasets. */
  readonly agent: string | null;
}

/** Identifies a part within an install. */
export const partKey = ({ kind, name }: { readonly kind: PartKind; readonly name: string }): string =>
  `${kind}:${name}`;

/** A part with its calls. */
export interface NewPart {
  readonly kind: PartKind;
  readonly name: string;
  readonly file: string;
  readonly needs?: readonly string[];
  readonly calls: readonly {
    readonly operation: InstallCallId;
    readonly params?: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly ifMatch?: string;
  }[];
}

/** SHA-256, in hexadecimal, of bodies as canonical JSON. */
export const bodiesDigest = (bodies: readonly unknown[]): string => hash("sha256", canonicalJson(bodies));

/** Each call carries the digest of all of them. */
export function callsOf({ kind, name, file, needs = [], calls }: NewPart): PlannedCall[] {
  const digest = bodiesDigest(calls.map(({ body }) => body));
  return calls.map(({ params = {}, ...call }) => ({
    kind,
    name,
    file,
    action: "create",
    needs,
    digest,
    params,
    ...call,
  }));
}

/** In pages of `most`. */
export function pagesOf<T>(all: readonly T[], most: number): T[][] {
  const pages: T[][] = [];
  for (let at = 0; at < all.length; at += most) pages.push(all.slice(at, at + most));
  return pages;
}
