import type { Reader } from "../../../kernel/db.ts";
import type { ProviderAccount } from "../../../kernel/identity.ts";
import type { KeyFacts } from "../../../kernel/key-facts.ts";
import type { RunInside } from "../../../kernel/machines.ts";
import type { Environment } from "../../../kernel/principal.ts";
import { personFacts } from "./account-store.ts";
import { admitAccount } from "./operations/admit-account.ts";

/** Who signs in, by what they brought. Each throws a Refusal where it proves nobody, or somebody without a role in the environment. */
export interface Proofs {
  ofAccount(account: ProviderAccount, environment: Environment): Promise<KeyFacts>;
}

export interface ProofParts {
  readonly reader: Reader;
  /** As `system:sign-in`. */
  readonly inside: RunInside;
  readonly organization: string;
}

export function createProofs({ reader, inside, organization }: ProofParts): Proofs {
  return {
    async ofAccount(account, environment) {
      const scope = { organization, environment };
      const { memberId } = await inside(admitAccount, scope, { account });
      return personFacts(reader, scope, memberId);
    },
  };
}
