import { createHash } from "node:crypto";
import { type BodyFault, compileSchema, type Validator } from "@aos/json-schema";
import { canonicalJson } from "@aos/strict-json";
import type { CallContext } from "../../kernel/context.ts";
import type { NewDocument } from "./document-store.ts";
import { AddDocumentBody } from "./schemas.ts";

/** What a document to be added breaks of the rules that its schema does not say. */
export function contentFaults({ text, fields }: Partial<AddDocumentBody>): BodyFault[] {
  if (text !== undefined || fields !== undefined) return [];
  return [{ pointer: "", code: "required", detail: "has neither `text` nor `fields`; give one of them, or both" }];
}

/** The document that a body describes, under a new id. */
export function documentOf(ctx: Pick<CallContext, "newId">, body: AddDocumentBody): NewDocument {
  const said = { title: body.title ?? "", text: body.text ?? null, fields: body.fields ?? null };
  const digest = createHash("sha256").update(canonicalJson(said)).digest("hex");
  return { id: ctx.newId("doc"), external_id: body.external_id ?? null, ...said, digest };
}

let compiled: Validator | undefined;

/** An item of a call with many documents: what it describes, or what is wrong with it. */
export type Item = { readonly body: AddDocumentBody } | { readonly faults: readonly BodyFault[] };

/** Judges each item by itself, as if it came alone; an external id that an earlier sound item of the call has is a fault. */
export function readItems(items: readonly object[]): Item[] {
  compiled ??= compileSchema(AddDocumentBody);
  const validate = compiled;
  const taken = new Set<string>();
  return items.map((item): Item => {
    const faults = validate(item);
    if (faults.length > 0) return { faults };
    const body = item as AddDocumentBody;
    const missing = contentFaults(body);
    if (missing.length > 0) return { faults: missing };
    if (body.external_id !== undefined && taken.has(body.external_id)) {
      const detail = "stands in an earlier item of this call; send the two one after the other";
      return { faults: [{ pointer: "/external_id", code: "repeated", detail }] };
    }
    if (body.external_id !== undefined) taken.add(body.external_id);
    return { body };
  });
}
