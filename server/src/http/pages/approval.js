import { digestFits } from "./digest.js";
import { renderApproval, renderDecision } from "./render.js";
import { afterVote, goesOn, readFault, standing, voteFault, withReason } from "./words.js";

// The page of one approval: a client of the public interface and of nothing else. Reading decides nothing; the key lives in this variable only.
let key = "";
let shown = null;
let voted = false;
/** What the open form sends: `reject`, or `request-changes`. */
let decision = "reject";
let timer;

const byId = (id) => document.getElementById(id);
const taskId = location.pathname.split("/").pop();
const addressOf = (id) => `../v1/approvals/${encodeURIComponent(id)}`;
const address = addressOf(taskId);

/** Calls the interface. Status 0: no answer came. */
async function call(method, path, body) {
  const headers = { authorization: `Bearer ${key}`, accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  try {
    const init = { method, headers, cache: "no-store", credentials: "omit", redirect: "error", referrerPolicy: "no-referrer" };
    const response = await fetch(path, body === undefined ? init : { ...init, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  } catch {
    return { status: 0, body: null };
  }
}

function say(text, kind = "") {
  const notice = byId("notice");
  notice.className = `notice ${kind}`;
  notice.textContent = text;
  notice.hidden = text === "";
}

async function show(approval, until) {
  if (key === "") return; // signed out meanwhile
  shown = approval;
  const fits = await digestFits(approval.action, approval.digest);
  if (shown !== approval) return;
  renderApproval(approval, fits);
  renderDecision(approval, fits);
  closeForm();
  byId("sign-in").hidden = true;
  byId("approval").hidden = false;
  byId("session").hidden = false;
  follow(until);
}

/** Reads a decided approval again every second until its task has ended: for a minute (`until`, in ms), and only while the page is seen. */
function follow(until = Date.now() + 60_000) {
  clearTimeout(timer);
  if (shown === null || !goesOn(shown) || document.hidden || Date.now() >= until) return;
  timer = setTimeout(() => readAgain(until), 1000);
}

async function readAgain(until) {
  const before = shown;
  const { status, body } = await call("GET", addressOf(before.approval_id));
  if (shown !== before) return;
  if (status === 401) return signOut(readFault(status, body));
  if (status !== 200 || (body.status === before.status && body.task_status === before.task_status)) return follow(until);
  await show(body, until);
  if (voted) sayAfterVote(body);
}

function sayAfterVote(approval) {
  const kind = standing(approval)[1] === "bad" ? "bad" : "good";
  say(afterVote(approval), approval.status === "rejected" ? "" : kind);
}

async function signIn(event) {
  event.preventDefault();
  const field = byId("key");
  key = field.value.trim();
  if (!/^[!-~]+$/.test(key))
    return signInFault(key === "" ? "Enter your key." : "This cannot be a key: it has characters that no key has.");
  byId("sign-in-button").disabled = true;
  const answer = await call("GET", address);
  byId("sign-in-button").disabled = false;
  if (answer.status !== 200) return signInFault(readFault(answer.status, answer.body));
  field.value = "";
  byId("sign-in-error").hidden = true;
  voted = false;
  say("");
  await show(answer.body);
  byId("title").focus();
}

function signInFault(text) {
  key = "";
  byId("sign-in-error").textContent = text;
  byId("sign-in-error").hidden = false;
  byId("key").focus();
}

function signOut(text = "") {
  key = "";
  shown = null;
  clearTimeout(timer);
  byId("key").value = "";
  byId("reason").value = "";
  for (const id of ["approval", "session"]) byId(id).hidden = true;
  byId("sign-in").hidden = false;
  byId("sign-in-error").textContent = text;
  byId("sign-in-error").hidden = text === "";
  document.title = "Approval";
  byId("key").focus();
}

async function vote(word, said = {}) {
  const body = { digest: shown.digest, ...said };
  busy(true);
  // By the approval's own id: the task may have a newer approval by now, and the vote is for the one that was shown.
  const answer = await call("POST", `${addressOf(shown.approval_id)}/${word}`, body);
  if (answer.status === 200) {
    voted = true;
    await show(answer.body);
    sayAfterVote(answer.body);
  } else {
    await notTaken(answer);
  }
  busy(false);
  if (key !== "") byId("title").focus();
}

async function notTaken(answer) {
  const [text, stale] = voteFault(answer.status, answer.body);
  if (answer.status === 401) return signOut(text);
  if (!stale) return say(text, "bad");
  const now = await call("GET", address);
  if (now.status === 200) await show(now.body);
  const known = now.status === 200 ? "Below is how it stands now." : "Reload the page to see how it stands.";
  say(`${text} ${known}`, "bad");
}

function busy(on) {
  for (const button of document.querySelectorAll("#decision button")) button.disabled = on;
}

/** Opens the form in which a decision is explained; `word` is a decision of {@link withReason}. */
function openForm(word) {
  decision = word;
  const { label, send, button } = withReason[word];
  byId("reason-label").textContent = label;
  byId("reason-send").textContent = send;
  byId("reason-send").className = word === "reject" ? "danger" : "primary";
  byId("reject-form").hidden = false;
  byId("choices").hidden = true;
  byId(button).setAttribute("aria-expanded", "true");
  byId("reason").focus();
}

function closeForm() {
  byId("reject-form").hidden = true;
  byId("reason-error").hidden = true;
  for (const { button } of Object.values(withReason)) byId(button).setAttribute("aria-expanded", "false");
}

function backToChoices() {
  closeForm();
  byId("choices").hidden = false;
  byId(withReason[decision].button).focus();
}

async function sendWithReason(event) {
  event.preventDefault();
  const reason = byId("reason").value.trim();
  if (reason === "") {
    byId("reason-error").textContent = withReason[decision].missing;
    byId("reason-error").hidden = false;
    return byId("reason").focus();
  }
  await vote(decision, { [withReason[decision].member]: reason });
}

byId("sign-in-form").addEventListener("submit", signIn);
byId("sign-out").addEventListener("click", () => signOut());
byId("approve").addEventListener("click", () => vote("approve"));
for (const [word, { button }] of Object.entries(withReason)) byId(button).addEventListener("click", () => openForm(word));
byId("reject-back").addEventListener("click", backToChoices);
byId("reject-form").addEventListener("submit", sendWithReason);
byId("reject-form").addEventListener("keydown", (event) => {
  if (event.key === "Escape") backToChoices();
});
document.addEventListener("visibilitychange", () => follow());
// A page that the browser kept for its back button must not come back with a key in it.
addEventListener("pagehide", () => signOut());
byId("key").focus();
