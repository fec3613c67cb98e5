import { hash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { InstallCallId } from "./install-calls.ts";
import type { PartKind } from "./install-schemas.ts";
import type { PlannedCall } from "./plan-words.ts";

/** A part and the calls that make it, before they are in a plan. */
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

/** The calls that make a part, each with the digest of all of them. */
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

/** Parts of a list, of so many at most. */
export function pagesOf<T>(all: readonly T[], most: number): T[][] {
  const pages: T[][] = [];
  for (let at = 0; at < all.length; at += most) pages.push(all.slice(at, at + most));
  return pages;
}
