import type { Json } from "./schema.ts";

const text = (description: string, example: string): Json => ({ description, schema: { type: "string" }, example });

/** Every header that answers carry, as components. */
export const headerComponents: Readonly<Record<string, Json>> = {
  "Access-Control-Allow-Origin": {
    description: "Any origin may read the response; keys are sent as a header, never as a cookie.",
    schema: { type: "string", enum: ["*"] },
  },
  "Audit-Ref": text("The audit record of this call.", "aud_01jd8x0000000000000000000b"),
  ETag: text("The revision of the response, for If-Match and If-None-Match.", '"3-json"'),
  "Idempotent-Replayed": {
    description: "`true` if this is the stored response of an earlier call with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
  },
  Link: text('The next page (`rel="next"`), if there is one (RFC 8288).', '</v1/tasks?cursor=AbC>; rel="next"'),
  Location: text("Path of the new resource or running task.", "/v1/tasks/tsk_01jd8x0000000000000000000a"),
  "Preference-Applied": text("The preference that was applied (RFC 7240).", "wait=30"),
  RateLimit: text("What is left of the key's rate (draft-ietf-httpapi-ratelimit-headers).", '"default";r=199;t=1'),
  "RateLimit-Policy": text(
    "The key's rate: `q` calls in `w` seconds, and the burst.",
    '"default";q=100;w=1;aos-burst=200',
  ),
  "Retry-After": {
    description: "Seconds to wait before repeating the call.",
    schema: { type: "integer", minimum: 0, maximum: 2_678_400, format: "int32" },
    example: 1,
  },
  Vary: text("The request headers that choose between representations.", "Accept"),
  "WWW-Authenticate": text("How to authenticate (RFC 6750).", 'Bearer error="invalid_token"'),
  "X-Request-Id": text("The id of this call; log lines carry it.", "req_01jd8x0000000000000000000f"),
};

const always = ["Access-Control-Allow-Origin", "X-Request-Id", "Audit-Ref", "RateLimit", "RateLimit-Policy"];

/** References to the headers of an answer: those of every answer, and these. */
export const headers = (...more: readonly string[]): Json => references([...always, ...more]);

/** The same of an answer to what never became a call. */
export const unreadHeaders = (): Json => references(always.filter((name) => name !== "Audit-Ref"));

const references = (names: readonly string[]): Json =>
  Object.fromEntries([...names].sort().map((name) => [name, { $ref: `#/components/headers/${name}` }]));
