// Made by `npm run gen` from openapi/openapi.json. Not for editing.
import type { Change, Conditional, List, Read, Represented, Stream } from "../methods.ts";

/** The operations of the group `admin`. */
export interface AdminOperations {
  /**
   * Add a connection.
   *
   * An account at a model provider, or at a service that tools call, in this environment. Agents refer to it by name. Its secret is stored encrypted, sent to the host of `base_url` only, and never shown again. `replace` replaces an existing connection of that name.
   *
   * Needs the permission `admin:write`. Policies know it as `connection.add`.
   *
   * `POST /v1/admin/connections`
   */
  readonly addConnection: Change<"admin.addConnection">;
  /**
   * Change the settings.
   *
   * Changes the settings of this environment by a JSON Merge Patch (RFC 7396): null restores the default. Takes effect everywhere within a second. The audit record of the call lists what changed.
   *
   * Needs the permission `admin:write`. Policies know it as `settings.change`.
   *
   * `PATCH /v1/admin/settings`
   */
  readonly changeSettings: Change<"admin.changeSettings">;
  /**
   * E-mail a person an invitation to sign in.
   *
   * Sends a link to the person's own e-mail address and shows it to nobody else. It works once, within 24 hours, and lets them sign in and make a passkey; earlier ones of this environment end. The e-mail is sent a moment later: `invitation_sent_at` of the member says when.
   *
   * Needs the permission `admin:write`. Policies know it as `member.invite`.
   *
   * `POST /v1/admin/members/{member}/invitation`
   */
  readonly inviteMember: Change<"admin.inviteMember">;
  /**
   * Issue a key.
   *
   * A key for the environment of the call, with a role and optional limits. It grants no more than the key that issues it, in role, scopes, agents, networks, rate and time. The response shows it once. A key that people issue to themselves, signed in by OpenID Connect or passkey or with another such key, is personal; for any other the caller stays accountable.
   *
   * Needs the permission `admin:write`. Policies know it as `key.issue`.
   *
   * `POST /v1/admin/keys`
   */
  readonly issueKey: Change<"admin.issueKey">;
  /**
   * List connections.
   *
   * The accounts at model providers and at services that tools call in this environment, newest first, with what uses them and their last test. Secrets are never shown.
   *
   * Needs the permission `admin:read`. Policies know it as `connection.read`.
   *
   * `GET /v1/admin/connections`
   */
  readonly listConnections: List<"admin.listConnections">;
  /**
   * List keys.
   *
   * The keys of this environment, newest first: role, narrowing, expiry, last use. Never the keys themselves.
   *
   * Needs the permission `admin:read`. Policies know it as `key.read`.
   *
   * `GET /v1/admin/keys`
   */
  readonly listKeys: List<"admin.listKeys">;
  /**
   * List members.
   *
   * The people and service accounts of the organization, newest first, with their role in this environment. Those who have none here are listed too.
   *
   * Needs the permission `admin:read`. Policies know it as `member.read`.
   *
   * `GET /v1/admin/members`
   */
  readonly listMembers: List<"admin.listMembers">;
  /**
   * List sessions of the portal.
   *
   * Your own sessions in this environment that still work, newest first; for admins those of everybody.
   *
   * Needs no permission beyond a valid key. Policies know it as `session.read`.
   *
   * `GET /v1/admin/sessions`
   */
  readonly listSessions: List<"admin.listSessions">;
  /**
   * List teams.
   *
   * The teams of this environment, by name from the last, with their members and whether they are open.
   *
   * Needs the permission `admin:read`. Policies know it as `team.read`.
   *
   * `GET /v1/admin/teams`
   */
  readonly listTeams: List<"admin.listTeams">;
  /**
   * Read a member.
   *
   * A person or a service account as the environment of the call sees them. Its ETag is that of name, address and role.
   *
   * Needs the permission `admin:read`. Policies know it as `member.read`.
   *
   * `GET /v1/admin/members/{member}`
   */
  readonly readMember: Read<"admin.readMember">;
  /**
   * Read the settings.
   *
   * The settings of this environment, with the defaults of what it has not set, and the installation's limits.
   *
   * Needs the permission `admin:read`. Policies know it as `settings.read`.
   *
   * `GET /v1/admin/settings`
   */
  readonly readSettings: Conditional<"admin.readSettings"> & Read<"admin.readSettings">;
  /**
   * Read a team.
   *
   * Needs the permission `admin:read`. Policies know it as `team.read`.
   *
   * `GET /v1/admin/teams/{team}`
   */
  readonly readTeam: Read<"admin.readTeam">;
  /**
   * Remove a connection.
   *
   * Removes it with its secret, and returns what named it. If a version that is live in this environment names it, `force` is required; drafts do not count.
   *
   * Needs the permission `admin:write`. Policies know it as `connection.remove`.
   *
   * `DELETE /v1/admin/connections/{connection}`
   */
  readonly removeConnection: Change<"admin.removeConnection">;
  /**
   * Remove a team.
   *
   * Refused while conversations wait for it or a deployed agent hands conversations to it. Documents that name it as a reader are hidden from its former members at once.
   *
   * Needs the permission `admin:write`. Policies know it as `team.remove`.
   *
   * `DELETE /v1/admin/teams/{team}`
   */
  readonly removeTeam: Change<"admin.removeTeam">;
  /**
   * Revoke a key.
   *
   * Revokes a key at once, everywhere within a second, or after an overlap in which the old and the new key both work. A revocation cannot be undone or postponed; revoking again changes nothing. What acts later by the key, such as its schedules, triggers and waiting tasks, stops with it, unless `replaced_by` names the key that takes its place.
   *
   * Needs the permission `admin:write`. Policies know it as `key.revoke`.
   *
   * `DELETE /v1/admin/keys/{key}`
   */
  readonly revokeKey: Change<"admin.revokeKey">;
  /**
   * End a session of the portal.
   *
   * Ends one of your own sessions, or as an admin anybody's, in every process within a second. Whoever had it has to sign in again.
   *
   * Needs no permission beyond a valid key. Policies know it as `session.revoke`.
   *
   * `DELETE /v1/admin/sessions/{session}`
   */
  readonly revokeSession: Change<"admin.revokeSession">;
  /**
   * Invite a person, or set a member's role.
   *
   * Sets the role of a person or a service account in the environment of the call only. An e-mail address that no member has invites that person: if a mail server is configured, they are sent a link to sign in and create a passkey. Keys here that the new role does not cover are revoked at once. The last person who can administer the environment cannot be demoted.
   *
   * Needs the permission `admin:write`. Policies know it as `member.set`.
   *
   * `PUT /v1/admin/members/{member}`
   */
  readonly setMember: Change<"admin.setMember">;
  /**
   * Create or change a team.
   *
   * A team is a queue of conversations that wait for a person, and a reader of documents (`team:billing`). What is left out takes its default. Who joins or leaves reads and answers accordingly from the next call on.
   *
   * Needs the permission `admin:write`. Policies know it as `team.set`.
   *
   * `PUT /v1/admin/teams/{team}`
   */
  readonly setTeam: Change<"admin.setTeam">;
  /**
   * Test a connection.
   *
   * Calls the service and returns whether it was reached and accepted the credentials; takes up to 20 s. A connection that does not work is a result, not an error. A dry run makes the call too, but stores no result.
   *
   * Needs the permission `admin:write`. Policies know it as `connection.test`.
   *
   * `POST /v1/admin/connections/{connection}/test`
   */
  readonly testConnection: Change<"admin.testConnection">;
  /**
   * Tell what this key may do.
   *
   * Whom the key acts for, its role, environment, permissions and limits. Every key may ask.
   *
   * Needs no permission beyond a valid key. Policies know it as `whoami`.
   *
   * `GET /v1/admin/whoami`
   */
  readonly whoami: Read<"admin.whoami">;
}

/** The operations of the group `agents`. */
export interface AgentsOperations {
  /**
   * Archive an agent.
   *
   * Takes the agent out of service: its deployment in the environment of the key ends, new work is refused, and open work there finishes or, with `mode: cancel`, is cancelled. Its schedules end. Drafts, versions and the audit trail stay. Refused while it is live in another environment and, without `force`, while live workflows, running missions or chat channels in the environment of the key use it. POST /v1/agents/{agent}/restore restores it as a draft.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.archive`.
   *
   * `DELETE /v1/agents/{agent}`
   */
  readonly archiveAgent: Change<"agents.archiveAgent">;
  /**
   * Bind a tool to an agent's draft.
   *
   * Adds the tool to the draft, or replaces the one of this name: what it calls, its effect, the arguments that a call may have, the connection whose credentials it uses, and the skills that may call it. It takes effect when a version with it is deployed. The ETag of the agent serves as If-Match.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.change`.
   *
   * `PUT /v1/agents/{agent}/tools/{tool}`
   */
  readonly bindTool: Change<"agents.bindTool">;
  /**
   * Stop a training job.
   *
   * Cancels a job that has not ended; its worker stops within a second or two. A candidate that is frozen already stays, deployed nowhere.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.train`.
   *
   * `POST /v1/agents/{agent}/training/{job}/cancel`
   */
  readonly cancelTraining: Change<"agents.cancelTraining">;
  /**
   * Change the share of a canary or a shadow, promote or abort it.
   *
   * Changes a canary's share of new tasks, promotes or aborts it. Promoting passes the evaluation gate and the policies like a deployment; aborting does not. Sticky keys that went to the canary still do when its share grows.
   *
   * Needs the permission `agents:deploy`. Policies know it as `agent.canary`. Passes the evaluation gate of the agent version.
   *
   * `PATCH /v1/agents/{agent}/deployments/{deployment}`
   */
  readonly changeDeployment: Change<"agents.changeDeployment">;
  /**
   * Change an agent's draft.
   *
   * Members replace the draft's as a whole; null removes one; omitted ones stay. As a file (`Content-Type: application/yaml`) it is the whole draft: what the file omits is removed. Frozen versions never change. A request that changes nothing leaves the revision as it is. The ETag of either representation serves as If-Match.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.change`.
   *
   * `PATCH /v1/agents/{agent}`
   */
  readonly changeDraft: Change<"agents.changeDraft">;
  /**
   * Change, pause or resume a schedule.
   *
   * What is left out stays. `paused` stops it and lets it go on; times between are left out. Where anything else changes, its tasks have the permissions of the service account that `as` names, else of whoever changes it.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.schedule`.
   *
   * `PATCH /v1/agents/{agent}/schedules/{schedule}`
   */
  readonly changeSchedule: Change<"agents.changeSchedule">;
  /**
   * Clone an agent.
   *
   * Makes a new draft under another name from the draft or a version of this agent; archived agents can be cloned too. Agents belong to the organization, so the clone can be deployed in any environment. It has no versions, deployments, trust or feedback of its own yet: `cloned_from.not_cloned` says what stays with the original. The caller owns the clone.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.create`.
   *
   * `POST /v1/agents/{agent}/clone`
   */
  readonly cloneAgent: Change<"agents.cloneAgent">;
  /**
   * Compare the draft with a definition.
   *
   * How the draft would change if the body replaced it, as JSON or as the agent's file; `aos agents diff` shows this. Validates the body like a change and changes nothing. `warnings` name what the environment of the key lacks.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `POST /v1/agents/{agent}/compare`
   */
  readonly compareDraft: Change<"agents.compareDraft">;
  /**
   * Create an agent.
   *
   * Creates a draft in one of three ways: whole, as JSON or as the agent's file (`Content-Type: application/yaml`); as a copy, by `from`, which also serves as a template; or blank, with name and description alone, on the built-in model. It may be unfinished, and acts only once a version is deployed. Faults of a file carry line and column. The caller owns the agent.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.create`.
   *
   * `POST /v1/agents`
   */
  readonly createAgent: Change<"agents.createAgent">;
  /**
   * Create a schedule.
   *
   * Dispatches a task of whichever version is live in the environment of the key, at each time of the schedule, exactly once. Gate, policies, budgets and approvals hold as for any dispatch, on behalf of the service account that `as` names, else of the caller, as far as they may at that time.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.schedule`.
   *
   * `POST /v1/agents/{agent}/schedules`
   */
  readonly createSchedule: Change<"agents.createSchedule">;
  /**
   * Deploy a version.
   *
   * Replaces the live version in the environment of the key. The evaluation gate decides: if the gate is closed, or has no evidence outside development, the answer is 409 with the reasons. An open verdict against another version than the live one is no evidence. A version that names a knowledge base or a connection that the environment lacks is refused (409). Tasks of the previous version finish on it. With `mode: canary` the version takes a share of new tasks beside the live one until it is promoted or aborted, by its rule or by hand. With `mode: shadow` it repeats a share of the live version's tasks once they have ended, with its writes withheld: `GET /v1/evaluations/shadows/{deployment}` shows what it would have done.
   *
   * Needs the permission `agents:deploy`. Policies know it as `agent.deploy`. Passes the evaluation gate of the agent version.
   *
   * `POST /v1/agents/{agent}/deployments`
   */
  readonly deployVersion: Change<"agents.deployVersion">;
  /**
   * Dispatch a task to an agent.
   *
   * Accepts a task and answers at once. `task` names a skill of the agent; every field that is not reserved is the skill's input. With `require_approval`, and where gate, policy or risk ask for it, the task waits for people and nothing runs before they approved exactly this request.
   *
   * Needs the permission `tasks:write`. Policies know it as `task.dispatch`. Passes the evaluation gate of the agent version.
   *
   * `POST /v1/agents/{agent}/tasks`
   */
  readonly dispatchTask: Change<"agents.dispatchTask">;
  /**
   * Have an agent forget something.
   *
   * It is not read from the next turn on, and kept nowhere. `audit_ref` names the record that proves it. What is remembered of a user, every agent forgets.
   *
   * Needs the permission `chat:answer`. Policies know it as `chat.erase`.
   *
   * `DELETE /v1/agents/{agent}/memory/{item}`
   */
  readonly forgetMemory: Change<"agents.forgetMemory">;
  /**
   * Freeze the draft as a version.
   *
   * Makes the draft the next version. A version never changes, and acts only where it is deployed. Its digest is the same exactly for equal definitions. `warnings` name what the environment of the key lacks. With If-Match, the ETag of the agent, only that draft is frozen.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.freeze`.
   *
   * `POST /v1/agents/{agent}/versions`
   */
  readonly freezeVersion: Change<"agents.freezeVersion">;
  /**
   * List the tasks of an agent.
   *
   * Newest first, with the filters of GET /v1/tasks, in the environment of the key.
   *
   * Needs the permission `tasks:read`. Policies know it as `task.read`.
   *
   * `GET /v1/agents/{agent}/tasks`
   */
  readonly listAgentTasks: List<"agents.listAgentTasks">;
  /**
   * List agents.
   *
   * Newest first, each with its state in the environment of the key. Filters combine.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `GET /v1/agents`
   */
  readonly listAgents: List<"agents.listAgents">;
  /**
   * List deployments.
   *
   * Present and past deployments in the environment of the key, canaries included, newest first; with task counts of those that run.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `GET /v1/agents/{agent}/deployments`
   */
  readonly listDeployments: List<"agents.listDeployments">;
  /**
   * List what an agent remembers.
   *
   * What it reads in its conversations: memories of a conversation, and of the users who write to it, each with the message that it was taken from. A key that is narrowed to agents sees those of their conversations alone. Newest first.
   *
   * Needs the permission `chat:read`. Policies know it as `chat.read`.
   *
   * `GET /v1/agents/{agent}/memory`
   */
  readonly listMemory: List<"agents.listMemory">;
  /**
   * List an agent's schedules.
   *
   * Its recurring dispatches in the environment of the key, newest first: when each is due next, what it last dispatched, and why it last failed to.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `GET /v1/agents/{agent}/schedules`
   */
  readonly listSchedules: List<"agents.listSchedules">;
  /**
   * List an agent's tools.
   *
   * The tools of the draft, of the live version, or of another: what each may do now by policies, kill switches and pauses, whether people are asked before a call, whose credentials it uses, which skills may call it, and when it was last used.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `GET /v1/agents/{agent}/tools`
   */
  readonly listTools: Read<"agents.listTools">;
  /**
   * List an agent's versions.
   *
   * Newest first, each with its author, its note and what the evaluation gate says of it in the environment of the key.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `GET /v1/agents/{agent}/versions`
   */
  readonly listVersions: List<"agents.listVersions">;
  /**
   * Pause an agent.
   *
   * The agent takes no new work in the environment of the key, everywhere within a second. Open tasks finish, or are cancelled. Pausing again changes mode and reason.
   *
   * Needs the permission `agents:pause`. Policies know it as `agent.pause`.
   *
   * `POST /v1/agents/{agent}/pause`
   */
  readonly pauseAgent: Change<"agents.pauseAgent">;
  /**
   * Preview a draft or a version.
   *
   * Runs a skill of the draft, or of a version, on an input and returns what came of it, within 60 seconds. It is no task: nothing is stored, tools that write are withheld, and the evaluation gate is not asked. A draft runs without the models that were trained for a version. Policies and kill switches apply to each turn of the model and each tool call, and its cost counts against the budgets of agent, environment and key, in a dry run too. Where approvals are strict (staging, production), only tools of the live version are called; others answer by fixtures.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.preview`.
   *
   * `POST /v1/agents/{agent}/preview`
   */
  readonly previewAgent: Change<"agents.previewAgent">;
  /**
   * Read an agent.
   *
   * The draft, and the version that is live in the environment of the key. The ETag changes with either. As a file (`Accept: application/yaml`) it is the whole draft, which POST /v1/agents and PATCH read back without loss.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `GET /v1/agents/{agent}`
   */
  readonly readAgent: Represented<"agents.readAgent"> & Conditional<"agents.readAgent"> & Read<"agents.readAgent">;
  /**
   * Read an agent's A2A card.
   *
   * The agent card of the A2A protocol, version 1.0, by which other agents find this one: the skills of the version that is live in the environment of the key, how to authenticate, and where to send tasks. It claims only what the service offers: tasks go through this interface, and none of the protocol's own bindings is served.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `GET /v1/agents/{agent}/card`
   */
  readonly readCard: Read<"agents.readCard">;
  /**
   * List what depends on an agent.
   *
   * Workflows whose live version or draft names the agent, open missions, chat channels, monitors and schedules, in the environment of the key. What the key may not read is omitted; `unseen` names the kinds.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `GET /v1/agents/{agent}/dependents`
   */
  readonly readDependents: Read<"agents.readDependents">;
  /**
   * Check whether an agent is ready.
   *
   * Whether the live version can work in the environment of the key: its gate, pauses and kill switches, the connections of model and tools by their last test, the freshness of its knowledge, and its budgets. Each check says what to do. Nothing is called: test connections with POST /v1/admin/connections/{connection}/test.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `GET /v1/agents/{agent}/health`
   */
  readonly readHealth: Read<"agents.readHealth">;
  /**
   * Read the schemas of an agent's skills.
   *
   * The values of `task` in a dispatch, with the input and output of each. For the version that is live in the environment of the key, else the newest; `version` selects another.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `GET /v1/agents/{agent}/schema`
   */
  readonly readSkillSchemas: Read<"agents.readSkillSchemas">;
  /**
   * Read a training job.
   *
   * Its progress, what it learnt from, how the skill did on held-out examples before and after, with one-sided 95 % bounds of the difference, and the candidate version. `Prefer: wait=n` holds the call until it ends.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `GET /v1/agents/{agent}/training/{job}`
   */
  readonly readTraining: Read<"agents.readTraining">;
  /**
   * Read why an agent's trust score is what it is.
   *
   * The score of a version in the environment of the key, before anything is known of a task: the mean over its skills and for each its parts, the labels behind it, the fitted maps from which every score can be recomputed, what would raise it, what it cannot show, its history, and how reliable such scores have been. New labels count some two seconds later.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `GET /v1/agents/{agent}/trust`
   */
  readonly readTrust: Read<"agents.readTrust">;
  /**
   * Read a version.
   *
   * The definition of a version, and with `diff` how it differs from another one, field by field and texts line by line. As a file (`Accept: application/yaml`) it can be made the draft again; labels belong to the agent, and the file has the present ones.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `GET /v1/agents/{agent}/versions/{version}`
   */
  readonly readVersion: Represented<"agents.readVersion"> & Read<"agents.readVersion">;
  /**
   * Remove a schedule.
   *
   * It dispatches no further task; those that it has dispatched go on.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.schedule`.
   *
   * `DELETE /v1/agents/{agent}/schedules/{schedule}`
   */
  readonly removeSchedule: Change<"agents.removeSchedule">;
  /**
   * Restore an archived agent.
   *
   * Turns an archived agent into a draft again, with its versions, owner and history, and lifts the pause that archiving set. It is not deployed until somebody deploys a version, and its gates judge as before. Tasks that archiving cancelled and schedules that it ended do not come back.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.restore`.
   *
   * `POST /v1/agents/{agent}/restore`
   */
  readonly restoreAgent: Change<"agents.restoreAgent">;
  /**
   * Let a paused agent work again.
   *
   * The agent takes work again in the environment of the key, and what was queued is started. A kill switch that applies to it stays in force.
   *
   * Needs the permission `agents:pause`. Policies know it as `agent.resume`.
   *
   * `POST /v1/agents/{agent}/resume`
   */
  readonly resumeAgent: Change<"agents.resumeAgent">;
  /**
   * Roll back to the last good version.
   *
   * Restores the version that was live before, skipping versions that were rolled back. The gate does not decide: whatever is wrong with the present version, the previous one is available at once. Each dispatch still passes the gate. While a canary runs, the canary is rolled back: it ends, and the version beside it stays live. With `to`, the canary ends and that version goes live. `open_tasks` is about the tasks of each version that ends.
   *
   * Needs the permission `agents:deploy`. Policies know it as `agent.rollback`.
   *
   * `POST /v1/agents/{agent}/rollback`
   */
  readonly rollback: Change<"agents.rollback">;
  /**
   * Start a training job.
   *
   * Trains a skill on examples, datasets and feedback on tasks, and on what earlier trainings of the version used. The built-in model is trained; for a provider's model, demonstrations are chosen. Demonstrations are part of the candidate word for word, and people of every environment read it: tasks are used only with `feedback: true`. The job holds out some examples to measure the skill before and after. The result is a candidate: a frozen version that acts nowhere until somebody deploys it.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.train`.
   *
   * `POST /v1/agents/{agent}/training`
   */
  readonly startTraining: Change<"agents.startTraining">;
  /**
   * Try a tool as the agent.
   *
   * A tool that reads is really called, with the agent's credentials and under its policies; of one that writes, the request is shown that would be sent. Says what policies decide, and whether people would be asked. No task is made. Where approvals are strict (staging, production), only tools of the live version are called.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.test`.
   *
   * `POST /v1/agents/{agent}/tools/{tool}/test`
   */
  readonly testTool: Change<"agents.testTool">;
  /**
   * Transfer an agent to another owner.
   *
   * Names the member who answers for the agent from now on. Ownership gives no rights: who may change or deploy it is decided by roles and keys. `GET /v1/agents?owner=…` lists the agents of a member.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.transfer`.
   *
   * `POST /v1/agents/{agent}/transfer`
   */
  readonly transferAgent: Change<"agents.transferAgent">;
  /**
   * Remove a tool from an agent's draft.
   *
   * Existing versions keep it. Refused if a skill names it, unless `from_skills` removes it there as well. The ETag of the agent serves as If-Match.
   *
   * Needs the permission `agents:write`. Policies know it as `agent.change`.
   *
   * `DELETE /v1/agents/{agent}/tools/{tool}`
   */
  readonly unbindTool: Change<"agents.unbindTool">;
  /**
   * Validate a draft.
   *
   * Checks the draft as freezing and deploying would in the environment of the key: its rules, tools that this release cannot run, knowledge bases and connections that are missing. Reports what active policies and the declared risk would deny or send to reviewers, and the expected cost of tasks of each skill. Changes nothing.
   *
   * Needs the permission `agents:read`. Policies know it as `agent.read`.
   *
   * `POST /v1/agents/{agent}/validate`
   */
  readonly validateDraft: Change<"agents.validateDraft">;
}

