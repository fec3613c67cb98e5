import type { BodyFault } from "@aos/json-schema";
import type { CallContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import { describeUpload, uploadOf } from "../../../kernel/uploads.ts";
import { contentFaults, mediaTypeFaults } from "../documents/rules.ts";
import { downloadPort } from "../ports.ts";
import type { AddDocumentBody } from "../schemas.ts";
import type { Contents } from "./ingest.ts";

// What a call gives as contents of a document: text and fields, a file, or an address. For every operation that takes one.

export function givenFaults(
  { scope, port }: Pick<CallContext, "scope" | "port">,
  body: Partial<AddDocumentBody>,
): (BodyFault | Fault)[] {
  const { url, text, fields } = body;
  if (uploadOf(body)) return [];
  const misplaced = mediaTypeFaults(body);
  if (misplaced.length > 0) return misplaced;
  if (url === undefined) return contentFaults(body).map((fault) => (fault.pointer === "" ? nothingGiven : fault));
  if (text !== undefined || fields !== undefined)
    return [{ pointer: "/url", code: "excluded", detail: "excludes `text` and `fields`; give the one or the other" }];
  const fault = port(downloadPort).checkUrl(scope.environment, url);
  return fault ? [{ ...fault, pointer: "/url" }] : [];
}

const nothingGiven = {
  pointer: "",
  code: "required",
  detail: "has neither `text` nor `fields` nor `url`; give one of them, or send a file as multipart/form-data",
} as const;

/** Without the bytes of a file. */
export function givenInput(body: AddDocumentBody): Record<string, unknown> {
  const upload = uploadOf(body);
  return upload ? { ...body, file: describeUpload(upload) } : body;
}

/** Null: plain text and fields, which are indexed at once. */
export function givenContents(body: AddDocumentBody): Contents | null {
  const { url, title = null, external_id = null, text = "", media_type = "text/plain" } = body;
  const said = { external_id, title, ...givenDetails(body) };
  const upload = uploadOf(body);
  if (upload) {
    const { name: file_name, charset } = upload;
    const media_type = charset === null ? upload.media_type : `${upload.media_type}; charset=${charset}`;
    return { ...said, source: "file", file_name, media_type, file: upload };
  }
  if (media_type !== "text/plain")
    return { ...said, source: "text", media_type: `${media_type}; charset=utf-8`, bytes: Buffer.from(text) };
  return url === undefined ? null : { ...said, source: "url", url };
}

/** Undefined: unchanged. */
function givenDetails({
  metadata,
  language,
  readers,
  review_at,
}: Pick<AddDocumentBody, "metadata" | "language" | "readers" | "review_at">) {
  return {
    ...(metadata !== undefined && { metadata }),
    ...(language !== undefined && { language }),
    ...(readers !== undefined && { readers }),
    ...(review_at !== undefined && { review_at: review_at === null ? null : new Date(review_at) }),
  };
}
