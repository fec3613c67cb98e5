import { decidedText, roundText, standing, when } from "./words.js";

const byId = (id) => document.getElementById(id);

/** An element with text or further elements in it. Text is always text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const fill = (id, ...children) => byId(id).replaceChildren(...children);
const listOf = (id, texts) => fill(id, ...texts.map((text) => element("li", {}, text)));

/** Shows an approval as the service answered it. `fits`: whether this browser found the digest to be that of the action; null: it could not tell. */
export function renderApproval(approval, fits) {
  const { agent, skill, tool } = approval;
  const open = approval.status === "pending";
  const asks = open ? "asks" : "asked";
  const title = tool === null ? `${agent} ${asks} to run ${skill}` : `${agent} ${asks} to call ${tool}, in ${skill}`;
  const [word, kind] = standing(approval);
  document.title = `${word}: ${title}`;
  byId("title").textContent = title;
  byId("status").textContent = word;
  byId("status").dataset.kind = kind;
  byId("environment").textContent = approval.environment;
  byId("asked").textContent = `Asked by ${nameOf(approval.requester)}, ${when(approval.created_at)}`;
  byId("action-title").textContent = open ? "What will happen" : "What was asked for";
  byId("why-title").textContent = open ? "Why you are asked" : "Why people were asked";
  renderAction(approval);
  renderDigest(approval, fits);
  renderRound(approval);
  listOf("reasons", approval.reasons);
  byId("undecided").textContent = undecided(approval);
  for (const id of ["undecided", "undecided-title"]) byId(id).hidden = !open;
  renderRisk(approval);
  renderTrust(approval.trust);
  renderVotes(approval);
}

/** That it was asked for before, edited, or handed to the admins. Nothing of it: nothing is shown. */
function renderRound(approval) {
  const text = roundText(approval);
  byId("round").textContent = text;
  byId("round").hidden = text === "";
}

function renderAction(approval) {
  const { action } = approval;
  const fact = (name, value, id) => [element("dt", {}, name), element("dd", {}, value, id ? element("span", { class: "id" }, id) : null)];
  fill(
    "action",
    ...fact("Agent", approval.agent),
    ...fact("Skill", approval.skill),
    ...(approval.tool === null ? [] : fact("Tool", approval.tool)),
    ...fact("Version", String(approval.version), action.version),
    ...fact("Task", "", approval.task_id),
  );
  byId("input-title").textContent = approval.tool === null ? "Input" : "Arguments";
  fill("input", inputTable(action.arguments));
  fill("raw", ...visible(JSON.stringify(action, null, 2)));
}

function inputTable(input) {
  const rows = [...leaves(input, "")].map(([path, value]) =>
    element("tr", {}, element("th", { scope: "row" }, ...visible(path || "value")), element("td", {}, ...shownValue(value))),
  );
  return element("table", {}, element("tbody", {}, ...rows));
}

/** The leaves of a value with their paths; an empty list or object is a leaf. */
function* leaves(value, path) {
  const nested = typeof value === "object" && value !== null;
  const entries = nested ? Object.entries(value) : [];
  if (!nested || entries.length === 0) return yield [path, value];
  for (const [name, item] of entries) {
    yield* leaves(item, Array.isArray(value) ? `${path}[${Number(name) + 1}]` : path ? `${path} › ${name}` : name);
  }
}

function shownValue(value) {
  const special = (text) => [element("span", { class: "special" }, text)];
  if (value === null) return special("nothing (null)");
  if (value === true) return ["yes"];
  if (value === false) return ["no"];
  if (Array.isArray(value)) return special("an empty list");
  if (typeof value === "object") return special("an empty object");
  if (value === "") return special("an empty text");
  return visible(String(value));
}

// Characters that are not seen or that turn the direction of writing: they could make a text look like another one.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\u{3164}\u{115f}\u{1160}\u{ffa0}]/u;

/** A text with everything invisible in it made visible; line breaks and tabs stay. */
function visible(text) {
  const parts = [];
  let plain = "";
  for (const character of text) {
    if (character === "\n" || character === "\t" || !unseen.test(character)) {
      plain += character;
      continue;
    }
    const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    parts.push(plain, element("span", { class: "escape" }, `[U+${code}]`));
    plain = "";
  }
  return [...parts, plain].filter((part) => part !== "");
}

