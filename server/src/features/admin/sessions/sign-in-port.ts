import { hkdfSync } from "node:crypto";
import { Challenges } from "../../../kernel/challenges.ts";
import type { SendMail } from "../../../kernel/identity.ts";
import type { SignInPort } from "../ports.ts";

/** What the sign-in needs of the machines. All processes of an installation take each other's challenges: their key is derived from the one they share. */
export function createSignInPort(credentialKey: Buffer, sendMail: SendMail | null): SignInPort {
  const key = hkdfSync("sha256", credentialKey, "", "challenges of the sign-in", 32);
  return { challenges: new Challenges(new Uint8Array(key)), sendMail };
}
