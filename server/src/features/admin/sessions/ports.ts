import type { Challenges } from "../../../kernel/challenges.ts";
import type { SendMail } from "../../../kernel/identity.ts";

/** What the sign-in needs of the machines. */
export interface SignInPort {
  readonly challenges: Challenges;
  /** Null: no mail server is configured, and nobody is invited. */
  readonly sendMail: SendMail | null;
}
