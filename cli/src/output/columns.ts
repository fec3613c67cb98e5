import { textOfMessage } from "./chat-summaries.ts";
import { amountOf } from "./figure-lines.ts";
import { listingColumns } from "./marketplace-summaries.ts";
import type { Column, Row } from "./table.ts";

/** `risk.level` of a row, and of what it holds. */
const at =
  (path: string) =>
  (row: Row): unknown =>
    path
      .split(".")
      .reduce<unknown>(
        (value, step) => (typeof value === "object" && value !== null ? (value as Row)[step] : undefined),
        row,
      );

/** `TITLE=path`; `?` after it where the column is left out of a list without any value for it, and `*` where it is long. */
const columns = (text: string): readonly Column[] =>
  text.split(" ").map((part) => {
    const [title = "", path = ""] = part.replace(/[?*]+$/, "").split("=");
    return {
      title: title.replaceAll("_", " "),
      of: at(path),
      ...(part.includes("?") ? { optional: true } : {}),
      ...(part.endsWith("*") ? { long: true } : {}),
    };
  });

const tasks = columns(
  "TITLE=title* TASK=task_id STATUS=status AGENT=agent SKILL=task RISK=risk.level TRUST=trust_score COST_USD=cost_usd CREATED=created_at HELD=held_by.text?*",
);

