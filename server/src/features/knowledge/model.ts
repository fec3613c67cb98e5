import { createHash } from "node:crypto";
import { type BodyFault, compileSchema, type Validator } from "@aos/json-schema";
import { canonicalJson } from "@aos/strict-json";
import { Type } from "typebox";
import type { CallContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { momentOf } from "../../kernel/moment.ts";
import { invalidParameter } from "../../kernel/problems.ts";
import { closed } from "../../kernel/schema-words.ts";
import type { NewDocument } from "./document-store.ts";
import { AddDocumentBody, DocumentRef, type ReplaceDocumentBody } from "./schemas.ts";

/** What a document to be added breaks of the rules that its schema does not say. */
export function contentFaults({ text, fields }: Partial<AddDocumentBody>): BodyFault[] {
  if (text !== undefined) return blankFaults(text, "give the document's words");
  if (fields !== undefined) return [];
  return [{ pointer: "", code: "required", detail: "has neither `text` nor `fields`; give one of them, or both" }];
}

/** A text of white space alone would never be found. */
export const blankFaults = (text: string | undefined, remedy: string): BodyFault[] =>
  text === undefined || text.trim() !== ""
    ? []
    : [{ pointer: "/text", code: "blank", detail: `is white space alone; ${remedy}` }];

/** The document that a body describes, under a new id. */
export function documentOf(ctx: Pick<CallContext, "newId">, body: AddDocumentBody): NewDocument {
  return { id: ctx.newId("doc"), external_id: body.external_id ?? null, readers: body.readers, ...contentsOf(body) };
}

/** What a body says, and what is known besides. */
export function contentsOf(body: ReplaceDocumentBody) {
  const said = { title: body.title ?? "", text: body.text ?? null, fields: body.fields ?? null };
  return { ...said, digest: digestOf(said), metadata: body.metadata, review_at: momentIn(body.review_at) };
}

const digestOf = (said: object): string => createHash("sha256").update(canonicalJson(said)).digest("hex");

/** The digest that a document of this body gets. */
export const documentDigest = ({ title = "", text = null, fields = null }: Readonly<Record<string, unknown>>): string =>
  digestOf({ title, text, fields });

/** A time that a body gives: null is none, undefined is left out. */
export const momentIn = (time: string | null | undefined): Date | null | undefined =>
  time === undefined || time === null ? time : new Date(momentOf(time));

/** The metadata that a list is filtered by, as JSON; refused where it is no object. */
export function metadataFilter(text: string | undefined): { metadata?: string } {
  if (text === undefined) return {};
  const detail = 'has to be a JSON object, such as `{"team":"sales"}`';
  const refused = () =>
    refuse(invalidParameter, `metadata ${detail}.`, { errors: [{ parameter: "metadata", code: "type", detail }] });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused();
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || text.includes("\\u0000")) throw refused();
  return { metadata: text };
}

/** Many documents are indexed at once, without parsing. */
function parsedFaults({ media_type = "text/plain" }: AddDocumentBody): BodyFault[] {
  const detail = "has to be `text/plain` among many; add Markdown and HTML one by one, with POST of the document";
  return media_type === "text/plain" ? [] : [{ pointer: "/media_type", code: "excluded", detail }];
}

let compiled: Validator | undefined;
let compiledDeletion: Validator | undefined;
const repeated = {
  code: "repeated",
  detail: "stands in an earlier item of this call; send the two one after the other",
} as const;

/** An item of a call with many documents: what it adds, what it deletes by id or external id, or what is wrong with it. */
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

/** Judges each item by itself, as if it came alone; an external id that an earlier sound item of the call has is a fault. */
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
    const missing = body.url === undefined ? [...contentFaults(body), ...parsedFaults(body)] : [urlAmongMany];
    if (missing.length > 0) return { faults: missing };
    if (body.external_id !== undefined && taken.has(body.external_id))
      return { faults: [{ pointer: "/external_id", ...repeated }] };
    if (body.external_id !== undefined) taken.add(body.external_id);
    return { body };
  });
}
