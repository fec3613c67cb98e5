/** Catches that take errors of any kind, by file and in their order, each with the reason why no outcome comes of an error of the infrastructure (decision 0069). */
export const settledCatches: Readonly<Record<string, readonly string[]>> = {
  "server/src/jobs/pools.ts": ["what cannot be read now is looked at again"],
  "server/src/delivery/book.ts": ["keeps what was to be written, and writes it later"],
  "server/src/delivery/machine.ts": [
    "looks again at the next poll",
    "frees the place; the claim runs out and is taken again",
  ],
  "server/src/features/admin/sessions/webauthn.ts": [
    "the library throws for whatever does not verify, and reads nothing",
    "the library throws for whatever does not verify, and reads nothing",
  ],
  "server/src/features/agents/definitions/operations/preview-agent.ts": [
    "its own time ran out, which it looks at first",
  ],
  "server/src/features/analytics/rollups/roller.ts": ["the next look rolls up"],
  "server/src/features/chat/channels/email/parse.ts": ["parses a text in memory"],
  "server/src/features/evaluations/runs/jobs/run-job.ts": [
    "only that the run may not go on ends it; the rest is looked at again",
  ],
  "server/src/features/governance/budgets/allocator.ts": ["keeps what was to be reported, and reports it later"],
  "server/src/features/governance/budgets/local-window.ts": ["the next tick asks again"],
  "server/src/features/governance/budgets/process-budgets.ts": [
    "the next tick looks again",
    "the next call that reaches the limit notes it",
  ],
  "server/src/features/knowledge/connectors/sources/folder.ts": [
    "a file that went meanwhile",
    "a folder that is not there",
    "reads a folder outside of the service; the next sync reads it again",
  ],
  "server/src/features/knowledge/connectors/sources/git-repository.ts": ["throws it again, as a fault of the source"],
  "server/src/features/knowledge/connectors/sources/json-client.ts": ["the next of the lane does not depend on it"],
  "server/src/features/knowledge/search/vectors/jobs/embed.ts": [
    "the base waits and is embedded later, with the reason shown",
  ],
  "server/src/features/knowledge/search/vectors/query-vectors.ts": [
    "a search goes on without vectors, and says so by its figures",
    "a search goes on without vectors, and says so by its figures",
  ],
  "server/src/features/knowledge/search/vectors/rerank.ts": [
    "the search keeps the plain order, and says so in its answer",
  ],
  "server/src/features/marketplace/listings/starters.ts": ["a folder that is not there"],
  "server/src/features/webhooks/events/feed.ts": ["the next look reads on"],
  "server/src/features/tasks/runs/jobs/sweeper.ts": ["reported; the next look takes the task up again"],
  "server/src/features/workflows/runs/engine.ts": ["passes the error on to whoever asked for the run"],
  "server/src/runtime/connection-port.ts": ["a test of a connection, for whoever waits for its answer"],
  "server/src/runtime/kept-models.ts": ["the next of the lane does not depend on it"],
  "server/src/runtime/models/providers/provider-model.ts": ["the provider's own refusal of a schema, asked first"],
  "server/src/runtime/models/providers/watch.ts": ["passes the error on in the stream"],
  "server/src/runtime/tools/openapi-descriptions.ts": ["keeps the description that was read before"],
  "server/src/runtime/worker.ts": [
    "gives the task back, and throws where not even that can be written",
    "throws below",
  ],
  "server/src/wiring/delivery-worker.ts": ["unlessRefused throws on all but refusals"],
};
