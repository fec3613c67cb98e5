import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { logStoppedEvent } from "../../events.ts";

export interface NoteLogStopped {
  readonly reason: string;
  readonly detail: string;
}

export const noteLogStopped: InsideOperation<NoteLogStopped, null> = defineInside({
  id: "audit.noteLogStopped",
  summary: "Tell that the audit log is no longer signed",
  permission: exempt("a machine of the service itself"),
  load: exempt("names no object; the log is that of the environment"),
  gate: exempt("tells of something, starts nothing"),
  compliance: exempt("tells of something, changes nothing"),
  audit: "audit",
  emits: [logStoppedEvent],
  async handle(ctx, { params: { reason, detail } }: { params: NoteLogStopped }) {
    ctx.note(`stopped: ${reason}`);
    ctx.emit(logStoppedEvent, { reason, detail });
    return null;
  },
});
