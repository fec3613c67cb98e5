import type { PolicyBody } from "../governance/schemas.ts";
import type { BundleContents } from "./contents.ts";
import { listed, plain, said, sortedNames } from "./permission-words.ts";
import type { ListingPermission } from "./words.ts";

const effects: Readonly<Record<PolicyBody["effect"], string>> = {
  ...{ deny: "refuses", require_approval: "has people approve", redact: "replaces personal data in" },
  ...{ limit: "bounds", notify: "reports", tag: "tags" },
};

/** The policies that a bundle brings; they decide nothing until somebody activates them. */
export const policyPermissions = (policies: BundleContents["policies"]): ListingPermission[] =>
  policies.map(({ file, policy }) => {
    const { name, effect, when, scope = {}, params = {} } = policy as unknown as PolicyBody;
    const [actions, agents] = [scope.actions && sortedNames(scope.actions), scope.agents && sortedNames(scope.agents)];
    const reach = `${actions ? listed(actions) : "all actions"} of ${agents ? listed(agents) : "all agents"}`;
    return {
      id: `policy:${file.slice("policies/".length, -".json".length)}`,
      ...{ kind: "policy", level: agents ? "low" : "elevated" },
      text: `Brings the policy "${plain(name)}" as a draft. Once activated, it ${effects[effect]} ${reach}.`,
      value: said({ name, effect, when, actions, agents, params }),
    };
  });
