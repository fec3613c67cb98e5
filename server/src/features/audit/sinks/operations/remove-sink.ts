import { sinks } from "../resource.ts";
import { RemovedSink } from "../schemas.ts";

export const removeSink = sinks.removeOperation({
  id: "audit.removeSink",
  summary: "Remove an audit sink",
  description: "Nothing more is sent, and its credentials are deleted. What the receiver has stays there.",
  output: RemovedSink,
  mayMatch: ({ revision }) => revision,
});
