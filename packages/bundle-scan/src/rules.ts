/** `error`: do not install as it is. `warning`: a person decides. `note`: worth knowing, such as an example key of a vendor's documentation. */
export type Level = "error" | "warning" | "note";

export interface Rule {
  readonly title: string;
  readonly level: Level;
  /** What code hosts order by: 9 and more is critical, 7 high, 4 medium, below low. */
  readonly severity: number;
  readonly why: string;
  readonly remedy: string;
}

const rule = (level: Level, severity: number, title: string, why: string, remedy: string): Rule => ({
  title,
  level,
  severity,
  why,
  remedy,
});

const SECRET_WHY = "Everybody who gets the bundle can use it.";
const SECRET_REMEDY = "Take it out, name a connection instead, and replace the credential.";
const HIDDEN_WHY = "People do not see it, and models read it.";
const PROMPT_REMEDY = "Remove it; if it is an example of an attack, put it into quotation marks and say so.";
const TOOL_WHY = "Whoever steers the agent could use the tool for more than its description says.";

/** Every rule by its id. What a finding says is what was found, then `why`, then `remedy`. */
export const rules = {
  "secret.aws-key": rule("error", 9.1, "AWS key", SECRET_WHY, SECRET_REMEDY),
  "secret.private-key": rule("error", 9.1, "Private key", SECRET_WHY, SECRET_REMEDY),
  "secret.token": rule("error", 9.1, "Key or token of a service", SECRET_WHY, SECRET_REMEDY),
  "secret.url-password": rule("error", 8.6, "Password in an address", SECRET_WHY, SECRET_REMEDY),
  "secret.header": rule("error", 8.6, "Credential in a header or query", SECRET_WHY, SECRET_REMEDY),
  "secret.assignment": rule("warning", 7, "Random value under a secret's name", SECRET_WHY, SECRET_REMEDY),
  "secret.example": rule(
    "note",
    1,
    "Example of a credential",
    "It opens nothing as far as is known.",
    "Check that it is an example.",
  ),
  "text.bidi": rule(
    "error",
    8,
    "Text that changes its direction",
    "What people see is in another order than what is read.",
    "Remove the control characters.",
  ),
  "text.hidden": rule("error", 8, "Invisible characters", HIDDEN_WHY, "Remove them."),
  "text.control": rule(
    "warning",
    5,
    "Control characters",
    "Terminals act on them instead of showing them.",
    "Remove them.",
  ),
  "text.html-comment": rule(
    "warning",
    5,
    "Comment in HTML",
    HIDDEN_WHY,
    "Remove the comment, or write it as visible text.",
  ),
  "text.invisible-style": rule("error", 7, "Text styled to be invisible", HIDDEN_WHY, "Remove the style."),
  "text.confusable": rule(
    "error",
    7,
    "Letters that look like others",
    "A name or word is not what it looks like.",
    "Write it in the letters of one script.",
  ),
  "tool.host-placeholder": rule(
    "error",
    8,
    "Host taken from an argument",
    "The model could send data to any server.",
    "Write the host out; arguments may stand in path and query.",
  ),
  "tool.private-address": rule(
    "error",
    8,
    "Address inside the installation's network",
    "It reaches what is not meant for strangers' agents.",
    "Use a public address, and leave private ones to the installer.",
  ),
  "tool.plain-http": rule(
    "warning",
    5,
    "Connection without encryption",
    "Others on the way can read and change what is sent.",
    "Use https.",
  ),
  "tool.write-without-impact": rule(
    "error",
    6,
    "Writing tool without an impact",
    "Approvals and limits follow from the impact, and there is none.",
    "Say in `impact` what a call could do at worst.",
  ),
  "tool.effect-read": rule(
    "warning",
    7,
    "Tool that says it only reads",
    "Calls that read are not governed as actions.",
    "Set `effect: write` and give an `impact`.",
  ),
  "tool.no-arguments": rule(
    "warning",
    5,
    "Tool without a schema of its arguments",
    TOOL_WHY,
    "List the arguments with types and bounds.",
  ),
  "tool.free-form": rule(
    "warning",
    6,
    "Argument that takes anything",
    TOOL_WHY,
    "Restrict it by `enum`, `const` or `pattern`.",
  ),
  "tool.mcp-no-tool": rule(
    "warning",
    6,
    "MCP server without a fixed tool",
    "Which tool is called depends on the server.",
    "Name the server's tool in `tool`.",
  ),
  "agent.no-limits": rule(
    "warning",
    4,
    "Skill without limits",
    "With a paid model a run can cost without bound.",
    "Set `limits.steps` and `limits.cost_usd` or `limits.tokens`.",
  ),
  "agent.wide-limits": rule(
    "warning",
    4,
    "Skill with very wide limits",
    "They would not stop a run that goes astray.",
    "Lower them to what the task needs.",
  ),
  "prompt.override": rule(
    "error",
    8,
    "Order to drop the instructions",
    "A model may obey it instead of its operator.",
    PROMPT_REMEDY,
  ),
  "prompt.conceal": rule(
    "error",
    8,
    "Order to hide something from people",
    "The people concerned could not notice what is done.",
    PROMPT_REMEDY,
  ),
  "prompt.exfiltrate": rule(
    "error",
    9,
    "Order to send data away",
    "A model may send what it sees to that address.",
    PROMPT_REMEDY,
  ),
  "prompt.bypass": rule(
    "error",
    8,
    "Order to evade approval",
    "Actions would go on that a person should decide.",
    PROMPT_REMEDY,
  ),
  "prompt.role-marker": rule(
    "error",
    7,
    "Role marker of a chat template",
    "A model may take what follows for its operator's words.",
    PROMPT_REMEDY,
  ),
  "prompt.encoded": rule("error", 8, "Encoded order", "People cannot read it, and models can.", "Remove it."),
  "prompt.image-exfiltration": rule(
    "error",
    9,
    "Image address that carries data",
    "Showing the image sends the data to its server.",
    "Use an address without placeholders.",
  ),
  "data.personal": rule(
    "warning",
    6,
    "Personal data",
    "Examples and documents are shared with everybody who installs the bundle.",
    "Replace it by invented data, such as an address at example.com.",
  ),
  "policy.no-effect": rule(
    "warning",
    5,
    "Policy that restricts nothing",
    "It looks like a rule and is none.",
    "Write a condition that can be true, or leave the policy out.",
  ),
  "policy.self-approval": rule(
    "warning",
    7,
    "Approval by the requester",
    "Who asks can approve, so nobody else looks.",
    "Leave out `requester_allowed`.",
  ),
  "policy.unknown-effect": rule(
    "error",
    7,
    "Policy with an effect that there is not",
    "Policies only restrict; one that says it allows misleads.",
    "Use one of the documented effects.",
  ),
  "policy.active": rule(
    "note",
    3,
    "Policy that is active at once",
    "It decides before anybody has watched it in shadow.",
    "Leave `state` out.",
  ),
  "file.mismatch": rule(
    "error",
    7,
    "File that is not what its name says",
    "Readers could take it for something else than the check did.",
    "Write it in the format of its name.",
  ),
  "file.code": rule(
    "error",
    8,
    "Program or script",
    "Bundles hold no code, and nothing here would run it safely.",
    "Take it out.",
  ),
  "file.unexpected": rule(
    "warning",
    3,
    "File that the format does not know",
    "Nothing reads it, so nobody would miss it.",
    "Take it out.",
  ),
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;
export const ruleIds = Object.keys(rules) as readonly RuleId[];
