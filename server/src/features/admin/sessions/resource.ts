import { exempt } from "../../../kernel/operation.ts";
import { erasedBy, erasedWithRow, evidence, ownTables, passing } from "../../../resources/tables.ts";

const signIn = erasedWithRow("It says which person signs in by it.");

export const owned = ownTables({
  sessions: {
    keeps: passing("A person's sessions that are over are deleted when the person signs in again."),
    personal: { columns: ["address", "user_agent"], erased: erasedWithRow("A session says from where it was used.") },
  },
  invitations: {
    keeps: passing("Deleted when the person is invited again, or gets another e-mail address."),
    personal: { columns: ["member_id"], erased: erasedBy("admin.setMember") },
  },
  sign_in_links: {
    keeps: passing("A member's used and expired links are deleted when the next is made."),
    personal: { columns: ["member_id", "created_by"], erased: erasedBy("admin.setMember") },
  },
  passkeys: {
    keeps: evidence("A voided passkey keeps its row, so that nobody adds it again."),
    personal: { columns: ["name", "credential_id"], erased: signIn },
  },
  provider_accounts: {
    keeps: evidence("A voided account keeps its row, so that it is bound again only to its person."),
    personal: { columns: ["issuer", "subject"], erased: signIn },
  },
  used_challenges: {
    keeps: passing("Deleted by the next use of a challenge, once it has expired."),
    personal: exempt("digests of random values"),
  },
});
