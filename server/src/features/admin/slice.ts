import { exempt } from "../../kernel/operation.ts";
import { defineSlice } from "../../kernel/slice.ts";
import { connectionFacts } from "./connections/facts.ts";
import { keyFacts } from "./keys/facts.ts";
import { tellOfExpiringKeys } from "./keys/operations/tell-of-expiry.ts";
import { signInPort } from "./ports.ts";
import * as schemas from "./schemas.ts";
import { sessionFacts } from "./sessions/facts.ts";
import { createInvitationJob, invitationJobName } from "./sessions/operations/send-invitation.ts";
import { settingsFacts } from "./settings/store.ts";
import { teamFacts } from "./teams/facts.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    cnf: "confirmations";
    inv: "invitations";
    key: "API keys";
    lnk: "sign-in links";
    mbr: "members";
    psk: "passkeys";
    rch: "changes of rules";
    ses: "sessions";
  }
}

export const slice = defineSlice({
  about: "Keys, members, teams and settings.",
  schemas,
  actions: {
    "connection.add": {},
    "connection.read": {},
    "connection.remove": {},
    "connection.test": {},
    "key.issue": {},
    "key.read": {},
    "key.revoke": { neverDenied: true },
    "member.invite": {},
    "member.read": {},
    "member.set": {},
    "passkey.change": {},
    "session.open": {},
    "session.read": {},
    "session.revoke": { neverDenied: true },
    "settings.change": {},
    "settings.read": {},
    "team.read": {},
    "team.remove": {},
    "team.set": {},
    whoami: { neverDenied: true },
  },
  facts: [connectionFacts, keyFacts, sessionFacts, settingsFacts, teamFacts],
  sweeps: [tellOfExpiringKeys],
  jobs: [
    {
      name: invitationJobName,
      sweep: exempt("the e-mail is the job; whoever invited can invite again"),
      handler: ({ inside, port }) => createInvitationJob(inside, port(signInPort)),
    },
  ],
});