/** The operations of the group `analytics`. */
export interface AnalyticsOperations {
  /**
   * Change or pause an alert.
   *
   * Measure, filters and window stay: another alert watches something else. One that has fired stays so until it is seen back within what holds then. After a pause or a change, times begin again. Where anything but the pause changes, it goes on with the permissions of whoever changes it.
   *
   * Needs the permission `analytics:write`. Policies know it as `analytics.change`.
   *
   * `PATCH /v1/analytics/alerts/{alert}`
   */
  readonly changeAlert: Change<"analytics.changeAlert">;
  /**
   * Watch a measure.
   *
   * Measures a sliding window about once a minute. It fires once when the value was beyond the threshold in every look for `for_minutes`, and clears once when it was back within `clear_at` for as long. Too little data is a state of its own, in which nothing fires or clears. Webhook endpoints receive `analytics.alert.fired` and `analytics.alert.cleared`; members get e-mail.
   *
   * Needs the permission `analytics:write`. Policies know it as `analytics.change`.
   *
   * `POST /v1/analytics/alerts`
   */
  readonly createAlert: Change<"analytics.createAlert">;
  /**
   * Have a report made by a schedule.
   *
   * Makes a report about the last whole day, week or month each time that its schedule comes, keeps it for 400 days, and tells of it by `analytics.report.ready` and by e-mail. It is made with the permissions of whoever created it, tells only of the agents that their key may see, and stops where they are removed, lose their role or their key is revoked.
   *
   * Needs the permission `analytics:write`. Policies know it as `analytics.change`.
   *
   * `POST /v1/analytics/reports`
   */
  readonly createReport: Change<"analytics.createReport">;
  /**
   * List alerts.
   *
   * Newest first, each with its state and the value at the last look.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/alerts`
   */
  readonly listAlerts: List<"analytics.listAlerts">;
  /**
   * List what a scheduled report said.
   *
   * Newest first, without the texts.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/reports/{report}/issues`
   */
  readonly listReportIssues: List<"analytics.listReportIssues">;
  /**
   * List scheduled reports.
   *
   * Newest first, each with when it was made last and when it is made next.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/reports`
   */
  readonly listReports: List<"analytics.listReports">;
  /**
   * Query figures.
   *
   * Measures by dimensions and time, under a condition, each with its interval, what it was in another window, and the list of the things behind it. `GET /v1/analytics/schema` says what there is to ask for. A task counts in the minute of its dispatch, with everything that became of it. With `Accept: text/csv` or `application/vnd.apache.parquet` the rows come as a table, as `columns` describes it. It only reads.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `POST /v1/analytics/query`
   */
  readonly queryFigures: Represented<"analytics.queryFigures"> & Change<"analytics.queryFigures">;
  /**
   * Read the figures of an agent.
   *
   * Outcome, cost of an accepted task, how often people edited or overrode, trust and how well it is calibrated, by version and in the environment of the key; and where it fails: skills, and the codes of failures.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/agents/{agent}`
   */
  readonly readAgentFigures: Read<"analytics.readAgentFigures">;
  /**
   * Read an alert.
   *
   * Its state, the value at the last look, and what became of it.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/alerts/{alert}`
   */
  readonly readAlert: Read<"analytics.readAlert">;
  /**
   * Read what is unusual.
   *
   * Hours in which an agent spent, did, failed or took more than in the same hours of earlier weeks, and hours in which nothing came where something usually does. Each with what is usual, how many hours that rests on, and how rare it is. The ten agents with the most tasks are looked at; an agent needs four weeks. Without `from` it is the last seven days.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/anomalies`
   */
  readonly readAnomalies: Read<"analytics.readAnomalies">;
  /**
   * Read how people decide approvals.
   *
   * How long decisions take, how often people edit, reject or send back, what expires, and how often the outcome was good. For each approver, signs that decisions may be made without a look, each with its numbers, its test, and how rarely chance shows as much; none below 30 decisions.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/approvals`
   */
  readonly readApprovalFigures: Read<"analytics.readApprovalFigures">;
  /**
   * Read a month's bill.
   *
   * What the tasks of a month in a time zone cost, by member, key, agent or a declared label. Lines are whole millionths of a dollar and sum exactly to the total. `Accept: text/csv` answers the same as CSV.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/chargeback`
   */
  readonly readChargeback: Represented<"analytics.readChargeback"> & Read<"analytics.readChargeback">;
  /**
   * Read costs.
   *
   * What was spent, by agent, key, member, model or label (`by`, default `agent`), for each task and each accepted one; how far budgets are used; and a forecast of the present month with its intervals and how good it was on the last weeks.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/costs`
   */
  readonly readCosts: Read<"analytics.readCosts">;
  /**
   * Compare a canary with the live version.
   *
   * Both sides with their judged tasks, failures, trust, cost and duration, the difference with its interval, the looks so far with their bounds, and what it will lead to. Only tasks that were drawn for either side count.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/experiments/{deployment}`
   */
  readonly readExperiment: Read<"analytics.readExperiment">;
  /**
   * Read what knowledge bases lack.
   *
   * How often a search was answered well, by base and over time; documents that no search found since the window began; and what was asked without a good answer. Questions are kept for 90 days. A key that is narrowed to agents sees the bases that they name and what they asked; documents and questions are named to keys with `knowledge:read`.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/knowledge`
   */
  readonly readKnowledgeFigures: Read<"analytics.readKnowledgeFigures">;
  /**
   * Read the use of models.
   *
   * Which models took the turns of tasks, at what price, how fast, with how many tokens and failures.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/models`
   */
  readonly readModelUse: Read<"analytics.readModelUse">;
  /**
   * Read the overview.
   *
   * One screen: tasks, success, accepted outcomes, trust, cost and blocks of a window, each with the window before and its course; and what waits for people, which budgets run out, which canaries run and which alerts fire at this moment.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/overview`
   */
  readonly readOverview: Read<"analytics.readOverview">;
  /**
   * Read quality and drift.
   *
   * Whether what agents did was good: shares of accepted and completed tasks, trust and its calibration with their intervals, runs over datasets, and feedback. Where the level of a series changed there is a mark, with what happened about then.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/quality`
   */
  readonly readQuality: Read<"analytics.readQuality">;
  /**
   * Read what runs now.
   *
   * Open tasks by state and agent with the oldest of them, the workers that hold some, and what came and ended in the last 15 minutes.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/realtime`
   */
  readonly readRealtime: Read<"analytics.readRealtime">;
  /**
   * Read the progress of a recount.
   *
   * The last one that was asked for in this environment; 404 where none ever was.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/rebuild`
   */
  readonly readRebuild: Read<"analytics.readRebuild">;
  /**
   * Read a scheduled report.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/reports/{report}`
   */
  readonly readReport: Read<"analytics.readReport">;
  /**
   * Read what a scheduled report said at one time.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/reports/{report}/issues/{issue}`
   */
  readonly readReportIssue: Read<"analytics.readReportIssue">;
  /**
   * Read risk.
   *
   * What was blocked, by what and why, what nearly happened, and what can go wrong now: open tasks of high risk, writes with unknown outcome or after text that could have steered them, kill switches, pauses, and versions that act without an open verdict. Violations have no skill and no label: with these filters they are left out.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/risk`
   */
  readonly readRisk: Read<"analytics.readRisk">;
  /**
   * Read measures and dimensions.
   *
   * What a query can ask for: measures with units, dimensions with the values that were seen, and the labels that this environment declares.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/schema`
   */
  readonly readSchema: Read<"analytics.readSchema">;
  /**
   * Read how soon people take conversations over.
   *
   * By team and over time: how often conversations were handed over and why, how long they waited, when the first answer came, and how many exceeded the team's service levels.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/service-levels`
   */
  readonly readServiceLevels: Read<"analytics.readServiceLevels">;
  /**
   * Read what became of tasks.
   *
   * From dispatched to started, completed, judged and accepted, with the window before; and where tasks were lost on the way, by reason. An open task counts as started when it has ended.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/tasks`
   */
  readonly readTaskFunnel: Read<"analytics.readTaskFunnel">;
  /**
   * Read the use of tools.
   *
   * How often tools were called in tasks, how many calls failed, how long they took and what they cost.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/tools`
   */
  readonly readToolUse: Read<"analytics.readToolUse">;
  /**
   * Read usage.
   *
   * Tasks, how they ended, how long they waited and took (percentiles with a relative error of 1 %), and tokens: of the window, window by window, and by a dimension (`by`). Every figure links to its tasks.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/usage`
   */
  readonly readUsage: Read<"analytics.readUsage">;
  /**
   * Read value against cost.
   *
   * Time saved and value of accepted tasks by what the environment declares (settings, `analytics.value`), against the cost of all tasks, by agent and skill. Without a declaration it says so.
   *
   * Needs the permission `analytics:read`. Policies know it as `analytics.read`.
   *
   * `GET /v1/analytics/value`
   */
  readonly readValue: Read<"analytics.readValue">;
  /**
   * Recount figures.
   *
   * Throws away the figures of a stretch of time and recounts them from tasks, approvals, violations and deliveries, some minutes at a time; figures stay exact meanwhile. For a label that was declared later than the tasks that have it. `GET /v1/analytics/rebuild` tells how far it is.
   *
   * Needs the permission `analytics:write`. Policies know it as `analytics.change`.
   *
   * `POST /v1/analytics/rebuild`
   */
  readonly rebuildFigures: Change<"analytics.rebuildFigures">;
  /**
   * Remove an alert.
   *
   * It is no longer watched, and its history is deleted. No `analytics.alert.cleared` follows if it has fired.
   *
   * Needs the permission `analytics:write`. Policies know it as `analytics.change`.
   *
   * `DELETE /v1/analytics/alerts/{alert}`
   */
  readonly removeAlert: Change<"analytics.removeAlert">;
  /**
   * Remove a scheduled report.
   *
   * Removes the report from its schedule and deletes its issues.
   *
   * Needs the permission `analytics:write`. Policies know it as `analytics.change`.
   *
   * `DELETE /v1/analytics/reports/{report}`
   */
  readonly removeReport: Change<"analytics.removeReport">;
}

