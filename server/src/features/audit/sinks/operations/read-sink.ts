import { sinks } from "../resource.ts";

export const readSink = sinks.readOperation({
  id: "audit.readSink",
  summary: "Read an audit sink",
  description:
    "Its position, how far it is behind in records and seconds, the signed checkpoint that covers what was acknowledged, and why it stopped or the last attempt failed. Never its credentials.",
});
