import { hkdfSync } from "node:crypto";
import { Challenges } from "../../../kernel/challenges.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Reader } from "../../../kernel/db.ts";
import { type Refusal, refuse } from "../../../kernel/errors.ts";
import type { ProviderAccount, SendMail } from "../../../kernel/identity.ts";
import type { KeyFacts } from "../../../kernel/key-facts.ts";
import type { RunInside } from "../../../kernel/machines.ts";
import type { Environment } from "../../../kernel/principal.ts";
import { unauthenticated } from "../../../kernel/problems.ts";
import type { SignInPort } from "../ports.ts";
import { findInvitation, roleFacts } from "./accounts-store.ts";
import { admitAccount } from "./operations/admit-account.ts";
import { findCredential } from "./passkeys-store.ts";
import type { PasskeyResponse } from "./schemas.ts";
import { authenticationOptions, verifiesAssertion } from "./webauthn.ts";

/** Who signs in, by what they brought. Each throws a Refusal where it proves nobody, or somebody without a role in the environment. */
export interface Proofs {
  ofAccount(account: ProviderAccount, environment: Environment): Promise<KeyFacts>;
  ofPasskey(response: PasskeyResponse, environment: Environment): Promise<KeyFacts>;
  ofInvitation(token: string): Promise<KeyFacts>;
  /** What a browser needs to use a passkey. Says nothing about anybody. */
  passkeyOptions(): Promise<object>;
}

export interface ProofParts {
  readonly reader: Reader;
  /** As `system:sign-in`. */
  readonly inside: RunInside;
  readonly organization: string;
  readonly appUrl: string;
  readonly clock: Clock;
  readonly port: SignInPort;
}

const purpose = "sign in";

export function createProofs({
  reader,
  inside,
  organization,
  appUrl,
  clock,
  port: { challenges },
}: ProofParts): Proofs {
  return {
    async ofAccount(account, environment) {
      const scope = { organization, environment };
      const { memberId } = await inside(admitAccount, scope, { account });
      return roleFacts(reader, scope, memberId);
    },
    async ofPasskey(response, environment) {
      const passkey = await findCredential(reader, organization, response.id);
      if (!passkey) throw unknown("The passkey is not known here, or was removed.");
      const accepts = (challenge: string): boolean => challenges.accepts(purpose, challenge, clock.now());
      if (!(await verifiesAssertion(appUrl, response, passkey, accepts))) {
        throw unknown(
          "The answer of the passkey does not verify: it is too old, for another page, or was used before. Begin again.",
        );
      }
      return roleFacts(reader, { organization, environment }, passkey.member_id);
    },
    async ofInvitation(token) {
      const invitation = await findInvitation(reader, token, clock.now());
      if (!invitation)
        throw unknown(
          "The invitation is unknown, was used or has expired: it works once, for 24 hours. Ask an admin for another one.",
        );
      return roleFacts(reader, invitation, invitation.member_id);
    },
    passkeyOptions: () => authenticationOptions(appUrl, challenges.issue(purpose, clock.now())),
  };
}

const unknown = (detail: string): Refusal => refuse(unauthenticated, detail);

/** What the sign-in needs of the machines. All processes of an installation take each other's challenges: their key is derived from the one they share. */
export function createSignInPort(credentialKey: Buffer, sendMail: SendMail | null): SignInPort {
  const key = hkdfSync("sha256", credentialKey, "", "challenges of the sign-in", 32);
  return { challenges: new Challenges(new Uint8Array(key)), sendMail };
}