/** The operations of the group `approvals`. */
export interface ApprovalsOperations {
  /**
   * Approve.
   *
   * The caller's vote for exactly the action that was shown; `digest` binds it to that. When enough persons have approved, the task is queued at once. Only persons decide. Voting the same again while the approval is pending changes nothing. With `edits` another input is approved than the one shown, or, of a call of an HTTP tool, other arguments: policies judge what is wanted instead, and the answer is then the approval of the next round, which has a digest of its own, and earlier votes do not count in it.
   *
   * Needs the permission `approvals:decide`. Policies know it as `approval.decide`.
   *
   * `POST /v1/approvals/{approval}/approve`
   */
  readonly approve: Change<"approvals.approve">;
  /**
   * Decide many.
   *
   * Up to a hundred votes. Each is checked, decided, recorded and answered on its own, as if it had been sent alone; one that is refused keeps no other from being taken. Only persons decide.
   *
   * Needs the permission `approvals:decide`. Policies know it as `approval.bulk`.
   *
   * `POST /v1/approvals/bulk`
   */
  readonly bulk: Change<"approvals.bulk">;
  /**
   * Claim an approval.
   *
   * Tells others that the caller is working on it, for some minutes. It keeps nobody else from deciding, and lapses by itself. Claiming again begins the time again. Only those who may decide claim it.
   *
   * Needs the permission `approvals:decide`. Policies know it as `approval.claim`.
   *
   * `POST /v1/approvals/{approval}/claim`
   */
  readonly claim: Change<"approvals.claim">;
  /**
   * Comment on an approval.
   *
   * For people who decide, or who asked. `@mbr_…` mentions a person, who finds the comment in their inbox until they comment or vote themselves. No agent reads comments: to have it do otherwise, request changes.
   *
   * Needs the permission `approvals:comment`. Policies know it as `approval.comment`.
   *
   * `POST /v1/approvals/{approval}/comments`
   */
  readonly createComment: Change<"approvals.createComment">;
  /**
   * Have somebody stand in.
   *
   * For a time, `to` decides on approvals in the place of `from`, as far as `from` may: also on what was escalated, if `from` is an admin. Each vote carries both names and counts as that of one person. It has no effect on what either of them, or whoever made it, stands behind. It ends when either of them is removed or loses the role that decides. Only persons do this.
   *
   * Needs the permission `approvals:decide`. Policies know it as `delegation.change`.
   *
   * `POST /v1/approvals/settings/delegations`
   */
  readonly createDelegation: Change<"approvals.createDelegation">;
  /**
   * Delegate or escalate.
   *
   * Hands the caller's decision to another person who may decide (`to`), or to the admins (`escalate`). Who handed it on no longer decides; the other's vote carries both names and counts as one. Votes that were cast stand. Only persons do this.
   *
   * Needs the permission `approvals:decide`. Policies know it as `approval.delegate`.
   *
   * `POST /v1/approvals/{approval}/delegate`
   */
  readonly delegate: Change<"approvals.delegate">;
  /**
   * Give an approval more time.
   *
   * Moves the time at which it ends or is escalated. All extensions together add at most the time that it had at first. The task's own deadline stays as it is. Only those who may decide do this.
   *
   * Needs the permission `approvals:decide`. Policies know it as `approval.extend`.
   *
   * `POST /v1/approvals/{approval}/extend`
   */
  readonly extend: Change<"approvals.extend">;
  /**
   * List approvals.
   *
   * The inbox: what waits for people, newest first, with counts by risk. Filters narrow together.
   *
   * Needs the permission `approvals:read`. Policies know it as `approval.read`.
   *
   * `GET /v1/approvals`
   */
  readonly listApprovals: List<"approvals.listApprovals">;
  /**
   * List comments on an approval.
   *
   * Those on all approvals of its task, newest first.
   *
   * Needs the permission `approvals:read`. Policies know it as `approval.read`.
   *
   * `GET /v1/approvals/{approval}/comments`
   */
  readonly listComments: List<"approvals.listComments">;
  /**
   * List who decides on approvals.
   *
   * The persons whose role here decides on approvals, by id: who can stand in for somebody, be handed a decision, or be mentioned in a comment. Of one approval, `could_decide` says who is left.
   *
   * Needs the permission `approvals:read`. Policies know it as `approval.read`.
   *
   * `GET /v1/approvals/deciders`
   */
  readonly listDeciders: List<"approvals.listDeciders">;
  /**
   * List who stands in for whom.
   *
   * Delegations for a time, the newest first.
   *
   * Needs the permission `approvals:read`. Policies know it as `delegation.read`.
   *
   * `GET /v1/approvals/settings/delegations`
   */
  readonly listDelegations: List<"approvals.listDelegations">;
  /**
   * List what waits for people.
   *
   * One list of pending approvals, questions of tasks and missions, hand-offs of conversations, and dead letters: runs of workflows that gave up, endpoints that were disabled, triggers that stopped; and comments that mention the caller. Ranked: what is due soonest first, overdue before all, what has no end behind it; then by risk, what has no level as low; then what waits longest. It shows what the key may read of each kind; `may_act` says what the caller can act on. Filters narrow together.
   *
   * Needs the permission `approvals:read`. Policies know it as `approval.read`.
   *
   * `GET /v1/approvals/inbox`
   */
  readonly listInbox: List<"approvals.listInbox">;
  /**
   * List approval rules.
   *
   * Who must approve what, by name in descending order.
   *
   * Needs the permission `approvals:read`. Policies know it as `approval_rule.read`.
   *
   * `GET /v1/approvals/settings/rules`
   */
  readonly listRules: List<"approvals.listRules">;
  /**
   * Read an approval.
   *
   * The exact proposed action with its digest, risk with its reasons, trust with its interval, why people are asked, what happens if nothing is done, the votes so far, and whether the caller may decide. Takes the approval's id or its task's. Reading never decides.
   *
   * Needs the permission `approvals:read`. Policies know it as `approval.read`.
   *
   * `GET /v1/approvals/{approval}`
   */
  readonly readApproval: Read<"approvals.readApproval">;
  /**
   * Read a delegation.
   *
   * Needs the permission `approvals:read`. Policies know it as `delegation.read`.
   *
   * `GET /v1/approvals/settings/delegations/{delegation}`
   */
  readonly readDelegation: Read<"approvals.readDelegation">;
  /**
   * Read what happened to an approval.
   *
   * Requests, views, votes, edits, hand-overs, claims, extensions and comments of this round and those before it, newest first, with who did what and when. Views are reads as the audit log has them; those of the last seconds may be missing.
   *
   * Needs the permission `approvals:read`. Policies know it as `approval.read`.
   *
   * `GET /v1/approvals/{approval}/history`
   */
  readonly readHistory: Read<"approvals.readHistory">;
  /**
   * Read an approval rule.
   *
   * The rule as it is, with its latest versions and their authors.
   *
   * Needs the permission `approvals:read`. Policies know it as `approval_rule.read`.
   *
   * `GET /v1/approvals/settings/rules/{rule}`
   */
  readonly readRule: Read<"approvals.readRule">;
  /**
   * Read how like cases were decided.
   *
   * The ten nearest decided approvals of the same agent, skill and tool, by their fields and amounts, with how they were decided and what people said of the outcome later. It tells what was done, and advises nothing.
   *
   * Needs the permission `approvals:read`. Policies know it as `approval.read`.
   *
   * `GET /v1/approvals/{approval}/similar`
   */
  readonly readSimilar: Read<"approvals.readSimilar">;
  /**
   * Reject.
   *
   * One rejection ends the approval and its task. The reason is required: the requester and whoever trains the agent read it; a workflow that asked gets only the code. Only persons decide.
   *
   * Needs the permission `approvals:decide`. Policies know it as `approval.decide`.
   *
   * `POST /v1/approvals/{approval}/reject`
   */
  readonly reject: Change<"approvals.reject">;
  /**
   * Release a claimed approval.
   *
   * Ends the caller's claim; an admin ends that of others. Where nobody has claimed it, nothing changes.
   *
   * Needs the permission `approvals:decide`. Policies know it as `approval.claim`.
   *
   * `POST /v1/approvals/{approval}/release`
   */
  readonly release: Change<"approvals.release">;
  /**
   * End a delegation.
   *
   * Either of the two removes it, or an admin. What was voted by it before stands, with both names; of an approval that waits it counts as it was cast.
   *
   * Needs the permission `approvals:decide`. Policies know it as `delegation.change`.
   *
   * `DELETE /v1/approvals/settings/delegations/{delegation}`
   */
  readonly removeDelegation: Change<"approvals.removeDelegation">;
  /**
   * Request changes.
   *
   * Sends the action back with a note. One person suffices. Nothing runs meanwhile: the task waits, and once its input was changed (`PATCH /v1/tasks/{task}`), people are asked again, in the next round, with a digest of its own and no votes. Only persons decide.
   *
   * Needs the permission `approvals:decide`. Policies know it as `approval.decide`.
   *
   * `POST /v1/approvals/{approval}/request-changes`
   */
  readonly requestChanges: Change<"approvals.requestChanges">;
  /**
   * Retire an approval rule.
   *
   * Within a second it asks for nothing any longer. Approvals that wait keep what it demanded when people were asked, and for a day approvals show who retired it. Its versions are kept.
   *
   * Needs the permission `approvals:write`. Policies know it as `approval_rule.retire`.
   *
   * `DELETE /v1/approvals/settings/rules/{rule}`
   */
  readonly retireRule: Change<"approvals.retireRule">;
  /**
   * Create or replace an approval rule.
   *
   * Adds the next version, which counts for what people are asked from then on; approvals that wait keep what was demanded when people were asked. A rule only adds to what policies, risk and callers demand: of several demands the strictest counts in each respect. `POST …/test` says beforehand which past tasks it would have caught. A retired rule is in force again.
   *
   * Needs the permission `approvals:write`. Policies know it as `approval_rule.set`.
   *
   * `PUT /v1/approvals/settings/rules/{rule}`
   */
  readonly setRule: Change<"approvals.setRule">;
  /**
   * Test an approval rule on past tasks.
   *
   * Which of the latest tasks, or calls of tools, the rule would have put before people, who could have decided them, and how long they would have waited. Changes nothing. With `candidate` a text is tested that is not saved, under any name. Tasks are judged by their input and risk as they are now; of a call the risk of its task counts.
   *
   * Needs the permission `approvals:write`. Policies know it as `approval_rule.test`.
   *
   * `POST /v1/approvals/settings/rules/{rule}/test`
   */
  readonly testRule: Change<"approvals.testRule">;
  /**
   * Withdraw what was asked for.
   *
   * Whoever asked for the action, or an admin, takes it back while nobody has decided: the approval and its task are cancelled, and nothing runs.
   *
   * Needs the permission `tasks:write`. Policies know it as `approval.withdraw`.
   *
   * `POST /v1/approvals/{approval}/withdraw`
   */
  readonly withdraw: Change<"approvals.withdraw">;
}

/** The operations of the group `audit`. */
export interface AuditOperations {
  /**
   * Pause an audit sink, or replace its credentials.
   *
   * A paused sink goes on where it was. After new credentials it is tried again at once; the former secret of a webhook signs too for a day. Target and filter stay: another sink, with `from_leaf` at the position of this one, sends elsewhere. Whoever replaces the credentials of a sink, or starts one that stopped, is its owner from then on.
   *
   * Needs the permission `audit:export`. Policies know it as `audit.export`.
   *
   * `PATCH /v1/audit/sinks/{sink}`
   */
  readonly changeSink: Change<"audit.changeSink">;
  /**
   * Check a range of the log on the server.
   *
   * Holds each record of the range to its hash in the log: text, place, number among those of its key, search index and salt; then all hashes to the signed head. Without `from_leaf` it checks the newest records. It trusts this service and its key: whoever does not exports the log and verifies it offline (`aos audit verify`).
   *
   * Needs the permission `audit:read`. Policies know it as `audit.read`.
   *
   * `GET /v1/audit/verify`
   */
  readonly checkRange: Read<"audit.checkRange">;
  /**
   * Send the audit log to a receiver.
   *
   * Sends the records of the environment's log to a SIEM, a collector or a bucket, in the order of the log and as they come. The position moves only behind what the receiver acknowledged, so that none is missing; what was not acknowledged is sent again as the same range, by which the receiver recognizes what it has. Each batch says its first and last place, the head of the log up to there, and a signed checkpoint that covers it. It goes on as long as whoever set it up may export the log. Credentials are stored encrypted and never shown.
   *
   * Needs the permission `audit:export`. Policies know it as `audit.export`.
   *
   * `POST /v1/audit/sinks`
   */
  readonly createSink: Change<"audit.createSink">;
  /**
   * List who read the audit log.
   *
   * Every call of this group, newest first: who searched, read, proved or exported records, and what it came to. It is a view of the log itself, so reading it is in it too.
   *
   * Needs the permission `audit:read`. Policies know it as `audit.read`.
   *
   * `GET /v1/audit/access-log`
   */
  readonly listAccess: List<"audit.listAccess">;
  /**
   * Search the audit log.
   *
   * Newest first by place in the log. Filters narrow together. Only records that stand in the log are listed: a call is in it some milliseconds after its answer, under load at most a second; before that `GET /v1/audit/events/{audit_ref}` shows its record. What is shown is the record's text, held to its hash in the log; what is found goes by an index, so an export, which reads every record, is what proves that none is missing.
   *
   * Needs the permission `audit:read`. Policies know it as `audit.read`.
   *
   * `GET /v1/audit/events`
   */
  readonly listEvents: List<"audit.listEvents">;
  /**
   * List audit sinks.
   *
   * Newest first, each with its position in the log, how far it is behind, and why the last attempt failed.
   *
   * Needs the permission `audit:read`. Policies know it as `audit.read`.
   *
   * `GET /v1/audit/sinks`
   */
  readonly listSinks: List<"audit.listSinks">;
  /**
   * Read what a person, key or job did.
   *
   * Counts of the records of one actor, by operation, key and object. `GET /v1/audit/events?actor=` lists the records themselves, and `key=` those of a key.
   *
   * Needs the permission `audit:read`. Policies know it as `audit.read`.
   *
   * `GET /v1/audit/actors/{actor}`
   */
  readonly readActor: Read<"audit.readActor">;
  /**
   * Read the newest signed checkpoint.
   *
   * The head of the environment's log as a signed note (C2SP tlog-checkpoint). With `from`, the size of a checkpoint that you kept, the answer begins with the proof that the log still contains all that it covered, in the form in which witnesses take it (C2SP tlog-witness, add-checkpoint). Where witnesses are set up, their cosignatures stand below the log's signature as soon as they have come; `cosigned=true` answers the newest head that has one, or the newest of all where none has.
   *
   * Needs the permission `audit:read`. Policies know it as `audit.read`.
   *
   * `GET /v1/audit/checkpoint`
   */
  readonly readCheckpoint: Read<"audit.readCheckpoint">;
  /**
   * Read the decision record of a task.
   *
   * Who had it done, by which version with which tools, what policies and people decided, what it called and cost, and every record of it with its proof. Saved as a file it is a package that `aos audit verify` verifies offline: each record by its proof, and what is said of votes and verdicts by the records. Version, approvals, calls and cost are the service's word; the records commit to requests and responses.
   *
   * Needs the permission `audit:read`. Policies know it as `audit.read`.
   *
   * `GET /v1/audit/tasks/{task}`
   */
  readonly readDecision: Read<"audit.readDecision">;
  /**
   * Read an audit record.
   *
   * Who called, with which key, what, the four stage verdicts with reasons and policy versions, the outcome, and commitments to the bodies. `openings` lets whoever holds a body check that it is the one: the commitment is SHA-256(opening ‖ hexadecimal SHA-256 of the body). `leaf_data` is what the log holds. The record of a 401 belongs to no environment; auditors and admins of production whose key is not narrowed to agents read it.
   *
   * Needs the permission `audit:read`. Policies know it as `audit.read`.
   *
   * `GET /v1/audit/events/{audit_ref}`
   */
  readonly readEvent: Read<"audit.readEvent">;
  /**
   * Read an export, or fetch its file.
   *
   * As JSON: how far it is, its digest and its manifest. With `Accept: application/x-ndjson` (formats `jsonl` and `ocsf`) or `Accept: text/csv` the finished file itself, byte for byte what the manifest signs. In OCSF the caller's address, which the log holds as a commitment only, is `undisclosed`. `Prefer: wait=n` holds the call until the export ends.
   *
   * Needs the permission `audit:export`. Policies know it as `audit.export`.
   *
   * `GET /v1/audit/exports/{audit_export}`
   */
  readonly readExport: Represented<"audit.readExport"> & Read<"audit.readExport">;
  /**
   * Read what happened to an object.
   *
   * Counts of the records about one object, by operation, key and actor: who did what to it, and when last. `GET /v1/audit/events?object=<type>:<id>` lists the records.
   *
   * Needs the permission `audit:read`. Policies know it as `audit.read`.
   *
   * `GET /v1/audit/objects/{type}/{id}`
   */
  readonly readObject: Read<"audit.readObject">;
  /**
   * Read the offline proof of a record.
   *
   * C2SP tlog-proof: the record's place, the hashes from it to the root, and the signed checkpoint of the log. The line `extra` holds the leaf data in base64, so that the proof needs nothing but the log's key. A proof that is asked for too early waits up to two seconds. Of a 401, as of its record.
   *
   * Needs the permission `audit:read`. Policies know it as `audit.read`.
   *
   * `GET /v1/audit/events/{audit_ref}/proof`
   */
  readonly readProof: Read<"audit.readProof">;
  /**
   * Read an audit sink.
   *
   * Its position, how far it is behind in records and seconds, the signed checkpoint that covers what was acknowledged, and why it stopped or the last attempt failed. Never its credentials.
   *
   * Needs the permission `audit:read`. Policies know it as `audit.read`.
   *
   * `GET /v1/audit/sinks/{sink}`
   */
  readonly readSink: Read<"audit.readSink">;
  /**
   * Remove an audit sink.
   *
   * Nothing more is sent, and its credentials are deleted. What the receiver has stays there.
   *
   * Needs the permission `audit:export`. Policies know it as `audit.export`.
   *
   * `DELETE /v1/audit/sinks/{sink}`
   */
  readonly removeSink: Change<"audit.removeSink">;
  /**
   * Start an export of the audit log.
   *
   * Writes the records that a filter fits into a file, oldest first, with a signed manifest. It holds what stands in the log at this moment: a call is in it some milliseconds after its answer, under load at most a second. Every record of the log up to then is read and held to its hash, and the records themselves decide which fit; where one is not what was logged, the export fails and names it. A key that is narrowed to agents exports what it sees. `GET /v1/audit/exports/{export}` tells how far it is and answers the file.
   *
   * Needs the permission `audit:export`. Policies know it as `audit.export`.
   *
   * `POST /v1/audit/exports`
   */
  readonly startExport: Change<"audit.startExport">;
  /**
   * Follow the audit log.
   *
   * With `Accept: text/event-stream`: records of the environment's log in its order as they come, from now on or behind the place `after`; for a SIEM. `id` is the place, so that a client that reconnects with `Last-Event-ID` misses and repeats none. `event` is `record`, `data` the record as `GET /v1/audit/events` lists it. Sends `: ping` after 15 s of silence; ends after an hour, or when the key may no longer read. Without that header it returns pages of the log, oldest first.
   *
   * Needs the permission `audit:read`. Policies know it as `audit.read`.
   *
   * `GET /v1/audit/stream`
   */
  readonly streamLog: Stream<"audit.streamLog"> & List<"audit.streamLog">;
}

