import { createHash } from "node:crypto";
import { type BodyFault, compileSchema, type Validator } from "@aos/json-schema";
import { canonicalJson } from "@aos/strict-json";
import { Type } from "typebox";
import type { CallContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { momentOf } from "../../../kernel/moment.ts";
import { invalidParameter } from "../../../kernel/problems.ts";
import { closed } from "../../../kernel/schema-words.ts";
import { parseJson } from "../../../kernel/stored-json.ts";
import { AddDocumentBody, DocumentRef, type ReplaceDocumentBody } from "../schemas.ts";
import type { NewDocument } from "./store.ts";

export function contentFaults({ text, fields }: Partial<AddDocumentBody>): BodyFault[] {
  if (text !== undefined) return blankFaults(text, "give the document's words");
  if (fields !== undefined) return [];
  return [{ pointer: "", code: "required", detail: "has neither `text` nor `fields`; give one of them, or both" }];
}

export const blankFaults = (text: string | undefined, remedy: string): BodyFault[] =>
  text === undefined || text.trim() !== ""
    ? []
    : [{ pointer: "/text", code: "blank", detail: `is white space alone; ${remedy}` }];

export function documentOf(ctx: Pick<CallContext, "newId">, body: AddDocumentBody): NewDocument {
  return { id: ctx.newId("doc"), external_id: body.external_id ?? null, readers: body.readers, ...contentsOf(body) };
}

export function contentsOf(body: ReplaceDocumentBody) {
  const said = { title: body.title ?? "", text: body.text ?? null, fields: body.fields ?? null };
  const { metadata, language } = body;
  return { ...said, digest: digestOf(said), metadata, language, review_at: momentIn(body.review_at) };
}

const digestOf = (said: object): string => createHash("sha256").update(canonicalJson(said)).digest("hex");

export const documentDigest = ({ title = "", text = null, fields = null }: Readonly<Record<string, unknown>>): string =>
  digestOf({ title, text, fields });

/** A time that a body gives: null is none, undefined is left out. */
export const momentIn = (time: string | null | undefined): Date | null | undefined =>
  time === undefined || time === null ? time : new Date(momentOf(time));

export function metadataFilter(text: string | undefined): { metadata?: string } {
  if (text === undefined) return {};
  const detail = 'has to be a JSON object, such as `{"team":"sales"}`';
  const refused = () =>
    refuse(invalidParameter, `metadata ${detail}.`, { errors: [{ parameter: "metadata", code: "type", detail }] });
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw refused();
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || text.includes("\\u0000")) throw refused();
  return { metadata: text };
}

/** Markdown and HTML are parsed; what else a document is made of, is not. */
export const mediaTypeFaults = ({ media_type, text, fields }: Partial<AddDocumentBody>): BodyFault[] =>
  media_type !== undefined && (text === undefined || fields !== undefined)
    ? [{ pointer: "/media_type", code: "excluded", detail: "says what `text` is; give it with `text` alone" }]
    : [];

let compiled: Validator | undefined;
let compiledDeletion: Validator | undefined;
const repeated = {
  code: "repeated",
  detail: "stands in an earlier item of this call; send the two one after the other",
} as const;

export type Item =
  | { readonly body: AddDocumentBody }
  | { readonly deletes: string }
  | { readonly faults: readonly BodyFault[] };

const urlAmongMany = {
  pointer: "/url",
  code: "unexpected",
  detail: "is not taken here; add it by `POST /v1/knowledge/bases/{base}/documents`",
} as const;

const deletion = Type.Object({ delete: DocumentRef }, closed);

/** Each as if it came alone; repeated external ids are faults. */
export function readItems(items: readonly object[]): Item[] {
  compiled ??= compileSchema(AddDocumentBody);
  const validate = compiled;
  compiledDeletion ??= compileSchema(deletion);
  const validateDeletion = compiledDeletion;
  const taken = new Set<string>();
  return items.map((item): Item => {
    const deletes = "delete" in item;
    const faults = deletes ? validateDeletion(item) : validate(item);
    if (faults.length > 0) return { faults };
    if (deletes) {
      const { delete: named } = item as { delete: string };
      if (taken.has(named)) return { faults: [{ pointer: "/delete", ...repeated }] };
      taken.add(named);
      return { deletes: named };
    }
    const body = item as AddDocumentBody;
    const missing = body.url === undefined ? [...contentFaults(body), ...mediaTypeFaults(body)] : [urlAmongMany];
    if (missing.length > 0) return { faults: missing };
    if (body.external_id !== undefined && taken.has(body.external_id))
      return { faults: [{ pointer: "/external_id", ...repeated }] };
    if (body.external_id !== undefined) taken.add(body.external_id);
    return { body };
  });
}
