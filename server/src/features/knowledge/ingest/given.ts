import type { BodyFault } from "@aos/json-schema";
import type { CallContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import { describeUpload, uploadOf } from "../../../kernel/uploads.ts";
import { contentFaults } from "../model.ts";
import type { DownloadPort } from "../ports.ts";
import type { AddDocumentBody } from "../schemas.ts";
import type { Contents } from "./ingest.ts";

// What a call gives as contents of a document: text and fields, a file, or an address. For every operation that takes one.

/** What is wrong with it besides its form. */
export function givenFaults(
  { scope }: Pick<CallContext, "scope">,
  port: DownloadPort,
  body: Partial<AddDocumentBody>,
): (BodyFault | Fault)[] {
  const { url, text, fields, media_type } = body;
  if (uploadOf(body)) return [];
  if (media_type !== undefined && (text === undefined || fields !== undefined))
    return [{ pointer: "/media_type", code: "excluded", detail: "says what `text` is; give it with `text` alone" }];
  if (url === undefined) return contentFaults(body).map((fault) => (fault.pointer === "" ? nothingGiven : fault));
  if (text !== undefined || fields !== undefined)
    return [{ pointer: "/url", code: "excluded", detail: "excludes `text` and `fields`; give the one or the other" }];
  const fault = port.checkUrl(scope.environment, url);
  return fault ? [{ ...fault, pointer: "/url" }] : [];
}

const nothingGiven = {
  pointer: "",
  code: "required",
  detail: "has neither `text` nor `fields` nor `url`; give one of them, or send a file as multipart/form-data",
} as const;

/** What policies see of it: the members, and of a file what is known without its bytes. */
export function givenInput(body: AddDocumentBody): Record<string, unknown> {
  const upload = uploadOf(body);
  return upload ? { ...body, file: describeUpload(upload) } : body;
}

/** Contents that the job reads; null: plain text and fields, which are indexed at once. */
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

/** What is said besides the contents; what is left out stays as it is. */
export function givenDetails({
  metadata,
  readers,
  review_at,
}: Pick<AddDocumentBody, "metadata" | "readers" | "review_at">) {
  return {
    ...(metadata !== undefined && { metadata }),
    ...(readers !== undefined && { readers }),
    ...(review_at !== undefined && { review_at: review_at === null ? null : new Date(review_at) }),
  };
}