/** The operations of the group `chat`. */
export interface ChatOperations {
  /**
   * Attach a file to a conversation.
   *
   * As `multipart/form-data` with the part `file`, or a text as JSON. Name it in `files` of the message that brings it to the agent, which reads the text of it: of plain text, Markdown, HTML, PDF, DOCX, XLSX, PPTX, EPUB, CSV and JSONL. Other files are kept and handed out, and the agent knows their names alone. An image can also come in base64; the model sees it where the message says `options.images`.
   *
   * Needs the permission `chat:write`. Policies know it as `chat.message`.
   *
   * `POST /v1/chat/conversations/{conversation}/files`
   */
  readonly addFile: Change<"chat.addFile">;
  /**
   * Add a private note to a conversation.
   *
   * For the people who answer. Users, exports of the conversation, other interfaces and models never see it. It is deleted with the conversation.
   *
   * Needs the permission `chat:answer`. Policies know it as `chat.handoff`.
   *
   * `POST /v1/chat/conversations/{conversation}/notes`
   */
  readonly addNote: Change<"chat.addNote">;
  /**
   * Assign a waiting conversation to a person, or release it.
   *
   * Only that person takes it then. `member: null` releases it: who answered stops, and it waits where it waited, with its place in the queue. To take one yourself, `POST …/take`.
   *
   * Needs the permission `chat:answer`. Policies know it as `chat.handoff`.
   *
   * `POST /v1/chat/conversations/{conversation}/assign`
   */
  readonly assignConversation: Change<"chat.assignConversation">;
  /**
   * Change a conversation.
   *
   * Changes the title, labels, language or context. What is left out stays; `context` and `labels` are replaced whole. The agent reads the new context from the next turn on.
   *
   * Needs the permission `chat:write`. Policies know it as `chat.change`.
   *
   * `PATCH /v1/chat/conversations/{conversation}`
   */
  readonly changeConversation: Change<"chat.changeConversation">;
  /**
   * Summarise the older messages of a conversation.
   *
   * Adds a summary that the agent reads from now on in place of older messages, which all stay. At first it quotes them; where a provider's model runs the agent, that model then writes it (`generated` is true). Conversations that become too long for a model are compacted by themselves.
   *
   * Needs the permission `chat:answer`. Policies know it as `chat.change`.
   *
   * `POST /v1/chat/conversations/{conversation}/compact`
   */
  readonly compactConversation: Change<"chat.compactConversation">;
  /**
   * Remember something of a user or a conversation.
   *
   * With `user` every agent reads it in conversations of that user, else only in `conversation_id`. Agents read memories as data: they follow no instruction in them.
   *
   * Needs the permission `chat:answer`. Policies know it as `chat.remember`.
   *
   * `POST /v1/chat/memories`
   */
  readonly createMemory: Change<"chat.createMemory">;
  /**
   * Create a token for a chat widget.
   *
   * A token by which one user chats from a page, for a quarter of an hour by default. It opens the user's own conversations with the agent and nothing else, works only on pages of its origins, and ends with the key that issued it. Your server asks for it once it knows who the user is, and hands the response to the widget.
   *
   * Needs the permission `chat:manage`. Policies know it as `chat.token`.
   *
   * `POST /v1/chat/tokens`
   */
  readonly createToken: Change<"chat.createToken">;
  /**
   * Close and erase a conversation.
   *
   * Closes the conversation and stops what goes on in it. `erase=retention`, the default, erases it when the environment's `chat.retention_days` are over, `erase=now` at once, also where it is closed already. Then messages, files and what was remembered from it are gone, and its tasks, their steps and approvals keep no contents: who did what and when stays, in the audit log as well.
   *
   * Needs the permission `chat:manage`. Policies know it as `chat.erase`.
   *
   * `DELETE /v1/chat/conversations/{conversation}`
   */
  readonly deleteConversation: Change<"chat.deleteConversation">;
  /**
   * Erase a memory.
   *
   * Agents no longer read it from their next turn on, and it is kept nowhere.
   *
   * Needs the permission `chat:answer`. Policies know it as `chat.erase`.
   *
   * `DELETE /v1/chat/memories/{memory}`
   */
  readonly deleteMemory: Change<"chat.deleteMemory">;
  /**
   * Export a conversation.
   *
   * The transcript as a file: the participants by name, every message with whether a model wrote it, its trust score and its audit record. As Markdown with `Accept: text/markdown`, as plain text with `Accept: text/plain`. At most 10,000 messages; `after` continues.
   *
   * Needs the permission `chat:manage`. Policies know it as `chat.read`.
   *
   * `POST /v1/chat/conversations/{conversation}/export`
   */
  readonly exportConversation: Represented<"chat.exportConversation"> & Change<"chat.exportConversation">;
  /**
   * Join or resume the live stream.
   *
   * With `Accept: text/event-stream` the events of the conversation as they happen: messages, the pieces of a reply while it is written, turns, hand-offs. Each was stored before it is sent. `id` is the event's sequence: a client that comes back with `Last-Event-ID`, or with `after`, loses and doubles none, whichever process answers it. The stream begins with all that happened before, so give `sequence` of the conversation or of a sent message as `after` to begin there. It says `: ping` after 15 s of silence. It stays open between turns; when the conversation is closed and every event was sent, or it is erased, it says `event: end` and ends. It also ends within seconds when the key may no longer read, and after an hour. A client that leaves stops nothing. Without that header: pages of events, oldest first.
   *
   * Needs the permission `chat:read`. Policies know it as `chat.read`.
   *
   * `GET /v1/chat/conversations/{conversation}/stream`
   */
  readonly followConversation: Stream<"chat.followConversation"> & List<"chat.followConversation">;
  /**
   * Fork a conversation.
   *
   * Starts another conversation with the same agent and user that goes on from a message, by default the latest. Messages and files up to it are copied under ids of their own and marked as imported; what was retracted, replaced or not finished is left out. The original stays as it is.
   *
   * Needs the permission `chat:write`. Policies know it as `chat.create`.
   *
   * `POST /v1/chat/conversations/{conversation}/fork`
   */
  readonly forkConversation: Change<"chat.forkConversation">;
  /**
   * Hand a conversation to a person or to another agent.
   *
   * To a person: it waits, with a summary of what happened, until somebody takes it (`POST …/take`, or by answering); until then the agent goes on, unless a `team` was named: then it waits in the team's queue, the customer learns so, or when the team opens, and the agent does not answer until it is returned. To another agent: that one answers from the next message on. `POST …/return` hands it back to the agent.
   *
   * Needs the permission `chat:write`. Policies know it as `chat.handoff`.
   *
   * `POST /v1/chat/conversations/{conversation}/handoff`
   */
  readonly handoffConversation: Change<"chat.handoffConversation">;
  /**
   * List channels.
   *
   * The ways by which people write to agents of this environment, by name from the last. Their secrets cannot be read.
   *
   * Needs the permission `chat:read`. Policies know it as `chat.read`.
   *
   * `GET /v1/chat/channels`
   */
  readonly listChannels: List<"chat.listChannels">;
  /**
   * List conversations.
   *
   * The one that changed last comes first: a message, a hand-off or a new title moves a conversation to the front. Filters narrow together.
   *
   * Needs the permission `chat:read`. Policies know it as `chat.read`.
   *
   * `GET /v1/chat/conversations`
   */
  readonly listConversations: List<"chat.listConversations">;
  /**
   * List memories.
   *
   * What agents remember of users and within conversations, each with the message that it was taken from. Newest first.
   *
   * Needs the permission `chat:read`. Policies know it as `chat.read`.
   *
   * `GET /v1/chat/memories`
   */
  readonly listMemories: List<"chat.listMemories">;
  /**
   * List the messages of a conversation.
   *
   * With citations, tool calls, trust score and audit reference. Newest first, or `order=oldest`. A reply that is still being written has `status: streaming` and the parts so far.
   *
   * Needs the permission `chat:read`. Policies know it as `chat.read`.
   *
   * `GET /v1/chat/conversations/{conversation}/messages`
   */
  readonly listMessages: List<"chat.listMessages">;
  /**
   * List the participants of a conversation.
   *
   * Everybody who wrote a message, and the user, agent and person who may write next.
   *
   * Needs the permission `chat:read`. Policies know it as `chat.read`.
   *
   * `GET /v1/chat/conversations/{conversation}/participants`
   */
  readonly listParticipants: List<"chat.listParticipants">;
  /**
   * List the queues of teams.
   *
   * For each team: whether it is open, how many conversations wait and since when, and how many exceeded a service level.
   *
   * Needs the permission `chat:read`. Policies know it as `chat.read`.
   *
   * `GET /v1/chat/queues`
   */
  readonly listQueues: Read<"chat.listQueues">;
  /**
   * Rate or correct a reply.
   *
   * Says whether a reply of the agent helped, or what it should have been. It is feedback on the task that wrote the reply: evidence for trust, and an example to learn from. The latest word counts.
   *
   * Needs the permission `chat:write`. Policies know it as `chat.change`.
   *
   * `POST /v1/chat/conversations/{conversation}/messages/{message}/feedback`
   */
  readonly rateMessage: Change<"chat.rateMessage">;
  /**
   * Read a conversation.
   *
   * Its state, who answers, the pinned version, and how far its messages and events go. The ETag is that of what PATCH changes.
   *
   * Needs the permission `chat:read`. Policies know it as `chat.read`.
   *
   * `GET /v1/chat/conversations/{conversation}`
   */
  readonly readConversation: Read<"chat.readConversation">;
  /**
   * Read a file of a conversation.
   *
   * What is known of it; with `Accept: application/octet-stream` its bytes, always of this type, so that no browser opens what a stranger sent.
   *
   * Needs the permission `chat:read`. Policies know it as `chat.read`.
   *
   * `GET /v1/chat/conversations/{conversation}/files/{file}`
   */
  readonly readFile: Represented<"chat.readFile"> & Read<"chat.readFile">;
  /**
   * Read what helps the person who takes over.
   *
   * Why and since when people are asked, the summary, the private notes of those who answer, and the saved replies of the team with their placeholders filled in.
   *
   * Needs the permission `chat:answer`. Policies know it as `chat.read`.
   *
   * `GET /v1/chat/conversations/{conversation}/handoff`
   */
  readonly readHandoff: Read<"chat.readHandoff">;
  /**
   * Read a message.
   *
   * Needs the permission `chat:read`. Policies know it as `chat.read`.
   *
   * `GET /v1/chat/conversations/{conversation}/messages/{message}`
   */
  readonly readMessage: Read<"chat.readMessage">;
  /**
   * Read the queue of a team.
   *
   * Conversations that wait for the team, since when and why, and those in which its people answer.
   *
   * Needs the permission `chat:read`. Policies know it as `chat.read`.
   *
   * `GET /v1/chat/queues/{team}`
   */
  readonly readQueue: Read<"chat.readQueue">;
  /**
   * Suggest what to write next.
   *
   * For the person who answers: drafts by the agent's model where a provider runs it, marked as generated, and passages of the agent's knowledge, quoted. Nothing is sent automatically. What asking the model used counts against budgets; up to 8000 tokens are reserved for it.
   *
   * Needs the permission `chat:answer`. Policies know it as `chat.read`.
   *
   * `GET /v1/chat/conversations/{conversation}/suggestions`
   */
  readonly readSuggestions: Read<"chat.readSuggestions">;
  /**
   * Have a message answered again.
   *
   * Has the agent write its latest reply again, as a task of its own. The earlier reply is kept, with `replaced_by`, and the agent does not see it. What it did stays done.
   *
   * Needs the permission `chat:write`. Policies know it as `chat.message`. Passes the evaluation gate of the agent version.
   *
   * `POST /v1/chat/conversations/{conversation}/messages/{message}/regenerate`
   */
  readonly regenerateMessage: Stream<"chat.regenerateMessage"> & Change<"chat.regenerateMessage">;
  /**
   * Disconnect a channel.
   *
   * Destroys its secret; nothing is received or sent by it afterwards. Its conversations stay.
   *
   * Needs the permission `chat:manage`. Policies know it as `chat.channel`.
   *
   * `DELETE /v1/chat/channels/{channel}`
   */
  readonly removeChannel: Change<"chat.removeChannel">;
  /**
   * Retract a message.
   *
   * Takes back what a message says, with its files, summaries of it and what was remembered from it. Its place in the conversation stays, and the agent no longer reads it. Its author may do so; others need `chat:manage`, also for what the agent wrote. What other messages quote of it stays.
   *
   * Needs the permission `chat:write`. Policies know it as `chat.change`.
   *
   * `DELETE /v1/chat/conversations/{conversation}/messages/{message}`
   */
  readonly retractMessage: Change<"chat.retractMessage">;
  /**
   * Hand a conversation back to its agent.
   *
   * The agent answers from the next message on, with its version that is live then, and says again that it is one. Also ends a hand-off that nobody took.
   *
   * Needs the permission `chat:answer`. Policies know it as `chat.handoff`.
   *
   * `POST /v1/chat/conversations/{conversation}/return`
   */
  readonly returnConversation: Change<"chat.returnConversation">;
  /**
   * Search conversations.
   *
   * Finds messages by their words in the conversations that the caller may read, best first, each with the passages that contain them. Words are compared as written, whatever the language.
   *
   * Needs the permission `chat:read`. Policies know it as `chat.read`.
   *
   * `POST /v1/chat/search`
   */
  readonly searchMessages: Change<"chat.searchMessages">;
  /**
   * Send a message.
   *
   * Takes a message in and has it answered by the agent: the reply is a task, with policies, budget, approvals and audit record of its own. One message is answered at a time, in their order; `when_busy` says what happens while another one is. Where the agent has asked something, the message is the answer; where a person answers, they read it. With `Accept: text/event-stream` the answer tells the events of the reply until it is over or waits for people, and ends with `event: end`; with `Prefer: wait=n` it waits up to n seconds for that, and `reply` has it.
   *
   * Needs the permission `chat:write`. Policies know it as `chat.message`. Passes the evaluation gate of the agent version.
   *
   * `POST /v1/chat/conversations/{conversation}/messages`
   */
  readonly sendMessage: Stream<"chat.sendMessage"> & Change<"chat.sendMessage">;
  /**
   * Connect or change a channel.
   *
   * A mailbox, an app of Slack or the widget of a page by which people write to an agent. Whoever connects it answers for it: the agent works on their behalf, with their permissions. If they are removed, lose their role, or the key is revoked with which they connected it, it stops (`stopped_reason`) until somebody sets it again or takes it over: mail stays unread, and messages of Slack are kept unanswered. An enabled channel is tested first: where its servers cannot be used, the response names the setting and says why. Messages that were in the mailbox before are not answered. Signatures, automatic replies, bounces and mailing lists are left alone.
   *
   * Needs the permission `chat:manage`. Policies know it as `chat.channel`.
   *
   * `PUT /v1/chat/channels/{channel}`
   */
  readonly setChannel: Change<"chat.setChannel">;
  /**
   * Start a conversation.
   *
   * Starts a conversation with an agent that is deployed here. Where `external_key` belongs to a conversation of the same agent and user already, that one is returned unchanged. `history` is what was said elsewhere: the agent reads it as data.
   *
   * Needs the permission `chat:write`. Policies know it as `chat.create`.
   *
   * `POST /v1/chat/conversations`
   */
  readonly startConversation: Change<"chat.startConversation">;
  /**
   * Stop the reply.
   *
   * Stops what the agent is answering, with its tools, and takes messages that wait for their turn out of the line. A stopped reply writes nothing further. Answers that wait for people's approval stay, unless `approvals` is `cancel`.
   *
   * Needs the permission `chat:write`. Policies know it as `chat.change`.
   *
   * `POST /v1/chat/conversations/{conversation}/stop`
   */
  readonly stopReply: Change<"chat.stopReply">;
  /**
   * Bring the results of functions.
   *
   * Brings what the functions of the caller returned that a turn has called (`options.tools` of its message), one result for each call that waits. Only who sent the message can, with the same key. The reply goes on with the results as data, never as instructions, and marked as the caller's word. `Accept: text/event-stream` and `Prefer: wait=n` work as for a message.
   *
   * Needs the permission `chat:write`. Policies know it as `task.input`.
   *
   * `POST /v1/chat/conversations/{conversation}/results`
   */
  readonly submitResults: Stream<"chat.submitResults"> & Change<"chat.submitResults">;
  /**
   * Take a conversation over.
   *
   * You answer from now on, as the person you are: the agent does not, until `POST …/return`. Works without a hand-off as well. Of several who try, the first takes it.
   *
   * Needs the permission `chat:answer`. Policies know it as `chat.handoff`.
   *
   * `POST /v1/chat/conversations/{conversation}/take`
   */
  readonly takeConversation: Change<"chat.takeConversation">;
  /**
   * Give a conversation another owner, user or channel.
   *
   * The owner is on whose behalf the agent works. Replies go out by the new channel from the next one on; what was written stays.
   *
   * Needs the permission `chat:manage`. Policies know it as `chat.handoff`.
   *
   * `POST /v1/chat/conversations/{conversation}/transfer`
   */
  readonly transferConversation: Change<"chat.transferConversation">;
}

/** The operations of the group `evaluations`. */
export interface EvaluationsOperations {
  /**
   * Add items to a dataset.
   *
   * Creates the dataset's next version: the present items, those of the body, and those from completed tasks. An item with the name of a present one replaces it. Earlier versions and runs over them do not change. A gate judges by the version that it pins until it is set again in its environment.
   *
   * Needs the permission `evaluations:write`. Policies know it as `dataset.change`.
   *
   * `POST /v1/evaluations/datasets/{dataset}/items`
   */
  readonly addItems: Change<"evaluations.addItems">;
  /**
   * Create a dataset.
   *
   * Creates version 1 of a dataset for one skill of an agent. Inputs must fit the skill's input schema, and `expected` its output schema, as the draft has them. Datasets belong to the organization: every environment sees them. One call takes at most 1,000 items; add further ones afterwards.
   *
   * Needs the permission `evaluations:write`. Policies know it as `dataset.create`.
   *
   * `POST /v1/evaluations/datasets`
   */
  readonly createDataset: Change<"evaluations.createDataset">;
  /**
   * Draw live tasks for review.
   *
   * Queues a random share of the agent's completed tasks in the environment for review from now on. The trust score learns most from verdicts on random tasks: people who choose tasks themselves choose those that look wrong.
   *
   * Needs the permission `evaluations:write`. Policies know it as `review.monitor`.
   *
   * `POST /v1/evaluations/monitors`
   */
  readonly createMonitor: Change<"evaluations.createMonitor">;
  /**
   * List datasets.
   *
   * Newest first, each in its present version with its coverage. A key that is narrowed to agents sees their datasets. Filters combine.
   *
   * Needs the permission `evaluations:read`. Policies know it as `dataset.read`.
   *
   * `GET /v1/evaluations/datasets`
   */
  readonly listDatasets: List<"evaluations.listDatasets">;
  /**
   * List monitors.
   *
   * What draws live tasks for review, with the progress of the queue and the agreement of reviewers.
   *
   * Needs the permission `evaluations:read`. Policies know it as `review.read`.
   *
   * `GET /v1/evaluations/monitors`
   */
  readonly listMonitors: List<"evaluations.listMonitors">;
  /**
   * List tasks drawn for review.
   *
   * Oldest first. Open ones are those that the caller has not judged; they show neither trust score, version nor the verdicts of others.
   *
   * Needs the permission `tasks:read`. Policies know it as `review.read`.
   *
   * `GET /v1/evaluations/reviews`
   */
  readonly listReviews: List<"evaluations.listReviews">;
  /**
   * List runs of datasets.
   *
   * Runs in the environment of the key, newest first. A key that is narrowed to agents sees theirs. Filters combine.
   *
   * Needs the permission `evaluations:read`. Policies know it as `evaluation.read`.
   *
   * `GET /v1/evaluations/runs`
   */
  readonly listRuns: List<"evaluations.listRuns">;
  /**
   * List scorers.
   *
   * By name, each in its present version.
   *
   * Needs the permission `evaluations:read`. Policies know it as `scorer.read`.
   *
   * `GET /v1/evaluations/scorers`
   */
  readonly listScorers: List<"evaluations.listScorers">;
  /**
   * List tasks that a version in shadow repeated.
   *
   * Newest first, with the results of both versions and where they differ.
   *
   * Needs the permission `tasks:read`. Policies know it as `evaluation.read`.
   *
   * `GET /v1/evaluations/shadows/{deployment}/runs`
   */
  readonly listShadowRuns: List<"evaluations.listShadowRuns">;
  /**
   * Read an agent's gate and its verdicts.
   *
   * The gate in the environment of the key, with its pinned and the latest dataset and scorer versions, the consequence of each state, and its verdicts on the live version and the newest ones.
   *
   * Needs the permission `evaluations:read`. Policies know it as `gate.read`.
   *
   * `GET /v1/evaluations/gates/{agent}`
   */
  readonly readGate: Conditional<"evaluations.readGate"> & Read<"evaluations.readGate">;
  /**
   * Read a run with its scores.
   *
   * Its progress, the figures of each scorer with their bounds, and a page of its items. With `compare_to`, another run of the same dataset in this environment, also what got worse and how sure that is: item by item, paired, by the scorers of this run on the outputs of both. `Prefer: wait=n` holds the call until the run ends.
   *
   * Needs the permission `evaluations:read`. Policies know it as `evaluation.read`.
   *
   * `GET /v1/evaluations/runs/{run}`
   */
  readonly readRun: Read<"evaluations.readRun">;
  /**
   * Read a scorer.
   *
   * The present version; its number is the ETag.
   *
   * Needs the permission `evaluations:read`. Policies know it as `scorer.read`.
   *
   * `GET /v1/evaluations/scorers/{scorer}`
   */
  readonly readScorer: Conditional<"evaluations.readScorer"> & Read<"evaluations.readScorer">;
  /**
   * Read what a version in shadow would have done.
   *
   * How often a version in shadow had the same result as the live version, where they differ, and what both cost. Writes are withheld from a shadow: a task in which either side writes is compared up to the first write, with its arguments.
   *
   * Needs the permission `evaluations:read`. Policies know it as `evaluation.read`.
   *
   * `GET /v1/evaluations/shadows/{deployment}`
   */
  readonly readShadow: Read<"evaluations.readShadow">;
  /**
   * Stop drawing tasks for review.
   *
   * Tasks already drawn stay in the queue.
   *
   * Needs the permission `evaluations:write`. Policies know it as `review.monitor`.
   *
   * `DELETE /v1/evaluations/monitors/{monitor}`
   */
  readonly removeMonitor: Change<"evaluations.removeMonitor">;
  /**
   * Set an agent's gate.
   *
   * Sets or replaces the gate in the key's environment; If-Match takes the ETag of GET in either case. It takes effect everywhere within a second. It pins each dataset and scorer in the version that the body names, or else in the latest. A newer version takes effect here only when the gate is set again; `pins_changed` lists those that did. Earlier verdicts are deleted. Versions that have finished runs over all pinned datasets are judged at once; the others have no verdict until they do.
   *
   * Needs the permission `evaluations:write`. Policies know it as `gate.set`.
   *
   * `PUT /v1/evaluations/gates/{agent}`
   */
  readonly setGate: Change<"evaluations.setGate">;
  /**
   * Create or replace a scorer.
   *
   * Tests the scorer on the samples of the body and saves it as the next version if every sample scores as expected. Versions never change. Runs keep the versions that they began with, and gates judge by the version that they pin until they are set again in their environment. The same body again changes nothing. A key that is narrowed to agents replaces those by which gates of its agents alone judge.
   *
   * Needs the permission `evaluations:write`. Policies know it as `scorer.set`.
   *
   * `PUT /v1/evaluations/scorers/{scorer}`
   */
  readonly setScorer: Change<"evaluations.setScorer">;
  /**
   * Run a dataset against a version.
   *
   * Runs each item the given number of times, with the knowledge of the key's environment. Reading tools work; writing ones are not carried out. If the agent's gate in this environment pins the dataset in the version that was run, the gate gives its verdict at the end: against the deployed version, which is run as well if it has no run yet, and with more repeats while it cannot decide. The run takes the dataset version, scorers and repeats of the gate unless the body names others. A scorer of the gate is always used in the version that it pins.
   *
   * Needs the permission `evaluations:write`. Policies know it as `evaluation.run`.
   *
   * `POST /v1/evaluations/runs`
   */
  readonly startRun: Change<"evaluations.startRun">;
  /**
   * Judge a task drawn for review.
   *
   * Says whether the outcome was right. The first verdict on a task is a label for the trust score that nobody volunteered; a second one only shows how far reviewers agree, and must come from another person.
   *
   * Needs the permission `tasks:feedback`. Policies know it as `review.submit`.
   *
   * `POST /v1/evaluations/reviews/{review}`
   */
  readonly submitReview: Change<"evaluations.submitReview">;
}

