import { exempt } from "../kernel/operation.ts";
import { erasedBy, erasedWithRow, evidence, ownTables, passing, untilRemoved } from "../resources/tables.ts";

const proof = evidence("A proof of the log rests on it.");
const digests = exempt("positions, digests and ids");
const names = erasedWithRow("The log names who called what; the values behind its digests go with their salt.");

export const owned = ownTables({
  audit_logs: { keeps: proof, personal: digests },
  audit_closed_logs: { keeps: proof, personal: digests },
  audit_tiles: { keeps: proof, personal: digests },
  audit_leaves: { keeps: proof, personal: { columns: ["principal", "object"], erased: names } },
  audit_records: {
    keeps: proof,
    personal: { columns: ["body", "context"], erased: erasedBy("chat.eraseConversation") },
  },
  audit_refused_records: { keeps: proof, personal: digests },
  audit_key_counters: { keeps: proof, personal: digests },
  audit_witnesses: { keeps: proof, personal: digests },
  audit_stops: {
    keeps: untilRemoved("Until the log is signed again."),
    personal: exempt("says what is wrong with a log"),
  },
  events: {
    keeps: evidence("Subscribers and figures can be brought up to date from it."),
    personal: { columns: ["body"], erased: erasedWithRow("An event holds ids and outcomes, and never an input.") },
  },
  event_positions: { keeps: evidence("The order of the events."), personal: digests },
  idempotency_keys: {
    keeps: passing("Answers repetitions for 24 hours, then the process deletes it."),
    personal: { columns: ["answer"], erased: erasedBy("chat.eraseConversation") },
  },
});
