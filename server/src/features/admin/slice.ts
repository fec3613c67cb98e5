import { exempt } from "../../kernel/operation.ts";
import { defineSlice } from "../../kernel/slice.ts";
import { connectionFacts } from "./connection-facts.ts";
import { keyFacts } from "./facts.ts";
import { tellOfExpiringKeys } from "./operations/tell-of-expiry.ts";
import type { ConnectionPort, SignInPort } from "./ports.ts";
import * as schemas from "./schemas.ts";
import { sessionFacts } from "./sessions/facts.ts";
import { createInvitationJob, invitationJobName } from "./sessions/operations/send-invitation.ts";
import { settingsFacts } from "./settings-store.ts";

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

declare module "../../kernel/slice.ts" {
  interface SlicePorts {
    readonly connections: ConnectionPort;
    readonly signIn: SignInPort;
  }
}

export const slice = defineSlice({
  about: "Keys, members and settings.",
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
    whoami: { neverDenied: true },
  },
  facts: [connectionFacts, keyFacts, sessionFacts, settingsFacts],
  sweeps: [tellOfExpiringKeys],
  jobs: [
    {
      name: invitationJobName,
      sweep: exempt("the e-mail is the job; whoever invited can invite again"),
      handler: ({ inside }, { signIn }) => createInvitationJob(inside, signIn),
    },
  ],
});