/** The operations of the group `governance`. */
export interface GovernanceOperations {
  /**
   * Check a proposed call.
   *
   * What would become of a call now: what the evaluation gate, kill switches and pauses, every policy and every budget say of it, and who would be asked. Nothing is done, reserved or counted as a violation. `as` asks for another role than the key's.
   *
   * Needs the permission `governance:read`. Policies know it as `policy.check`.
   *
   * `POST /v1/governance/check`
   */
  readonly check: Change<"governance.check">;
  /**
   * Confirm content that others wrote.
   *
   * Keys are always refused: confirm in the portal, or with a session that was opened with a passkey or OpenID Connect. Records that you reviewed this exact content in this environment. Its authors can then approve calls that use it. An author cannot confirm. Changed content needs another review. Repeating the call changes nothing and responds with the confirmation that exists.
   *
   * Needs the permission `governance:confirm`. Policies know it as `content.confirm`.
   *
   * `POST /v1/governance/confirmations`
   */
  readonly confirm: Change<"governance.confirm">;
  /**
   * Create a policy.
   *
   * Version 1 of a policy of this environment, by default in shadow: it is evaluated for each call, and what it would have done is recorded and listed among the violations. One that is to be active at once is first replayed over the calls that were recorded; the digest of that report stands in the audit record. Faults of the condition name line and column.
   *
   * Needs the permission `governance:write`. Policies know it as `policy.create`.
   *
   * `POST /v1/governance/policies`
   */
  readonly createPolicy: Change<"governance.createPolicy">;
  /**
   * Stop agents.
   *
   * Engages a kill switch: everywhere within a second nothing of what it names begins, and within two seconds nothing of it runs. One person suffices, no policy forbids it, and it holds until it is released, whatever is restarted. Several at once hold together, and the strictest counts. Where it could not be released as the service is set up, it is engaged all the same, and `release_requires` says so; a dry run does among the reasons of compliance.
   *
   * Needs the permission `governance:engage`. Policies know it as `kill_switch.engage`.
   *
   * `POST /v1/governance/kill-switch`
   */
  readonly engageKillSwitch: Change<"governance.engageKillSwitch">;
  /**
   * List budgets.
   *
   * The budgets of this environment with what is used, reserved and left of each limit in its present window, and what will have been used at its end. A key that is narrowed to agents sees theirs, its own, and that of the environment.
   *
   * Needs the permission `governance:read`. Policies know it as `budget.read`.
   *
   * `GET /v1/governance/budgets`
   */
  readonly listBudgets: List<"governance.listBudgets">;
  /**
   * List confirmations.
   *
   * Reviews by a second person, newest first: confirmations, and deployments or releases of what others wrote.
   *
   * Needs the permission `governance:read`. Policies know it as `content.read`.
   *
   * `GET /v1/governance/confirmations`
   */
  readonly listConfirmations: List<"governance.listConfirmations">;
  /**
   * List kill switches.
   *
   * The kill switches that act in this environment, newest first, with what they ended and how long that took; those in force unless `state` asks for others.
   *
   * Needs the permission `governance:read`. Policies know it as `kill_switch.read`.
   *
   * `GET /v1/governance/kill-switch`
   */
  readonly listKillSwitches: List<"governance.listKillSwitches">;
  /**
   * List policies.
   *
   * The policies of this environment, newest first, each by its newest version, with what it found in the last 30 days.
   *
   * Needs the permission `governance:read`. Policies know it as `policy.read`.
   *
   * `GET /v1/governance/policies`
   */
  readonly listPolicies: List<"governance.listPolicies">;
  /**
   * List violations.
   *
   * Calls that a policy, a kill switch, a pause, the evaluation gate or a budget refused, and those that a policy in shadow would have refused or that one wanted noticed. The newest first; one entry for each source that found something in a call.
   *
   * Needs the permission `governance:read`. Policies know it as `violation.read`.
   *
   * `GET /v1/governance/violations`
   */
  readonly listViolations: List<"governance.listViolations">;
  /**
   * Read a budget.
   *
   * Its limits with what is used, reserved and left in their present windows; without limits where none was set. Its ETag is that of the limits.
   *
   * Needs the permission `governance:read`. Policies know it as `budget.read`.
   *
   * `GET /v1/governance/budgets/{scope}`
   */
  readonly readBudget: Read<"governance.readBudget">;
  /**
   * Read the authors of content.
   *
   * The authors of an agent's version, a workflow's version, a trigger, schedule, connection or dataset, whether a second person has reviewed it in this environment, and whether you may confirm it. `path` is where to read the content itself.
   *
   * Needs the permission `governance:read`. Policies know it as `content.read`.
   *
   * `GET /v1/governance/contents/{object}`
   */
  readonly readContent: Read<"governance.readContent">;
  /**
   * Read a policy.
   *
   * The newest version of a policy, or the one that `version` names, with the replay that preceded its activation, the versions in force, and the history. The ETag of the newest version is what a change has to name as If-Match.
   *
   * Needs the permission `governance:read`. Policies know it as `policy.read`.
   *
   * `GET /v1/governance/policies/{policy}`
   */
  readonly readPolicy: Conditional<"governance.readPolicy"> & Read<"governance.readPolicy">;
  /**
   * Release a kill switch.
   *
   * Ends a kill switch, or loosens one of mode `stop` to a pause. A critical one takes two persons: the first call requests the release, and the same call by another person within an hour completes it, provided that the first may still release it, has the same e-mail address and their key is valid. The person who engaged it may be one of the two, but the keys of both must not have been issued by the same person, or by one of them for the other. In staging and production, and everywhere for the kind `all`, both must be signed in by OpenID Connect or passkey, or use a key that they then issued to themselves. Releasing the kind `all` takes the permission in every environment. Waiting work continues at once.
   *
   * Needs the permission `governance:release`. Policies know it as `kill_switch.release`.
   *
   * `DELETE /v1/governance/kill-switch/{kill_switch}`
   */
  readonly releaseKillSwitch: Change<"governance.releaseKillSwitch">;
  /**
   * Replace a policy.
   *
   * Adds the next version; versions never change. In shadow (the default) the active version goes on deciding beside it. As active it is first replayed over recorded calls, and then takes the place of all earlier versions at once. As a draft it changes nothing that is in force.
   *
   * Needs the permission `governance:write`. Policies know it as `policy.replace`.
   *
   * `PUT /v1/governance/policies/{policy}`
   */
  readonly replacePolicy: Change<"governance.replacePolicy">;
  /**
   * Retire a policy.
   *
   * Ends all versions of a policy: within a second no call is asked by it anywhere. Its versions are kept for the audit.
   *
   * Needs the permission `governance:write`. Policies know it as `policy.retire`.
   *
   * `DELETE /v1/governance/policies/{policy}`
   */
  readonly retirePolicy: Change<"governance.retirePolicy">;
  /**
   * Set a budget.
   *
   * Puts limits in place of those that the scope has; they hold everywhere within a second. A limit that stays keeps its window and what was used. A new one counts from what the tasks of its scope have used in the present window; a total counts from now. A call must fit every budget that covers it: of its agent, its environment, its key and its member.
   *
   * Needs the permission `governance:write`. Policies know it as `budget.set`.
   *
   * `PUT /v1/governance/budgets/{scope}`
   */
  readonly setBudget: Change<"governance.setBudget">;
  /**
   * Simulate a policy.
   *
   * Replays a policy over the calls that were recorded: what would have become of them if it had decided beside the other policies in force. Give a text (as for a new policy, state and note left out), a policy that is there, or both: the text then stands in its place. Changes nothing. Of each call it is judged what policies saw then; calls of which that is no longer known exactly are left out and counted.
   *
   * Needs the permission `governance:write`. Policies know it as `policy.simulate`.
   *
   * `POST /v1/governance/policies/simulate`
   */
  readonly simulatePolicy: Change<"governance.simulatePolicy">;
  /**
   * Take over an automation.
   *
   * Makes the caller the owner of a trigger, schedule, channel, connector, report, alert, monitor, webhook or canary, and starts it again where it had stopped. It acts with the caller's permissions from then on. Who decided what it does stays recorded, so that taking over makes nobody a second person.
   *
   * Needs the permission `governance:confirm`. Policies know it as `automation.take_over`.
   *
   * `POST /v1/governance/take-overs`
   */
  readonly takeOver: Change<"governance.takeOver">;
}

/** The operations of the group `knowledge`. */
export interface KnowledgeOperations {
  /**
   * Add a document.
   *
   * A plain text, a record, or both, found as soon as this answers; or Markdown or HTML, or a file, as `multipart/form-data` or by its `url`, each of which is parsed and indexed after the answer: `state` says how far that is. Text, Markdown, HTML, PDF, DOCX, XLSX, PPTX and EPUB are cut into chunks; each row of CSV and JSONL becomes a record. A document of the same `external_id` is replaced and keeps its `document_id`: until the new contents are indexed, the former ones are found. Without an external id, what says the same, or has the same bytes or the same address, is not kept twice. So an import can be repeated.
   *
   * Needs the permission `knowledge:write`. Policies know it as `document.add`.
   *
   * `POST /v1/knowledge/bases/{base}/documents`
   */
  readonly addDocument: Change<"knowledge.addDocument">;
  /**
   * Add or delete many documents.
   *
   * Up to 1,000 documents, each as if it were added alone and with a result of its own: one with a fault is left out, the others are added. Markdown and HTML (`media_type`) are parsed after the answer; `state` says how far each is. An item `{ "delete": "<id or external_id>" }` deletes that document with everything of it, before others are added. All commit together.
   *
   * Needs the permission `knowledge:write`. Policies know it as `document.add`.
   *
   * `POST /v1/knowledge/bases/{base}/documents/bulk`
   */
  readonly addDocuments: Change<"knowledge.addDocuments">;
  /**
   * Change a knowledge base.
   *
   * Changes what is named. Who may read it holds at once. Another language or chunk length needs a new index, and `reindex` builds one: the answer says so, and searches use the present one until the new one is complete. The name can change while no agent refers to it.
   *
   * Needs the permission `knowledge:write`. Policies know it as `knowledge.change`.
   *
   * `PATCH /v1/knowledge/bases/{base}`
   */
  readonly changeBase: Change<"knowledge.changeBase">;
  /**
   * Correct or disable a chunk.
   *
   * Searches follow at once. A correction raises the chunk's revision and gives it a new citation; former citations still lead to the former text. It holds for as long as the document, replaced or cut again, has a chunk that says what this one said.
   *
   * Needs the permission `knowledge:write`. Policies know it as `document.correct`.
   *
   * `PATCH /v1/knowledge/bases/{base}/documents/{document}/chunks/{chunk}`
   */
  readonly changeChunk: Change<"knowledge.changeChunk">;
  /**
   * Change a source.
   *
   * Changes what it takes, when it runs and who may read it; `readers` holds at once for all that it brought. `paused` keeps it from running. If `source` leads to another host, credentials are given again: they are sent only to the place that they were given for.
   *
   * Needs the permission `knowledge:write`. Policies know it as `connector.change`.
   *
   * `PATCH /v1/knowledge/bases/{base}/connectors/{connector}`
   */
  readonly changeConnector: Change<"knowledge.changeConnector">;
  /**
   * Create a knowledge base.
   *
   * A base of the environment, empty: documents and records are added to it, and agents that name it in `knowledge` search it and look records up in it.
   *
   * Needs the permission `knowledge:write`. Policies know it as `knowledge.create`.
   *
   * `POST /v1/knowledge/bases`
   */
  readonly createBase: Change<"knowledge.createBase">;
  /**
   * Attach a source.
   *
   * A folder, a website, a bucket, a query, a feed, a git repository or a JSON API from which the base takes documents automatically: what is new there is added, what changed is replaced, and what vanished is deleted, at the times of `schedule` or when a sync is started. Credentials are stored encrypted and never shown again.
   *
   * Needs the permission `knowledge:write`. Policies know it as `connector.create`.
   *
   * `POST /v1/knowledge/bases/{base}/connectors`
   */
  readonly createConnector: Change<"knowledge.createConnector">;
  /**
   * Delete a knowledge base.
   *
   * Refused while a deployed agent names it, unless `force` is true. From this answer on nothing of it is found, its name is free, and its citations answer 410. Its documents, files and index entries are removed in the background, some hundreds at a time: all of them, though the answer counts those that you may read.
   *
   * Needs the permission `knowledge:write`. Policies know it as `knowledge.delete`.
   *
   * `DELETE /v1/knowledge/bases/{base}`
   */
  readonly deleteBase: Change<"knowledge.deleteBase">;
  /**
   * Delete a document.
   *
   * Removes it from store and index at once: contents, files, former versions, chunks, and the records that came from its rows. Searches and look-ups no longer find it, and its citations answer 410. The answer says what was removed and where the proof of the record is.
   *
   * Needs the permission `knowledge:write`. Policies know it as `document.delete`.
   *
   * `DELETE /v1/knowledge/bases/{base}/documents/{document}`
   */
  readonly deleteDocument: Change<"knowledge.deleteDocument">;
  /**
   * Export a knowledge base.
   *
   * Answers how many documents the export holds and where it streams: as JSON Lines, a line for the base and one for each document that the caller may read, with contents, metadata and access. It says what the base holds while it is read.
   *
   * Needs the permission `knowledge:read`. Policies know it as `knowledge.export`.
   *
   * `POST /v1/knowledge/bases/{base}/export`
   */
  readonly exportBase: Change<"knowledge.exportBase">;
  /**
   * List knowledge bases.
   *
   * The bases of the environment, newest first, each with its size, the state of its index, who may read it and when it last changed.
   *
   * Needs the permission `knowledge:read`. Policies know it as `knowledge.read`.
   *
   * `GET /v1/knowledge/bases`
   */
  readonly listBases: List<"knowledge.listBases">;
  /**
   * List the chunks of a document.
   *
   * As they are indexed, in their order: with headings, pages, place in the document's text, and the citation that leads to each. Disabled ones are among them.
   *
   * Needs the permission `knowledge:read`. Policies know it as `document.read`.
   *
   * `GET /v1/knowledge/bases/{base}/documents/{document}/chunks`
   */
  readonly listChunks: List<"knowledge.listChunks">;
  /**
   * List a base's sources.
   *
   * The connectors of the base, newest first, each with its latest sync. Credentials are not shown.
   *
   * Needs the permission `knowledge:read`. Policies know it as `connector.read`.
   *
   * `GET /v1/knowledge/bases/{base}/connectors`
   */
  readonly listConnectors: List<"knowledge.listConnectors">;
  /**
   * List documents.
   *
   * The documents of a base that the caller may read, newest first, without what they say.
   *
   * Needs the permission `knowledge:read`. Policies know it as `document.read`.
   *
   * `GET /v1/knowledge/bases/{base}/documents`
   */
  readonly listDocuments: List<"knowledge.listDocuments">;
  /**
   * List questions that found nothing good.
   *
   * Questions of the last 90 days that a search of the base did not answer well, grouped by what they ask for; those asked most often first. Of each group, what a search finds for it now. Looks through the newest 5,000 that the caller may read: their own, and those asked of bases and documents that they may read themselves. A key that is narrowed to agents sees questions of those.
   *
   * Needs the permission `knowledge:read`. Policies know it as `knowledge.read`.
   *
   * `GET /v1/knowledge/bases/{base}/gaps`
   */
  readonly listGaps: List<"knowledge.listGaps">;
  /**
   * List documents past their review date.
   *
   * Documents whose `review_at` has passed, or that neither changed nor were reviewed for the base's `review_days`. They are still found, until somebody reviews, replaces or deletes them.
   *
   * Needs the permission `knowledge:read`. Policies know it as `document.read`.
   *
   * `GET /v1/knowledge/bases/{base}/stale`
   */
  readonly listStale: List<"knowledge.listStale">;
  /**
   * List a base's syncs.
   *
   * What the base's connectors took over, newest first. Syncs of connectors that were removed are among them.
   *
   * Needs the permission `knowledge:read`. Policies know it as `connector.read`.
   *
   * `GET /v1/knowledge/bases/{base}/syncs`
   */
  readonly listSyncs: List<"knowledge.listSyncs">;
  /**
   * List the versions of a document.
   *
   * What it said, newest first, the current version among them. Former ones are kept for the base's `version_days`.
   *
   * Needs the permission `knowledge:read`. Policies know it as `document.read`.
   *
   * `GET /v1/knowledge/bases/{base}/documents/{document}/versions`
   */
  readonly listVersions: List<"knowledge.listVersions">;
  /**
   * Read a knowledge base.
   *
   * Its settings and contents, the state of its index, and which agents use it.
   *
   * Needs the permission `knowledge:read`. Policies know it as `knowledge.read`.
   *
   * `GET /v1/knowledge/bases/{base}`
   */
  readonly readBase: Read<"knowledge.readBase">;
  /**
   * Read what a citation leads to.
   *
   * The exact source text as it was when it was cited, with its place, and whether searches still find it so. Answers 410 once the document was deleted; for whoever may not read the document, the citation does not exist.
   *
   * Needs the permission `knowledge:read`. Policies know it as `document.read`.
   *
   * `GET /v1/knowledge/citations/{citation}`
   */
  readonly readCitation: Read<"knowledge.readCitation">;
  /**
   * Read a document.
   *
   * What it says, where it came from, the state of its index, who may read it, and how often it was retrieved.
   *
   * Needs the permission `knowledge:read`. Policies know it as `document.read`.
   *
   * `GET /v1/knowledge/bases/{base}/documents/{document}`
   */
  readonly readDocument: Read<"knowledge.readDocument">;
  /**
   * Fetch the export of a knowledge base.
   *
   * With `Accept: application/x-ndjson` the export itself: a line `{ "base": … }`, one `{ "document": … }` for each document in the order of their ids, and as the last `{ "end": true, "documents": n }`, without which it was broken off. As JSON: how much it holds.
   *
   * Needs the permission `knowledge:read`. Policies know it as `knowledge.export`.
   *
   * `GET /v1/knowledge/bases/{base}/export`
   */
  readonly readExport: Represented<"knowledge.readExport"> & Read<"knowledge.readExport">;
  /**
   * Read a sync.
   *
   * What it added, changed and removed, how many items were as before, and a page of those that failed with the reason. The counts grow while it runs. `Prefer: wait=n` holds the call until the sync has ended and searches find what it brought, so that `indexing` is 0.
   *
   * Needs the permission `knowledge:read`. Policies know it as `connector.read`.
   *
   * `GET /v1/knowledge/bases/{base}/syncs/{sync}`
   */
  readonly readSync: Read<"knowledge.readSync">;
  /**
   * Index a document again.
   *
   * Parses and cuts the contents that are stored once more, without a new upload: after a failure, or so that other settings of the base apply. What is found now is found until the new chunks are complete. Corrections hold where a new chunk says what the corrected one said.
   *
   * Needs the permission `knowledge:write`. Policies know it as `document.reindex`.
   *
   * `POST /v1/knowledge/bases/{base}/documents/{document}/reindex`
   */
  readonly reindexDocument: Change<"knowledge.reindexDocument">;
  /**
   * Detach a source.
   *
   * Ends its syncs, and deletes its credentials. What it brought stays, or is deleted with `keep_documents=false`: many documents are deleted bit by bit.
   *
   * Needs the permission `knowledge:write`. Policies know it as `connector.remove`.
   *
   * `DELETE /v1/knowledge/bases/{base}/connectors/{connector}`
   */
  readonly removeConnector: Change<"knowledge.removeConnector">;
  /**
   * Replace the contents of a document.
   *
   * With plain `text` or `fields` it says this from now on, and is found by it as soon as this answers. Markdown and HTML by their `media_type`, and a file, as `multipart/form-data` or by its `url`, are parsed and indexed after the answer: `state` says how far that is, and until then the former contents are found. Its id, access, metadata and counters stay, and what it said before is kept as a former version. Contents that are the same change nothing.
   *
   * Needs the permission `knowledge:write`. Policies know it as `document.add`.
   *
   * `PUT /v1/knowledge/bases/{base}/documents/{document}`
   */
  readonly replaceDocument: Change<"knowledge.replaceDocument">;
  /**
   * Restore a former version of a document.
   *
   * What it said in that version becomes its next version, with the chunks and file that it had, and is found as soon as this answers; the rows of a CSV or JSONL file are read again after it. Nothing is lost: what it says now is kept as a former version.
   *
   * Needs the permission `knowledge:write`. Policies know it as `document.change`.
   *
   * `POST /v1/knowledge/bases/{base}/documents/{document}/restore`
   */
  readonly restoreVersion: Change<"knowledge.restoreVersion">;
  /**
   * Mark a document as reviewed.
   *
   * Says that it still holds. It is due again at `review_at`, or after the base's `review_days` where the body names no date. A person who did not write this version, signed in personally and names it in `If-Match` has reviewed what it says: its writer may then approve calls whose arguments come from it.
   *
   * Needs the permission `knowledge:write`. Policies know it as `document.change`.
   *
   * `POST /v1/knowledge/bases/{base}/documents/{document}/review`
   */
  readonly reviewDocument: Change<"knowledge.reviewDocument">;
  /**
   * Search knowledge bases.
   *
   * Finds the passages that answer a question best, each with its citation. It finds what the caller may read; `as` narrows that to what a member or an agent may read too. `outcome` says whether what was found answers.
   *
   * Needs the permission `knowledge:read`. Policies know it as `knowledge.search`.
   *
   * `POST /v1/knowledge/search`
   */
  readonly search: Change<"knowledge.search">;
  /**
   * Set who may read a document.
   *
   * For lists, reads, searches, agents and citations, at once, and for the records of a file's rows too. What restricts it is its own list and its base's, both. For others it does not exist; admins always may.
   *
   * Needs the permission `knowledge:write`. Policies know it as `document.change`.
   *
   * `PUT /v1/knowledge/bases/{base}/documents/{document}/access`
   */
  readonly setAccess: Change<"knowledge.setAccess">;
  /**
   * Take over what changed at the sources.
   *
   * Runs an incremental sync now, of one connector or of all that are active: only what is new or changed is read, and what vanished is deleted. One sync of a connector runs at a time. Each sync says what it added, changed and removed: read it with `Prefer: wait=n`, which waits until searches find what it brought.
   *
   * Needs the permission `knowledge:write`. Policies know it as `knowledge.sync`.
   *
   * `POST /v1/knowledge/bases/{base}/sync`
   */
  readonly startSync: Change<"knowledge.startSync">;
  /**
   * Test how well a base answers questions.
   *
   * Asks up to 1,000 questions of yours, within what the caller may read, and compares what is found with what you expect: figures with intervals, the score of each question, and those that missed with what stood at the top. Takes up to 90 seconds. Test questions do not count as gaps.
   *
   * Needs the permission `knowledge:read`. Policies know it as `knowledge.test`.
   *
   * `POST /v1/knowledge/bases/{base}/test`
   */
  readonly testBase: Change<"knowledge.testBase">;
}