/** The columns of lists that people look at most; other lists show what their items hold. */
const chosen: Readonly<Record<string, readonly Column[]>> = {
  "tasks.listTasks": tasks,
  "agents.listAgentTasks": tasks,
  "tasks.listTaskEvents": columns("#=sequence TIME=time EVENT=type DATA=data*"),
  "tasks.listTaskSteps": columns(
    "#=number KIND=kind NAME=name STATE=state FAILURE=failure.detail* VERDICT=verdict COST_USD=cost_usd STARTED=started_at",
  ),
  "audit.listAccess": columns(
    "TIME=time ACTOR=actor KEY=key_id ACTION=action OBJECT=object* DECISION=decision STATUS=status RECORD=audit_ref",
  ),
  "audit.listSinks": columns(
    "SINK=sink_id NAME=name* STOPPED=stopped_reason?* KIND=kind STATE=state POSITION=position BEHIND=lag_records BEHIND_S=lag_seconds SENT=last_sent_at FAILING=failing_since? ERROR=last_error.detail?*",
  ),
  "agents.listAgents": columns(
    "AGENT=agent STATUS=status VERSION=deployment.version PAUSED=paused.mode OWNER=owner DESCRIPTION=description*",
  ),
  "agents.listDeployments": columns(
    "DEPLOYMENT=deployment_id VERSION=version STATE=state SHARE=share OUTCOME=outcome CREATED=created_at NOTE=note* REASON=reason*",
  ),
  "agents.listVersions": columns("VERSION=version ID=version_id CREATED=created_at AUTHOR=author NOTE=note*"),
  "agents.listMemory": columns(
    "TEXT=text* ITEM=memory_id SCOPE=scope USER=user CONVERSATION=conversation_id SOURCE=source_message_id CREATED=created_at",
  ),
  "agents.listSchedules": columns(
    "SCHEDULE=schedule_id STOPPED=stopped_reason?* TIMES=schedule TIME_ZONE=time_zone SKILL=task NEXT=next_at PAUSED=paused.since LAST=last_at TASK=last_task_id SPENT_USD=spent_month_usd ERROR=last_error.detail*",
  ),
  "approvals.listComments": columns("TIME=created_at AUTHOR=author.name* TEXT=text* COMMENT=comment_id"),
  "approvals.listDelegations": columns(
    "DELEGATION=delegation_id STATE=state AWAY=from.name* FOR_THEM=to.name* FROM=starts_at UNTIL=ends_at WHY=reason?* ENDED=ended_reason?*",
  ),
  "approvals.listInbox": columns(
    "KIND=kind TITLE=title* RISK=risk DUE=due_at SINCE=since AGENT=agent MAY=may_act FOR=standing_in_for.name?* ID=id URL=url TEXT=text*",
  ),
  "approvals.listRules": columns(
    "RULE=rule STATE=state VERSION=version TITLE=title* FOUR_EYES=require.four_eyes EXPIRES_S=require.expires_in_seconds BY=author.name* SINCE=created_at",
  ),
  "approvals.listApprovals": columns(
    "TITLE=title* TASK=task_id STATUS=status RISK=risk AGENT=agent SKILL=skill TOOL=tool VOTES=approvals OF=approvers REQUESTER_MAY=requester_allowed CLAIMED=claim.by.name?* FOR=standing_in_for.name?* EXPIRES=expires_at WHY=reasons* HELD=held_by.text?*",
  ),
  "evaluations.listRuns": columns(
    "RUN=run_id AGENT=agent VERSION=version DATASET=dataset OF_VERSION=dataset_version STATE=state VERDICT=verdict COST_USD=usage.cost_usd CREATED=created_at",
  ),
  "evaluations.listReviews": columns(
    "REVIEW=review_id STATE=state AGENT=agent SKILL=skill GIVEN=verdicts_received OF=verdicts_required DRAWN=sampled_at INPUT=input* OUTPUT=output*",
  ),
  "evaluations.listMonitors": columns(
    "MONITOR=monitor_id STOPPED=stopped_reason?* AGENT=agent SKILL=skill SHARE=share DRAWN=drawn OPEN=open ACCEPTED=accepted JUDGED_TWICE=agreement.pairs AGREED=agreement.share KAPPA=agreement.kappa",
  ),
  "knowledge.listBases": columns(
    "BASE=name STATE=health.state DOCUMENTS=documents FAILED=health.documents.failed CHUNKS=chunks CHANGED=updated_at READERS=readers DESCRIPTION=description*",
  ),
  "knowledge.listDocuments": columns(
    "TITLE=title* DOCUMENT=document_id EXTERNAL_ID=external_id STATE=state CHUNKS=chunks PAGES=pages CHANGED=updated_at ERROR=error.detail*",
  ),
  "knowledge.listChunks": columns(
    "#=number PAGE=first_page KIND=kind REVISION=revision DISABLED=disabled TEXT=text* HEADINGS=headings* CITATION=citation",
  ),
  "knowledge.listGaps": columns(
    "QUESTION=question* ASKED=asked LAST=last_asked_at AGENTS=agents BEST_NOW=best.title* RESOLVED=resolved_at",
  ),
  "knowledge.listConnectors": columns(
    "NAME=name STOPPED=stopped_reason?* KIND=kind STATE=state ITEMS=items LAST=last_sync.state LAST_RUN=last_sync.created_at NEXT=next_run_at ERROR=last_sync.error.detail*",
  ),
  "knowledge.listSyncs": columns(
    "SYNC=sync_id STATE=state ADDED=added CHANGED=changed REMOVED=removed FAILED=failed CONNECTOR=connector BEGUN=created_at ERROR=error.detail*",
  ),
  "workflows.listWorkflows": columns(
    "WORKFLOW=name STATUS=status LIVE=live_version SUCCESS=success_rate.rate OF_RUNS=success_rate.runs PAUSED=paused LAST_RUN=last_run.status CHANGED=updated_at DESCRIPTION=description*",
  ),
  "workflows.listVersions": columns("VERSION=number LIVE=live CREATED=created_at AUTHOR=author NOTE=note*"),
  "workflows.listRuns": columns(
    "RUN=run_id STATUS=status VERSION=version TRIGGER=trigger DONE=progress.completed OF=progress.steps COST_USD=cost_usd STARTED=created_at FAILURE=failure.detail* HELD=held_by.text?*",
  ),
  "workflows.listAllRuns": columns(
    "RUN=run_id WORKFLOW=workflow STATUS=status TRIGGER=trigger DONE=progress.completed OF=progress.steps COST_USD=cost_usd STARTED=created_at FAILURE=failure.detail* HELD=held_by.text?*",
  ),
  "workflows.listDeadLetters": columns(
    "RUN=run_id WORKFLOW=workflow STATUS=status AT=at SETTLED=settled_at REASON=reason*",
  ),
  "workflows.listTriggers": columns(
    "TRIGGER=trigger_id STOPPED=stopped_reason?* KIND=kind ORIGIN=origin ACTIVE=active NEXT=next_at LAST=last_at RUN=last_run ERROR=last_error.detail*",
  ),
  "workflows.listRunEvents": columns(
    "#=sequence TIME=time STEP=data.step STATUS=data.status TRY=data.attempt TASK=data.task_id",
  ),
  "missions.listMissions": columns(
    "MISSION=mission_id STATUS=status HEALTH=health REACHED=measured.value TARGET=measure.target SPENT=spend.spent_usd OF_USD=spend.limit_usd ASKS=open_decisions DEADLINE=deadline GOAL=goal* HELD=held_by.text?*",
  ),
  "missions.listMissionTasks": columns(
    "TASK=task_id STEP=step TITLE=title* STATUS=status AGENT=agent SKILL=skill TRUST=trust_score COST_USD=cost_usd",
  ),
  "missions.listTimeline": columns("TIME=at KIND=kind STEP=step TEXT=text* TASK=task_id"),
  "analytics.listReports": columns(
    "REPORT=report_id NAME=name* STOPPED=stopped_reason?* SCHEDULE=schedule PERIOD=period FORMAT=format LAST=last_at NEXT=next_at ERROR=last_error*",
  ),
  "analytics.listReportIssues": columns("ISSUE=issue_id FROM=from TO=to COMPLETE=complete CREATED=created_at"),
  "evaluations.listShadowRuns": columns(
    "RUN=shadow_run_id TASK=task_id SKILL=skill STATE=state SAME=same UP_TO=up_to DIFFERENCES=differences*",
  ),
  "analytics.listAlerts": [
    ...columns(
      "ALERT=alert_id NAME=name* STOPPED=stopped_reason?* MEASURE=measure STATE=state FIRED=fired PAUSED=paused",
    ),
    { title: "VALUE", of: ({ measure, value }) => amountOf(String(measure), value) },
    ...columns("N=n SINCE=state_since"),
  ],
  "chat.listConversations": columns(
    "TITLE=title* CONVERSATION=conversation_id STATE=state ANSWERS=handler.name USER=user MESSAGES=messages LAST=last_message_at BUSY=busy IN_LINE=waiting CHANNEL=channel AGENT=agent HANDED_OFF=handoff.reason* HELD=held_by.text?*",
  ),
  "chat.listMessages": [
    ...columns("#=number ROLE=role AUTHOR=author.name STATUS=status"),
    { title: "TEXT", of: textOfMessage, long: true },
    ...columns("TRUST=trust_score MESSAGE=message_id SENT=created_at TASK=task_id"),
  ],
  "chat.listParticipants": columns(
    "NAME=name KIND=kind VERSION=version MESSAGES=messages MAY_WRITE=active FIRST=first_at LAST=last_at ID=id",
  ),
  "chat.listChannels": columns(
    "CHANNEL=name STOPPED=stopped_reason?* KIND=kind AGENT=agent STATE=state ERROR=last_error* WAITING=deliveries.waiting GIVEN_UP=deliveries.failed LAST_READ=last_read_at CHANGED=updated_at",
  ),
  "chat.listMemories": columns(
    "TEXT=text* MEMORY=memory_id USER=user GENERATED=generated CREATED=created_at CONVERSATION=conversation_id SOURCE=source_message_id",
  ),
  "chat.searchMessages": columns(
    "FOUND=snippet* CONVERSATION=conversation_id #=number AUTHOR=author_name USER=user SENT=created_at TITLE=title*",
  ),
  "marketplace.listListings": listingColumns,
  "marketplace.listVersions": columns(
    "VERSION=version STATE=state STRICT=review_strict SUBMITTED_BY=submitted_by REVIEWED_BY=reviewed_by CREATED=created_at REASON=reason* CHANGES=changes* DIGEST=digest",
  ),
  "marketplace.listInstalls": columns(
    "INSTALL=install_id NAME=name KIND=kind VERSION=version STATE=state NEWER=update.version ASKS_MORE=update.asks_more DRIFT=drift HELD_BY=recall.kind SUFFIX=suffix TITLE=title*",
  ),
  "marketplace.listReviews": columns(
    "STARS=stars VERSION=version INSTALLED=installed TEXT=text* MEMBER=member AT=updated_at",
  ),
  "marketplace.listReports": columns(
    "REPORT=report_id KIND=kind VERSION=version DETAIL=detail* BY=reported_by AT=created_at",
  ),
  "marketplace.listRecalls": columns(
    "RECALL=recall_id KIND=kind NAME=name AT=at DONE=done INSTALLS=installs LIFTED=lifted_at REASON=reason*",
  ),
  "admin.listKeys": columns(
    "KEY=key_id NAME=name* ROLE=role STATE=state START=start LAST_USED=last_used_at EXPIRES=expires_at",
  ),
  "admin.listMembers": columns("MEMBER=member_id NAME=name* KIND=kind ROLES=roles*"),
  "admin.listTeams": columns(
    "TEAM=team TITLE=title* ASSIGNMENT=assignment OPEN=open OPENS=opens_at UPDATED=updated_at",
  ),
  "governance.listConfirmations": columns(
    "OBJECT=object* HOW=how BY=confirmed_by_name* AT=confirmed_at DIGEST=digest*",
  ),
  "governance.listPolicies": columns(
    "POLICY=policy_id STATE=state VERSION=version EFFECT=effect HITS_30D=violations_30d NAME=name*",
  ),
  "governance.listViolations": columns(
    "TIME=at KIND=kind SOURCE=source ACTION=action AGENT=agent RECORD=audit_ref MESSAGE=message*",
  ),
  "audit.listEvents": columns(
    "RECORD=audit_ref TIME=time ACTOR=actor ACTION=action OBJECT=object* DECISION=decision STATUS=status CODE=code",
  ),
};

const most = 8;

export function columnsOfList(id: string, rows: readonly Row[]): readonly Column[] {
  const known = chosen[id];
  if (known !== undefined)
    return known.filter(({ of, optional }) =>
      optional === true
        ? rows.some((row) => (of(row) ?? null) !== null)
        : rows.length === 0 || rows.some((row) => of(row) !== undefined),
    );
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.every((row) => isPlain(row[name])),
  );
  const shown = names
    .filter((name) => rows.some((row) => row[name] !== null && row[name] !== undefined))
    .slice(0, most);
  return shown.map((name) => ({
    title: name.toUpperCase().replaceAll("_", " "),
    of: at(name),
    ...(isLong(name, rows) ? { long: true } : {}),
  }));
}

const isPlain = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (Array.isArray(value) && value.every((item) => typeof item !== "object"));
const isLong = (name: string, rows: readonly Row[]): boolean => rows.some((row) => String(row[name] ?? "").length > 40);