function renderDigest({ status, digest, digest_fits }, fits) {
  const open = status === "pending";
  const short = element("code", { title: digest }, `${digest.slice(0, 12)}…${digest.slice(-6)}`);
  if (!digest_fits || fits === false) {
    return fill(
      "digest",
      "Fingerprint ",
      short,
      ` does not fit what is stored now${open ? ": this cannot be decided. Have the task cancelled and asked for again" : ""}.`,
    );
  }
  const checked = fits === true ? ", checked by your browser against what is shown" : "";
  fill("digest", "Fingerprint ", short, `${checked}.${open ? " Your decision is for exactly this." : ""}`);
}

const levels = ["low", "medium", "high", "critical"];

function renderRisk({ risk, risk_assessment: assessment }) {
  const height = levels.indexOf(risk) + 1;
  const steps = levels.map((_level, index) => element("span", index < height ? { class: "on" } : {}));
  fill(
    "risk",
    `${risk[0].toUpperCase()}${risk.slice(1)}`,
    element("span", { class: "steps", "aria-hidden": "true" }, ...steps),
    scale(height),
  );
  listOf(
    "risk-reasons",
    assessment.reasons.length > 0 ? assessment.reasons : ["Nothing that it touches or does is graded above harmless."],
  );
}

const scale = (height) => element("span", { class: "hint" }, `${height} of 4`);

function renderTrust({ score, low, high }) {
  const percent = (share) => `${Math.round(share * 100)} %`;
  const point = element("span", { class: "point" });
  const span = element("span", { class: "span" });
  point.style.left = `${score * 100}%`;
  span.style.left = `${low * 100}%`;
  span.style.width = `${(high - low) * 100}%`;
  const label = `Trust ${percent(score)}, between ${percent(low)} and ${percent(high)}`;
  fill(
    "trust",
    element(
      "p",
      { class: "trust-score" },
      percent(score),
      element("span", { class: "hint" }, `  between ${percent(low)} and ${percent(high)}`),
    ),
    element("div", { class: "track", role: "img", "aria-label": label }, span, point),
    element("div", { class: "scale", "aria-hidden": "true" }, element("span", {}, "0 %"), element("span", {}, "100 %")),
    element("p", { class: "hint" }, "How likely a reviewer would accept the outcome, by the evidence so far."),
  );
}

function renderVotes(approval) {
  const { status, approvals, approvers, requester_allowed: allowed } = approval;
  const open = status === "pending";
  const verb = open ? (approvers === 1 ? "has" : "have") : "had";
  const people = `${approvers === 1 ? "One person" : `${approvers} different people`} ${verb} to approve`;
  const others = allowed ? "" : `, and not the one who ${approval.edited_by ? "asked or edited" : "asked"}`;
  byId("needed").textContent = `${people}${others}. ${approvals} of ${approvers} ${open ? "so far; one rejection ends it" : "did"}.`;
  const lines = approval.votes.map(({ voter, on_behalf_of: behalf, vote, reason, at }) =>
    element(
      "li",
      {},
      `${vote === "approve" ? "Approved" : "Rejected"} by ${nameOf(voter)}${behalf ? ` in place of ${nameOf(behalf)}` : ""}`,
      reason ? element("p", {}, ...visible(`“${reason}”`)) : null,
      element("p", { class: "hint" }, `${when(at)} · ${voter.id}`),
    ),
  );
  const handed = approval.delegations.map(({ from, to, reason, at }) =>
    element(
      "li",
      {},
      `Handed by ${nameOf(from)} to ${nameOf(to)}`,
      element("p", {}, ...visible(`“${reason}”`)),
      element("p", { class: "hint" }, `${when(at)} · ${to.id}`),
    ),
  );
  fill("votes", ...lines, ...handed);
}

function nameOf({ name, kind }) {
  return kind === "service_account" ? `${name} (service account)` : name;
}

function undecided({ if_undecided: { outcome, at } }) {
  if (outcome === "escalates")
    return `Nothing runs. If nobody decides by ${when(at)}, only admins decide from then on. It is never approved by itself.`;
  if (outcome === "expires") return `Nothing runs. If nobody decides by ${when(at)}, the task expires. It is never approved by itself.`;
  return "Nothing runs and nothing expires by itself: the task waits until people decide or it is cancelled.";
}

/** Shows whether the caller may decide, and if not, why. */
export function renderDecision(approval, fits) {
  const { status, may_decide: may } = approval;
  const bound = approval.digest_fits && fits !== false;
  const open = may.allowed && bound;
  byId("choices").hidden = !open;
  byId("bar").hidden = open;
  byId("decision-title").textContent = status === "pending" ? "Your decision" : "The decision";
  byId("bar").textContent =
    status !== "pending"
      ? decidedText(approval)
      : !bound
        ? "What is shown does not fit its fingerprint, so it cannot be decided."
        : may.reason;
}