/** The operations of the group `marketplace`. */
export interface MarketplaceOperations {
  /**
   * Change a listing.
   *
   * Visibility and business function, which are not signed. A new version changes the rest.
   *
   * Needs the permission `marketplace:write`. Policies know it as `listing.change`.
   *
   * `PATCH /v1/marketplace/listings/{listing}`
   */
  readonly changeListing: Change<"marketplace.changeListing">;
  /**
   * Submit work for review.
   *
   * Packs, scans and signs own work, or imports a bundle of another installation. Nothing of it runs. It can be installed once another person has approved it.
   *
   * Needs the permission `marketplace:write`. Policies know it as `listing.submit`.
   *
   * `POST /v1/marketplace/listings`
   */
  readonly createListing: Change<"marketplace.createListing">;
  /**
   * Publish a new version.
   *
   * Packed, scanned, signed and reviewed like the first one. Installs can update to it once it is approved.
   *
   * Needs the permission `marketplace:write`. Policies know it as `listing.submit`.
   *
   * `POST /v1/marketplace/listings/{listing}/versions`
   */
  readonly createVersion: Change<"marketplace.createVersion">;
  /**
   * Install a listing.
   *
   * Creates the bundle's parts as drafts in the installer's name, after consent to its permissions. Each part is a call of its own, with permissions, policies and audit. Nothing of the bundle runs; `next_steps` of the install list what remains to be done.
   *
   * Needs the permission `marketplace:install`. Policies know it as `install.create`.
   *
   * `POST /v1/marketplace/listings/{listing}/install`
   */
  readonly installListing: Change<"marketplace.installListing">;
  /**
   * List installs.
   *
   * In the environment of the key, newest first, each with its update, drift and recall.
   *
   * Needs the permission `marketplace:read`. Policies know it as `install.read`.
   *
   * `GET /v1/marketplace/installs`
   */
  readonly listInstalls: List<"marketplace.listInstalls">;
  /**
   * Browse the catalogue.
   *
   * Approved listings, newest first; `state` shows others.
   *
   * Needs the permission `marketplace:read`. Policies know it as `listing.read`.
   *
   * `GET /v1/marketplace/listings`
   */
  readonly listListings: List<"marketplace.listListings">;
  /**
   * List quarantines and recalls.
   *
   * Newest first, each with what it stopped.
   *
   * Needs the permission `marketplace:read`. Policies know it as `listing.read`.
   *
   * `GET /v1/marketplace/recalls`
   */
  readonly listRecalls: List<"marketplace.listRecalls">;
  /**
   * List reports of abuse.
   *
   * Needs the permission `marketplace:review`. Policies know it as `listing.review`.
   *
   * `GET /v1/marketplace/listings/{listing}/reports`
   */
  readonly listReports: List<"marketplace.listReports">;
  /**
   * List ratings.
   *
   * Needs the permission `marketplace:read`. Policies know it as `listing.read`.
   *
   * `GET /v1/marketplace/listings/{listing}/reviews`
   */
  readonly listReviews: List<"marketplace.listReviews">;
  /**
   * List a listing's versions.
   *
   * By number, the newest first.
   *
   * Needs the permission `marketplace:read`. Policies know it as `listing.read`.
   *
   * `GET /v1/marketplace/listings/{listing}/versions`
   */
  readonly listVersions: List<"marketplace.listVersions">;
  /**
   * Preview an install.
   *
   * What an install or an update would create and ask for. Creates nothing.
   *
   * Needs the permission `marketplace:read`. Policies know it as `listing.read`.
   *
   * `POST /v1/marketplace/listings/{listing}/preview`
   */
  readonly previewInstall: Change<"marketplace.previewInstall">;
  /**
   * Rate a listing.
   *
   * One rating for each member; a later one replaces it.
   *
   * Needs the permission `marketplace:rate`. Policies know it as `listing.rate`.
   *
   * `POST /v1/marketplace/listings/{listing}/reviews`
   */
  readonly rateListing: Change<"marketplace.rateListing">;
  /**
   * Read an install.
   *
   * Its parts, their changes since the install, its permissions and the next steps.
   *
   * Needs the permission `marketplace:read`. Policies know it as `install.read`.
   *
   * `GET /v1/marketplace/installs/{install}`
   */
  readonly readInstall: Read<"marketplace.readInstall">;
  /**
   * Read a listing.
   *
   * Its permissions, scorecard, signature, versions and limits. For the version that the catalogue shows, or `version`.
   *
   * Needs the permission `marketplace:read`. Policies know it as `listing.read`.
   *
   * `GET /v1/marketplace/listings/{listing}`
   */
  readonly readListing: Read<"marketplace.readListing">;
  /**
   * Read a publisher.
   *
   * Its identity and keys, and which of them this organization accepted.
   *
   * Needs the permission `marketplace:read`. Policies know it as `publisher.read`.
   *
   * `GET /v1/marketplace/publishers/{publisher}`
   */
  readonly readPublisher: Read<"marketplace.readPublisher">;
  /**
   * Read the security scan.
   *
   * For the version that the catalogue shows, or `version`. With `Accept: application/sarif+json`: the SARIF log alone.
   *
   * Needs the permission `marketplace:read`. Policies know it as `listing.read`.
   *
   * `GET /v1/marketplace/listings/{listing}/scan`
   */
  readonly readScan: Represented<"marketplace.readScan"> & Read<"marketplace.readScan">;
  /**
   * Read a version, or download its file.
   *
   * With `Accept: application/vnd.aos.bundle+json`: the `.aosbundle` file, to carry it to another installation. Files of private listings, and of versions that are quarantined or recalled, are not given out.
   *
   * Needs the permission `marketplace:read`. Policies know it as `listing.read`.
   *
   * `GET /v1/marketplace/listings/{listing}/versions/{version}`
   */
  readonly readVersion: Represented<"marketplace.readVersion"> & Read<"marketplace.readVersion">;
  /**
   * Uninstall.
   *
   * Archives or removes what the install created, each part by a call of its own; parts in use stay, and the result names what uses them. `dry_run=true` previews it.
   *
   * Needs the permission `marketplace:install`. Policies know it as `install.remove`.
   *
   * `DELETE /v1/marketplace/installs/{install}`
   */
  readonly removeInstall: Change<"marketplace.removeInstall">;
  /**
   * Report abuse.
   *
   * Notifies the reviewers of listings.
   *
   * Needs the permission `marketplace:rate`. Policies know it as `listing.report`.
   *
   * `POST /v1/marketplace/listings/{listing}/report`
   */
  readonly reportListing: Change<"marketplace.reportListing">;
  /**
   * Drop local changes.
   *
   * Recreates parts that were changed, failed or are missing, as drafts of the installed version. Deployments stay.
   *
   * Needs the permission `marketplace:install`. Policies know it as `install.change`.
   *
   * `POST /v1/marketplace/installs/{install}/reset`
   */
  readonly resetInstall: Change<"marketplace.resetInstall">;
  /**
   * Approve, reject, quarantine or recall.
   *
   * Approving takes another person than the submitter. A quarantine or recall takes one person, and stops its installs in every environment within a minute.
   *
   * Needs the permission `marketplace:review`. Policies know it as `listing.review`.
   *
   * `POST /v1/marketplace/listings/{listing}/review`
   */
  readonly reviewListing: Change<"marketplace.reviewListing">;
  /**
   * Rotate the own signing key.
   *
   * Creates a new key, signed by the old one. Bundles signed from now on contain both.
   *
   * Needs the permission `marketplace:review`. Policies know it as `publisher.rotate`.
   *
   * `POST /v1/marketplace/publishers/{publisher}/rotate`
   */
  readonly rotateKey: Change<"marketplace.rotateKey">;
  /**
   * Update an install.
   *
   * Installs a newer version as drafts. `POST …/listings/{listing}/preview` with `install` shows the difference of permissions first. Deployments stay.
   *
   * Needs the permission `marketplace:install`. Policies know it as `install.change`.
   *
   * `POST /v1/marketplace/installs/{install}/update`
   */
  readonly updateInstall: Change<"marketplace.updateInstall">;
  /**
   * Withdraw a listing.
   *
   * Removes it from the catalogue. Installs continue; to stop them, recall it.
   *
   * Needs the permission `marketplace:write`. Policies know it as `listing.change`.
   *
   * `DELETE /v1/marketplace/listings/{listing}`
   */
  readonly withdrawListing: Change<"marketplace.withdrawListing">;
}

/** The operations of the group `missions`. */
export interface MissionsOperations {
  /**
   * Accept a plan without starting it.
   *
   * The plan is judged again. If the mission works by another plan, steps of that which have not begun are dropped; steps of the new plan that equal completed ones are not repeated.
   *
   * Needs the permission `missions:run`. Policies know it as `mission.plan`.
   *
   * `POST /v1/missions/{mission}/plans/{plan}/accept`
   */
  readonly acceptPlan: Change<"missions.acceptPlan">;
  /**
   * Add a task by hand.
   *
   * Makes one more task for the mission, besides its plan: as a run of its own, within the same agents, budget and autonomy. Its result counts for the measure.
   *
   * Needs the permission `missions:run`. Policies know it as `mission.run`. Passes the evaluation gate of the agent version.
   *
   * `POST /v1/missions/{mission}/tasks`
   */
  readonly addTask: Change<"missions.addTask">;
  /**
   * Answer a question.
   *
   * Answers once. What the service asked it then does: `retry` and `skip` go on by a new version of the plan, `continue` goes on as before, `stop` ends the work of the plan. A mission that waited for the answer goes on.
   *
   * Needs the permission `missions:run`. Policies know it as `mission.decide`. Passes the evaluation gate of the agent version.
   *
   * `POST /v1/missions/{mission}/decisions/{decision}`
   */
  readonly answerDecision: Change<"missions.answerDecision">;
  /**
   * Put a question to people.
   *
   * The question is open until somebody answers it. With `blocks`, a running mission begins no further task until then.
   *
   * Needs the permission `missions:run`. Policies know it as `mission.decide`.
   *
   * `POST /v1/missions/{mission}/decisions`
   */
  readonly askDecision: Change<"missions.askDecision">;
  /**
   * Cancel a mission.
   *
   * Ends the mission: tasks that are open are cancelled, questions are withdrawn, and the answer reports what was done. What was done is not undone.
   *
   * Needs the permission `missions:run`. Policies know it as `mission.control`.
   *
   * `POST /v1/missions/{mission}/cancel`
   */
  readonly cancelMission: Change<"missions.cancelMission">;
  /**
   * Change a mission.
   *
   * Each member that is given takes the place of what was there; what is left out stays. Budget, deadline, autonomy and measure count at once. Agents and inputs count for plans that are proposed from now on: the accepted plan stays, and tasks of an agent that was removed are not begun. The budget cannot fall below what is spent and reserved.
   *
   * Needs the permission `missions:write`. Policies know it as `mission.change`.
   *
   * `PATCH /v1/missions/{mission}`
   */
  readonly changeMission: Change<"missions.changeMission">;
  /**
   * Clone a mission.
   *
   * Makes a new mission with the same settings, on other inputs if given, and proposes the same plan for it with estimates of today. The deadline is not taken over.
   *
   * Needs the permission `missions:write`. Policies know it as `mission.create`.
   *
   * `POST /v1/missions/{mission}/clone`
   */
  readonly cloneMission: Change<"missions.cloneMission">;
  /**
   * Complete a mission.
   *
   * Closes the mission. Whether it reached its target says the measure, not the caller. What is still open is cancelled.
   *
   * Needs the permission `missions:run`. Policies know it as `mission.control`.
   *
   * `POST /v1/missions/{mission}/complete`
   */
  readonly completeMission: Change<"missions.completeMission">;
  /**
   * Create a mission.
   *
   * States a goal with a measure that is computed from results, the agents that may work on it, a budget, a deadline and how far they may act on their own. Nothing happens until a plan is accepted: propose one by `POST /v1/missions/{mission}/plan`, then start it.
   *
   * Needs the permission `missions:write`. Policies know it as `mission.create`.
   *
   * `POST /v1/missions`
   */
  readonly createMission: Change<"missions.createMission">;
  /**
   * List a mission's tasks.
   *
   * Newest first, each with its step and the steps that were over before it. The steps themselves stand in the plan.
   *
   * Needs the permission `missions:read`. Policies know it as `mission.read`.
   *
   * `GET /v1/missions/{mission}/tasks`
   */
  readonly listMissionTasks: List<"missions.listMissionTasks">;
  /**
   * List missions.
   *
   * Newest first, each with its measure, tasks, spend and health as they are now. A key that is narrowed to agents sees missions that use no others.
   *
   * Needs the permission `missions:read`. Policies know it as `mission.read`.
   *
   * `GET /v1/missions`
   */
  readonly listMissions: List<"missions.listMissions">;
  /**
   * List a mission's plans.
   *
   * All versions of the plan, newest first, each with what differs from the version before.
   *
   * Needs the permission `missions:read`. Policies know it as `mission.read`.
   *
   * `GET /v1/missions/{mission}/plans`
   */
  readonly listPlans: List<"missions.listPlans">;
  /**
   * List mission templates.
   *
   * Those that come with the service, then those that were saved, by name. They belong to the organization. A key that is narrowed to agents sees templates of these alone.
   *
   * Needs the permission `missions:read`. Policies know it as `mission.read`.
   *
   * `GET /v1/missions/templates`
   */
  readonly listTemplates: List<"missions.listTemplates">;
  /**
   * List what happened in a mission.
   *
   * Newest first: what people and the service did with it, and how its tasks began and ended.
   *
   * Needs the permission `missions:read`. Policies know it as `mission.read`.
   *
   * `GET /v1/missions/{mission}/timeline`
   */
  readonly listTimeline: List<"missions.listTimeline">;
  /**
   * Pause a mission.
   *
   * No further task begins until the mission is started again. Tasks that run come to their end.
   *
   * Needs the permission `missions:run`. Policies know it as `mission.control`.
   *
   * `POST /v1/missions/{mission}/pause`
   */
  readonly pauseMission: Change<"missions.pauseMission">;
  /**
   * Propose a plan.
   *
   * Makes the next version of the plan: of the steps in the body, of a template, or else written by the model of one of the agents where a provider is connected, and proposed from goal, measure, agents and inputs where none is. Each step says what its tasks are expected to cost, their risk, and how likely they succeed, from past tasks of the skill. Nothing happens until somebody accepts it. A plan may be saved with errors, and is then not accepted. Takes up to three minutes with a model.
   *
   * Needs the permission `missions:write`. Policies know it as `mission.plan`.
   *
   * `POST /v1/missions/{mission}/plan`
   */
  readonly planMission: Change<"missions.planMission">;
  /**
   * Read a mission.
   *
   * Progress against the measure, the accepted plan and a newer proposal, tasks, spend, blockers and the next decision.
   *
   * Needs the permission `missions:read`. Policies know it as `mission.read`.
   *
   * `GET /v1/missions/{mission}`
   */
  readonly readMission: Read<"missions.readMission">;
  /**
   * Read a mission's budget.
   *
   * What is planned, reserved and spent, by step, and what the mission will have cost at its end.
   *
   * Needs the permission `missions:read`. Policies know it as `mission.read`.
   *
   * `GET /v1/missions/{mission}/budget`
   */
  readonly readMissionBudget: Read<"missions.readMissionBudget">;
  /**
   * Read a mission's risks and blockers.
   *
   * What puts it at risk now, blockers first, each with what to do.
   *
   * Needs the permission `missions:read`. Policies know it as `mission.read`.
   *
   * `GET /v1/missions/{mission}/risks`
   */
  readonly readMissionRisks: Read<"missions.readMissionRisks">;
  /**
   * Report on a mission.
   *
   * The outcome against the measure, with its interval; tasks, spend and success of each step; what people decided. As Markdown with `Accept: text/markdown`.
   *
   * Needs the permission `missions:read`. Policies know it as `mission.read`.
   *
   * `GET /v1/missions/{mission}/report`
   */
  readonly readReport: Represented<"missions.readReport"> & Read<"missions.readReport">;
  /**
   * Save a mission template.
   *
   * Keeps a mission's settings and plan under a name, for missions on other inputs: its goal, measure, agents, autonomy and labels, without inputs, budget and deadline. Or steps alone.
   *
   * Needs the permission `missions:write`. Policies know it as `mission.create`.
   *
   * `POST /v1/missions/templates`
   */
  readonly saveTemplate: Change<"missions.saveTemplate">;
  /**
   * Start or resume a mission.
   *
   * Accepts a plan, if it is not accepted yet, and carries it out as a run of a workflow. A mission that was paused or blocked goes on, by another plan if one is named. It acts on behalf of whoever started it last. Budget is reserved before each task, so that the mission never exceeds it.
   *
   * Needs the permission `missions:run`. Policies know it as `mission.run`. Passes the evaluation gate of the agent version.
   *
   * `POST /v1/missions/{mission}/start`
   */
  readonly startMission: Change<"missions.startMission">;
}

