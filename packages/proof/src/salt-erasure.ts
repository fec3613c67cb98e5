import type { AuditRecord } from "./record.ts";

/** Operations that destroy salts. Each names the salts that it destroyed in the reasons of its record, so that a database alone cannot explain a missing salt. */
export const saltErasures: readonly string[] = [
  "agents.forgetMemory",
  "chat.deleteConversation",
  "chat.deleteMemory",
  "chat.eraseConversation",
];

/** The reason by which a record says that its call destroyed a salt. */
export const saltErased = (saltId: string): string => `destroyed the salt ${saltId}`;

/** Whether a record is that of a call that destroyed this salt. */
export function erasesSalt({ operation, outcome, stages }: AuditRecord, saltId: string): boolean {
  if (outcome !== "allowed" || !saltErasures.includes(operation)) return false;
  return stages.some(({ reasons }) => reasons.includes(saltErased(saltId)));
}
