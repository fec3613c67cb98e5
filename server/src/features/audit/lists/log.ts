import type { Operation } from "../../../kernel/operation.ts";
import { adoptLog } from "../operations/adopt-log.ts";
import { noteLogStopped } from "../operations/note-log-stopped.ts";
import type { AuditPort } from "../ports.ts";

// What stops the log, and what the host does then.

export const createOperations = (port: AuditPort): readonly Operation[] => [noteLogStopped, adoptLog(port)];