/** The operations of the group `tasks`. */
export interface TasksOperations {
  /**
   * Comment on a task.
   *
   * Adds a note to the task. The agent reads it at its next turn as data, marked as the words of people, never as an order; writes that it asks for afterwards need approval as after any text that it read. With `for_agent` false only people read it. It can be added in any state: a task that has ended shows it to its agent when it is tried again. A task has at most 100 comments.
   *
   * Needs the permission `tasks:write`. Policies know it as `task.comment`.
   *
   * `POST /v1/tasks/{task}/comments`
   */
  readonly addComment: Change<"tasks.addComment">;
  /**
   * Cancel what has not ended of a batch.
   *
   * Each task is cancelled by a call of its own, with its own record. Tasks that have ended stay as they are and are left out of the answer.
   *
   * Needs the permission `tasks:write`. Policies know it as `task.cancel`.
   *
   * `POST /v1/tasks/batches/{batch}/cancel`
   */
  readonly cancelBatch: Change<"tasks.cancelBatch">;
  /**
   * Cancel a task.
   *
   * Stops a task that is not finished. One that waits ends at once; a running task loses its lease, and what its worker still does is discarded.
   *
   * Needs the permission `tasks:write`. Policies know it as `task.cancel`.
   *
   * `POST /v1/tasks/{task}/cancel`
   */
  readonly cancelTask: Change<"tasks.cancelTask">;
  /**
   * Cancel tasks by a filter.
   *
   * In two calls: without `count` it answers how many tasks the filter finds, and changes nothing; with that number as `count` it cancels them, each by a call of its own with its own record. Where the number has changed meanwhile it is refused. Tasks that came in place of others do not change it: give `filter.created_before` to stop only tasks from before you counted.
   *
   * Needs the permission `tasks:write`. Policies know it as `task.cancel`.
   *
   * `POST /v1/tasks/cancel`
   */
  readonly cancelTasks: Change<"tasks.cancelTasks">;
  /**
   * Change a task that waits.
   *
   * Changes when a task runs and what it is labelled, as long as it is queued or waits for people; of two changes the later one counts. Its input can be changed only where people asked for changes: it then goes before them again.
   *
   * Needs the permission `tasks:write`. Policies know it as `task.change`.
   *
   * `PATCH /v1/tasks/{task}`
   */
  readonly changeTask: Change<"tasks.changeTask">;
  /**
   * Dispatch many tasks.
   *
   * Each item is a dispatch of its own: judged by itself, recorded by itself, and accepted or refused without regard to the others. With an Idempotency-Key the whole call can be repeated: what was accepted is not dispatched again, also where the first call broke off in the middle.
   *
   * Needs the permission `tasks:write`. Policies know it as `task.batch`.
   *
   * `POST /v1/tasks/batch`
   */
  readonly dispatchBatch: Change<"tasks.dispatchBatch">;
  /**
   * Estimate a task before it is dispatched.
   *
   * Makes the dispatch as a rehearsal, so that the same permissions, gate, policies, budgets and risk decide, and says what it would come to; with it the chance that it completes, its cost and its times, from how the newest tasks of the same skill went. It leaves nothing but records in the audit log.
   *
   * Needs the permission `tasks:write`. Policies know it as `task.read`.
   *
   * `POST /v1/tasks/estimate`
   */
  readonly estimateTask: Change<"tasks.estimateTask">;
  /**
   * List the comments on a task.
   *
   * The oldest first, with when the agent read each of those that are for it.
   *
   * Needs the permission `tasks:read`. Policies know it as `task.read`.
   *
   * `GET /v1/tasks/{task}/comments`
   */
  readonly listComments: List<"tasks.listComments">;
  /**
   * List what was said of a task's outcome.
   *
   * Newest first. The newest is what counts.
   *
   * Needs the permission `tasks:read`. Policies know it as `task.read`.
   *
   * `GET /v1/tasks/{task}/feedback`
   */
  readonly listFeedback: List<"tasks.listFeedback">;
  /**
   * Read or follow what happened to a task.
   *
   * Oldest first. With `Accept: text/event-stream` the events come as they happen: `id` is the event's sequence, so that a client that comes back with `Last-Event-ID` loses and doubles none, whichever process answers it. The stream begins with all that happened before, says `: ping` when nothing else was said for 15 s, and when the task has ended and every event was sent, it says `event: end` and ends: a client need not come back. It also ends within seconds when the key may no longer read the task, and after an hour. A client that leaves stops nothing.
   *
   * Needs the permission `tasks:read`. Policies know it as `task.read`.
   *
   * `GET /v1/tasks/{task}/events`
   */
  readonly listTaskEvents: Stream<"tasks.listTaskEvents"> & List<"tasks.listTaskEvents">;
  /**
   * List what an agent did in a task.
   *
   * Every call of a tool and of a model that was begun, of all attempts, oldest first: what it was given, what it answered, what the policies said, what it cost. A step whose worker died is repeated, and listed once for each attempt. A step whose output was altered in the database is listed without it, with `result_not_intact` as its failure.
   *
   * Needs the permission `tasks:read`. Policies know it as `task.read`.
   *
   * `GET /v1/tasks/{task}/steps`
   */
  readonly listTaskSteps: List<"tasks.listTaskSteps">;
  /**
   * List tasks.
   *
   * Newest first. Filters narrow together. A task whose result was altered in the database is listed without input and output, with `result_not_intact` as its failure.
   *
   * Needs the permission `tasks:read`. Policies know it as `task.read`.
   *
   * `GET /v1/tasks`
   */
  readonly listTasks: List<"tasks.listTasks">;
  /**
   * Pause a task.
   *
   * Holds a task that is not finished at the next safe point: before it starts, or between two steps. A step that has begun ends; then nothing of the task starts, and it does not complete, until somebody resumes it. Its state stays, and `held_by` says who paused it, since when and why. People may still decide on its approval and answer its question: what comes of that happens after it is resumed. Cancelling and kill switches work as ever. Its deadline and its approval's go on; the time limit of its run does not. Pausing again changes the reason.
   *
   * Needs the permission `tasks:write`. Policies know it as `task.pause`.
   *
   * `POST /v1/tasks/{task}/pause`
   */
  readonly pauseTask: Change<"tasks.pauseTask">;
  /**
   * Read what became of a batch.
   *
   * How many of its tasks are in which state, what they cost, and whether all have ended.
   *
   * Needs the permission `tasks:read`. Policies know it as `task.read`.
   *
   * `GET /v1/tasks/batches/{batch}/state`
   */
  readonly readBatch: Read<"tasks.readBatch">;
  /**
   * Read a task.
   *
   * State, pinned version, trust with its parts and interval, risk with its inputs, cost, and the audit reference of the dispatch. With `Prefer: wait=n` the answer waits up to n seconds for the task to end.
   *
   * Needs the permission `tasks:read`. Policies know it as `task.read`.
   *
   * `GET /v1/tasks/{task}`
   */
  readonly readTask: Read<"tasks.readTask">;
  /**
   * Read what came of a task.
   *
   * The runs of workflows that events of the task started, the tasks of their steps, their sub-workflows, and what came of these tasks in turn, as a tree with state, cost and trust of each. At most 500 nodes and 12 levels; `cut` says whether there are more.
   *
   * Needs the permission `tasks:read`. Policies know it as `task.read`.
   *
   * `GET /v1/tasks/{task}/children`
   */
  readonly readTaskChildren: Read<"tasks.readTaskChildren">;
  /**
   * Read what a task cost, by step, model and tool.
   *
   * Over all attempts. The sums are those of the ledger that budgets are kept by, so they add up to the task's `cost_usd` to the millionth of a dollar.
   *
   * Needs the permission `tasks:read`. Policies know it as `task.read`.
   *
   * `GET /v1/tasks/{task}/cost`
   */
  readonly readTaskCost: Read<"tasks.readTaskCost">;
  /**
   * Read what came of a task.
   *
   * Its output, or why there is none. While the task goes on, `final` is false: wait for the end with `wait` or `Prefer: wait=n`, and ask again where it did not come in time. A caller that leaves stops nothing.
   *
   * Needs the permission `tasks:read`. Policies know it as `task.read`.
   *
   * `GET /v1/tasks/{task}/result`
   */
  readonly readTaskResult: Read<"tasks.readTaskResult">;
  /**
   * Read a task's trace.
   *
   * The dispatch, its waits in the queue and for people, and each call of a model and a tool, as spans with the ids and names of OpenTelemetry. It is made of what is stored of the task, so it is there without a collector too; of what was said it has nothing but codes.
   *
   * Needs the permission `tasks:read`. Policies know it as `task.read`.
   *
   * `GET /v1/tasks/{task}/trace`
   */
  readonly readTaskTrace: Read<"tasks.readTaskTrace">;
  /**
   * Read how a task's trust score was formed.
   *
   * What each part added to the score and what the score would be without it, what was known of the case, what the skill's tasks start with now, and how people judged this one.
   *
   * Needs the permission `tasks:read`. Policies know it as `task.read`.
   *
   * `GET /v1/tasks/{task}/trust`
   */
  readonly readTaskTrust: Read<"tasks.readTaskTrust">;
  /**
   * Resume a paused task.
   *
   * Lets a paused task go on where it stands; whoever may pause tasks may resume any. A run takes up its journal: what it finished is not done again.
   *
   * Needs the permission `tasks:write`. Policies know it as `task.resume`.
   *
   * `POST /v1/tasks/{task}/resume`
   */
  readonly resumeTask: Change<"tasks.resumeTask">;
  /**
   * Try a task again.
   *
   * Queues a task that failed, was blocked or was cancelled for another attempt, by default from the step that failed: steps before it are not made again. Its limits start again. Gate, policies and approvals are asked again when it starts; a call that writes and whose outcome is not known is asked about first, or sent again with the key that its receiver knows, whatever failed before it. A write that finished is not made again: the same call gets its result. One with other arguments in its place needs an approval of its own where people had approved the task. From the start, or from a step before a call whose outcome is not known, it is refused until that is known.
   *
   * Needs the permission `tasks:write`. Policies know it as `task.retry`.
   *
   * `POST /v1/tasks/{task}/retry`
   */
  readonly retryTask: Change<"tasks.retryTask">;
  /**
   * Rate or correct the outcome of a task.
   *
   * Says whether the outcome of a task that completed or failed was right, and what would have been. It is evidence for the trust score of its skill and, where the right output is known, an example to learn from. The latest word on a task counts.
   *
   * Needs the permission `tasks:feedback`. Policies know it as `task.feedback`.
   *
   * `POST /v1/tasks/{task}/feedback`
   */
  readonly submitFeedback: Change<"tasks.submitFeedback">;
  /**
   * Give a task what it asked for.
   *
   * Answers the question of a task in state `input_required` (its `question`). The run goes on where it stands, with the answer as data, never as instructions. Where it is asked whether a call took effect whose end nobody saw, the answer decides whether it is made again.
   *
   * Needs the permission `tasks:write`. Policies know it as `task.input`.
   *
   * `POST /v1/tasks/{task}/input`
   */
  readonly submitInput: Change<"tasks.submitInput">;
}

/** The operations of the group `webhooks`. */
export interface WebhooksOperations {
  /**
   * Change an endpoint.
   *
   * Changes URL, events, filters, format and rate. Pending deliveries are sent with the new settings, or cancelled if the endpoint no longer gets them. `state` pauses the endpoint, or enables it again, even if the service disabled it. Whoever changes URL or events, or starts one that stopped, is its owner from then on.
   *
   * Needs the permission `webhooks:write`. Policies know it as `webhook.change`.
   *
   * `PATCH /v1/webhooks/{webhook}`
   */
  readonly changeWebhook: Change<"webhooks.changeWebhook">;
  /**
   * Subscribe an endpoint to events.
   *
   * The endpoint receives events from now on. The response shows the signing secret once. If the key is narrowed to agents, the endpoint is bound to them. Events that the key may not read are never sent.
   *
   * Needs the permission `webhooks:write`. Policies know it as `webhook.create`.
   *
   * `POST /v1/webhooks`
   */
  readonly createWebhook: Change<"webhooks.createWebhook">;
  /**
   * List deliveries to an endpoint.
   *
   * Newest first, with the number of attempts and the result of the last one (`last_status`, `last_error`). An event that is missing did not match the endpoint's filters, or happened while it was paused or disabled (`missed_since`): `recover` sends those.
   *
   * Needs the permission `webhooks:read`. Policies know it as `webhook.read`.
   *
   * `GET /v1/webhooks/{webhook}/deliveries`
   */
  readonly listDeliveries: List<"webhooks.listDeliveries">;
  /**
   * List the kinds of events.
   *
   * Every event that can be subscribed to, with the JSON Schema of its flat body and a sample. All of them, in one answer, by name.
   *
   * Needs the permission `webhooks:read`. Policies know it as `event.read`.
   *
   * `GET /v1/webhooks/event-types`
   */
  readonly listEventTypes: Read<"webhooks.listEventTypes">;
  /**
   * Read the event log.
   *
   * All events of the environment, whether an endpoint received them or not. With `sort=sequence` and `after` set to the last sequence that you have, each call returns what came since, without gaps or duplicates. A key that is narrowed to agents sees only their events. `permission` in `GET /v1/webhooks/event-types` says what an event requires besides; events of a base or document with readers are shown to those.
   *
   * Needs the permission `webhooks:read`. Policies know it as `event.read`.
   *
   * `GET /v1/webhooks/events`
   */
  readonly listEvents: List<"webhooks.listEvents">;
  /**
   * List endpoints.
   *
   * The endpoints of this environment, newest first, with their health. A key that is narrowed to agents sees those that are bound to no others.
   *
   * Needs the permission `webhooks:read`. Policies know it as `webhook.read`.
   *
   * `GET /v1/webhooks`
   */
  readonly listWebhooks: List<"webhooks.listWebhooks">;
  /**
   * Read a delivery with its attempts.
   *
   * What was sent, and the time, latency, status, class of error and beginning of the response of every attempt.
   *
   * Needs the permission `webhooks:read`. Policies know it as `webhook.read`.
   *
   * `GET /v1/webhooks/{webhook}/deliveries/{delivery}`
   */
  readonly readDelivery: Read<"webhooks.readDelivery">;
  /**
   * Read an event.
   *
   * One event of the log, such as that of a delivery's `webhook-id`. It is readable once it has its sequence, moments after it happened. An event of a base or document that the caller may not read is not found.
   *
   * Needs the permission `webhooks:read`. Policies know it as `event.read`.
   *
   * `GET /v1/webhooks/events/{event}/content`
   */
  readonly readEvent: Read<"webhooks.readEvent">;
  /**
   * Read an endpoint.
   *
   * With its health: last success, since when it fails, what waits, and why it is disabled. Never its secret.
   *
   * Needs the permission `webhooks:read`. Policies know it as `webhook.read`.
   *
   * `GET /v1/webhooks/{webhook}`
   */
  readonly readWebhook: Read<"webhooks.readWebhook">;
  /**
   * Send an endpoint the events it missed.
   *
   * Sends the events since a time that match the endpoint's filters now and were not delivered: failed ones, and those never sent because it was paused, disabled or did not exist. Without `since` it begins at `missed_since`, or where the deliveries that are still kept begin, and also sends every earlier delivery that failed. While it runs, the endpoint's `recovering` is true.
   *
   * Needs the permission `webhooks:write`. Policies know it as `webhook.recover`.
   *
   * `POST /v1/webhooks/{webhook}/recover`
   */
  readonly recover: Change<"webhooks.recover">;
  /**
   * Remove an endpoint.
   *
   * Nothing more is sent to it, and its secret is deleted. Events that it did not receive stay in the event log.
   *
   * Needs the permission `webhooks:write`. Policies know it as `webhook.remove`.
   *
   * `DELETE /v1/webhooks/{webhook}`
   */
  readonly removeWebhook: Change<"webhooks.removeWebhook">;
  /**
   * Send a delivery again.
   *
   * Sends it at once with the same `webhook-id`, even if it was delivered before; if that fails, the schedule of attempts starts again. Refused if the endpoint no longer gets the event. Does nothing while an attempt runs.
   *
   * Needs the permission `webhooks:write`. Policies know it as `webhook.retry`.
   *
   * `POST /v1/webhooks/{webhook}/deliveries/{delivery}/retry`
   */
  readonly retryDelivery: Change<"webhooks.retryDelivery">;
  /**
   * Give an endpoint a new secret.
   *
   * The response shows the new secret once. Until the overlap ends, deliveries are also signed with the old secret, so that the receiver can switch at any time; so are earlier ones until their overlaps end.
   *
   * Needs the permission `webhooks:write`. Policies know it as `webhook.rotate`.
   *
   * `POST /v1/webhooks/{webhook}/rotate-secret`
   */
  readonly rotateSecret: Change<"webhooks.rotateSecret">;
  /**
   * Follow all events.
   *
   * With `Accept: text/event-stream`: events as they happen, from now on or above the sequence `after`. `id` is the event's sequence: a client that reconnects with `Last-Event-ID` misses and repeats none. `event` is its name, `data` the event as in the log. Sends `: ping` after 15 s of silence; ends after an hour, or when the key may no longer read. Without that header it returns pages of the log, oldest first.
   *
   * Needs the permission `webhooks:read`. Policies know it as `event.read`.
   *
   * `GET /v1/webhooks/stream`
   */
  readonly streamEvents: Stream<"webhooks.streamEvents"> & List<"webhooks.streamEvents">;
  /**
   * Send a sample event to an endpoint.
   *
   * Sends a `ping`, or a made-up sample of any event, whether the endpoint subscribed to it or not. It is signed and formatted like every delivery, has the header `aos-test`, and is in no event log. The delivery shows the result.
   *
   * Needs the permission `webhooks:write`. Policies know it as `webhook.test`.
   *
   * `POST /v1/webhooks/{webhook}/test`
   */
  readonly testWebhook: Change<"webhooks.testWebhook">;
}

