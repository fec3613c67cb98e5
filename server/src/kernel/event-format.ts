// How the body of a delivery looks. `flat` is the stored body as it is; the others wrap it.

export const payloadFormats = ["flat", "standard", "cloudevents"] as const;
export type PayloadFormat = (typeof payloadFormats)[number];

/** What a body is made of. */
export interface EventToFormat {
  readonly id: string;
  readonly type: string;
  /** RFC 3339. */
  readonly time: string;
  readonly taskId: string | null;
  /** The flat body, as JSON. */
  readonly body: string;
}

/** The media type of a format. */
export function mediaTypeOf(format: PayloadFormat): string {
  return format === "cloudevents" ? "application/cloudevents+json; charset=utf-8" : "application/json; charset=utf-8";
}

/**
 * The body of a delivery, byte for byte what is signed. `standard`: `{type, timestamp, data}` (Standard Webhooks); `cloudevents`: CloudEvents 1.0 in structured
 * mode, whose source is the environment. The data is the flat body.
 */
export function bodyOf(
  format: PayloadFormat,
  { id, type, time, taskId, body }: EventToFormat,
  environment: string,
): string {
  if (format === "flat") return body;
  const text = JSON.stringify;
  if (format === "standard") return `{"type":${text(type)},"timestamp":${text(time)},"data":${body}}`;
  const subject = taskId === null ? "" : `,"subject":${text(taskId)}`;
  return (
    `{"specversion":"1.0","id":${text(id)},"source":${text(`/environments/${environment}`)},"type":${text(type)}` +
    `,"time":${text(time)}${subject},"datacontenttype":"application/json","data":${body}}`
  );
}