/** The operations of the group `workflows`. */
export interface WorkflowsOperations {
  /**
   * Add a trigger to a workflow.
   *
   * Starts runs of whichever version is live in the environment of the key, from now on. Its runs have the permissions of the service account that `as` names, else those of the caller; they are checked each time it fires. Publishing another version leaves it in place.
   *
   * Needs the permission `workflows:write`. Policies know it as `workflow.trigger`.
   *
   * `POST /v1/workflows/{workflow}/triggers`
   */
  readonly addTrigger: Change<"workflows.addTrigger">;
  /**
   * Archive a workflow.
   *
   * Takes the workflow out of service: what is live of it in the environment of the key ends, its triggers there are removed, and no further run starts; open runs go on. While it is live in other environments, `live_elsewhere` names them and the workflow is not archived yet: archive it there as well. Draft, versions, runs and the audit trail stay.
   *
   * Needs the permission `workflows:write`. Policies know it as `workflow.change`.
   *
   * `DELETE /v1/workflows/{workflow}`
   */
  readonly archiveWorkflow: Change<"workflows.archiveWorkflow">;
  /**
   * Compare the draft with a definition.
   *
   * How the draft would change if it became what is sent, as JSON or as the workflow's file: what `aos workflows diff` shows. Checks what is sent like a change and changes nothing.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `POST /v1/workflows/{workflow}/compare`
   */
  readonly compareDraft: Change<"workflows.compareDraft">;
  /**
   * Undo a run.
   *
   * Undoes completed steps that say how, in reverse order of their completion, and goes on past one that cannot be undone. A run that is not over is cancelled first. Of a run whose compensation failed, what is left is tried again.
   *
   * Needs the permission `workflows:run`. Policies know it as `workflow.control`.
   *
   * `POST /v1/workflows/{workflow}/runs/{run}/compensate`
   */
  readonly compensateRun: Change<"workflows.compensateRun">;
  /**
   * Cancel, pause, resume, retry, skip or migrate a run.
   *
   * Steps before the one that is done again stand, with the approvals that people gave; later approvals are requested again. With `preview` the answer shows in `changes` what would be done again, skipped, or is different in the other version.
   *
   * Needs the permission `workflows:run`. Policies know it as `workflow.control`.
   *
   * `POST /v1/workflows/{workflow}/runs/{run}/control`
   */
  readonly controlRun: Change<"workflows.controlRun">;
  /**
   * Cancel, retry or replay many runs.
   *
   * Each run is a call of its own: judged by itself, recorded by itself, and done or refused without regard to the others. With `dry_run=true` nothing is done, and each item says what it would come to.
   *
   * Needs the permission `workflows:run`. Policies know it as `workflow.control`.
   *
   * `POST /v1/workflows/runs/bulk`
   */
  readonly controlRuns: Change<"workflows.controlRuns">;
  /**
   * Create an inbound hook.
   *
   * Another service then publishes events here: it sends `POST` to `url`, a JSON body of at most 256 KiB signed by Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`). No key is needed, the signature is the credential. The response to it is 202, also to a repetition with the same `webhook-id`, which has no effect. Each call is the event `hook.received`; triggers and waits match it by the hook, or by the `type` of its body, which may be any but those of the event catalogue. `event` in their expressions is the body's `data`, or the whole body where it has none. The response shows the secret once.
   *
   * Needs the permission `workflows:write`. Policies know it as `hook.change`.
   *
   * `POST /v1/hooks`
   */
  readonly createHook: Change<"workflows.createHook">;
  /**
   * Create a workflow.
   *
   * A draft: steps, triggers, input and limits, member by member as JSON, or as a file (`Content-Type: application/yaml`, or its text in `source`), whose comments are kept. `findings` say what keeps it from being published; a draft may have any. Faults of a file's form carry line and column. Who creates it owns it.
   *
   * Needs the permission `workflows:write`. Policies know it as `workflow.create`.
   *
   * `POST /v1/workflows`
   */
  readonly createWorkflow: Change<"workflows.createWorkflow">;
  /**
   * Draft a workflow from plain words.
   *
   * Asks a model of a connected provider, which is given the format and the agents that are deployed here; its answer is checked, and corrected once. Where no provider is connected, a template is filled with the agent that the words mean, and the answer says so. Nothing is saved. Takes up to three minutes.
   *
   * Needs the permission `workflows:write`. Policies know it as `workflow.create`.
   *
   * `POST /v1/workflows/generate`
   */
  readonly generateWorkflow: Change<"workflows.generateWorkflow">;
  /**
   * List runs of all workflows.
   *
   * Newest first, without their steps. Filters narrow together.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `GET /v1/workflows/runs`
   */
  readonly listAllRuns: List<"workflows.listAllRuns">;
  /**
   * List runs that gave up.
   *
   * Runs that failed or could not be undone and that nobody has seen to, the latest first. Retrying, skipping, undoing, replaying or settling one takes it off the list.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `GET /v1/workflows/dead-letters`
   */
  readonly listDeadLetters: List<"workflows.listDeadLetters">;
  /**
   * List inbound hooks.
   *
   * The hooks of this environment, by name from the last. Their secrets cannot be read.
   *
   * Needs the permission `workflows:read`. Policies know it as `hook.read`.
   *
   * `GET /v1/hooks`
   */
  readonly listHooks: List<"workflows.listHooks">;
  /**
   * Read or follow what happens in a run.
   *
   * Each change of a step and of the run, in the order in which they happened; a step that changed twice is sent once, in its present state. With `Accept: text/event-stream` they come as they happen: `id` is the sequence, so that a client that comes back with `Last-Event-ID` loses none, whichever process answers it. The stream begins with what happened before, says `: ping` when nothing else was said for 15 s, and when the run is over and every event was sent, it says `event: end` and ends. It also ends within seconds when the key may no longer read the run, and after an hour.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `GET /v1/workflows/{workflow}/runs/{run}/events`
   */
  readonly listRunEvents: Stream<"workflows.listRunEvents"> & List<"workflows.listRunEvents">;
  /**
   * List a workflow's runs.
   *
   * Newest first, without their steps. Filters narrow together.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `GET /v1/workflows/{workflow}/runs`
   */
  readonly listRuns: List<"workflows.listRuns">;
  /**
   * List the kinds of steps.
   *
   * What each kind does, the JSON Schema of its member, what else it takes, what it answers, and an example. The schema of a whole file is at `/workflow.schema.json`.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `GET /v1/workflows/step-types`
   */
  readonly listStepTypes: Read<"workflows.listStepTypes">;
  /**
   * List what starts runs of a workflow.
   *
   * Schedules, events and inbound hooks in the environment of the key, newest first: those of the live version, and those that were added. `last_error` says why one last failed to start a run.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `GET /v1/workflows/{workflow}/triggers`
   */
  readonly listTriggers: List<"workflows.listTriggers">;
  /**
   * List a workflow's versions.
   *
   * Newest first.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `GET /v1/workflows/{workflow}/versions`
   */
  readonly listVersions: List<"workflows.listVersions">;
  /**
   * List workflows.
   *
   * Newest first, with the version that is live there and the share of runs that completed. Filters narrow together.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `GET /v1/workflows`
   */
  readonly listWorkflows: List<"workflows.listWorkflows">;
  /**
   * Stop a workflow's triggers.
   *
   * Its schedules, events and hooks start no run in the environment of the key; runs that are under way finish, and one that is asked for by name starts. Pausing again changes the reason.
   *
   * Needs the permission `workflows:write`. Policies know it as `workflow.control`.
   *
   * `POST /v1/workflows/{workflow}/pause`
   */
  readonly pauseWorkflow: Change<"workflows.pauseWorkflow">;
  /**
   * Publish a workflow.
   *
   * Freezes the draft as a version and makes it live in the environment of the key, its triggers with it: new runs follow it, those under way stay on theirs. A draft that says what its newest version says is published as that version; `version` publishes one from another environment. Refused with findings where the draft has errors, and where the evaluation gate of an agent that it uses is not open. Workflows that its steps start are fixed at the versions that are live now. With If-Match it is that draft which is published and no later one.
   *
   * Needs the permission `workflows:write`. Policies know it as `workflow.publish`. Passes the evaluation gate of the agent version.
   *
   * `POST /v1/workflows/{workflow}/publish`
   */
  readonly publishWorkflow: Change<"workflows.publishWorkflow">;
  /**
   * Read a run with its steps.
   *
   * Each step with its state, what it was called with, what it came to, its task and its cost.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `GET /v1/workflows/{workflow}/runs/{run}`
   */
  readonly readRun: Read<"workflows.readRun">;
  /**
   * Read a version of a workflow.
   *
   * A version, and by `against` how it differs from another one, field by field: steps are matched by id. As a file (`Accept: application/yaml`) it can be made the draft again.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `GET /v1/workflows/{workflow}/versions/{version}`
   */
  readonly readVersion: Represented<"workflows.readVersion"> & Read<"workflows.readVersion">;
  /**
   * Read a workflow.
   *
   * Its draft, or by `version` one of its versions, with findings in the environment of the key. As a file (`Accept: application/yaml`) it is the text that was sent, with its comments, or the definition written as one; POST /v1/workflows and PUT read it back without loss.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `GET /v1/workflows/{workflow}`
   */
  readonly readWorkflow: Represented<"workflows.readWorkflow"> & Read<"workflows.readWorkflow">;
  /**
   * Read a workflow as a graph.
   *
   * Nodes and edges of the draft, or of a version by `version`. As a picture (`Accept: text/vnd.mermaid`) it is a flowchart in Mermaid, which many tools draw.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `GET /v1/workflows/{workflow}/graph`
   */
  readonly readWorkflowGraph: Represented<"workflows.readWorkflowGraph"> & Read<"workflows.readWorkflowGraph">;
  /**
   * Remove an inbound hook.
   *
   * Its secret is destroyed, and calls of it are refused from now on. Events that it has published stay.
   *
   * Needs the permission `workflows:write`. Policies know it as `hook.change`.
   *
   * `DELETE /v1/hooks/{hook}`
   */
  readonly removeHook: Change<"workflows.removeHook">;
  /**
   * Remove a trigger that was added.
   *
   * It starts no further run; runs that it has started go on. A trigger of the live version is removed by publishing a version without it.
   *
   * Needs the permission `workflows:write`. Policies know it as `workflow.trigger`.
   *
   * `DELETE /v1/workflows/{workflow}/triggers/{trigger}`
   */
  readonly removeTrigger: Change<"workflows.removeTrigger">;
  /**
   * Replace a workflow's draft.
   *
   * The whole draft, as JSON or as a file (`Content-Type: application/yaml`, or its text in `source`), whose comments are kept; what it leaves out is taken away. Answers `findings`: a draft with errors is saved, and cannot be published. Versions that were published never change. A draft that says the same leaves the revision as it is. The ETag of either representation serves as If-Match.
   *
   * Needs the permission `workflows:write`. Policies know it as `workflow.change`.
   *
   * `PUT /v1/workflows/{workflow}`
   */
  readonly replaceDraft: Change<"workflows.replaceDraft">;
  /**
   * Let a paused workflow's triggers start runs again.
   *
   * Of a workflow that is not paused in the environment of the key, nothing changes.
   *
   * Needs the permission `workflows:write`. Policies know it as `workflow.control`.
   *
   * `POST /v1/workflows/{workflow}/resume`
   */
  readonly resumeWorkflow: Change<"workflows.resumeWorkflow">;
  /**
   * Roll back to the version before.
   *
   * One call back to the version that was live before in the environment of the key, passing over those that earlier rollbacks left, or to the one that `to` names; its triggers come back with it. Runs that are under way stay on their version. The gate is not asked: what worked before is at hand, and each step passes it.
   *
   * Needs the permission `workflows:write`. Policies know it as `workflow.publish`.
   *
   * `POST /v1/workflows/{workflow}/rollback`
   */
  readonly rollback: Change<"workflows.rollback">;
  /**
   * Give an inbound hook a new secret.
   *
   * The response shows the new secret once. Until the overlap ends, calls signed with the old one are taken as well, so that the sender can switch at any time; `overlap_seconds: 0` ends all earlier ones at once.
   *
   * Needs the permission `workflows:write`. Policies know it as `hook.change`.
   *
   * `POST /v1/hooks/{hook}/rotate-secret`
   */
  readonly rotateSecret: Change<"workflows.rotateSecret">;
  /**
   * Give a run an event that it waits for.
   *
   * The event is for this run alone: the step that waits for its type takes it if its `where` holds, within about a second; if none waits yet, the step that will takes it once it begins. What the service itself publishes cannot be given so, such as `task.completed`.
   *
   * Needs the permission `workflows:run`. Policies know it as `workflow.control`.
   *
   * `POST /v1/workflows/{workflow}/runs/{run}/signal`
   */
  readonly signalRun: Change<"workflows.signalRun">;
  /**
   * Run a workflow.
   *
   * Starts a run of the version that is live in the environment and answers at once. The run keeps that version, and those of its sub-workflows, whatever is published later. With an Idempotency-Key the call can be repeated: it starts one run. A workflow with `key` has one open run per business key; with `concurrency`, a run beyond the limit is queued, refused, or replaces the oldest, as the file says.
   *
   * Needs the permission `workflows:run`. Policies know it as `workflow.run`. Passes the evaluation gate of the agent version.
   *
   * `POST /v1/workflows/{workflow}/runs`
   */
  readonly startRun: Change<"workflows.startRun">;
  /**
   * Try a workflow without doing anything.
   *
   * Runs the draft, a version, or what is sent, in memory: steps answer what the body gives for them, waits take no time, and nothing outside happens. Shows the path, what each step would have called, and where it stops because something was not given. `step` tries one step alone.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `POST /v1/workflows/{workflow}/test`
   */
  readonly testWorkflow: Change<"workflows.testWorkflow">;
  /**
   * Check a workflow without saving it.
   *
   * Says everything that is wrong: steps as a graph (unknown, unreachable, in a circle), expressions with their types, and calls of agents, skills, tools and workflows that the environment of the key does not have or that do not fit. Takes a definition as JSON, as a text by `source`, or as a file (`Content-Type: application/yaml`); without any, it is the saved draft. Nothing is refused and nothing is saved: a text that cannot be read is a finding as well.
   *
   * Needs the permission `workflows:read`. Policies know it as `workflow.read`.
   *
   * `POST /v1/workflows/{workflow}/validate`
   */
  readonly validateWorkflow: Change<"workflows.validateWorkflow">;
}

/** Every operation of the service, by group and name. */
export interface Operations {
  readonly admin: AdminOperations;
  readonly agents: AgentsOperations;
  readonly analytics: AnalyticsOperations;
  readonly approvals: ApprovalsOperations;
  readonly audit: AuditOperations;
  readonly chat: ChatOperations;
  readonly evaluations: EvaluationsOperations;
  readonly governance: GovernanceOperations;
  readonly knowledge: KnowledgeOperations;
  readonly marketplace: MarketplaceOperations;
  readonly missions: MissionsOperations;
  readonly tasks: TasksOperations;
  readonly webhooks: WebhooksOperations;
  readonly workflows: WorkflowsOperations;
}

/** The codes of the problems that calls can meet. Further ones may come. */
export type ProblemCode =
  | "address_not_allowed"
  | "agent_archived"
  | "agent_deployed_elsewhere"
  | "agent_exists"
  | "agent_in_use"
  | "agent_not_archived"
  | "agent_not_deployed"
  | "agent_paused"
  | "all_environments_admin_required"
  | "already_decided"
  | "already_live"
  | "already_voted"
  | "already_yours"
  | "audit_integrity"
  | "audit_unavailable"
  | "body_too_large"
  | "budget_exhausted"
  | "bundle_refused"
  | "canary_running"
  | "cited_source_deleted"
  | "claimed_by_other"
  | "concurrency_full"
  | "connection_exists"
  | "connection_in_use"
  | "connector_exists"
  | "consent_missing"
  | "content_changed"
  | "conversation_busy"
  | "conversation_closed"
  | "database_unavailable"
  | "dataset_exists"
  | "decided_by_you"
  | "decision_answered"
  | "delegated"
  | "dependencies_missing"
  | "digest_mismatch"
  | "document_exists"
  | "draft_incomplete"
  | "email_not_changeable"
  | "email_not_configured"
  | "escalated"
  | "evaluation_gate_failed"
  | "export_failed"
  | "export_not_ready"
  | "external_key_in_use"
  | "four_eyes"
  | "grants_too_much"
  | "headers_too_large"
  | "hook_exists"
  | "idempotency_key_in_use"
  | "idempotency_key_reused"
  | "input_is_bound"
  | "install_state"
  | "insufficient_scope"
  | "internal_error"
  | "invalid_body"
  | "invalid_cursor"
  | "invalid_header"
  | "invalid_parameter"
  | "key_not_independent"
  | "kill_switch_already_engaged"
  | "kill_switch_already_released"
  | "kill_switch_engaged"
  | "knowledge_base_exists"
  | "knowledge_base_in_use"
  | "last_admin"
  | "last_admin_key"
  | "listing_exists"
  | "listing_private"
  | "listing_state"
  | "local_changes"
  | "log_shorter_than_requested"
  | "log_stopped"
  | "malformed_body"
  | "migration_refused"
  | "mission_state"
  | "names_taken"
  | "no_earlier_version"
  | "no_second_person"
  | "no_version"
  | "not_acceptable"
  | "not_asked"
  | "not_found"
  | "not_invitable"
  | "not_own_listing"
  | "not_paused"
  | "not_requester"
  | "not_runnable"
  | "not_signed_in_personally"
  | "not_the_caller"
  | "not_the_latest_reply"
  | "not_your_delegation"
  | "nothing_changed"
  | "nothing_live"
  | "nothing_to_roll_back"
  | "origin_not_allowed"
  | "overloaded"
  | "own_review"
  | "parts_not_permitted"
  | "persons_only"
  | "plan_not_acceptable"
  | "policy_blocked"
  | "policy_retired"
  | "precondition_required"
  | "proof_not_ready"
  | "publisher_key_changed"
  | "rate_limited"
  | "replacement_not_possible"
  | "result_not_intact"
  | "rotation_refused"
  | "run_already_open"
  | "scan_findings"
  | "schedule_not_possible"
  | "second_person_required"
  | "stale_revision"
  | "template_exists"
  | "token_needs_key"
  | "too_few_examples"
  | "too_many_alerts"
  | "too_many_hooks"
  | "too_many_reports"
  | "too_many_sinks"
  | "too_many_webhooks"
  | "tool_in_use"
  | "training_in_progress"
  | "trigger_not_possible"
  | "unauthenticated"
  | "unknown_budget_scope"
  | "unknown_kind"
  | "unsupported_media_type"
  | "uri_too_long"
  | "workflow_already_live"
  | "workflow_archived"
  | "workflow_exists"
  | "workflow_has_errors"
  | "workflow_not_live"
  | "writes_not_acknowledged"
  | "wrong_state";
