// Made by `npm run gen` from openapi/openapi.json. Not for editing.

export interface paths {
  "/v1/admin/connections": {
    get: operations["admin.listConnections"];
    post: operations["admin.addConnection"];
  };
  "/v1/admin/connections/{connection}": {
    delete: operations["admin.removeConnection"];
  };
  "/v1/admin/connections/{connection}/test": {
    post: operations["admin.testConnection"];
  };
  "/v1/admin/keys": {
    get: operations["admin.listKeys"];
    post: operations["admin.issueKey"];
  };
  "/v1/admin/keys/{key}": {
    delete: operations["admin.revokeKey"];
  };
  "/v1/admin/members": {
    get: operations["admin.listMembers"];
  };
  "/v1/admin/members/{member}": {
    get: operations["admin.readMember"];
    put: operations["admin.setMember"];
  };
  "/v1/admin/members/{member}/invitation": {
    post: operations["admin.inviteMember"];
  };
  "/v1/admin/sessions": {
    get: operations["admin.listSessions"];
  };
  "/v1/admin/sessions/{session}": {
    delete: operations["admin.revokeSession"];
  };
  "/v1/admin/settings": {
    get: operations["admin.readSettings"];
    patch: operations["admin.changeSettings"];
  };
  "/v1/admin/whoami": {
    get: operations["admin.whoami"];
  };
  "/v1/agents": {
    get: operations["agents.listAgents"];
    post: operations["agents.createAgent"];
  };
  "/v1/agents/{agent}": {
    get: operations["agents.readAgent"];
    delete: operations["agents.archiveAgent"];
    patch: operations["agents.changeDraft"];
  };
  "/v1/agents/{agent}/card": {
    get: operations["agents.readCard"];
  };
  "/v1/agents/{agent}/clone": {
    post: operations["agents.cloneAgent"];
  };
  "/v1/agents/{agent}/compare": {
    post: operations["agents.compareDraft"];
  };
  "/v1/agents/{agent}/dependents": {
    get: operations["agents.readDependents"];
  };
  "/v1/agents/{agent}/deployments": {
    get: operations["agents.listDeployments"];
    post: operations["agents.deployVersion"];
  };
  "/v1/agents/{agent}/deployments/{deployment}": {
    patch: operations["agents.changeDeployment"];
  };
  "/v1/agents/{agent}/health": {
    get: operations["agents.readHealth"];
  };
  "/v1/agents/{agent}/memory": {
    get: operations["agents.listMemory"];
  };
  "/v1/agents/{agent}/memory/{item}": {
    delete: operations["agents.forgetMemory"];
  };
  "/v1/agents/{agent}/pause": {
    post: operations["agents.pauseAgent"];
  };
  "/v1/agents/{agent}/preview": {
    post: operations["agents.previewAgent"];
  };
  "/v1/agents/{agent}/restore": {
    post: operations["agents.restoreAgent"];
  };
  "/v1/agents/{agent}/resume": {
    post: operations["agents.resumeAgent"];
  };
  "/v1/agents/{agent}/rollback": {
    post: operations["agents.rollback"];
  };
  "/v1/agents/{agent}/schedules": {
    get: operations["agents.listSchedules"];
    post: operations["agents.createSchedule"];
  };
  "/v1/agents/{agent}/schedules/{schedule}": {
    delete: operations["agents.removeSchedule"];
    patch: operations["agents.changeSchedule"];
  };
  "/v1/agents/{agent}/schema": {
    get: operations["agents.readSkillSchemas"];
  };
  "/v1/agents/{agent}/tasks": {
    get: operations["agents.listAgentTasks"];
    post: operations["agents.dispatchTask"];
  };
  "/v1/agents/{agent}/tools": {
    get: operations["agents.listTools"];
  };
  "/v1/agents/{agent}/tools/{tool}": {
    put: operations["agents.bindTool"];
    delete: operations["agents.unbindTool"];
  };
  "/v1/agents/{agent}/tools/{tool}/test": {
    post: operations["agents.testTool"];
  };
  "/v1/agents/{agent}/training": {
    post: operations["agents.startTraining"];
  };
  "/v1/agents/{agent}/training/{job}": {
    get: operations["agents.readTraining"];
  };
  "/v1/agents/{agent}/training/{job}/cancel": {
    post: operations["agents.cancelTraining"];
  };
  "/v1/agents/{agent}/transfer": {
    post: operations["agents.transferAgent"];
  };
  "/v1/agents/{agent}/trust": {
    get: operations["agents.readTrust"];
  };
  "/v1/agents/{agent}/validate": {
    post: operations["agents.validateDraft"];
  };
  "/v1/agents/{agent}/versions": {
    get: operations["agents.listVersions"];
    post: operations["agents.freezeVersion"];
  };
  "/v1/agents/{agent}/versions/{version}": {
    get: operations["agents.readVersion"];
  };
  "/v1/analytics/agents/{agent}": {
    get: operations["analytics.readAgentFigures"];
  };
  "/v1/analytics/alerts": {
    get: operations["analytics.listAlerts"];
    post: operations["analytics.createAlert"];
  };
  "/v1/analytics/alerts/{alert}": {
    get: operations["analytics.readAlert"];
    delete: operations["analytics.removeAlert"];
    patch: operations["analytics.changeAlert"];
  };
  "/v1/analytics/anomalies": {
    get: operations["analytics.readAnomalies"];
  };
  "/v1/analytics/approvals": {
    get: operations["analytics.readApprovalFigures"];
  };
  "/v1/analytics/chargeback": {
    get: operations["analytics.readChargeback"];
  };
  "/v1/analytics/costs": {
    get: operations["analytics.readCosts"];
  };
  "/v1/analytics/experiments/{deployment}": {
    get: operations["analytics.readExperiment"];
  };
  "/v1/analytics/knowledge": {
    get: operations["analytics.readKnowledgeFigures"];
  };
  "/v1/analytics/models": {
    get: operations["analytics.readModelUse"];
  };
  "/v1/analytics/overview": {
    get: operations["analytics.readOverview"];
  };
  "/v1/analytics/quality": {
    get: operations["analytics.readQuality"];
  };
  "/v1/analytics/query": {
    post: operations["analytics.queryFigures"];
  };
  "/v1/analytics/realtime": {
    get: operations["analytics.readRealtime"];
  };
  "/v1/analytics/rebuild": {
    get: operations["analytics.readRebuild"];
    post: operations["analytics.rebuildFigures"];
  };
  "/v1/analytics/reports": {
    get: operations["analytics.listReports"];
    post: operations["analytics.createReport"];
  };
  "/v1/analytics/reports/{report}": {
    get: operations["analytics.readReport"];
    delete: operations["analytics.removeReport"];
  };
  "/v1/analytics/reports/{report}/issues": {
    get: operations["analytics.listReportIssues"];
  };
  "/v1/analytics/reports/{report}/issues/{issue}": {
    get: operations["analytics.readReportIssue"];
  };
  "/v1/analytics/risk": {
    get: operations["analytics.readRisk"];
  };
  "/v1/analytics/schema": {
    get: operations["analytics.readSchema"];
  };
  "/v1/analytics/tasks": {
    get: operations["analytics.readTaskFunnel"];
  };
  "/v1/analytics/tools": {
    get: operations["analytics.readToolUse"];
  };
  "/v1/analytics/usage": {
    get: operations["analytics.readUsage"];
  };
  "/v1/analytics/value": {
    get: operations["analytics.readValue"];
  };
  "/v1/approvals": {
    get: operations["approvals.listApprovals"];
  };
  "/v1/approvals/bulk": {
    post: operations["approvals.bulk"];
  };
  "/v1/approvals/inbox": {
    get: operations["approvals.listInbox"];
  };
  "/v1/approvals/{approval}": {
    get: operations["approvals.readApproval"];
  };
  "/v1/approvals/{approval}/approve": {
    post: operations["approvals.approve"];
  };
  "/v1/approvals/{approval}/delegate": {
    post: operations["approvals.delegate"];
  };
  "/v1/approvals/{approval}/reject": {
    post: operations["approvals.reject"];
  };
  "/v1/approvals/{approval}/request-changes": {
    post: operations["approvals.requestChanges"];
  };
  "/v1/audit/checkpoint": {
    get: operations["audit.readCheckpoint"];
  };
  "/v1/audit/events": {
    get: operations["audit.listEvents"];
  };
  "/v1/audit/events/{audit_ref}": {
    get: operations["audit.readEvent"];
  };
  "/v1/audit/events/{audit_ref}/proof": {
    get: operations["audit.readProof"];
  };
  "/v1/audit/exports": {
    post: operations["audit.startExport"];
  };
  "/v1/audit/exports/{audit_export}": {
    get: operations["audit.readExport"];
  };
  "/v1/chat/channels": {
    get: operations["chat.listChannels"];
  };
  "/v1/chat/channels/{channel}": {
    put: operations["chat.setChannel"];
    delete: operations["chat.removeChannel"];
  };
  "/v1/chat/conversations": {
    get: operations["chat.listConversations"];
    post: operations["chat.startConversation"];
  };
  "/v1/chat/conversations/{conversation}": {
    get: operations["chat.readConversation"];
    delete: operations["chat.deleteConversation"];
    patch: operations["chat.changeConversation"];
  };
  "/v1/chat/conversations/{conversation}/compact": {
    post: operations["chat.compactConversation"];
  };
  "/v1/chat/conversations/{conversation}/export": {
    post: operations["chat.exportConversation"];
  };
  "/v1/chat/conversations/{conversation}/files": {
    post: operations["chat.addFile"];
  };
  "/v1/chat/conversations/{conversation}/files/{file}": {
    get: operations["chat.readFile"];
  };
  "/v1/chat/conversations/{conversation}/fork": {
    post: operations["chat.forkConversation"];
  };
  "/v1/chat/conversations/{conversation}/handoff": {
    post: operations["chat.handoffConversation"];
  };
  "/v1/chat/conversations/{conversation}/messages": {
    get: operations["chat.listMessages"];
    post: operations["chat.sendMessage"];
  };
  "/v1/chat/conversations/{conversation}/messages/{message}": {
    get: operations["chat.readMessage"];
    delete: operations["chat.retractMessage"];
  };
  "/v1/chat/conversations/{conversation}/messages/{message}/feedback": {
    post: operations["chat.rateMessage"];
  };
  "/v1/chat/conversations/{conversation}/messages/{message}/regenerate": {
    post: operations["chat.regenerateMessage"];
  };
  "/v1/chat/conversations/{conversation}/participants": {
    get: operations["chat.listParticipants"];
  };
  "/v1/chat/conversations/{conversation}/return": {
    post: operations["chat.returnConversation"];
  };
  "/v1/chat/conversations/{conversation}/stop": {
    post: operations["chat.stopReply"];
  };
  "/v1/chat/conversations/{conversation}/stream": {
    get: operations["chat.followConversation"];
  };
  "/v1/chat/conversations/{conversation}/suggestions": {
    get: operations["chat.readSuggestions"];
  };
  "/v1/chat/conversations/{conversation}/take": {
    post: operations["chat.takeConversation"];
  };
  "/v1/chat/conversations/{conversation}/transfer": {
    post: operations["chat.transferConversation"];
  };
  "/v1/chat/memories": {
    get: operations["chat.listMemories"];
    post: operations["chat.createMemory"];
  };
  "/v1/chat/memories/{memory}": {
    delete: operations["chat.deleteMemory"];
  };
  "/v1/chat/search": {
    post: operations["chat.searchMessages"];
  };
  "/v1/chat/tokens": {
    post: operations["chat.createToken"];
  };
  "/v1/evaluations/datasets": {
    get: operations["evaluations.listDatasets"];
    post: operations["evaluations.createDataset"];
  };
  "/v1/evaluations/datasets/{dataset}/items": {
    post: operations["evaluations.addItems"];
  };
  "/v1/evaluations/gates/{agent}": {
    get: operations["evaluations.readGate"];
    put: operations["evaluations.setGate"];
  };
  "/v1/evaluations/monitors": {
    get: operations["evaluations.listMonitors"];
    post: operations["evaluations.createMonitor"];
  };
  "/v1/evaluations/monitors/{monitor}": {
    delete: operations["evaluations.removeMonitor"];
  };
  "/v1/evaluations/reviews": {
    get: operations["evaluations.listReviews"];
  };
  "/v1/evaluations/reviews/{review}": {
    post: operations["evaluations.submitReview"];
  };
  "/v1/evaluations/runs": {
    get: operations["evaluations.listRuns"];
    post: operations["evaluations.startRun"];
  };
  "/v1/evaluations/runs/{run}": {
    get: operations["evaluations.readRun"];
  };
  "/v1/evaluations/scorers": {
    get: operations["evaluations.listScorers"];
  };
  "/v1/evaluations/scorers/{scorer}": {
    get: operations["evaluations.readScorer"];
    put: operations["evaluations.setScorer"];
  };
  "/v1/evaluations/shadows/{deployment}": {
    get: operations["evaluations.readShadow"];
  };
  "/v1/evaluations/shadows/{deployment}/runs": {
    get: operations["evaluations.listShadowRuns"];
  };
  "/v1/governance/budgets": {
    get: operations["governance.listBudgets"];
  };
  "/v1/governance/budgets/{scope}": {
    get: operations["governance.readBudget"];
    put: operations["governance.setBudget"];
  };
  "/v1/governance/check": {
    post: operations["governance.check"];
  };
  "/v1/governance/confirmations": {
    get: operations["governance.listConfirmations"];
    post: operations["governance.confirm"];
  };
  "/v1/governance/contents/{object}": {
    get: operations["governance.readContent"];
  };
  "/v1/governance/kill-switch": {
    get: operations["governance.listKillSwitches"];
    post: operations["governance.engageKillSwitch"];
  };
  "/v1/governance/kill-switch/{kill_switch}": {
    delete: operations["governance.releaseKillSwitch"];
  };
  "/v1/governance/policies": {
    get: operations["governance.listPolicies"];
    post: operations["governance.createPolicy"];
  };
  "/v1/governance/policies/simulate": {
    post: operations["governance.simulatePolicy"];
  };
  "/v1/governance/policies/{policy}": {
    get: operations["governance.readPolicy"];
    put: operations["governance.replacePolicy"];
    delete: operations["governance.retirePolicy"];
  };
  "/v1/governance/take-overs": {
    post: operations["governance.takeOver"];
  };
  "/v1/governance/violations": {
    get: operations["governance.listViolations"];
  };
  "/v1/hooks": {
    get: operations["workflows.listHooks"];
    post: operations["workflows.createHook"];
  };
  "/v1/hooks/{hook}": {
    delete: operations["workflows.removeHook"];
  };
  "/v1/hooks/{hook}/rotate-secret": {
    post: operations["workflows.rotateSecret"];
  };
  "/v1/knowledge/bases": {
    get: operations["knowledge.listBases"];
    post: operations["knowledge.createBase"];
  };
  "/v1/knowledge/bases/{base}": {
    get: operations["knowledge.readBase"];
    delete: operations["knowledge.deleteBase"];
    patch: operations["knowledge.changeBase"];
  };
  "/v1/knowledge/bases/{base}/connectors": {
    get: operations["knowledge.listConnectors"];
    post: operations["knowledge.createConnector"];
  };
  "/v1/knowledge/bases/{base}/connectors/{connector}": {
    delete: operations["knowledge.removeConnector"];
    patch: operations["knowledge.changeConnector"];
  };
  "/v1/knowledge/bases/{base}/documents": {
    get: operations["knowledge.listDocuments"];
    post: operations["knowledge.addDocument"];
  };
  "/v1/knowledge/bases/{base}/documents/bulk": {
    post: operations["knowledge.addDocuments"];
  };
  "/v1/knowledge/bases/{base}/documents/{document}": {
    get: operations["knowledge.readDocument"];
    put: operations["knowledge.replaceDocument"];
    delete: operations["knowledge.deleteDocument"];
  };
  "/v1/knowledge/bases/{base}/documents/{document}/access": {
    put: operations["knowledge.setAccess"];
  };
  "/v1/knowledge/bases/{base}/documents/{document}/chunks": {
    get: operations["knowledge.listChunks"];
  };
  "/v1/knowledge/bases/{base}/documents/{document}/chunks/{chunk}": {
    patch: operations["knowledge.changeChunk"];
  };
  "/v1/knowledge/bases/{base}/documents/{document}/reindex": {
    post: operations["knowledge.reindexDocument"];
  };
  "/v1/knowledge/bases/{base}/documents/{document}/restore": {
    post: operations["knowledge.restoreVersion"];
  };
  "/v1/knowledge/bases/{base}/documents/{document}/review": {
    post: operations["knowledge.reviewDocument"];
  };
  "/v1/knowledge/bases/{base}/documents/{document}/versions": {
    get: operations["knowledge.listVersions"];
  };
  "/v1/knowledge/bases/{base}/export": {
    get: operations["knowledge.readExport"];
    post: operations["knowledge.exportBase"];
  };
  "/v1/knowledge/bases/{base}/gaps": {
    get: operations["knowledge.listGaps"];
  };
  "/v1/knowledge/bases/{base}/stale": {
    get: operations["knowledge.listStale"];
  };
  "/v1/knowledge/bases/{base}/sync": {
    post: operations["knowledge.startSync"];
  };
  "/v1/knowledge/bases/{base}/syncs": {
    get: operations["knowledge.listSyncs"];
  };
  "/v1/knowledge/bases/{base}/syncs/{sync}": {
    get: operations["knowledge.readSync"];
  };
  "/v1/knowledge/bases/{base}/test": {
    post: operations["knowledge.testBase"];
  };
  "/v1/knowledge/citations/{citation}": {
    get: operations["knowledge.readCitation"];
  };
  "/v1/knowledge/search": {
    post: operations["knowledge.search"];
  };
  "/v1/marketplace/installs": {
    get: operations["marketplace.listInstalls"];
  };
  "/v1/marketplace/installs/{install}": {
    get: operations["marketplace.readInstall"];
    delete: operations["marketplace.removeInstall"];
  };
  "/v1/marketplace/installs/{install}/reset": {
    post: operations["marketplace.resetInstall"];
  };
  "/v1/marketplace/installs/{install}/update": {
    post: operations["marketplace.updateInstall"];
  };
  "/v1/marketplace/listings": {
    get: operations["marketplace.listListings"];
    post: operations["marketplace.createListing"];
  };
  "/v1/marketplace/listings/{listing}": {
    get: operations["marketplace.readListing"];
    delete: operations["marketplace.withdrawListing"];
    patch: operations["marketplace.changeListing"];
  };
  "/v1/marketplace/listings/{listing}/install": {
    post: operations["marketplace.installListing"];
  };
  "/v1/marketplace/listings/{listing}/preview": {
    post: operations["marketplace.previewInstall"];
  };
  "/v1/marketplace/listings/{listing}/report": {
    post: operations["marketplace.reportListing"];
  };
  "/v1/marketplace/listings/{listing}/reports": {
    get: operations["marketplace.listReports"];
  };
  "/v1/marketplace/listings/{listing}/review": {
    post: operations["marketplace.reviewListing"];
  };
  "/v1/marketplace/listings/{listing}/reviews": {
    get: operations["marketplace.listReviews"];
    post: operations["marketplace.rateListing"];
  };
  "/v1/marketplace/listings/{listing}/scan": {
    get: operations["marketplace.readScan"];
  };
  "/v1/marketplace/listings/{listing}/versions": {
    get: operations["marketplace.listVersions"];
    post: operations["marketplace.createVersion"];
  };
  "/v1/marketplace/listings/{listing}/versions/{version}": {
    get: operations["marketplace.readVersion"];
  };
  "/v1/marketplace/publishers/{publisher}": {
    get: operations["marketplace.readPublisher"];
  };
  "/v1/marketplace/publishers/{publisher}/rotate": {
    post: operations["marketplace.rotateKey"];
  };
  "/v1/marketplace/recalls": {
    get: operations["marketplace.listRecalls"];
  };
  "/v1/missions": {
    get: operations["missions.listMissions"];
    post: operations["missions.createMission"];
  };
  "/v1/missions/templates": {
    get: operations["missions.listTemplates"];
    post: operations["missions.saveTemplate"];
  };
  "/v1/missions/{mission}": {
    get: operations["missions.readMission"];
    patch: operations["missions.changeMission"];
  };
  "/v1/missions/{mission}/budget": {
    get: operations["missions.readMissionBudget"];
  };
  "/v1/missions/{mission}/cancel": {
    post: operations["missions.cancelMission"];
  };
  "/v1/missions/{mission}/clone": {
    post: operations["missions.cloneMission"];
  };
  "/v1/missions/{mission}/complete": {
    post: operations["missions.completeMission"];
  };
  "/v1/missions/{mission}/decisions": {
    post: operations["missions.askDecision"];
  };
  "/v1/missions/{mission}/decisions/{decision}": {
    post: operations["missions.answerDecision"];
  };
  "/v1/missions/{mission}/pause": {
    post: operations["missions.pauseMission"];
  };
  "/v1/missions/{mission}/plan": {
    post: operations["missions.planMission"];
  };
  "/v1/missions/{mission}/plans": {
    get: operations["missions.listPlans"];
  };
  "/v1/missions/{mission}/plans/{plan}/accept": {
    post: operations["missions.acceptPlan"];
  };
  "/v1/missions/{mission}/report": {
    get: operations["missions.readReport"];
  };
  "/v1/missions/{mission}/risks": {
    get: operations["missions.readMissionRisks"];
  };
  "/v1/missions/{mission}/start": {
    post: operations["missions.startMission"];
  };
  "/v1/missions/{mission}/tasks": {
    get: operations["missions.listMissionTasks"];
    post: operations["missions.addTask"];
  };
  "/v1/missions/{mission}/timeline": {
    get: operations["missions.listTimeline"];
  };
  "/v1/tasks": {
    get: operations["tasks.listTasks"];
  };
  "/v1/tasks/batch": {
    post: operations["tasks.dispatchBatch"];
  };
  "/v1/tasks/{task}": {
    get: operations["tasks.readTask"];
    patch: operations["tasks.changeTask"];
  };
  "/v1/tasks/{task}/cancel": {
    post: operations["tasks.cancelTask"];
  };
  "/v1/tasks/{task}/events": {
    get: operations["tasks.listTaskEvents"];
  };
  "/v1/tasks/{task}/feedback": {
    get: operations["tasks.listFeedback"];
    post: operations["tasks.submitFeedback"];
  };
  "/v1/tasks/{task}/input": {
    post: operations["tasks.submitInput"];
  };
  "/v1/tasks/{task}/result": {
    get: operations["tasks.readTaskResult"];
  };
  "/v1/tasks/{task}/retry": {
    post: operations["tasks.retryTask"];
  };
  "/v1/tasks/{task}/steps": {
    get: operations["tasks.listTaskSteps"];
  };
  "/v1/webhooks": {
    get: operations["webhooks.listWebhooks"];
    post: operations["webhooks.createWebhook"];
  };
  "/v1/webhooks/event-types": {
    get: operations["webhooks.listEventTypes"];
  };
  "/v1/webhooks/events": {
    get: operations["webhooks.listEvents"];
  };
  "/v1/webhooks/events/{event}/content": {
    get: operations["webhooks.readEvent"];
  };
  "/v1/webhooks/stream": {
    get: operations["webhooks.streamEvents"];
  };
  "/v1/webhooks/{webhook}": {
    get: operations["webhooks.readWebhook"];
    delete: operations["webhooks.removeWebhook"];
    patch: operations["webhooks.changeWebhook"];
  };
  "/v1/webhooks/{webhook}/deliveries": {
    get: operations["webhooks.listDeliveries"];
  };
  "/v1/webhooks/{webhook}/deliveries/{delivery}": {
    get: operations["webhooks.readDelivery"];
  };
  "/v1/webhooks/{webhook}/deliveries/{delivery}/retry": {
    post: operations["webhooks.retryDelivery"];
  };
  "/v1/webhooks/{webhook}/recover": {
    post: operations["webhooks.recover"];
  };
  "/v1/webhooks/{webhook}/rotate-secret": {
    post: operations["webhooks.rotateSecret"];
  };
  "/v1/webhooks/{webhook}/test": {
    post: operations["webhooks.testWebhook"];
  };
  "/v1/workflows": {
    get: operations["workflows.listWorkflows"];
    post: operations["workflows.createWorkflow"];
  };
  "/v1/workflows/dead-letters": {
    get: operations["workflows.listDeadLetters"];
  };
  "/v1/workflows/generate": {
    post: operations["workflows.generateWorkflow"];
  };
  "/v1/workflows/runs": {
    get: operations["workflows.listAllRuns"];
  };
  "/v1/workflows/runs/bulk": {
    post: operations["workflows.controlRuns"];
  };
  "/v1/workflows/step-types": {
    get: operations["workflows.listStepTypes"];
  };
  "/v1/workflows/{workflow}": {
    get: operations["workflows.readWorkflow"];
    put: operations["workflows.replaceDraft"];
    delete: operations["workflows.archiveWorkflow"];
  };
  "/v1/workflows/{workflow}/compare": {
    post: operations["workflows.compareDraft"];
  };
  "/v1/workflows/{workflow}/graph": {
    get: operations["workflows.readWorkflowGraph"];
  };
  "/v1/workflows/{workflow}/pause": {
    post: operations["workflows.pauseWorkflow"];
  };
  "/v1/workflows/{workflow}/publish": {
    post: operations["workflows.publishWorkflow"];
  };
  "/v1/workflows/{workflow}/resume": {
    post: operations["workflows.resumeWorkflow"];
  };
  "/v1/workflows/{workflow}/rollback": {
    post: operations["workflows.rollback"];
  };
  "/v1/workflows/{workflow}/runs": {
    get: operations["workflows.listRuns"];
    post: operations["workflows.startRun"];
  };
  "/v1/workflows/{workflow}/runs/{run}": {
    get: operations["workflows.readRun"];
  };
  "/v1/workflows/{workflow}/runs/{run}/compensate": {
    post: operations["workflows.compensateRun"];
  };
  "/v1/workflows/{workflow}/runs/{run}/control": {
    post: operations["workflows.controlRun"];
  };
  "/v1/workflows/{workflow}/runs/{run}/events": {
    get: operations["workflows.listRunEvents"];
  };
  "/v1/workflows/{workflow}/runs/{run}/signal": {
    post: operations["workflows.signalRun"];
  };
  "/v1/workflows/{workflow}/test": {
    post: operations["workflows.testWorkflow"];
  };
  "/v1/workflows/{workflow}/triggers": {
    get: operations["workflows.listTriggers"];
    post: operations["workflows.addTrigger"];
  };
  "/v1/workflows/{workflow}/triggers/{trigger}": {
    delete: operations["workflows.removeTrigger"];
  };
  "/v1/workflows/{workflow}/validate": {
    post: operations["workflows.validateWorkflow"];
  };
  "/v1/workflows/{workflow}/versions": {
    get: operations["workflows.listVersions"];
  };
  "/v1/workflows/{workflow}/versions/{version}": {
    get: operations["workflows.readVersion"];
  };
}
export interface webhooks {
  "agent.paused": {
    post: operations["webhook.agent.paused"];
  };
  "agent.resumed": {
    post: operations["webhook.agent.resumed"];
  };
  "analytics.alert.cleared": {
    post: operations["webhook.analytics.alert.cleared"];
  };
  "analytics.alert.fired": {
    post: operations["webhook.analytics.alert.fired"];
  };
  "analytics.report.ready": {
    post: operations["webhook.analytics.report.ready"];
  };
  "approval.decided": {
    post: operations["webhook.approval.decided"];
  };
  "approval.delegated": {
    post: operations["webhook.approval.delegated"];
  };
  "approval.escalated": {
    post: operations["webhook.approval.escalated"];
  };
  "approval.expiring": {
    post: operations["webhook.approval.expiring"];
  };
  "audit.export_ready": {
    post: operations["webhook.audit.export_ready"];
  };
  "audit.log_stopped": {
    post: operations["webhook.audit.log_stopped"];
  };
  "automation.stopped": {
    post: operations["webhook.automation.stopped"];
  };
  "automation.taken_over": {
    post: operations["webhook.automation.taken_over"];
  };
  "budget.exhausted": {
    post: operations["webhook.budget.exhausted"];
  };
  "budget.warning": {
    post: operations["webhook.budget.warning"];
  };
  "chat.conversation_closed": {
    post: operations["webhook.chat.conversation_closed"];
  };
  "chat.conversation_started": {
    post: operations["webhook.chat.conversation_started"];
  };
  "chat.handoff_requested": {
    post: operations["webhook.chat.handoff_requested"];
  };
  "chat.handoff_taken": {
    post: operations["webhook.chat.handoff_taken"];
  };
  "chat.handoff_waiting": {
    post: operations["webhook.chat.handoff_waiting"];
  };
  "chat.message_completed": {
    post: operations["webhook.chat.message_completed"];
  };
  "chat.returned": {
    post: operations["webhook.chat.returned"];
  };
  "content.confirmed": {
    post: operations["webhook.content.confirmed"];
  };
  "deployment.aborted": {
    post: operations["webhook.deployment.aborted"];
  };
  "deployment.changed": {
    post: operations["webhook.deployment.changed"];
  };
  "deployment.shadow_ended": {
    post: operations["webhook.deployment.shadow_ended"];
  };
  "deployment.started": {
    post: operations["webhook.deployment.started"];
  };
  "evaluation.completed": {
    post: operations["webhook.evaluation.completed"];
  };
  "evaluation.gate_failed": {
    post: operations["webhook.evaluation.gate_failed"];
  };
  "hook.received": {
    post: operations["webhook.hook.received"];
  };
  "install.completed": {
    post: operations["webhook.install.completed"];
  };
  "install.recalled": {
    post: operations["webhook.install.recalled"];
  };
  "install.removed": {
    post: operations["webhook.install.removed"];
  };
  "key.expiring": {
    post: operations["webhook.key.expiring"];
  };
  "key.revoked": {
    post: operations["webhook.key.revoked"];
  };
  "kill_switch.engaged": {
    post: operations["webhook.kill_switch.engaged"];
  };
  "kill_switch.released": {
    post: operations["webhook.kill_switch.released"];
  };
  "knowledge.base.deleted": {
    post: operations["webhook.knowledge.base.deleted"];
  };
  "knowledge.base.reindexed": {
    post: operations["webhook.knowledge.base.reindexed"];
  };
  "knowledge.document.deleted": {
    post: operations["webhook.knowledge.document.deleted"];
  };
  "knowledge.document.failed": {
    post: operations["webhook.knowledge.document.failed"];
  };
  "knowledge.document.indexed": {
    post: operations["webhook.knowledge.document.indexed"];
  };
  "knowledge.sync.completed": {
    post: operations["webhook.knowledge.sync.completed"];
  };
  "knowledge.sync.failed": {
    post: operations["webhook.knowledge.sync.failed"];
  };
  "listing.recalled": {
    post: operations["webhook.listing.recalled"];
  };
  "listing.reported": {
    post: operations["webhook.listing.reported"];
  };
  "listing.reviewed": {
    post: operations["webhook.listing.reviewed"];
  };
  "listing.submitted": {
    post: operations["webhook.listing.submitted"];
  };
  "mission.cancelled": {
    post: operations["webhook.mission.cancelled"];
  };
  "mission.completed": {
    post: operations["webhook.mission.completed"];
  };
  "mission.decision_required": {
    post: operations["webhook.mission.decision_required"];
  };
  "mission.finished": {
    post: operations["webhook.mission.finished"];
  };
  "mission.paused": {
    post: operations["webhook.mission.paused"];
  };
  "mission.replanned": {
    post: operations["webhook.mission.replanned"];
  };
  "mission.started": {
    post: operations["webhook.mission.started"];
  };
  ping: {
    post: operations["webhook.ping"];
  };
  "policy.blocked": {
    post: operations["webhook.policy.blocked"];
  };
  "policy.warned": {
    post: operations["webhook.policy.warned"];
  };
  "schedule.failed": {
    post: operations["webhook.schedule.failed"];
  };
  "task.approval_required": {
    post: operations["webhook.task.approval_required"];
  };
  "task.approved": {
    post: operations["webhook.task.approved"];
  };
  "task.blocked": {
    post: operations["webhook.task.blocked"];
  };
  "task.cancelled": {
    post: operations["webhook.task.cancelled"];
  };
  "task.completed": {
    post: operations["webhook.task.completed"];
  };
  "task.created": {
    post: operations["webhook.task.created"];
  };
  "task.expired": {
    post: operations["webhook.task.expired"];
  };
  "task.failed": {
    post: operations["webhook.task.failed"];
  };
  "task.input_required": {
    post: operations["webhook.task.input_required"];
  };
  "task.rejected": {
    post: operations["webhook.task.rejected"];
  };
  "task.started": {
    post: operations["webhook.task.started"];
  };
  "webhook.disabled": {
    post: operations["webhook.webhook.disabled"];
  };
  "workflow.run.cancelled": {
    post: operations["webhook.workflow.run.cancelled"];
  };
  "workflow.run.compensated": {
    post: operations["webhook.workflow.run.compensated"];
  };
  "workflow.run.completed": {
    post: operations["webhook.workflow.run.completed"];
  };
  "workflow.run.failed": {
    post: operations["webhook.workflow.run.failed"];
  };
  "workflow.run.signalled": {
    post: operations["webhook.workflow.run.signalled"];
  };
  "workflow.run.started": {
    post: operations["webhook.workflow.run.started"];
  };
}
export interface components {
  schemas: {
    AccountableContent: {
      /** @description Content by its kind and name, such as `agent:sales@3`, `workflow:refund@2`, `trigger:wtr_…` and `connection:crm`. */
      object: string;
      /** @description Identifies this exact content; any change gives another digest. */
      digest: string;
      /** @description Where to read the content itself in the interface. */
      path: string;
      /** @description The agents that it concerns; null: none in particular. */
      agents: string[] | null;
      /** @description The authors of it and of what it is built on, as far as no second person has reviewed that: each person once for each deed, with its latest time. */
      deciders: components["schemas"]["AccountablePerson"][];
      /** @description The review of this exact content in this environment. Null: there was none, so its authors cannot approve calls that use it. */
      confirmed: components["schemas"]["Confirmation"] | null;
      /** @description Whether you may confirm it now, and if not, why. */
      may_confirm: {
        allowed: boolean;
        reason: string | null;
      };
    };
    AccountablePerson: {
      /** @description Who did it. */
      member: {
        /** @description `mbr_…`. */
        id: string;
        /** @description As the organization knows them; the id where there is no name. */
        name: string;
        /** @enum {string} */
        kind: "person" | "service_account" | "system";
      };
      /**
       * @description What they did, as a word for programs.
       * @enum {string}
       */
      how: "owner" | "issuer" | "named" | "took_over" | "input" | "edited" | "note" | "answered" | "signalled" | "secret" | "event" | "skipped" | "planned" | "wrote" | "channel" | "agent" | "trained" | "corrected" | "deployed" | "workflow" | "trigger" | "schedule" | "connection" | "dataset" | "document" | "connector" | "output" | "unknown";
      /** @description The same, to be read after the name, such as `changed the workflow`. */
      text: string;
      /** @description What they did it to, such as `agent:sales@3`. Null: the call itself. */
      of: string | null;
      /** @description When. Null: not known. */
      at: string | null;
    };
    /** @description A server that speaks OpenAI's interface; it may need no secret. */
    AddCompatibleConnection: {
      /** @description The name by which models and tools of agents refer to it. */
      name: string;
      /**
       * @description Replaces the connection of this name, for example to renew its secret.
       * @default false
       */
      replace?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "openai-compatible";
      /** @description The key or token. It is stored encrypted and never shown again. An `openai-compatible` server may need none. */
      secret?: string;
      /** @description Where it leads. */
      base_url: string;
    };
    AddConnectionBody: components["schemas"]["AddProviderConnection"] | components["schemas"]["AddCompatibleConnection"] | components["schemas"]["AddHttpConnection"];
    /** @description A document: `text`, `fields`, or both; or the `url` of a file. */
    AddDocumentBody: {
      /** @description What its own system calls it, such as `ld_1001`. A document of this id that is there is replaced. */
      external_id?: string;
      /** @description What it is about; found twice as well as its text. Left out: the title that the file has, or its name. */
      title?: string;
      /** @description Its words. They are cut into chunks at paragraphs and sentences. */
      text?: string;
      /**
       * @description What `text` is. Markdown and HTML are parsed like a file, after the answer: chunks keep their headings and tables, and `text` becomes what is read of it.
       * @default text/plain
       * @enum {string}
       */
      media_type?: "text/plain" | "text/markdown" | "text/html";
      /** @description A record's values by name: what a tool of kind `record` answers for its `external_id`. They are found as text, too. */
      fields?: {
        [key: string]: unknown;
      };
      /** @description Where the file is. It is fetched and indexed after the answer; `state` says how far that is. */
      url?: string;
      /** @description What else is known of it, by name: searches and lists filter by it. */
      metadata?: {
        [key: string]: unknown;
      };
      /** @description Who may read it: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist. */
      readers?: string[] | null;
      /** @description When it has to be reviewed. Null: after the base's `review_days`, counted from its last change or review. */
      review_at?: string | null;
    };
    AddDocumentsBody: {
      documents: {
        [key: string]: unknown;
      }[];
    };
    AddDocumentsResult: {
      added: number;
      replaced: number;
      unchanged: number;
      deleted: number;
      failed: number;
      /** @description One for each item, in their order. */
      results: {
        /** @description The item's place in the call, from 0. */
        index: number;
        /**
         * @description As if it had been added alone; 409 where a document that you may not read has its place; of a deletion 200, or 404 where there is no such document.
         * @enum {number}
         */
        status: 200 | 202 | 404 | 409 | 422;
        document: components["schemas"]["AddedDocument"] | null;
        /** @description The id of the document that the item deleted. */
        deleted: string | null;
        /** @description Why it failed; empty where it did not. */
        errors: components["schemas"]["DocumentFault"][];
      }[];
    };
    AddFileBody: {
      /** @description Its name, without folders. */
      name: string;
      text: string;
    };
    /** @description A service that tools call. */
    AddHttpConnection: {
      /** @description The name by which models and tools of agents refer to it. */
      name: string;
      /**
       * @description Replaces the connection of this name, for example to renew its secret.
       * @default false
       */
      replace?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "http";
      /** @description The key or token. It is stored encrypted and never shown again. An `openai-compatible` server may need none. */
      secret: string;
      /** @description Where it leads. */
      base_url: string;
      auth?: components["schemas"]["ConnectionAuth"];
    };
    AddItemsBody: {
      /** @description Items without a name are numbered. */
      items?: components["schemas"]["DatasetItem"][];
      /** @description Tasks of this environment that become items: their input, and as `expected` what the latest feedback says is right: its correction, or the output where it accepts that, or where there is none. A task whose latest feedback does neither is refused. The set belongs to the organization: who may read it sees them from every environment. */
      from_tasks?: string[];
      /** @description Labels that every item of this call gets, besides its own. */
      labels?: string[];
      /** @description What this version brings, for people. */
      note?: string;
    };
    /** @description A provider that has an address of its own. */
    AddProviderConnection: {
      /** @description The name by which models and tools of agents refer to it. */
      name: string;
      /**
       * @description Replaces the connection of this name, for example to renew its secret.
       * @default false
       */
      replace?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "anthropic" | "openai";
      /** @description The key or token. It is stored encrypted and never shown again. An `openai-compatible` server may need none. */
      secret: string;
      /** @description Where it leads. */
      base_url?: string;
    };
    AddTaskBody: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description A skill of one of the agents. */
      skill: string;
      /** @description The skill's input, as it is. */
      input: {
        [key: string]: unknown;
      };
      title?: string;
      require_approval?: boolean;
    };
    /** @description A trigger besides those of the live version. It stays when another version is published. */
    AddWorkflowTriggerBody: {
      /** @description As in a file: `event` (the type of an event, also one that an inbound hook publishes), `schedule` or `hook`. */
      definition: components["schemas"]["WorkflowEventTrigger"] | components["schemas"]["WorkflowScheduleTrigger"] | components["schemas"]["WorkflowHookTrigger"];
    };
    /** @description A document that was given, and what became of it. */
    AddedDocument: {
      /**
       * @description `replaced`: a document of this external id said something else. `unchanged`: one that says the same is there.
       * @enum {string}
       */
      outcome: "added" | "replaced" | "unchanged";
      /** @description `doc_…` */
      document_id: string;
      /** @description `kb_…` */
      base_id: string;
      /** @description The base's name. */
      base: string;
      /** @description What its own system calls it. */
      external_id: string | null;
      title: string;
      /**
       * @description `indexed`: searches and record look-ups find it. While new contents are `queued`, `parsing` or `indexing`, and if they failed, the former ones are found.
       * @enum {string}
       */
      state: "queued" | "parsing" | "indexing" | "indexed" | "failed";
      /** @description How far parsing and indexing are. */
      progress: number;
      /** @description Why it failed; null: it did not. */
      error: {
        code: string;
        detail: string;
      } | null;
      /** @description Pieces of it that searches find. */
      chunks: number;
      /** @description SHA-256, in hexadecimal: of a file's bytes, else of the canonical JSON (RFC 8785) of title, text and fields; null where it came with the service. */
      digest: string | null;
      /** @description Its contents, counted from 1. */
      version: number;
      /**
       * @description Where its contents came from.
       * @enum {string}
       */
      source: "text" | "file" | "url" | "connector";
      file_name: string | null;
      media_type: string | null;
      /** @description Bytes of its file. */
      size: number | null;
      /** @description SHA-256 of its file, in hexadecimal. */
      file_digest: string | null;
      /** @description The address that it was fetched from. */
      url: string | null;
      /** @description Pages of its file. */
      pages: number | null;
      metadata: {
        [key: string]: unknown;
      };
      /** @description Who may read it: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist. */
      readers: string[] | null;
      /** @description Classes of data found in it. */
      data_classes: string[];
      /** @description When it has to be reviewed; null: never. */
      review_at: string | null;
      /** @description Its review date has passed. */
      stale: boolean;
      /** @description The document of the file whose row it is. */
      parent: string | null;
      /** @description The connector that brought it. */
      connector: string | null;
      /** @description Who added what it says now, by id. */
      author: string;
      created_at: string;
      updated_at: string;
    };
    /** @description The set's next version. */
    AddedItems: {
      /** @description The dataset's id, `ds_…`. */
      dataset_id: string;
      /** @description A name of lowercase letters, digits and `-`. */
      name: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description The skill of the agent that the items are inputs of. */
      skill: string;
      /** @description What it tests, in words. */
      description: string;
      /** @description Words to find the set by. */
      tags: string[];
      /** @description Its present version; each addition makes the next one. */
      version: number;
      /** @description Of the present version; another one for each. */
      digest: string;
      coverage: components["schemas"]["Coverage"];
      /** @description Who decided it, as far as nobody else has looked at it in the environment of the key. */
      deciders: {
        /** @description `mbr_…`; `host`: whoever runs the service. */
        id: string;
        /**
         * @description What they did.
         * @enum {string}
         */
        how: "owner" | "issuer" | "named" | "took_over" | "input" | "edited" | "note" | "answered" | "signalled" | "secret" | "event" | "skipped" | "planned" | "wrote" | "channel" | "agent" | "trained" | "corrected" | "deployed" | "workflow" | "trigger" | "schedule" | "connection" | "dataset" | "document" | "connector" | "output" | "unknown";
        /** @description What they did it to, such as `agent:sales@3`; null: not known. */
        of: string | null;
        /** @description When; null: not known. */
        at: string | null;
      }[];
      /** @description The second person who looked at it in the environment of the key; null: nobody did. */
      confirmed_by: string | null;
      /** @description When they did. */
      confirmed_at: string | null;
      /** @description Who made it, by id. */
      created_by: string;
      created_at: string;
      updated_at: string;
      /** @description Items that are new. */
      added: number;
      /** @description Items that took the place of one of the same name; earlier versions keep that one. */
      replaced: number;
      /** @description Their names, in the order in which they came. */
      items: string[];
    };
    AddedTask: {
      /** @description The mission's id, `msn_…`. */
      mission_id: string;
      /** @description Its step. */
      step: string;
      /** @description The run that carries it out, `wfr_…`. */
      run_id: string;
      workflow: string;
    };
    Agent: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      description: string;
      owner: string;
      labels: string[];
      /** @description In the environment of the key: deployed, or only a draft; archived in all. */
      status: "deployed" | "draft" | "archived";
      deployment: {
        deployment_id: string;
        version: number;
        version_id: string;
        since: string;
      } | null;
      /** @description In the environment of the key; null: it takes work. */
      paused: components["schemas"]["AgentPause"] | null;
      definition: components["schemas"]["AgentDefinition"];
      revision: number;
      created_at: string;
      updated_at: string;
    };
    /** @description An agent as a file. */
    AgentBundle: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description What it does, in words. */
      description: string;
      /** @description Labels, by which lists are filtered and policies scoped. Policies of an environment see a change from the next deployment there on. */
      labels?: string[];
      /** @description The model that runs the skills. */
      model: components["schemas"]["BuiltinModel"] | components["schemas"]["AnthropicModel"] | components["schemas"]["OpenAiModel"] | components["schemas"]["OpenAiCompatibleModel"];
      /** @description What the model is told. */
      instructions?: string;
      /** @description The knowledge bases it uses, by name. */
      knowledge?: string[];
      tools?: (components["schemas"]["RecordTool"] | components["schemas"]["SearchTool"] | components["schemas"]["HttpTool"] | components["schemas"]["McpTool"])[];
      skills?: components["schemas"]["Skill"][];
    };
    /** @description An A2A agent card: what other agents need to find and judge this one. */
    AgentCard: {
      name: string;
      description: string;
      /** @description The binding is the service's own HTTP interface, named by its OpenAPI description. */
      supportedInterfaces: {
        url: string;
        protocolBinding: string;
        protocolVersion: string;
      }[];
      /** @description The number of the live version. */
      version: string;
      documentationUrl: string;
      capabilities: {
        streaming: boolean;
        pushNotifications: boolean;
        extendedAgentCard: boolean;
        extensions: {
          uri: string;
          description: string;
          required: boolean;
          params: {
            [key: string]: string;
          };
        }[];
      };
      securitySchemes: {
        [key: string]: {
          httpAuthSecurityScheme: {
            scheme: string;
            description: string;
          };
        };
      };
      securityRequirements: {
        schemes: {
          [key: string]: {
            list?: string[];
          };
        };
      }[];
      /** @description Media types. */
      defaultInputModes: string[];
      /** @description Media types. */
      defaultOutputModes: string[];
      skills: components["schemas"]["CardSkill"][];
    };
    AgentDefinition: {
      /** @description What it does, in words. */
      description: string;
      /** @description The model that runs the skills. */
      model: components["schemas"]["BuiltinModel"] | components["schemas"]["AnthropicModel"] | components["schemas"]["OpenAiModel"] | components["schemas"]["OpenAiCompatibleModel"];
      /** @description What the model is told. */
      instructions?: string;
      /** @description The knowledge bases it uses, by name. */
      knowledge?: string[];
      tools: (components["schemas"]["RecordTool"] | components["schemas"]["SearchTool"] | components["schemas"]["HttpTool"] | components["schemas"]["McpTool"])[];
      skills: components["schemas"]["Skill"][];
    };
    /** @description An agent's figures by version and skill, in the environment of the key. */
    AgentFigures: {
      from: string;
      to: string;
      time_zone: string;
      grain: components["schemas"]["Grain"];
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      agent: string;
      /** @description By the name of the measure. */
      figures: {
        tasks: components["schemas"]["Figure"];
        success_rate: components["schemas"]["Figure"];
        judged: components["schemas"]["Figure"];
        accepted_rate: components["schemas"]["Figure"];
        trust_mean: components["schemas"]["Figure"];
        trust_calibration_error: components["schemas"]["Figure"];
        cost_usd: components["schemas"]["Figure"];
        cost_per_task: components["schemas"]["Figure"];
        cost_per_accepted: components["schemas"]["Figure"];
        duration_p50: components["schemas"]["Figure"];
        duration_p90: components["schemas"]["Figure"];
        approvals: components["schemas"]["Figure"];
        edit_rate: components["schemas"]["Figure"];
        override_rate: components["schemas"]["Figure"];
      };
      /** @description The measures window by window, oldest first. */
      series: components["schemas"]["Point"][];
      /** @description Newest first. */
      versions: components["schemas"]["AgentVersionFigures"][];
      /** @description Where it fails: skills, those with most failed tasks first. */
      skills: components["schemas"]["Breakdown"][];
      /** @description What failed tasks failed with. */
      failures: {
        /** @description How many failed tasks were looked at, the newest of the window. */
        tasks: number;
        /** @description Whether there are more of them. */
        more: boolean;
        /** @description Most frequent first. */
        codes: components["schemas"]["FailureCount"][];
      };
    };
    /** @description Whether an agent can work in the environment of the key, and what to mend. */
    AgentHealth: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      environment: string;
      /** @description The live version; null where none is. */
      version: number | null;
      /** @description Whether a task that is dispatched now runs: no check failed. */
      ready: boolean;
      /**
       * @description The worst of its checks.
       * @enum {string}
       */
      state: "ready" | "degraded" | "not_ready";
      checks: components["schemas"]["HealthCheck"][];
    };
    /** @description What an agent remembers. */
    AgentMemory: {
      /** @description The memory's id, `mem_…`. */
      memory_id: string;
      /** @description About whom, in every conversation of theirs; null: it counts in its conversation alone. */
      user: string | null;
      /** @description The conversation's id, `cnv_…`. */
      conversation_id: string | null;
      /** @description What is remembered. Agents read it as data. */
      text: string;
      /** @description The message that it was taken from; null: somebody entered it. */
      source_message_id: string | null;
      /** @description Whether a model wrote it. */
      generated: boolean;
      /** @description Who entered it, by id. */
      author: string;
      audit_ref: string;
      created_at: string;
      /**
       * @description `user`: every agent reads it in conversations of that user. `conversation`: it counts in one alone.
       * @enum {string}
       */
      scope: "user" | "conversation";
    };
    AgentMemoryPage: {
      data: components["schemas"]["AgentMemory"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    AgentPage: {
      data: components["schemas"]["Agent"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description The agent takes no work in the environment of the key. */
    AgentPause: {
      /**
       * @description What happens to open tasks: they finish, or they are cancelled.
       * @enum {string}
       */
      mode: "drain" | "cancel";
      /** @description Why. */
      reason: string;
      /** @description Since when. */
      since: string;
      /** @description Who paused it, by id. */
      by: string;
    };
    /** @description A recurring dispatch of an agent, in one environment. */
    AgentSchedule: {
      /** @description The schedule's id, `sch_…`. */
      schedule_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description One of the agent's skills. */
      task: string;
      /** @description The skill's input, the same each time. */
      input: {
        [key: string]: unknown;
      };
      /** @description Five fields: minute, hour, day, month, weekday; such as `0 7 * * MON-FRI`. */
      schedule: string;
      /** @description Such as `Europe/Vienna`. Default `UTC`. */
      time_zone: string;
      /**
       * @description While the task before is not over: leave this time out (default), dispatch once it is over (at most one waits, the newest), or cancel it and dispatch.
       * @enum {string}
       */
      overlap: "skip" | "queue" | "cancel_previous";
      /**
       * @description Times that passed while the service did not run: leave them out, or make up for the last one (default).
       * @enum {string}
       */
      missed: "skip" | "run_once";
      /** @description Labels of its tasks, besides `schedule:<schedule_id>`, by which they can be listed. */
      labels: string[];
      /** @description Higher runs earlier; default 0. */
      priority: number;
      /** @description Each task waits for people. */
      require_approval: boolean;
      /** @description What it is for, for people. */
      note: string;
      budget: components["schemas"]["AgentScheduleBudget"] | null;
      /** @description What its tasks of this calendar month (UTC) have cost. */
      spent_month_usd: number;
      /** @description The member or service account whose permissions its tasks have, by id. */
      runs_as: string;
      /** @description Null: it dispatches. */
      paused: {
        since: string;
        by: string;
        reason: string | null;
      } | null;
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      /** @description When it is due next. Null: it is paused, or never comes again. */
      next_at: string | null;
      /** @description The next five times, as if it were not paused. */
      next_times: string[];
      /** @description The time whose task is still to be dispatched; null: none. */
      waiting_since: string | null;
      /** @description The time for which it last dispatched a task. */
      last_at: string | null;
      /** @description The task that it last dispatched. */
      last_task_id: string | null;
      /** @description The last time that was left out by `overlap` or `missed`. */
      last_skipped: {
        at: string;
        /** @enum {string} */
        reason: "overlap" | "missed";
      } | null;
      /** @description Why it last dispatched nothing; null: it never failed, or has dispatched since. */
      last_error: components["schemas"]["AgentScheduleFailure"] | null;
      revision: number;
      /** @description Who made it, by id. */
      created_by: string;
      created_at: string;
      updated_at: string;
    };
    /** @description Limits besides the budgets of agent, key and environment. */
    AgentScheduleBudget: {
      /** @description What one task may cost at most, in US dollars, where its skill allows more. */
      per_run_usd?: number;
      /** @description What the tasks of a calendar month (UTC) may cost together; where it is used up, nothing is dispatched. */
      per_month_usd?: number;
    };
    /** @description Why a schedule dispatched nothing. */
    AgentScheduleFailure: {
      /** @description For programs, as in problems. */
      code: string;
      /** @description For people. */
      detail: string;
      at: string;
    };
    AgentSchedulePage: {
      data: components["schemas"]["AgentSchedule"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description The agent to copy. */
    AgentSource: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description One of its versions; its draft where this is left out. */
      version?: number;
    };
    /** @description A tool that is bound to an agent. */
    AgentTool: {
      /** @description Its name. */
      tool: string;
      /** @description What the agent may call. */
      definition: components["schemas"]["RecordTool"] | components["schemas"]["SearchTool"] | components["schemas"]["HttpTool"] | components["schemas"]["McpTool"];
      /**
       * @description As it counts in the environment of the key.
       * @enum {string}
       */
      effect: "read" | "write";
      /** @description Whether this release can call it. */
      runnable: boolean;
      /** @description The skills that may call it. */
      skills: string[];
      /**
       * @description What policies, kill switches and pauses say of a call now. `by_arguments`: a policy decides by what a call carries. `unused`: no skill may call it.
       * @enum {string}
       */
      permission: "allowed" | "denied" | "held" | "by_arguments" | "unused";
      /** @description Why it is denied or held. */
      reasons: string[];
      /** @description Whether people are asked before a call, by policies and risk. */
      approval: {
        /**
         * @description `after_reading`: in a run that has read text which could have steered it.
         * @enum {string}
         */
        mode: "never" | "after_reading" | "always";
        /** @description How many people have to approve; 0: nobody is asked. */
        approvers: number;
        reasons: string[];
      };
      /**
       * @description Of one call, at the trust that a task of the skill starts with.
       * @enum {string}
       */
      risk: "low" | "medium" | "high" | "critical";
      /** @description The connection whose credentials it uses, and whether the environment has it; null: none. */
      credentials: {
        connection: string;
        present: boolean;
      } | null;
      /** @description Among the newest 500 tasks of the agent. */
      last_used_at: string | null;
      /** @description Among the newest 500 tasks of the agent. */
      last_failed_at: string | null;
      last_failure: {
        code: string;
        detail: string;
      } | null;
    };
    AgentTools: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description Null: the draft. */
      version: number | null;
      tools: components["schemas"]["AgentTool"][];
    };
    AgentTrust: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description The version that is scored. */
      version: number;
      version_id: string;
      /** @description Whether it is what takes work in the environment of the key. */
      live: boolean;
      /** @description The probability that a reviewer would accept an outcome. */
      score: number;
      /** @description 10 % quantile. */
      low: number;
      /** @description 90 % quantile. */
      high: number;
      /** @description The rule and its priors. */
      formula: string;
      as_of: string;
      skills: {
        skill: string;
        /** @description The probability that a reviewer would accept an outcome. */
        score: number;
        /** @description 10 % quantile. */
        low: number;
        /** @description 90 % quantile. */
        high: number;
        /**
         * @description What scores start from. `trained`: the calibrated probability of the built-in model; `told`: the probability that a provider's model tells; `none`: no probability, only labels.
         * @enum {string}
         */
        basis: "trained" | "told" | "none";
        /** @description Signals that the typical case does not show are left out. */
        parts: {
          /**
           * @description The level b, what the weeks moved it by, a times the logit of the model's probability, or a signal of the case.
           * @enum {string}
           */
          kind: "base" | "drift" | "probability" | "feature";
          name: string;
          /** @description Log-odds z; score = 1 / (1 + e^−z) of the sum of all parts. */
          value: number;
        }[];
        /** @description What is known of a case, each from 0 to 1. */
        case: {
          probability?: number;
          /** @enum {string} */
          probability_source?: "trained" | "told";
          findings?: number;
          ungrounded?: number;
          novelty?: number;
          injection?: number;
        };
        /** @description SHA-256 of the inputs, by which the score can be computed again. */
        digest: string;
        /** @description Judged cases by how they came about; each counts once. */
        labels: {
          /** @description Items of evaluations and held-out examples. */
          evaluation: number;
          /** @description Tasks that were drawn at random for review. */
          random: number;
          /** @description Tasks that somebody chose to judge, decisions on calls, and failed runs. */
          volunteered: number;
        };
        /** @description Share of random reviews among the labels of live tasks; null: none was judged. */
        random_share: number | null;
        /** @description Share of live tasks that were judged, up to the newest label. */
        judged_share: number;
        /** @description What would raise it, greatest gain first. */
        improvements: {
          /**
           * @description More judged outcomes, or a signal of the cases.
           * @enum {string}
           */
          kind: "judged" | "feature";
          name: string;
          /** @description So many further accepted outcomes are supposed; null for a signal. */
          items: number | null;
          /** @description The probability that a reviewer would accept an outcome. */
          score: number;
          low: number;
          /** @description By how much the score would rise; 0 where only the lower end does. */
          gain: number;
          /** @description The same in words. */
          detail: string;
        }[];
        /** @description What this score cannot show, in words. */
        limits: string[];
        /** @description The maps of this version's skill; more than one where only some cases tell a probability. */
        fits: {
          digest: string;
          /** @description The rule and its priors. */
          version: string;
          /**
           * @description What scores start from. `trained`: the calibrated probability of the built-in model; `told`: the probability that a provider's model tells; `none`: no probability, only labels.
           * @enum {string}
           */
          basis: "trained" | "told" | "none";
          /** @description Level. */
          b: number;
          /** @description What the weeks since the evaluations moved the level by. */
          drift: number;
          /** @description Slope of the logit of the probability; null where there is none. */
          a: number | null;
          /** @description Weight of each signal; never above 0. */
          theta: {
            [key: string]: number;
          };
          /** @description Log-odds by which volunteered labels differ from what a random draw would find. No part of any score. */
          c: number;
          /** @description Novelty counts from here on. */
          novelty_from: number;
          /** @description Of b + drift, a, findings, ungrounded, novelty, injection, c (Laplace approximation of the posterior). */
          covariance: number[][];
          /** @description The newest judged case, in milliseconds since the epoch. */
          as_of: number | null;
          /** @description Whether live tasks were judged. */
          live: boolean;
          /** @description What is known of a case, each from 0 to 1. */
          typical: {
            probability?: number;
            /** @enum {string} */
            probability_source?: "trained" | "told";
            findings?: number;
            ungrounded?: number;
            novelty?: number;
            injection?: number;
          };
          /** @description Judged cases by how they came about; each counts once. */
          labels: {
            /** @description Items of evaluations and held-out examples. */
            evaluation: number;
            /** @description Tasks that were drawn at random for review. */
            random: number;
            /** @description Tasks that somebody chose to judge, decisions on calls, and failed runs. */
            volunteered: number;
          };
          /** @description Share of live tasks that were judged, up to the newest label. */
          judged_share: number;
          /** @description SHA-256 of the judged cases, terms and configuration. */
          records_digest: string;
        }[];
      }[];
      /** @description The score at the end of each day, as it was then, oldest first. */
      history: {
        /** @description A day of UTC. */
        date: string;
        /** @description The probability that a reviewer would accept an outcome. */
        score: number;
        /** @description 10 % quantile. */
        low: number;
        /** @description 90 % quantile. */
        high: number;
        /** @description Judged cases that it stood on. */
        labels: number;
      }[];
      reliability: components["schemas"]["TrustReliability"];
    };
    /** @description A version of an agent. It never changes. */
    AgentVersion: {
      /** @description Versions of an agent are numbered from 1. */
      version: number;
      /** @description `ver_…` */
      version_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description SHA-256, in hexadecimal, of the definition's canonical JSON (RFC 8785). */
      digest: string;
      /** @description What is new in it. */
      note: string;
      /** @description Who froze it, by id. */
      author: string;
      created_at: string;
      /** @description The version that was frozen before it; null for the first. */
      based_on: number | null;
      /** @description The training that made it; null: people wrote it. */
      training: components["schemas"]["VersionTraining"] | null;
      verdict: components["schemas"]["VersionVerdict"];
      /** @description Whether it is live in the environment of the key. */
      deployed: boolean;
    };
    /** @description A version with its definition. */
    AgentVersionDetail: {
      /** @description Versions of an agent are numbered from 1. */
      version: number;
      /** @description `ver_…` */
      version_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description SHA-256, in hexadecimal, of the definition's canonical JSON (RFC 8785). */
      digest: string;
      /** @description What is new in it. */
      note: string;
      /** @description Who froze it, by id. */
      author: string;
      created_at: string;
      /** @description The version that was frozen before it; null for the first. */
      based_on: number | null;
      /** @description The training that made it; null: people wrote it. */
      training: components["schemas"]["VersionTraining"] | null;
      verdict: components["schemas"]["VersionVerdict"];
      /** @description Whether it is live in the environment of the key. */
      deployed: boolean;
      /** @description Who decided it, as far as nobody else has looked at it in the environment of the key. */
      deciders: {
        /** @description `mbr_…`; `host`: whoever runs the service. */
        id: string;
        /**
         * @description What they did.
         * @enum {string}
         */
        how: "owner" | "issuer" | "named" | "took_over" | "input" | "edited" | "note" | "answered" | "signalled" | "secret" | "event" | "skipped" | "planned" | "wrote" | "channel" | "agent" | "trained" | "corrected" | "deployed" | "workflow" | "trigger" | "schedule" | "connection" | "dataset" | "document" | "connector" | "output" | "unknown";
        /** @description What they did it to, such as `agent:sales@3`; null: not known. */
        of: string | null;
        /** @description When; null: not known. */
        at: string | null;
      }[];
      /** @description The second person who looked at it in the environment of the key; null: nobody did. */
      confirmed_by: string | null;
      /** @description When they did. */
      confirmed_at: string | null;
      /** @description The agent's labels at present: they are not part of a version. */
      labels: string[];
      definition: components["schemas"]["AgentDefinition"];
      /** @description From the version that `diff` names to this one; null where none was asked for. */
      diff: components["schemas"]["DefinitionDiff"] | null;
    };
    AgentVersionFigures: {
      /** @description Null: versions beyond the dimension's limit. */
      version_id: string | null;
      /** @description Its number. */
      version: number | null;
      live: boolean;
      /** @description By the name of the measure. */
      figures: {
        tasks: components["schemas"]["Figure"];
        success_rate: components["schemas"]["Figure"];
        judged: components["schemas"]["Figure"];
        accepted_rate: components["schemas"]["Figure"];
        trust_mean: components["schemas"]["Figure"];
        trust_calibration_error: components["schemas"]["Figure"];
        cost_usd: components["schemas"]["Figure"];
        cost_per_task: components["schemas"]["Figure"];
        cost_per_accepted: components["schemas"]["Figure"];
        duration_p50: components["schemas"]["Figure"];
        duration_p90: components["schemas"]["Figure"];
        approvals: components["schemas"]["Figure"];
        edit_rate: components["schemas"]["Figure"];
        override_rate: components["schemas"]["Figure"];
      };
    };
    AgentVersionPage: {
      data: components["schemas"]["AgentVersion"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description A measure that is watched, with what became of it. */
    Alert: {
      /** @description The alert's id, `alr_…`. */
      alert_id: string;
      /** @description For people. */
      name: string;
      /**
       * @description `GET /v1/analytics/schema` describes them.
       * @enum {string}
       */
      measure: "tasks" | "completed" | "failed" | "rejected" | "open" | "success_rate" | "judged" | "accepted_rate" | "trust_mean" | "trust_calibration_error" | "cost_usd" | "cost_per_task" | "cost_per_accepted" | "tokens" | "steps" | "tool_calls" | "duration_p50" | "duration_p90" | "duration_p99" | "queue_time_p50" | "queue_time_p90" | "queue_time_p99" | "approvals" | "decided" | "time_to_decide_p50" | "time_to_decide_p90" | "edit_rate" | "override_rate" | "expiry_rate" | "quick_rate" | "agreement" | "blocked" | "policy_denials" | "pause_blocks" | "kill_switch_blocks" | "gate_blocks" | "budget_blocks" | "violations" | "tool_uses" | "step_failures" | "step_cost_usd" | "step_tokens" | "step_duration_p50" | "step_duration_p90" | "deliveries" | "delivery_success";
      /** @description Values of dimensions of the measure: `agent`, `skill`, `label:customer` … */
      filters: {
        [key: string]: string[];
      };
      /** @description The window that is measured: so many minutes up to now. */
      window_minutes: number;
      /** @description `above` and `below`: beyond a threshold. `anomaly`: unlike the same window of the six weeks before; it needs four of them. */
      condition: {
        /** @constant */
        kind: "above";
        /** @description In the unit of the measure. */
        threshold: number;
        /** @description It clears at or below this. Default: a tenth of the threshold below it. */
        clear_at?: number;
      } | {
        /** @constant */
        kind: "below";
        /** @description In the unit of the measure. */
        threshold: number;
        /** @description It clears at or above this. Default: a tenth of the threshold above it. */
        clear_at?: number;
      } | {
        /** @constant */
        kind: "anomaly";
        /** @enum {string} */
        direction: "high" | "low" | "both";
        /** @description How rare a value has to be: once in so many windows, compared with the same window of the weeks before. */
        once_in: number;
      };
      /** @description How long it has to hold before it fires, and to be over before it clears. */
      for_minutes: number;
      /** @description Fewer things in the window are no data: nothing fires or clears then. */
      least_n: number;
      notify: components["schemas"]["AlertNotify"];
      paused: boolean;
      state: components["schemas"]["AlertState"];
      state_since: string;
      /** @description Whether it has fired and not cleared, whatever its state. */
      fired: boolean;
      /** @description At the last look; null: nothing to measure. */
      value: number | null;
      /** @description Things in the window at the last look. */
      n: number;
      /** @description Null: not yet. */
      looked_at: string | null;
      /** @description Why the last look could not measure; null: it could. */
      error: string | null;
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      /** @description Counts the changes. */
      revision: number;
      created_by: string;
      created_at: string;
      /** @description The things in the window now, a path of this interface. */
      link: string | null;
      /** @description Changes of its state, newest first, at most 100. */
      history: components["schemas"]["AlertTransition"][];
    };
    /** @description Who is told besides webhook endpoints, which subscribe to `analytics.alert.*`. */
    AlertNotify: {
      /** @description Members who get an e-mail, where the installation has a mail server and they have an address. */
      members: string[];
    };
    /**
     * @description `waiting`: not looked at yet. `ok`: not beyond the threshold. `pending`: beyond it, not yet for as long as `for_minutes`. `firing`. `recovering`: still firing, back within `clear_at` but not yet for as long as `for_minutes`. `no_data`: fewer things in the window than `least_n`.
     * @enum {string}
     */
    AlertState: "waiting" | "ok" | "pending" | "firing" | "recovering" | "no_data";
    /** @description A measure that is watched. */
    AlertSummary: {
      /** @description The alert's id, `alr_…`. */
      alert_id: string;
      /** @description For people. */
      name: string;
      /**
       * @description `GET /v1/analytics/schema` describes them.
       * @enum {string}
       */
      measure: "tasks" | "completed" | "failed" | "rejected" | "open" | "success_rate" | "judged" | "accepted_rate" | "trust_mean" | "trust_calibration_error" | "cost_usd" | "cost_per_task" | "cost_per_accepted" | "tokens" | "steps" | "tool_calls" | "duration_p50" | "duration_p90" | "duration_p99" | "queue_time_p50" | "queue_time_p90" | "queue_time_p99" | "approvals" | "decided" | "time_to_decide_p50" | "time_to_decide_p90" | "edit_rate" | "override_rate" | "expiry_rate" | "quick_rate" | "agreement" | "blocked" | "policy_denials" | "pause_blocks" | "kill_switch_blocks" | "gate_blocks" | "budget_blocks" | "violations" | "tool_uses" | "step_failures" | "step_cost_usd" | "step_tokens" | "step_duration_p50" | "step_duration_p90" | "deliveries" | "delivery_success";
      /** @description Values of dimensions of the measure: `agent`, `skill`, `label:customer` … */
      filters: {
        [key: string]: string[];
      };
      /** @description The window that is measured: so many minutes up to now. */
      window_minutes: number;
      /** @description `above` and `below`: beyond a threshold. `anomaly`: unlike the same window of the six weeks before; it needs four of them. */
      condition: {
        /** @constant */
        kind: "above";
        /** @description In the unit of the measure. */
        threshold: number;
        /** @description It clears at or below this. Default: a tenth of the threshold below it. */
        clear_at?: number;
      } | {
        /** @constant */
        kind: "below";
        /** @description In the unit of the measure. */
        threshold: number;
        /** @description It clears at or above this. Default: a tenth of the threshold above it. */
        clear_at?: number;
      } | {
        /** @constant */
        kind: "anomaly";
        /** @enum {string} */
        direction: "high" | "low" | "both";
        /** @description How rare a value has to be: once in so many windows, compared with the same window of the weeks before. */
        once_in: number;
      };
      /** @description How long it has to hold before it fires, and to be over before it clears. */
      for_minutes: number;
      /** @description Fewer things in the window are no data: nothing fires or clears then. */
      least_n: number;
      notify: components["schemas"]["AlertNotify"];
      paused: boolean;
      state: components["schemas"]["AlertState"];
      state_since: string;
      /** @description Whether it has fired and not cleared, whatever its state. */
      fired: boolean;
      /** @description At the last look; null: nothing to measure. */
      value: number | null;
      /** @description Things in the window at the last look. */
      n: number;
      /** @description Null: not yet. */
      looked_at: string | null;
      /** @description Why the last look could not measure; null: it could. */
      error: string | null;
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      /** @description Counts the changes. */
      revision: number;
      created_by: string;
      created_at: string;
      /** @description The things in the window now, a path of this interface. */
      link: string | null;
    };
    AlertSummaryPage: {
      data: components["schemas"]["AlertSummary"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description A change of an alert's state. */
    AlertTransition: {
      at: string;
      state: components["schemas"]["AlertState"];
      /** @description What was told; null: nothing. */
      event: ("fired" | "cleared") | null;
      value: number | null;
      /** @description Things in the window. */
      n: number;
    };
    /** @description What can be asked for in a query. */
    AnalyticsSchema: {
      measures: {
        name: string;
        /** @description Measures of one family have the same dimensions. */
        family: string;
        /** @enum {string} */
        unit: "count" | "share" | "usd" | "tokens" | "seconds" | "score";
        about: string;
        /** @description Which is better; null: neither. */
        better: ("more" | "less") | null;
        /** @description Whether it comes with an interval of 95 %. */
        interval: boolean;
      }[];
      dimensions: {
        name: string;
        families: string[];
        /** @description Values that were seen; null: more than 100, or not for a key that is narrowed to agents. */
        values: string[] | null;
      }[];
      /** @description Labels that this environment declares as dimensions. */
      labels: string[];
      /** @description Declared labels that nothing is counted by, because the environment has declared `label_columns` others over time. Declare one of those again in their place. */
      uncounted_labels: string[];
      grains: components["schemas"]["Grain"][];
      limits: {
        /** @description Windows of a series at most. */
        windows: number;
        /** @description Rows before `limit` at most. */
        rows: number;
        /** @description Labels that can be declared. */
        labels: number;
        /** @description Different labels that an environment can have declared over time; each keeps its place for good. */
        label_columns: number;
        /** @description Values of a label before `other`. */
        label_values: number;
      };
    };
    /** @description An hour, or a run of hours, unlike the same hours of earlier weeks. */
    Anomaly: {
      /**
       * @description `cost`: unusually much was spent. `steps_per_task`: tasks take unusually many steps, as in a loop. `volume`: unusually many tasks. `failures`: unusually many failed. `silence`: no tasks where there usually are some.
       * @enum {string}
       */
      kind: "cost" | "steps_per_task" | "volume" | "failures" | "silence";
      agent: string;
      from: string;
      to: string;
      observed: number;
      /** @description The median of the same hours of earlier weeks. */
      expected: number;
      /** @description Lower end of what is usual: 95 % of such hours lie above. */
      low: number;
      /** @description Upper end of what is usual. */
      high: number;
      /** @description Earlier hours that it was compared with. */
      n: number;
      /** @description How often chance alone shows as much, at most. */
      p_value: number;
      /** @description What is unusual, in a sentence. */
      text: string;
      /** @description The tasks of the time, a path of this interface. */
      link: string | null;
    };
    /** @description What is unlike the same hours of earlier weeks. */
    AnomalyFigures: {
      from: string;
      to: string;
      time_zone: string;
      grain: components["schemas"]["Grain"];
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      /** @description How anomalies are found, in a sentence. */
      method: string;
      /** @description In how many answers of usual hours one stands that is none, at most. */
      level: number;
      /** @description Hours that were looked at, of all agents and kinds. */
      hours: number;
      agents: {
        agent: string;
        /** @description Earlier weeks with tasks. */
        weeks: number;
        /** @description False: too few weeks to say what is usual. */
        enough: boolean;
      }[];
      /** @description The rarest first, at most 100. */
      anomalies: components["schemas"]["Anomaly"][];
    };
    AnswerDecisionBody: {
      /** @description The id of an option, or words where there are none. */
      answer: string;
      comment?: string;
    };
    AnthropicModel: {
      /** @constant */
      provider: "anthropic";
      /** @description The model's name at the provider. */
      name: string;
      /** @description The connection that holds the credentials, by name. A definition holds no secret. */
      connection?: string;
      /** @description How the model is called. */
      settings?: {
        /** @description 0 is the most predictable. */
        temperature?: number;
        /** @description Nucleus sampling: the share of probability kept. */
        top_p?: number;
        /** @description The longest answer of one model call. */
        max_output_tokens?: number;
        /** @description For providers that can repeat an answer. */
        seed?: number;
        /** @description How often the final answer is asked for again. The share that agrees is the probability from which the trust score starts. Each is a step that costs; off where left out. */
        confidence_samples?: number;
        /** @description Address of the provider's interface, such as `http://127.0.0.1:11434/v1`. */
        base_url?: string;
        /** @description What a million tokens cost, in US dollars, in place of the list's prices; 0 for a server of one's own. Limits of money need a price. */
        price?: {
          input: number;
          output: number;
        };
      };
    };
    Approval: {
      /** @description The approval's id, `apr_…`. */
      approval_id: string;
      /** @description The task's id, `tsk_…`. */
      task_id: string;
      /** @description The step of a workflow's run that waits for it; null: none. */
      run: components["schemas"]["RunOfTask"] | null;
      status: components["schemas"]["ApprovalStatus"];
      agent: string;
      /** @description Number of the agent version that would act. */
      version: number;
      skill: string;
      /** @description One call of this tool; null: the task as a whole. */
      tool: string | null;
      /** @description Null where neither has a template. */
      title: string | null;
      risk: components["schemas"]["RiskLevel"];
      /** @description Why people are asked, in short. */
      summary: string;
      /** @description Why people are asked: caller, gate, policies, risk. */
      reasons: string[];
      requester: components["schemas"]["Party"];
      /** @description Whether the requester may decide as well. */
      requester_allowed: boolean;
      /** @description Why the requester may decide as well; null: they may not. */
      requester_allowed_reason: string | null;
      /** @description How many persons have to approve. One rejection ends it. */
      approvers: number;
      /** @description How many persons have approved so far, by the votes that count. */
      approvals: number;
      /** @description The page on which people decide. */
      approve_url: string;
      /** @description Counts from 1: an action that was changed, or of which more was demanded, is asked for anew in the next round. */
      round: number;
      /** @description The approval of the round before, `apr_…`. */
      previous_id: string | null;
      /** @description Who changed the action of this round before people decided; null: it is as the requester wanted it. */
      edited_by: components["schemas"]["Party"] | null;
      /** @description Since then only admins decide. */
      escalated_at: string | null;
      escalated_by: components["schemas"]["Party"] | null;
      expires_at: string | null;
      /** @description What becomes of it at `expires_at`. It is never approved by itself. */
      on_expiry: ("reject" | "escalate") | null;
      decided_at: string | null;
      decided_by: components["schemas"]["Party"] | null;
      /** @description What was said with the decision; of one sent back, the note. */
      reason: string | null;
      consumed_at: string | null;
      /** @description What holds its task besides this approval, before and after the vote: a kill switch, a pause, a closed gate, a budget. Null: nothing. */
      held_by: components["schemas"]["Hold"] | null;
      created_at: string;
    };
    ApprovalDetail: {
      /** @description The approval's id, `apr_…`. */
      approval_id: string;
      /** @description The task's id, `tsk_…`. */
      task_id: string;
      /** @description The step of a workflow's run that waits for it; null: none. */
      run: components["schemas"]["RunOfTask"] | null;
      status: components["schemas"]["ApprovalStatus"];
      agent: string;
      /** @description Number of the agent version that would act. */
      version: number;
      skill: string;
      /** @description One call of this tool; null: the task as a whole. */
      tool: string | null;
      /** @description Null where neither has a template. */
      title: string | null;
      risk: components["schemas"]["RiskLevel"];
      /** @description Why people are asked, in short. */
      summary: string;
      /** @description Why people are asked: caller, gate, policies, risk. */
      reasons: string[];
      requester: components["schemas"]["Party"];
      /** @description Whether the requester may decide as well. */
      requester_allowed: boolean;
      /** @description Why the requester may decide as well; null: they may not. */
      requester_allowed_reason: string | null;
      /** @description How many persons have to approve. One rejection ends it. */
      approvers: number;
      /** @description How many persons have approved so far, by the votes that count. */
      approvals: number;
      /** @description The page on which people decide. */
      approve_url: string;
      /** @description Counts from 1: an action that was changed, or of which more was demanded, is asked for anew in the next round. */
      round: number;
      /** @description The approval of the round before, `apr_…`. */
      previous_id: string | null;
      /** @description Who changed the action of this round before people decided; null: it is as the requester wanted it. */
      edited_by: components["schemas"]["Party"] | null;
      /** @description Since then only admins decide. */
      escalated_at: string | null;
      escalated_by: components["schemas"]["Party"] | null;
      expires_at: string | null;
      /** @description What becomes of it at `expires_at`. It is never approved by itself. */
      on_expiry: ("reject" | "escalate") | null;
      decided_at: string | null;
      decided_by: components["schemas"]["Party"] | null;
      /** @description What was said with the decision; of one sent back, the note. */
      reason: string | null;
      consumed_at: string | null;
      /** @description What holds its task besides this approval, before and after the vote: a kill switch, a pause, a closed gate, a budget. Null: nothing. */
      held_by: components["schemas"]["Hold"] | null;
      created_at: string;
      /**
       * @description Where it would happen.
       * @enum {string}
       */
      environment: "development" | "staging" | "production";
      task_status: components["schemas"]["TaskStatus"];
      /** @description Exactly what is approved, as it is stored now. */
      action: {
        agent: string;
        /** @description Id of the agent version, `ver_…`. */
        version: string;
        skill: string;
        tool: string | null;
        /** @description The task's input, or the arguments of the tool's call. */
        arguments: unknown;
        /** @description The approval's own, so that it fits no other action and no other time. */
        nonce: string;
      };
      /** @description SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of the action that approval was asked for. */
      digest: string;
      /** @description Whether `digest` is that of `action`. Where it is not, nothing can be decided. */
      digest_matches: boolean;
      risk_assessment: {
        level: components["schemas"]["RiskLevel"];
        /** @description 2 · impact + likelihood, 0 to 12. */
        score: number;
        impact: number;
        likelihood: number;
        /** @description What it was computed from. */
        inputs: {
          [key: string]: unknown;
        };
        floors: {
          rule: string;
          level: components["schemas"]["RiskLevel"];
        }[];
        lower: {
          change: {
            input: string;
            to: unknown;
          };
          level: components["schemas"]["RiskLevel"];
        } | null;
        /** @description What makes the risk what it is, in words. */
        reasons: string[];
      };
      trust: components["schemas"]["Trust"];
      /** @description What the task has cost so far. */
      cost_usd: number;
      if_undecided: {
        /**
         * @description What happens if nobody decides; nothing, where it is decided.
         * @enum {string}
         */
        outcome: "waits" | "expires" | "escalates" | "nothing";
        at: string | null;
        detail: string;
      };
      votes: components["schemas"]["Vote"][];
      /** @description Who handed the decision to whom, oldest first. Who handed it on no longer decides. */
      delegations: components["schemas"]["Delegation"][];
      /** @description Who stands behind it: who asked, who issued their credentials, and who decided what the call acts on, each with what they did. None of them counts as another person. */
      requesters: components["schemas"]["AccountablePerson"][];
      /** @description Persons who may decide here and have not; none where it is over. */
      could_decide: {
        count: number;
        /** @description The first 20, by name. */
        members: components["schemas"]["Party"][];
        /** @description Whether there are more than these. */
        more: boolean;
      };
      /** @description Changes of policies, evaluation gates, scorers, budgets, kill switches and settings of this environment within a day before it is read or was decided, by anybody, who could decide included: the latest 20, newest first. A key that is narrowed to agents is not shown those that name other agents. They change nothing of who may decide. */
      loosened: {
        /** @description What was done, such as `Retired the policy refunds`. */
        what: string;
        /** @description Such as `policy:pol_…` and `settings`. */
        object: string;
        by: components["schemas"]["Party"];
        at: string;
      }[];
      /** @description Whether only those decide who signed in by OpenID Connect or passkey, since a second person is demanded. */
      personal_sign_in_required: boolean;
      /** @description Why there are too few eligible approvers, and what to do; null: there are enough. */
      undecidable_reason: string | null;
      /** @description Whether the caller may decide now, and if not, why. */
      may_decide: {
        allowed: boolean;
        code: ("already_decided" | "persons_only" | "insufficient_scope" | "four_eyes" | "delegated" | "escalated" | "no_second_person" | "not_signed_in_personally" | "key_not_independent" | "already_voted") | null;
        reason: string | null;
      };
    };
    /** @description How people decide what agents ask them. */
    ApprovalFigures: {
      from: string;
      to: string;
      time_zone: string;
      grain: components["schemas"]["Grain"];
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      figures: {
        approvals: components["schemas"]["Figure"];
        decided: components["schemas"]["Figure"];
        time_to_decide_p50: components["schemas"]["Figure"];
        time_to_decide_p90: components["schemas"]["Figure"];
        edit_rate: components["schemas"]["Figure"];
        override_rate: components["schemas"]["Figure"];
        expiry_rate: components["schemas"]["Figure"];
        quick_rate: components["schemas"]["Figure"];
        agreement: components["schemas"]["Figure"];
      };
      series: components["schemas"]["Point"][];
      by_risk: components["schemas"]["Breakdown"][];
      /** @description At most 50. */
      by_agent: components["schemas"]["Breakdown"][];
      /** @description Those with the most decisions first, at most 50. */
      approvers: components["schemas"]["ApproverFigures"][];
      /** @description What the signs rest on. */
      tested: {
        /** @description Decisions that were looked at one by one: the newest of the window, at most 20,000. */
        decisions: number;
        /** @description Decisions of an approver below which none is tested. */
        least: number;
        /** @description Tests that p-values were adjusted for. */
        questions: number;
      };
    };
    ApprovalPart: {
      /** @constant */
      type: "approval";
      /** @description `apr_…` */
      approval_id: string;
      /** @enum {string} */
      state: "pending" | "approved" | "rejected" | "changes_requested" | "expired" | "cancelled";
      /** @description What people are asked to approve. */
      summary: string;
      approve_url: string;
    };
    ApprovalPolicyBody: {
      /** @description What people call it. */
      name: string;
      scope?: components["schemas"]["PolicyScope"];
      /** @description A condition in CEL over the policy context, such as `agent.name == "sales" && risk.score >= 7`. True: the effect applies. */
      when: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      effect: "require_approval";
      params?: {
        /** @description Of `require_approval`: how many people must approve; 1 unless told. */
        approvers?: number;
        /** @description Of `require_approval`: whether who asked may be one of them; true unless told. */
        requester_allowed?: boolean;
        /** @description Of `require_approval`: what approvers are told; the message unless told. */
        reason?: string;
      };
      /** @description A stable word for programs: a-z, 0-9 and _. */
      reason_code: string;
      /** @description One sentence for whoever meets it. */
      message: string;
      /** @description Controls of frameworks that it implements, such as `soc2:CC6.1`. */
      controls?: string[];
      /** @description It holds from then on; null: at once. */
      effective_from?: string | null;
      /** @description It ends then; null: never by itself. */
      effective_until?: string | null;
      /**
       * @description `shadow` unless told. `active`: the policy is first replayed over recorded calls; what that found is kept with the version.
       * @default shadow
       * @enum {string}
       */
      state?: "draft" | "shadow" | "active";
      /** @description Why this version. */
      note?: string;
    };
    /**
     * @description Where the approval stands. An approved one is consumed when its action starts.
     * @enum {string}
     */
    ApprovalStatus: "pending" | "approved" | "rejected" | "changes_requested" | "expired" | "cancelled" | "superseded" | "consumed" | "stale";
    /** @description `digest` is required where the risk is high or critical. */
    ApproveBody: {
      /** @description `digest` of the approval as it was shown: 64 hexadecimal digits. */
      digest?: string;
      /** @description A remark, kept with the vote. */
      reason?: string;
      /** @description The whole input that is approved instead of the one shown. It is judged like that of a dispatch and asked for in a new round, in which earlier votes do not count; the caller's counts, except where four eyes are demanded: then another person must approve it. */
      edits?: {
        [key: string]: unknown;
      };
    };
    /** @description Decisions of one approver. */
    ApproverFigures: {
      /** @description `mbr_…`, or whoever else decided. */
      approver: string;
      /** @description What they are called. */
      name: string;
      /** @description Decisions of the window. */
      decided: number;
      figures: {
        edit_rate: components["schemas"]["Figure"];
        override_rate: components["schemas"]["Figure"];
        quick_rate: components["schemas"]["Figure"];
        agreement: components["schemas"]["Figure"];
        time_to_decide_p50: components["schemas"]["Figure"];
        time_to_decide_p90: components["schemas"]["Figure"];
      };
      /** @description False: too few decisions to test for any sign. */
      enough: boolean;
      /** @description Those that chance hardly explains: adjusted p-value at most .05. */
      signs: components["schemas"]["FatigueSign"][];
    };
    ArchiveAgentBody: {
      /** @description Why; kept with the agent. */
      reason: string;
      /**
       * @description Whether open tasks in the environment of the key finish or are cancelled.
       * @default drain
       * @enum {string}
       */
      mode?: "drain" | "cancel";
      /**
       * @description Archive it although something uses it, which then fails.
       * @default false
       */
      force?: boolean;
    };
    ArchiveWorkflowBody: {
      /** @description Why; people see it with the workflow. */
      reason: string;
    };
    /** @description A workflow after it was archived in the environment of the key. */
    ArchivedWorkflow: {
      /** @description The workflow's name. */
      name: string;
      /** @description What it is for. */
      description: string;
      /** @description The member who answers for it, `mbr_…`. */
      owner: string;
      status: components["schemas"]["WorkflowStatus"];
      /** @description The version that is live in the environment of the key. */
      live_version: number | null;
      /** @description The newest version; null: none was published yet. */
      latest_version: number | null;
      /** @description Whether its triggers are off in the environment of the key. */
      paused: boolean;
      /** @description Null where no run has ended. */
      success_rate: components["schemas"]["WorkflowSuccessRate"] | null;
      /** @description Null where there is none. */
      last_run: components["schemas"]["WorkflowLastRun"] | null;
      /** @description Counts the changes of the draft; also its ETag. */
      revision: number;
      created_at: string;
      updated_at: string;
      draft: Record<string, never>;
      /** @description The draft's text, with its comments, where it came as a file. */
      source?: string;
      /** @description The version that `draft` and `source` are of, where one was asked for; null: the draft. */
      version: number | null;
      /** @description What is wrong with the draft, as the environment of the key stands, in the order of the text; at most 500. */
      findings: components["schemas"]["WorkflowFinding"][];
      /** @description Null where it is not paused. */
      pause: components["schemas"]["WorkflowPause"] | null;
      /** @description Null where it is not archived. */
      archived: components["schemas"]["WorkflowArchival"] | null;
      /**
       * @description The environment of the key.
       * @enum {string}
       */
      environment: "development" | "staging" | "production";
      /** @description The other environments in which it is still live. Where there are any, it was only taken out of service here, and `status` is not `archived`: archive it with a key of each of them. */
      live_elsewhere: components["schemas"]["Environment"][];
    };
    AskDecisionBody: {
      question: string;
      /** @description Answers to choose from. Default: words. */
      options?: {
        id: string;
        label: string;
      }[];
      context?: {
        [key: string]: unknown;
      };
      /** @description Whether the mission is held until it is answered. Default false. */
      blocks?: boolean;
    };
    AuditEvent: {
      /** @description The record's id, `aud_…`, as the `Audit-Ref` header of every answer names it. */
      audit_ref: string;
      /** @description When the call began. */
      time: string;
      /** @description Who called: `mbr_…`, `system:<job>` or `anonymous`. */
      actor: string;
      /** @description The key that was used, `key_…`. */
      key_id: string | null;
      /** @description The operation, such as `agents.dispatchTask`. */
      action: string;
      /** @description What was acted on, `<type>:<id>`. */
      object: string | null;
      task_id: string | null;
      approval_id: string | null;
      decision: components["schemas"]["Decision"];
      stage: components["schemas"]["StageName"] | null;
      /** @description What each stage of the pipeline said, in its order. */
      stages: components["schemas"]["Stage"][];
      /** @description The HTTP status that was answered. */
      status: number;
      /** @description The problem, where the call was refused or failed. */
      code: string | null;
      trust_score: number | null;
      request_id: string;
      /** @description Values that the log holds without showing them. */
      commitments: {
        /** @description SHA-256, in hexadecimal, of the opening followed by the caller's network address. Null where there was none. */
        address: string | null;
        /** @description SHA-256, in hexadecimal, of the opening followed by the SHA-256, in hexadecimal, of the request body's bytes. Null where there was none. */
        request: string | null;
        /** @description SHA-256, in hexadecimal, of the opening followed by the SHA-256, in hexadecimal, of the response body's bytes. Null where there was none. */
        response: string | null;
      };
      /** @description Where the record stands in the log. */
      leaf: {
        /** @description Place in the log, from 0. */
        index: number;
        /** @description Number among the records of its key, from 1 without gaps. */
        key_seq: number | null;
      };
      /** @description Present only where the database no longer holds what was logged: says what differs. What is shown of such a record is not to be relied on. */
      integrity?: string;
    };
    AuditEventPage: {
      data: components["schemas"]["AuditEvent"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    AuditExport: {
      /** @description The export, `exp_…`. */
      export_id: string;
      format: components["schemas"]["ExportFormat"];
      /** @description The version of the form; of `ocsf` that of the OCSF schema, which each event names as well. */
      schema_version: string;
      filter: components["schemas"]["SignedFilter"];
      state: components["schemas"]["ExportState"];
      /** @description Records of the log when the export was asked for; later ones are not in it. */
      tree_size: number;
      /** @description Records in the file. */
      rows: number | null;
      /** @description Length of the file. */
      bytes: number | null;
      /** @description SHA-256 of the file, in hexadecimal. */
      digest: string | null;
      /** @description A signed note (C2SP signed-note) by the log's key over format, filter, rows, bytes, SHA-256, the head of the log and what has no row. It is signed only after every record of the log, as far as the export reaches, was found to be what was logged: `aos audit verify <file> --manifest <manifest> --key <log_key>` checks the file, row by row against that head, without this service. */
      manifest: string | null;
      /** @description The log's public key as a verifier key (C2SP signed-note). Keep it from an answer that you trust, and verify with that one. */
      log_key: string;
      /** @description Why there is no file. Where the database no longer holds what was logged: which record, and what differs. */
      failure: string | null;
      created_at: string;
      finished_at: string | null;
      /** @description Who asked for it: `mbr_…`. */
      requested_by: string;
    };
    AuditRecord: {
      /** @description The record's id, `aud_…`, as the `Audit-Ref` header of every answer names it. */
      audit_ref: string;
      /** @description When the call began. */
      time: string;
      /** @description Who called: `mbr_…`, `system:<job>` or `anonymous`. */
      actor: string;
      /** @description The key that was used, `key_…`. */
      key_id: string | null;
      /** @description The operation, such as `agents.dispatchTask`. */
      action: string;
      /** @description What was acted on, `<type>:<id>`. */
      object: string | null;
      task_id: string | null;
      approval_id: string | null;
      decision: components["schemas"]["Decision"];
      stage: components["schemas"]["StageName"] | null;
      /** @description What each stage of the pipeline said, in its order. */
      stages: components["schemas"]["Stage"][];
      /** @description The HTTP status that was answered. */
      status: number;
      /** @description The problem, where the call was refused or failed. */
      code: string | null;
      trust_score: number | null;
      request_id: string;
      /** @description Values that the log holds without showing them. */
      commitments: {
        /** @description SHA-256, in hexadecimal, of the opening followed by the caller's network address. Null where there was none. */
        address: string | null;
        /** @description SHA-256, in hexadecimal, of the opening followed by the SHA-256, in hexadecimal, of the request body's bytes. Null where there was none. */
        request: string | null;
        /** @description SHA-256, in hexadecimal, of the opening followed by the SHA-256, in hexadecimal, of the response body's bytes. Null where there was none. */
        response: string | null;
      };
      leaf: {
        /** @description Place in the log, from 0. */
        index: number;
        /** @description Number among the records of its key, from 1 without gaps. */
        key_seq: number | null;
      } | null;
      /** @description The exact text (canonical JSON, RFC 8785) whose hash is the leaf: what a proof of this record proves. Null while the record is not in the log. */
      leaf_data: string | null;
      /** @description The log's public key as a verifier key (C2SP signed-note). Keep it from an answer that you trust: every later proof must verify under the same. */
      log_key: string;
      /** @description 16 bytes each, in hexadecimal, that open the commitments: who holds a body can check that it is the one. Absent once the data of the person concerned was erased. */
      openings: {
        address?: string;
        request?: string;
        response?: string;
      };
    };
    /**
     * @description `propose`: people approve every task before it runs. `approve_writes`: every task whose skill has a tool that writes. `within_limits`: only what policies and risk ask for. None of them lifts an approval.
     * @enum {string}
     */
    Autonomy: "propose" | "approve_writes" | "within_limits";
    /** @description An export: a line of JSON for the base, then one for each document, oldest first, with contents, metadata and access. */
    BaseExport: {
      base_id: string;
      name: string;
      /** @description Documents that the caller may read. */
      documents: number;
      /** @constant */
      media_type: "application/x-ndjson";
      /** @description Where the content streams: read it with `Accept: application/x-ndjson`. */
      url: string;
    };
    /** @description How the index of the base stands. */
    BaseHealth: {
      /**
       * @description `indexing`: documents wait or are in work, or the base is reindexed; what was indexed is found. `degraded`: documents or a reindex failed.
       * @enum {string}
       */
      state: "empty" | "ready" | "indexing" | "degraded";
      /** @description Documents by state. */
      documents: {
        /** @description Not begun. */
        queued: number;
        /** @description Being read. */
        parsing: number;
        /** @description Being indexed. */
        indexing: number;
        /** @description Found by searches. */
        indexed: number;
        /** @description Could not be read or indexed; the document says why. */
        failed: number;
      };
      /** @description A new index is built; searches use the former one until it is complete. */
      reindexing: boolean;
      /** @description Why a new index was given up; null: none was. `reindex` begins anew. */
      reindex_error: {
        code: string;
        detail: string;
      } | null;
      /** @description Documents past their review date. */
      stale: number;
    };
    /** @description How documents are cut into chunks. */
    BaseSettings: {
      /**
       * @description The longest chunk of a text, in UTF-16 code units.
       * @default 1200
       */
      chunk_length: number;
    };
    /** @description A tool as in the agent's file, and who may call it. */
    BindToolBody: {
      /** @description What the agent may call. */
      definition: components["schemas"]["RecordTool"] | components["schemas"]["SearchTool"] | components["schemas"]["HttpTool"] | components["schemas"]["McpTool"];
      /** @description The skills that may call it, and no others. Left out: those that could before. */
      skills?: string[];
    };
    /** @description Figures of one value of a dimension, or of one combination. */
    Breakdown: {
      /** @description By dimension; `other`: values beyond its limit; null: none. */
      key: {
        [key: string]: string | null;
      };
      /** @description By dimension, what its value is called, where that is an id: of members, keys, versions, policies, kill switches, budgets and endpoints. */
      names?: {
        [key: string]: string;
      };
      /** @description By the name of the measure. */
      figures: {
        [key: string]: components["schemas"]["Figure"];
      };
    };
    Budget: {
      /** @description What it covers: `environment`, `agent:<name>`, `key:<key_…>` or `member:<mbr_…>` (a person or a service account). */
      scope: string;
      limits: components["schemas"]["BudgetLimit"][];
    };
    BudgetLimit: {
      unit: components["schemas"]["BudgetUnit"];
      period: components["schemas"]["BudgetPeriod"];
      /** @description What is never exceeded: a call that needs more than is left is refused. Null: nothing is refused. */
      hard: number | null;
      /** @description From here on there is a warning (`budget.warning`); null: none. */
      warn: number | null;
      /** @description Used in this window; up to a second late. */
      used: number;
      /** @description In the hands of processes: for calls under way, and a little ahead of them. What is not needed comes back. */
      reserved: number;
      /** @description What is neither used nor reserved; null where nothing is ever refused. */
      available: number | null;
      /** @description What will have been used at the end of the window if it goes on as before; null in the first tenth of the window, and for a total. */
      forecast: number | null;
      window: {
        from: string;
        /** @description When the next window starts; null: never. */
        to: string | null;
      };
      /** @enum {string} */
      state: "ok" | "warning" | "exhausted";
      /** @description When the limit was last changed. */
      updated_at: string;
    };
    BudgetPage: {
      data: components["schemas"]["Budget"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /**
     * @description How long a window is; hours, days and months are those of UTC. `total`: one window without end, from when the limit was set.
     * @enum {string}
     */
    BudgetPeriod: "hour" | "day" | "month" | "total";
    /** @description How far a limit of money is used up in its present window, and on what. The parts sum exactly to what is used. */
    BudgetSpend: {
      /** @description What it covers: `environment`, `agent:…`, `key:…` or `member:…`. */
      scope: string;
      /** @description The same in words, with the names of keys and members. */
      name: string;
      unit: string;
      period: string;
      used: number;
      /** @description The hard limit, or the warning level where there is none. */
      limit: number;
      /** @description Used of the limit; null: the limit is 0. */
      share: number | null;
      /** @description What will have been used at the end of its window if it goes on as before. */
      forecast: number | null;
      /** @description `ok`, `warning` or `exhausted`. */
      state: string;
      /** @description When the next window starts; null: never. */
      resets_at: string | null;
      /** @description Of what is used: spent by tasks, whenever they were dispatched. */
      tasks_usd: number;
      /** @description Of what is used: spent outside of tasks. */
      outside_usd: number;
      /** @description Of what is used: counted before the service kept a ledger. 0 in windows that began later. */
      unlisted_usd: number;
    };
    /**
     * @description `usd`: money in US dollars, as far as calls have a price; what runs at a flat rate costs 0 and never reaches such a limit: bound it in `tasks`, `steps` or `tokens`. `tasks`: dispatches that were accepted. `steps`: of runs, that is turns of models and calls of tools. `tokens`: of models.
     * @enum {string}
     */
    BudgetUnit: "usd" | "tokens" | "tasks" | "steps";
    /** @description How far a limit of a budget is used up in its present window. */
    BudgetUse: {
      /** @description What it covers: `environment`, `agent:…`, `key:…` or `member:…`. */
      scope: string;
      /** @description The same in words, with the names of keys and members. */
      name: string;
      unit: string;
      period: string;
      used: number;
      /** @description The hard limit, or the warning level where there is none. */
      limit: number;
      /** @description Used of the limit; null: the limit is 0. */
      share: number | null;
      /** @description What will have been used at the end of its window if it goes on as before. */
      forecast: number | null;
      /** @description `ok`, `warning` or `exhausted`. */
      state: string;
      /** @description When the next window starts; null: never. */
      resets_at: string | null;
    };
    BuiltinModel: {
      /** @constant */
      provider: "builtin";
    };
    BulkAnswer: {
      /** @description `bat_…`. */
      batch_id: string;
      /** @description How many were taken. */
      succeeded: number;
      /** @description How many were refused. */
      failed: number;
      /** @description In the order of the items. */
      results: {
        /** @description The item's place in `items`, from 0. */
        index: number;
        /** @description What a call of its own would have answered. */
        status: number;
        /** @description The approval as it stands after the vote, or the problem. */
        body: {
          [key: string]: unknown;
        };
      }[];
    };
    BulkBody: {
      /** @description Each is decided and answered on its own, as by a call of its own. */
      items: {
        /** @description The approval's id, `apr_…`, or its task's, `tsk_…`. */
        approval: string;
        /** @enum {string} */
        decision: "approve" | "reject";
        /** @description `digest` of the approval as it was shown; required where the risk is high or critical. */
        digest?: string;
        /** @description Required to reject. */
        reason?: string;
      }[];
    };
    BulkWorkflowRunsBody: {
      /**
       * @description `retry`: what did not complete, in the same run. `replay`: a new run with the same input.
       * @enum {string}
       */
      action: "cancel" | "retry" | "replay";
      runs: string[];
      /** @description Of `cancel`: undo completed steps as well. */
      compensate?: boolean;
      /** @description Why, for the record. */
      reason?: string;
    };
    BulkWorkflowRunsResult: {
      /** @description In the order of the call. */
      results: {
        /** @description As it was given. */
        run_id: string;
        /** @description The HTTP status that the call alone would have answered. */
        status: number;
        audit_ref: string;
        run?: components["schemas"]["ControlledWorkflowRun"];
        /** @description Why it was refused. */
        problem?: {
          [key: string]: unknown;
        };
      }[];
      /** @description How many were done. */
      succeeded: number;
      /** @description How many were refused. */
      failed: number;
    };
    /** @description When a canary is promoted or aborted. */
    CanaryRule: {
      /**
       * @description Who promotes a canary that is no worse: the service, or a person. A worse one is aborted by the service.
       * @default by_rule
       * @enum {string}
       */
      promote: "by_rule" | "by_hand";
      /**
       * @description A drop of the accepted share, or rise of the failed share, that still counts as no worse.
       * @default 0.05
       */
      tolerance: number;
      /**
       * @description Judged tasks of the canary at which it has to be decided.
       * @default 1000
       */
      most_judged: number;
      /**
       * @description It is not promoted by rule before it has run so long.
       * @default 0
       */
      least_hours: number;
      /**
       * @description What happens where so many judged tasks do not decide it; `hold`: it goes on until a person decides.
       * @default hold
       * @enum {string}
       */
      on_limit: "hold" | "promote" | "abort";
    };
    /** @description When it is promoted or aborted; what is left out has its default. */
    CanaryRuleInput: {
      /**
       * @description Who promotes a canary that is no worse: the service, or a person. A worse one is aborted by the service.
       * @default by_rule
       * @enum {string}
       */
      promote?: "by_rule" | "by_hand";
      /**
       * @description A drop of the accepted share, or rise of the failed share, that still counts as no worse.
       * @default 0.05
       */
      tolerance?: number;
      /**
       * @description Judged tasks of the canary at which it has to be decided.
       * @default 1000
       */
      most_judged?: number;
      /**
       * @description It is not promoted by rule before it has run so long.
       * @default 0
       */
      least_hours?: number;
      /**
       * @description What happens where so many judged tasks do not decide it; `hold`: it goes on until a person decides.
       * @default hold
       * @enum {string}
       */
      on_limit?: "hold" | "promote" | "abort";
    };
    CancelledMission: {
      mission: components["schemas"]["Mission"];
      report: components["schemas"]["MissionReport"];
    };
    CardSkill: {
      /** @description The value of `task` in a dispatch. */
      id: string;
      name: string;
      description: string;
      /** @description The agent's labels. */
      tags: string[];
      /** @description Inputs, as JSON. */
      examples?: string[];
      /** @description Media types. */
      inputModes: string[];
      /** @description Media types. */
      outputModes: string[];
    };
    /** @description Each member that is given takes the place of the schedule's. */
    ChangeAgentScheduleBody: {
      /** @description One of the agent's skills. */
      task?: string;
      /** @description The skill's input, the same each time. */
      input?: {
        [key: string]: unknown;
      };
      /** @description Five fields: minute, hour, day, month, weekday; such as `0 7 * * MON-FRI`. */
      schedule?: string;
      /** @description Such as `Europe/Vienna`. Default `UTC`. */
      time_zone?: string;
      /**
       * @description While the task before is not over: leave this time out (default), dispatch once it is over (at most one waits, the newest), or cancel it and dispatch.
       * @enum {string}
       */
      overlap?: "skip" | "queue" | "cancel_previous";
      /**
       * @description Times that passed while the service did not run: leave them out, or make up for the last one (default).
       * @enum {string}
       */
      missed?: "skip" | "run_once";
      /** @description Labels of its tasks, besides `schedule:<schedule_id>`, by which they can be listed. */
      labels?: string[];
      /** @description Higher runs earlier; default 0. */
      priority?: number;
      /** @description Each task waits for people. */
      require_approval?: boolean;
      /** @description What it is for, for people. */
      note?: string;
      /** @description Null: no limit of its own. */
      budget?: components["schemas"]["AgentScheduleBudget"] | null;
      /** @description A service account, by name, whose permissions the tasks have. Default: the caller. */
      as?: string;
      /** @description True: times are left out until it is resumed with false. */
      paused?: boolean;
      /** @description Why it is paused. */
      reason?: string;
    };
    /** @description What is left out stays. */
    ChangeAlertBody: {
      /** @description A paused alert is not looked at, and fires and clears nothing. */
      paused?: boolean;
      /** @description For people. */
      name?: string;
      /** @description `above` and `below`: beyond a threshold. `anomaly`: unlike the same window of the six weeks before; it needs four of them. */
      condition?: {
        /** @constant */
        kind: "above";
        /** @description In the unit of the measure. */
        threshold: number;
        /** @description It clears at or below this. Default: a tenth of the threshold below it. */
        clear_at?: number;
      } | {
        /** @constant */
        kind: "below";
        /** @description In the unit of the measure. */
        threshold: number;
        /** @description It clears at or above this. Default: a tenth of the threshold above it. */
        clear_at?: number;
      } | {
        /** @constant */
        kind: "anomaly";
        /** @enum {string} */
        direction: "high" | "low" | "both";
        /** @description How rare a value has to be: once in so many windows, compared with the same window of the weeks before. */
        once_in: number;
      };
      /** @description How long it has to hold before it fires, and to be over before it clears. */
      for_minutes?: number;
      /** @description Fewer things in the window are no data: nothing fires or clears then. */
      least_n?: number;
      notify?: components["schemas"]["AlertNotify"];
    };
    ChangeBaseBody: {
      /** @description Lowercase letters, digits, `_` and `-`. Agents name the base by it. It does not begin with `kb_`: ids do. */
      name?: string;
      /** @description What is in it. */
      description?: string;
      /**
       * @description The language of its texts: words are found by their stems in it. `simple` takes words as they are, such as for mixed languages.
       * @enum {string}
       */
      language?: "simple" | "arabic" | "armenian" | "basque" | "catalan" | "danish" | "dutch" | "english" | "finnish" | "french" | "german" | "greek" | "hindi" | "hungarian" | "indonesian" | "irish" | "italian" | "lithuanian" | "nepali" | "norwegian" | "portuguese" | "romanian" | "russian" | "serbian" | "spanish" | "swedish" | "tamil" | "turkish" | "yiddish";
      /** @description Who may read it: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist. */
      readers?: string[] | null;
      settings?: {
        /**
         * @description The longest chunk of a text, in UTF-16 code units.
         * @default 1200
         */
        chunk_length?: number;
      };
      /** @description Days after which a document has to be reviewed, counted from its last change or review. Null: never. */
      review_days?: number | null;
      /** @description Days for which former versions of documents, and the citations of them, are kept. Null: as long as the document. */
      version_days?: number | null;
      /** @description Which model makes vectors of its texts; null: none does. */
      embedding?: components["schemas"]["Embedding"] | null;
      /**
       * @description Builds a new index, such as after one was given up.
       * @constant
       */
      reindex?: true;
    };
    ChangeChunkBody: {
      /** @description Its corrected text. The document itself stays as it is. */
      text?: string;
      /** @description Whether searches leave it out. */
      disabled?: boolean;
    };
    /** @description What is left out stays. `source` replaces the whole of it. */
    ChangeConnectorBody: {
      /** @description Where it looks and what it takes; what it holds depends on `kind`. */
      source?: {
        [key: string]: unknown;
      };
      /** @description Of `s3` and `postgres`. Stored encrypted and never shown again. */
      credentials?: {
        [key: string]: unknown;
      };
      /** @description Null: none. */
      connection?: string | null;
      /** @description Null: it runs only when it is started. */
      schedule?: components["schemas"]["ConnectorSchedule"] | null;
      /** @description Who may read what it brings: `role:…`, `member:mbr_…` and `agent:…`. Null: whoever may read the base. */
      readers?: string[] | null;
      /** @description Whether documents stay when they vanish from the source. Default: only of a feed. */
      keep_removed?: boolean;
      /**
       * @description `paused`: it does not run until it is `active` again.
       * @enum {string}
       */
      state?: "active" | "paused";
    };
    ChangeConversationBody: {
      title?: string | null;
      labels?: string[];
      /** @description A language tag of BCP 47, such as `en` or `de-AT`. */
      language?: string | null;
      /** @description What the agent is told of the situation besides the messages, such as the customer's order. Data, never instructions. */
      context?: {
        [key: string]: unknown;
      };
    };
    /** @description A new share, or an action with its reason. */
    ChangeDeploymentBody: {
      /** @description Percent of new tasks that go to the canary, at most 99; of a shadow, percent of the live version's tasks that it carries out too. */
      share?: number;
      /**
       * @description `promote`: its version goes live; `abort`: it takes no new tasks any more.
       * @enum {string}
       */
      action?: "promote" | "abort";
      /** @description Why; needed with `action`, kept and shown. */
      reason?: string;
      /**
       * @description With `abort`: whether tasks of the canary end on their version, or queued ones that nobody approved go to the live version, where it takes them.
       * @default finish
       * @enum {string}
       */
      open_tasks?: "finish" | "move";
    };
    /** @description Each member that is given takes the place of the draft's; the others stay. */
    ChangeDraftBody: {
      /** @description The agent's name: a short lowercase word. */
      agent?: string;
      /** @description The member who answers for the agent, `mbr_…`. */
      owner?: string;
      /** @description What it does, in words. */
      description?: string;
      /** @description All labels; null for none. */
      labels?: string[] | null;
      /** @description The model that runs the skills. */
      model?: components["schemas"]["BuiltinModel"] | components["schemas"]["AnthropicModel"] | components["schemas"]["OpenAiModel"] | components["schemas"]["OpenAiCompatibleModel"];
      /** @description What all skills are told; null for nothing. */
      instructions?: string | null;
      /** @description All knowledge bases; null for none. */
      knowledge?: string[] | null;
      tools?: (components["schemas"]["RecordTool"] | components["schemas"]["SearchTool"] | components["schemas"]["HttpTool"] | components["schemas"]["McpTool"])[];
      skills?: components["schemas"]["Skill"][];
    };
    /** @description What is not signed. Title, summary and the rest change with a new version. */
    ChangeListingBody: {
      /**
       * @description `private`: for this organization; its file cannot be downloaded. `public`: its file may be taken to other installations.
       * @enum {string}
       */
      visibility?: "private" | "public";
      /** @description Such as `Finance`. */
      business_function?: string;
    };
    ChangeMissionBody: {
      /** @description What is to be achieved, in words. */
      goal?: string;
      measure?: components["schemas"]["Measure"];
      /** @description Agents that may work on it. No plan uses others. */
      agents?: string[];
      budget?: components["schemas"]["MissionBudgetLimit"];
      /** @description When it has to be done; null: no deadline. */
      deadline?: string | null;
      autonomy?: components["schemas"]["Autonomy"];
      /** @description What the mission works on, such as a list of leads. Expressions of the plan read it as `input`. */
      inputs?: {
        [key: string]: unknown;
      };
      /** @description Labels that its tasks carry. */
      labels?: string[];
    };
    /** @description A JSON Merge Patch (RFC 7396): what is left out stays, and null brings the standard back. */
    ChangeSettingsBody: {
      settings?: components["schemas"]["SettingsPatch"];
      /** @description Belong to the installation: they are shown here, and naming one is 422 `not_changeable`. */
      limits?: unknown;
    };
    ChangeWebhookBody: {
      /** @description Where events are sent, by POST: https, at a public address. In development http to this machine is taken as well. */
      url?: string;
      /** @description Which events are sent. `GET /v1/webhooks/event-types` lists them. */
      events?: string[];
      /** @description What it is for, for people. */
      description?: string;
      /** @description Only events of these agents; those that concern no agent are not sent then. Null: no such bound. */
      agents?: string[] | null;
      /** @description Only events of work of these levels of risk. Null: no such bound. */
      risks?: components["schemas"]["RiskLevel"][] | null;
      /**
       * @description `flat`: `{event, …}`, all metadata in headers. `standard`: `{type, timestamp, data}` of Standard Webhooks. `cloudevents`: CloudEvents 1.0, structured.
       * @enum {string}
       */
      format?: "flat" | "standard" | "cloudevents";
      /** @description Most deliveries a second, whichever processes send them; what is over that waits. Null: no such bound. */
      rate_per_second?: number | null;
      /**
       * @description `paused`: nothing is sent, and events go on being stored. `enabled`: pending deliveries are sent; `POST …/recover` sends what came meanwhile.
       * @enum {string}
       */
      state?: "enabled" | "paused";
    };
    /** @description A changed base, and whether it is reindexed. */
    ChangedBase: {
      /** @description `kb_…` */
      base_id: string;
      /** @description What agents call it by; unique in the environment. */
      name: string;
      description: string;
      /**
       * @description The language of its texts: words are found by their stems in it. `simple` takes words as they are, such as for mixed languages.
       * @enum {string}
       */
      language: "simple" | "arabic" | "armenian" | "basque" | "catalan" | "danish" | "dutch" | "english" | "finnish" | "french" | "german" | "greek" | "hindi" | "hungarian" | "indonesian" | "irish" | "italian" | "lithuanian" | "nepali" | "norwegian" | "portuguese" | "romanian" | "russian" | "serbian" | "spanish" | "swedish" | "tamil" | "turkish" | "yiddish";
      /** @description Who may read it: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist. */
      readers: string[] | null;
      settings: components["schemas"]["BaseSettings"];
      /** @description Days after which a document has to be reviewed, counted from its last change or review. Null: never. */
      review_days: number | null;
      /** @description Days for which former versions of documents, and the citations of them, are kept. Null: as long as the document. */
      version_days: number | null;
      /** @description Which model makes vectors of its texts; null: none does. */
      embedding: components["schemas"]["Embedding"] | null;
      /** @description How many documents it has, records among them. */
      documents: number;
      /** @description Documents with fields: what tools of kind `record` find. */
      records: number;
      /** @description Pieces of them that searches find. */
      chunks: number;
      health: components["schemas"]["BaseHealth"];
      /** @description Who made it, by id. */
      author: string;
      /** @description Raised by each change of its settings. */
      revision: number;
      created_at: string;
      /** @description When a document last came or changed; null: it is empty. */
      updated_at: string | null;
      /**
       * @description `queued`: language or chunk length changed, or `reindex` asked for it, so a new index is built. Searches use the present one until it is complete.
       * @enum {string}
       */
      reindex: "none" | "queued";
    };
    /** @description The deployment as it is now. */
    ChangedDeployment: {
      /** @description `dep_…` */
      deployment_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      environment: components["schemas"]["Environment"];
      /** @description Versions of an agent are numbered from 1. */
      version: number;
      /** @description `ver_…` */
      version_id: string;
      state: components["schemas"]["DeploymentState"];
      mode: components["schemas"]["DeploymentMode"];
      /** @description Percent of new tasks that go to it; of a shadow, that it runs beside. The live one has what a canary leaves. */
      share: number;
      /** @description When it is promoted or aborted; null where it is no canary. */
      rule: components["schemas"]["CanaryRule"] | null;
      /** @description What it may use; null where it is no shadow. */
      budget: components["schemas"]["ShadowBudget"] | null;
      /** @description How a canary or a shadow ended; null: it has not, or it is neither. */
      outcome: components["schemas"]["DeploymentOutcome"] | null;
      /** @description Why a canary or a shadow ended. */
      reason: string | null;
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      /** @description The live deployment that it runs beside, `dep_…`; null where it is whole. */
      compared_with: string | null;
      /** @description Counts the changes of it; ETags are made of it. */
      revision: number;
      /**
       * @description What brought it.
       * @enum {string}
       */
      kind: "deploy" | "rollback";
      /** @description Why, in the words of who did it. */
      note: string;
      /** @description What the evaluation gate said when it went live; null where it was not asked. */
      gate: {
        verdict: string;
        reasons: string[];
      } | null;
      /** @description A rollback left this version here: later rollbacks pass it over. */
      abandoned: boolean;
      /** @description Who deployed it, by id. */
      author: string;
      created_at: string;
      /** @description Since when it takes no new work; null while it does. */
      ended_at: string | null;
      /** @description Who ended it, by id. */
      ended_by: string | null;
      /** @description The deployment that took its place, `dep_…`. */
      replaced_by: string | null;
      /** @description While it is live, a canary or a shadow; else null. */
      health: components["schemas"]["DeploymentHealth"] | null;
      /** @description With `promote`: the deployment that is live now, `dep_…`; else null. */
      live: string | null;
      /** @description With `abort`; else null. */
      tasks: components["schemas"]["MovedTasks"] | null;
    };
    Channel: {
      /** @description Lowercase letters, digits and `-`; unique in the environment. `api` is what calls without a channel have. */
      name: string;
      /**
       * @description `web`: the widget on a page. `email`: a mailbox, read by IMAP and answered by SMTP. `slack`: an app of Slack, or of what speaks like it.
       * @enum {string}
       */
      kind: "web" | "email" | "slack";
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      enabled: boolean;
      /** @description Its settings, without secrets. */
      config: {
        [key: string]: unknown;
      };
      has_secret: boolean;
      /** @description Of `slack`: the address that Slack calls with its events. */
      events_url: string | null;
      /**
       * @description `stopped`: whoever answers for it may not do so any more. `failing`: the last attempt to read or to send came to nothing; `last_error` says why.
       * @enum {string}
       */
      state: "ok" | "disabled" | "stopped" | "failing";
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      last_error: string | null;
      /** @description When its mailbox was last looked through. */
      last_read_at: string | null;
      deliveries: {
        /** @description Replies that are to be sent, or sent again. */
        waiting: number;
        /** @description Replies that were given up: refused for good, or not taken within a day. */
        failed: number;
        /** @description Of the latest reply that was not taken. */
        last_error: string | null;
      };
      /** @description Who connected it, by id: on whose behalf the agent works for those who write. */
      answers_for: string;
      revision: number;
      created_at: string;
      updated_at: string;
    };
    ChannelPage: {
      data: components["schemas"]["Channel"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description A month's bill. A task counts in the month in which it was dispatched. */
    Chargeback: {
      month: string;
      from: string;
      to: string;
      time_zone: string;
      by: string;
      /** @description False: the month is not over, or tasks of it are still open. */
      complete: boolean;
      as_of: string;
      /** @constant */
      currency: "USD";
      /** @description Most expensive first. */
      lines: components["schemas"]["ChargebackLine"][];
      total: {
        tasks: number;
        tokens: number;
        cost_usd: number;
        cost_microusd: number;
      };
      /** @description Spent in the month outside of tasks, such as by evaluations and training; not part of `total`. */
      outside: {
        cost_usd: number;
        cost_microusd: number;
        entries: number;
      };
    };
    ChargebackLine: {
      /** @description The agent, key, member or label's value; `other`: beyond the limit; null: none. */
      value: string | null;
      /** @description What it is called, where the value is an id; null: as the value says. */
      name: string | null;
      tasks: number;
      tokens: number;
      cost_usd: number;
      /** @description Millionths of a US dollar: the lines sum exactly to the total. */
      cost_microusd: number;
      /** @description Of the total; null: nothing was spent. */
      share: number | null;
      /** @description Where its tasks are listed; null where no list tells them apart. */
      link: string | null;
    };
    ChatEvent: {
      sequence: number;
      /** @enum {string} */
      type: "chat.message.created" | "chat.part.started" | "chat.part.delta" | "chat.part.completed" | "chat.message.completed" | "chat.message.changed" | "chat.turn.changed" | "chat.conversation.changed";
      time: string;
      data: {
        [key: string]: unknown;
      };
    };
    ChatEventPage: {
      data: components["schemas"]["ChatEvent"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    ChatFeedbackBody: {
      /** @description Whether the reply helped. */
      accepted?: boolean;
      /** @description 1 useless, 5 just right. */
      rating?: number;
      /** @description The reply as it should have been. */
      correction?: string;
      /** @description Words for people. */
      comment?: string;
    };
    ChatFile: {
      /** @description The file's id, `fil_…`. */
      file_id: string;
      /** @description The conversation's id, `cnv_…`. */
      conversation_id: string;
      /** @description Its name, without folders. */
      name: string;
      media_type: string;
      /** @description Bytes. */
      size: number;
      /** @description In hexadecimal. */
      sha256: string;
      /** @description Null: it has no text that can be read. */
      characters: number | null;
      /** @description Who attached it, by id. */
      author: string | null;
      audit_ref: string;
      created_at: string;
    };
    ChatSearchAnswer: {
      /** @description The best first. */
      data: components["schemas"]["FoundMessage"][];
      /** @description Whether more messages fit than `limit`. */
      has_more: boolean;
    };
    ChatSearchBody: {
      /** @description Words that a message has to contain, in any order. `"in quotes"`: one after the other; `or` between two: either; `-word`: without it. */
      query: string;
      /** @description Conversations with these agents. */
      agent?: string[];
      /** @description Conversations of this person, by your name of them. */
      user?: string;
      channel?: string[];
      /** @enum {string} */
      state?: "open" | "closed";
      /** @description A label that the conversations carry. */
      label?: string;
      /** @description Who wrote the messages. */
      role?: ("user" | "agent" | "person" | "system")[];
      /** @description Conversations started at this time or later. */
      created_after?: string;
      /** @description Conversations started before this time. */
      created_before?: string;
      /** @default 25 */
      limit?: number;
    };
    CheckBody: {
      /** @description An action, such as `task.dispatch`. */
      action: string;
      /** @description The agent that would act. */
      agent?: string;
      /** @description The skill of its deployed version. */
      skill?: string;
      /** @description The tool of its deployed version. */
      tool?: string;
      /** @description The model that would be called. */
      model?: string;
      /** @description What the call carries: the task's input, the arguments of the tool, the document. */
      input?: {
        [key: string]: unknown;
      };
      /** @description Asks as if the key had this role; not of what a worker does. */
      as?: {
        /** @enum {string} */
        role: "viewer" | "operator" | "builder" | "evaluator" | "approver" | "auditor" | "admin";
      };
    };
    CheckResult: {
      action: string;
      /**
       * @description What would become of the call.
       * @enum {string}
       */
      verdict: "allow" | "require_approval" | "deny";
      /** @description The first stage that would refuse it. */
      refused_by: ("evaluation_gate" | "hold" | "policy" | "budget") | null;
      /** @description The verdict in a sentence. */
      explanation: string;
      /** @description The evaluation gate; null where the action passes none. */
      gate: {
        /** @enum {string} */
        state: "open" | "failed" | "inconclusive" | "expired" | "missing";
        /** @enum {string} */
        consequence: "allow" | "require_approval" | "deny" | "tag";
        reasons: string[];
      } | null;
      /** @description The kill switch or pause that stands against it. */
      hold: {
        /** @description A kill switch, `ksw_…`, or `pause`. */
        source: string;
        code: string;
        detail: string;
      } | null;
      /** @description Every policy that is asked about such a call, and what it says. One in shadow decides nothing. */
      policies: {
        /** @description The policy's id, `pol_…`. */
        policy_id: string;
        version: number;
        /** @enum {string} */
        state: "active" | "shadow";
        effect: components["schemas"]["PolicyEffect"];
        /**
         * @description `error`: its condition could not be evaluated, which counts as a refusal. `outside_window`: it does not hold at this time.
         * @enum {string}
         */
        outcome: "applies" | "does_not_apply" | "error" | "outside_window";
        /** @description A condition in CEL over the policy context, such as `agent.name == "sales" && risk.score >= 7`. True: the effect applies. */
        when: string;
        /** @description A stable word for programs: a-z, 0-9 and _. */
        reason_code: string;
        /** @description One sentence for whoever meets it. */
        message: string;
      }[];
      /** @description What people would be asked for, by gate, policies and risk at their strictest. A write waits as well in a run that has read text which could have steered it; `explanation` says so. */
      approval: components["schemas"]["Demand"] | null;
      tags: string[];
      /** @description Bounds that policies give the run. */
      limits: {
        steps?: number;
        seconds?: number;
        tokens?: number;
        cost_usd?: number;
      } | null;
      /** @description Kinds of data that would be redacted. */
      redact: ("all" | string[]) | null;
      /** @description Budgets that the call would draw on. */
      budgets: {
        scope: string;
        unit: string;
        period: string;
        required: number;
        /** @description Null: it refuses nothing. */
        available: number | null;
        within_limit: boolean;
      }[];
      /** @description What policies would see, but the input. */
      context: {
        [key: string]: unknown;
      };
    };
    /** @description The source text of a citation, as it was when it was cited. */
    Citation: {
      /** @description Its place among the document's chunks, from 1. */
      number: number;
      /** @description Leads to this very text, also after the document has changed. */
      citation: string;
      /** @description The version of the document that it is of. */
      version: number;
      /** @description Raised by each correction by hand. */
      revision: number;
      /** @description The document's title. */
      title: string;
      text: string;
      /** @enum {string} */
      kind: "text" | "table" | "code" | "record";
      /** @description The headings above it, outermost first. */
      headings: string[];
      /** @description The page on which it begins, from 1; null where the source has no pages. */
      first_page: number | null;
      last_page: number | null;
      /** @description Where it begins in the document's text, in UTF-16 code units; null for records. */
      starts_at: number | null;
      ends_at: number | null;
      /** @description Classes of data found in it. */
      data_classes: string[];
      base_id: string;
      /** @description The base's name. */
      base: string;
      document_id: string;
      external_id: string | null;
      /** @description The document's title today. */
      document_title: string;
      /** @description The file that it was in. */
      file_name: string | null;
      /** @description Where it was fetched from. */
      url: string | null;
      /** @description Whether searches still find exactly this. */
      current: boolean;
      /** @description The document's version today. */
      current_version: number;
      /** @description When it was replaced or corrected; null: it stands. */
      replaced_at: string | null;
    };
    CitationPart: {
      /** @constant */
      type: "citation";
      title: string;
      /** @description What was found, word for word. */
      quote: string;
      base: string | null;
      document_id: string | null;
      chunk_id: string | null;
      url: string | null;
    };
    /** @description The name of the clone. Description and labels are those of the original if omitted. */
    CloneAgentBody: {
      /** @description The agent's name: a short lowercase word. */
      name: string;
      /** @description The version to clone; the draft if omitted. */
      version?: number;
      /** @description What it does, in words. */
      description?: string;
      /** @description Labels, by which lists are filtered and policies scoped. Policies of an environment see a change from the next deployment there on. */
      labels?: string[];
    };
    CloneMissionBody: {
      /** @description What the mission works on, such as a list of leads. Expressions of the plan read it as `input`. */
      inputs?: {
        [key: string]: unknown;
      };
      /** @description What is to be achieved, in words. */
      goal?: string;
      budget?: components["schemas"]["MissionBudgetLimit"];
      /** @description When it has to be done; null: no deadline. */
      deadline?: string | null;
    };
    /** @description What the clone was made from. */
    CloneSource: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description The version that was cloned; null for the draft. */
      version: number | null;
      /** @description SHA-256 of the cloned definition. */
      digest: string;
      /** @description What stays with the original. The clone has to earn its own evidence before its gate opens. */
      not_cloned: ("deployments" | "feedback" | "gate" | "owner" | "pauses" | "trust" | "versions")[];
    };
    CompactConversationBody: {
      /**
       * @description Latest messages that the agent goes on reading as they are.
       * @default 4
       */
      keep?: number;
    };
    CompleteMissionBody: {
      /** @description What came of it, for people. */
      note?: string;
    };
    ConfirmBody: {
      /** @description Content by its kind and name, such as `agent:sales@3`, `workflow:refund@2`, `trigger:wtr_…` and `connection:crm`. */
      object: string;
      /** @description `digest` of the content as you read it. */
      digest: string;
    };
    Confirmation: {
      /** @description `cnf_…`. */
      confirmation_id: string;
      /** @description Content by its kind and name, such as `agent:sales@3`, `workflow:refund@2`, `trigger:wtr_…` and `connection:crm`. */
      object: string;
      /** @description Identifies this exact content; any change gives another digest. */
      digest: string;
      /**
       * @description `deployed` and `published`: the review was deploying or publishing it.
       * @enum {string}
       */
      how: "confirmed" | "deployed" | "published";
      /** @description Who reviewed it: `mbr_…`. */
      confirmed_by: string;
      /** @description As the organization knows them; the id where there is no name. */
      confirmed_by_name: string;
      confirmed_at: string;
    };
    ConfirmationPage: {
      data: components["schemas"]["Confirmation"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    Connection: {
      /** @description The name by which models and tools of agents refer to it. */
      connection: string;
      kind: components["schemas"]["ConnectionKindName"];
      /** @description Where it leads: the secret is sent to this host and to no other. */
      base_url: string;
      /** @description How an http connection carries its secret; null: the provider's own way. */
      auth: components["schemas"]["ConnectionAuth"] | null;
      /** @description The secret itself cannot be read. */
      has_secret: boolean;
      /** @description The secret's last four characters, to recognise it by; null: it has none, or is too short to show any. */
      last_four: string | null;
      /** @description Another one at each change of address, credentials or kind; whoever confirms the connection names it. */
      digest: string;
      /** @description Who decided it, as far as nobody else has looked at it in the environment of the key. */
      deciders: {
        /** @description `mbr_…`; `host`: whoever runs the service. */
        id: string;
        /**
         * @description What they did.
         * @enum {string}
         */
        how: "owner" | "issuer" | "named" | "took_over" | "input" | "edited" | "note" | "answered" | "signalled" | "secret" | "event" | "skipped" | "planned" | "wrote" | "channel" | "agent" | "trained" | "corrected" | "deployed" | "workflow" | "trigger" | "schedule" | "connection" | "dataset" | "document" | "connector" | "output" | "unknown";
        /** @description What they did it to, such as `agent:sales@3`; null: not known. */
        of: string | null;
        /** @description When; null: not known. */
        at: string | null;
      }[];
      /** @description The second person who looked at it in the environment of the key; null: nobody did. */
      confirmed_by: string | null;
      /** @description When they did. */
      confirmed_at: string | null;
      created_by: string;
      created_at: string;
      /** @description When it was added or last replaced. */
      changed_at: string;
      /** @description Null: it was not tested since. */
      last_test: components["schemas"]["ConnectionTest"] | null;
      /** @description Drafts, and versions that are live in this environment, that name it. */
      used_by: components["schemas"]["ConnectionUse"][];
    };
    ConnectionAuth: {
      /**
       * @description `bearer`: `Authorization: Bearer <secret>`. `basic`: the secret is `<user>:<password>`. `header`: the secret alone, in `header`.
       * @enum {string}
       */
      scheme: "bearer" | "basic" | "header";
      /** @description The header's name, such as `X-Api-Key`; for scheme `header`. */
      header?: string;
    };
    /**
     * @description `anthropic`, `openai`, `openai-compatible` (any server that speaks OpenAI's interface): for models. `http`: for tools.
     * @enum {string}
     */
    ConnectionKindName: "anthropic" | "openai" | "openai-compatible" | "http";
    ConnectionPage: {
      data: components["schemas"]["Connection"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    ConnectionTest: {
      /** @description The name by which models and tools of agents refer to it. */
      connection: string;
      /** @description Whether the other side was reached and took the credentials. */
      ok: boolean;
      /** @description Why not, such as `provider_unauthorized`; null: it works. */
      code: string | null;
      /** @description One sentence for people. */
      detail: string;
      /** @description How long it took. */
      milliseconds: number;
      tested_at: string;
    };
    ConnectionUse: {
      agent: string;
      /** @description The version that is live in this environment; null: the draft. */
      version: number | null;
      /** @description `model`, or `tool <name>`. */
      place: string;
    };
    /** @description Where a base takes documents from by itself. */
    Connector: {
      /** @description `cnr_…` */
      connector_id: string;
      /** @description `kb_…` */
      base_id: string;
      name: string;
      /**
       * @description `folder`: files of the host, below folders that its operator allowed. `website`: pages, by links or sitemap. `s3`: objects of a bucket. `postgres`: rows of a query, as records. `feed`: entries of an RSS or Atom feed.
       * @enum {string}
       */
      kind: "folder" | "website" | "s3" | "postgres" | "feed";
      /** @description Where it looks and what it takes. */
      source: {
        [key: string]: unknown;
      };
      /** @description The connection whose secret its requests carry; null: none. */
      connection: string | null;
      /** @description Whether it has credentials of its own. They cannot be read. */
      has_credentials: boolean;
      /** @description Null: it runs only when it is started. */
      schedule: {
        /** @description Minute, hour, day of the month, month and day of the week, such as `0 3 * * *`. At most every five minutes. */
        cron: string;
        /**
         * @description A time zone such as `Europe/Zurich`.
         * @default UTC
         */
        time_zone: string;
      } | null;
      /** @description When it runs next by its schedule; null: it does not. */
      next_run_at: string | null;
      /** @description Who may read what it brings: `role:…`, `member:mbr_…` and `agent:…`. Null: whoever may read the base. */
      readers: string[] | null;
      /** @description Whether documents stay when they vanish from the source. Default: only of a feed. */
      keep_removed: boolean;
      /** @enum {string} */
      state: "active" | "paused";
      /** @description Items of the source that it brought, that are still there and that you may read. */
      items: number;
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      /** @description Syncs that failed since the last one that completed. From three on it runs less often. */
      failures_in_a_row: number;
      /** @description Its latest sync; null: there was none. */
      last_sync: components["schemas"]["Sync"] | null;
      revision: number;
      /** @description Who made it, by id. */
      author: string;
      created_at: string;
      updated_at: string;
    };
    ConnectorPage: {
      data: components["schemas"]["Connector"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description When it runs. A run that was missed is made up for once. */
    ConnectorSchedule: {
      /** @description Minute, hour, day of the month, month and day of the week, such as `0 3 * * *`. At most every five minutes. */
      cron: string;
      /**
       * @description A time zone such as `Europe/Zurich`.
       * @default UTC
       */
      time_zone?: string;
    };
    /** @description What a person agrees to: exactly these permissions, asked for by whoever holds this key. */
    Consent: {
      /** @description The `permissions_digest` of what was shown. */
      permissions: string;
      /** @description The id of a publisher's key: `sha256:` and the SHA-256 of the public key. */
      publisher_key: string;
    };
    ControlledWorkflowRun: {
      /** @description The run's id, `wfr_…`. */
      run_id: string;
      /** @description The workflow's name. */
      workflow: string;
      /** @description The version that it runs; a later one does not change it. */
      version: number;
      status: components["schemas"]["WorkflowRunStatus"];
      /** @description What somebody asked of it and has not come to its end. */
      asked: ("pause" | "cancel" | "cancel_and_compensate" | "compensate") | null;
      /** @description What somebody did with it last. */
      intervention: {
        /** @description As in the control of a run, or `compensate`. */
        action: string;
        /** @description By id. */
        by: string;
        at: string;
        reason: string | null;
      } | null;
      /** @description What it was started with. */
      input: unknown;
      /** @description What it came to; null until it has completed. */
      output: unknown;
      /** @description Why it failed. */
      failure: {
        code: string;
        detail: string;
      } | null;
      /** @description What holds it now; null: nothing. */
      held_by: components["schemas"]["Hold"] | null;
      trigger: components["schemas"]["WorkflowRunTrigger"];
      /** @description The trigger that fired, `wtr_…`; of a replayed run, the run that it repeats. */
      trigger_id: string | null;
      /** @description No other run of the workflow with this key is open. */
      business_key: string | null;
      /** @description Runs with this key count together against the workflow's `concurrency`. */
      concurrency_key: string | null;
      /** @description The run and the step that started it. */
      parent: {
        /** @description The run's id, `wfr_…`. */
        run_id: string;
        /** @description A step's id, as in the file. */
        step: string;
      } | null;
      /** @description The mission that it works for, `msn_…`. */
      mission: string | null;
      progress: {
        /** @description Steps of the version. */
        steps: number;
        /** @description Completed or skipped. */
        completed: number;
        /** @description Failed, rejected, or with an unknown outcome. */
        failed: number;
        /** @description Running. */
        running: number;
        /** @description Waiting for a time, an event or people. */
        waiting: number;
      };
      /** @description What its steps cost so far. */
      cost_usd: number;
      /** @description Tokens of its steps so far. */
      tokens: number;
      labels: string[];
      /** @description Whose permissions it has, by id. */
      started_by: string;
      /** @description The audit record of its start, `aud_…`. */
      audit_ref: string;
      created_at: string;
      /** @description Null while it is queued. */
      started_at: string | null;
      finished_at: string | null;
      /** @description Steps that it concerns, in the order of the file. */
      changes: {
        /** @description A step's id, as in the file. */
        step: string;
        /**
         * @description `added`, `removed`, `changed`: by a migration, against the version before.
         * @enum {string}
         */
        change: "run_again" | "skipped" | "added" | "removed" | "changed";
        /** @description Of a preview: the step has written, and is done again only if `acknowledge` names it. */
        writes?: boolean;
      }[];
    };
    Conversation: {
      /** @description The conversation's id, `cnv_…`. */
      conversation_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description The version that answers until the conversation was idle for `repin_after_seconds`; null: no turn yet. */
      version: {
        number: number;
        version_id: string;
      } | null;
      /** @description How long a conversation is idle before it takes the version that is live then. */
      repin_after_seconds: number;
      /** @enum {string} */
      state: "open" | "closed";
      handler: components["schemas"]["Handler"];
      /** @description What people were asked for; null: nothing, or it was handed back. */
      handoff: components["schemas"]["Handoff"] | null;
      /** @description What holds it now; null: nothing. */
      held_by: components["schemas"]["Hold"] | null;
      /** @description Your own name of the person who writes, such as the id of their account. */
      user: string | null;
      /** @description `api`, or the channel by which it came. */
      channel: string;
      /** @description Your own name of the conversation, unique in its channel: starting it again returns the same one. */
      external_key: string | null;
      title: string | null;
      labels: string[];
      /** @description A language tag of BCP 47, such as `en` or `de-AT`. */
      language: string | null;
      /** @description What the agent is told of the situation besides the messages, such as the customer's order. Data, never instructions. */
      context: {
        [key: string]: unknown;
      };
      /** @description Whether the agent is answering. */
      busy: boolean;
      /** @description Messages that wait for their turn. */
      waiting: number;
      /** @description Number of the latest message. */
      messages: number;
      /** @description Sequence of the latest event of its stream. */
      sequence: number;
      /** @description What tells the user that an agent answers (EU AI Act, Article 50), and when that was delivered. */
      disclosure: {
        text: string;
        delivered_at: string | null;
      } | null;
      forked_from: {
        conversation_id: string;
        message_id: string;
      } | null;
      /** @description On whose behalf the agent works, by id. */
      started_by: string;
      revision: number;
      /** @description The audit record of its start, `aud_…`. */
      audit_ref: string;
      created_at: string;
      updated_at: string;
      last_message_at: string | null;
      closed_at: string | null;
      /** @description When it is erased; null: it is kept. */
      erase_at: string | null;
    };
    ConversationExport: {
      exported_at: string;
      /** @description By id. */
      exported_by: string;
      conversation: components["schemas"]["Conversation"];
      participants: components["schemas"]["Participant"][];
      /** @description Oldest first. */
      messages: components["schemas"]["Message"][];
      /** @description Whether there are messages behind these: export again with `after` set to the last number. */
      has_more: boolean;
    };
    ConversationPage: {
      data: components["schemas"]["Conversation"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description What the month will cost, of tasks, keys, agents and labels that the call looks at. */
    CostForecast: {
      /** @description `trend_and_weekdays`: level, trend and effects of weekdays by least squares over the last days; `seasonal_naive`: below two weeks, what was spent a week before, else the mean. Null: too few days. */
      method: ("trend_and_weekdays" | "seasonal_naive") | null;
      /** @description What it rests on, or why there is none. */
      explanation: string;
      from: string;
      /** @description End of the month in the time zone. */
      to: string;
      /** @description Spent in the month so far. */
      spent_usd: number;
      /** @description Of the whole month in US dollars; null: too few days to say. */
      total: components["schemas"]["ForecastAmount"] | null;
      /** @description Days that are still to come. */
      days: {
        from: string;
        to: string;
        value: number;
        low_80: number;
        high_80: number;
        low_95: number;
        high_95: number;
      }[];
      /** @description Whole days that it was learnt from. */
      learnt_from_days: number;
      /** @description How good it was on the last weeks; null: too few of them. */
      backtest: {
        /** @description Forecasts of a week that were made anew from what was known before it. */
        forecasts: number;
        /** @description Of the sum of a week, in US dollars. */
        mean_absolute_error: number;
        /** @description The same as a share of what was spent; null: nothing was. */
        relative_error: number | null;
        /** @description Share of days that fell into the 80 % interval. */
        covered_80: number;
        /** @description Share of days that fell into the 95 % interval. */
        covered_95: number;
      } | null;
    };
    /** @description What was spent, on what, and what the month will cost. */
    Costs: {
      from: string;
      to: string;
      time_zone: string;
      grain: components["schemas"]["Grain"];
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      /** @description By the name of the measure. */
      figures: {
        cost_usd: components["schemas"]["Figure"];
        tasks: components["schemas"]["Figure"];
        cost_per_task: components["schemas"]["Figure"];
        cost_per_accepted: components["schemas"]["Figure"];
        tokens: components["schemas"]["Figure"];
      };
      /** @description The measures window by window, oldest first. */
      series: components["schemas"]["Point"][];
      /** @description What the rows are told apart by. */
      by: string;
      rows: components["schemas"]["Breakdown"][];
      /** @description Whether there are more rows than `limit`. */
      more: boolean;
      ledger: components["schemas"]["LedgerFigures"];
      /** @description Limits of money that the key may see. Their windows are those of UTC, and begin when they say, not with the window that is asked for. */
      budgets: components["schemas"]["BudgetSpend"][];
      forecast: components["schemas"]["CostForecast"];
    };
    /** @description What the present version of the set covers. */
    Coverage: {
      /** @description Items. */
      items: number;
      /** @description Items that must pass. */
      must_pass: number;
      /** @description Items that are independent of each other, clusters counting as one. */
      clusters: number;
      /** @description How many items carry each label. */
      labels: {
        [key: string]: number;
      };
      /** @description How many items say what is expected at a place of the output, by its JSON Pointer. */
      expected: {
        [key: string]: number;
      };
    };
    /** @description A new agent: its whole definition, or `from` another one, or name and description alone. */
    CreateAgentBody: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description What it does, in words. */
      description?: string;
      /** @description Labels, by which lists are filtered and policies scoped. Policies of an environment see a change from the next deployment there on. */
      labels?: string[];
      /** @description The model that runs the skills. */
      model?: components["schemas"]["BuiltinModel"] | components["schemas"]["AnthropicModel"] | components["schemas"]["OpenAiModel"] | components["schemas"]["OpenAiCompatibleModel"];
      /** @description What the model is told. */
      instructions?: string;
      /** @description The knowledge bases it uses, by name. */
      knowledge?: string[];
      tools?: (components["schemas"]["RecordTool"] | components["schemas"]["SearchTool"] | components["schemas"]["HttpTool"] | components["schemas"]["McpTool"])[];
      skills?: components["schemas"]["Skill"][];
      from?: components["schemas"]["AgentSource"];
    };
    /** @description A dispatch that recurs. */
    CreateAgentScheduleBody: {
      /** @description One of the agent's skills. */
      task: string;
      /** @description The skill's input, the same each time. */
      input?: {
        [key: string]: unknown;
      };
      /** @description Five fields: minute, hour, day, month, weekday; such as `0 7 * * MON-FRI`. */
      schedule: string;
      /** @description Such as `Europe/Vienna`. Default `UTC`. */
      time_zone?: string;
      /**
       * @description While the task before is not over: leave this time out (default), dispatch once it is over (at most one waits, the newest), or cancel it and dispatch.
       * @enum {string}
       */
      overlap?: "skip" | "queue" | "cancel_previous";
      /**
       * @description Times that passed while the service did not run: leave them out, or make up for the last one (default).
       * @enum {string}
       */
      missed?: "skip" | "run_once";
      /** @description Labels of its tasks, besides `schedule:<schedule_id>`, by which they can be listed. */
      labels?: string[];
      /** @description Higher runs earlier; default 0. */
      priority?: number;
      /** @description Each task waits for people. */
      require_approval?: boolean;
      /** @description What it is for, for people. */
      note?: string;
      budget?: components["schemas"]["AgentScheduleBudget"];
      /** @description A service account, by name, whose permissions the tasks have. Default: the caller. */
      as?: string;
    };
    CreateAlertBody: {
      /** @description For people. */
      name: string;
      /**
       * @description `GET /v1/analytics/schema` describes them.
       * @enum {string}
       */
      measure: "tasks" | "completed" | "failed" | "rejected" | "open" | "success_rate" | "judged" | "accepted_rate" | "trust_mean" | "trust_calibration_error" | "cost_usd" | "cost_per_task" | "cost_per_accepted" | "tokens" | "steps" | "tool_calls" | "duration_p50" | "duration_p90" | "duration_p99" | "queue_time_p50" | "queue_time_p90" | "queue_time_p99" | "approvals" | "decided" | "time_to_decide_p50" | "time_to_decide_p90" | "edit_rate" | "override_rate" | "expiry_rate" | "quick_rate" | "agreement" | "blocked" | "policy_denials" | "pause_blocks" | "kill_switch_blocks" | "gate_blocks" | "budget_blocks" | "violations" | "tool_uses" | "step_failures" | "step_cost_usd" | "step_tokens" | "step_duration_p50" | "step_duration_p90" | "deliveries" | "delivery_success";
      /** @description `above` and `below`: beyond a threshold. `anomaly`: unlike the same window of the six weeks before; it needs four of them. */
      condition: {
        /** @constant */
        kind: "above";
        /** @description In the unit of the measure. */
        threshold: number;
        /** @description It clears at or below this. Default: a tenth of the threshold below it. */
        clear_at?: number;
      } | {
        /** @constant */
        kind: "below";
        /** @description In the unit of the measure. */
        threshold: number;
        /** @description It clears at or above this. Default: a tenth of the threshold above it. */
        clear_at?: number;
      } | {
        /** @constant */
        kind: "anomaly";
        /** @enum {string} */
        direction: "high" | "low" | "both";
        /** @description How rare a value has to be: once in so many windows, compared with the same window of the weeks before. */
        once_in: number;
      };
      /** @description Values of dimensions of the measure: `agent`, `skill`, `label:customer` … */
      filters?: {
        [key: string]: string[];
      };
      /** @description The window that is measured: so many minutes up to now. Default: 60. */
      window_minutes?: number;
      /** @description How long it has to hold before it fires, and to be over before it clears. Default: 0. */
      for_minutes?: number;
      /** @description Fewer things in the window are no data: nothing fires or clears then. Default: 20 for shares, means and percentiles; 0 for counts and sums, so that silence is a value. */
      least_n?: number;
      notify?: components["schemas"]["AlertNotify"];
    };
    CreateBaseBody: {
      /** @description Lowercase letters, digits, `_` and `-`. Agents name the base by it. It does not begin with `kb_`: ids do. */
      name: string;
      /** @description What is in it. */
      description?: string;
      /**
       * @description The language of its texts: words are found by their stems in it. `simple` takes words as they are, such as for mixed languages.
       * @default english
       * @enum {string}
       */
      language?: "simple" | "arabic" | "armenian" | "basque" | "catalan" | "danish" | "dutch" | "english" | "finnish" | "french" | "german" | "greek" | "hindi" | "hungarian" | "indonesian" | "irish" | "italian" | "lithuanian" | "nepali" | "norwegian" | "portuguese" | "romanian" | "russian" | "serbian" | "spanish" | "swedish" | "tamil" | "turkish" | "yiddish";
      /** @description Who may read it: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist. */
      readers?: string[] | null;
      settings?: {
        /**
         * @description The longest chunk of a text, in UTF-16 code units.
         * @default 1200
         */
        chunk_length?: number;
      };
      /** @description Days after which a document has to be reviewed, counted from its last change or review. Null: never. */
      review_days?: number | null;
      /** @description Days for which former versions of documents, and the citations of them, are kept. Null: as long as the document. */
      version_days?: number | null;
      /** @description Which model makes vectors of its texts; null: none does. */
      embedding?: components["schemas"]["Embedding"] | null;
    };
    CreateChatTokenBody: {
      /** @description The agent's name: a short lowercase word. */
      agent?: string;
      /** @description A web channel; its agent answers. */
      channel?: string;
      /** @description Your own name of the person who writes, such as the id of their account. */
      user: string;
      /** @description The only conversation of this user that the token opens. Default: all with this agent. */
      conversation?: string | null;
      /** @description Origins of the pages that may use the token. */
      origins?: string[];
      /** @default 900 */
      lifetime_seconds?: number;
    };
    CreateConnectorBody: components["schemas"]["CreateFolderConnector"] | components["schemas"]["CreateWebsiteConnector"] | components["schemas"]["CreateS3Connector"] | components["schemas"]["CreatePostgresConnector"] | components["schemas"]["CreateFeedConnector"];
    CreateDatasetBody: {
      /** @description A name of lowercase letters, digits and `-`. */
      name: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description The skill of the agent that the items are inputs of. */
      skill: string;
      /** @description What it tests, in words. */
      description?: string;
      /** @description Words to find the set by. */
      tags?: string[];
      /** @description Items without a name are numbered. */
      items: components["schemas"]["DatasetItem"][];
      /** @description What this version brings, for people. */
      note?: string;
    };
    /** @description Entries of a feed. */
    CreateFeedConnector: {
      /** @description Lowercase letters, digits, `_` and `-`; unique in the base. It does not begin with `cnr_`: ids do. */
      name: string;
      /** @description A connection of kind `http`, for a website or a feed. Its secret goes to its own origin only. */
      connection?: string;
      /** @description Null: it runs only when it is started. */
      schedule?: components["schemas"]["ConnectorSchedule"] | null;
      /** @description Who may read what it brings: `role:…`, `member:mbr_…` and `agent:…`. Null: whoever may read the base. */
      readers?: string[] | null;
      /** @description Whether documents stay when they vanish from the source. Default: only of a feed. */
      keep_removed?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "feed";
      source: components["schemas"]["FeedSource"];
    };
    /** @description Files of the host. */
    CreateFolderConnector: {
      /** @description Lowercase letters, digits, `_` and `-`; unique in the base. It does not begin with `cnr_`: ids do. */
      name: string;
      /** @description Null: it runs only when it is started. */
      schedule?: components["schemas"]["ConnectorSchedule"] | null;
      /** @description Who may read what it brings: `role:…`, `member:mbr_…` and `agent:…`. Null: whoever may read the base. */
      readers?: string[] | null;
      /** @description Whether documents stay when they vanish from the source. Default: only of a feed. */
      keep_removed?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "folder";
      source: components["schemas"]["FolderSource"];
    };
    CreateHookBody: {
      /** @description Its name, and the end of its address: lowercase letters, digits, `_` and `-`. */
      name: string;
      /** @description Who calls it and why, for people. */
      description?: string;
    };
    /** @description Own work: `source` with `name`, `version`, `title`, `summary` and `limits`. Or `file` alone (with `visibility` and `note` if wanted): a bundle that another installation made. */
    CreateListingBody: {
      /** @description The listing's name, the same in every version. */
      name?: string;
      /** @description Such as `1.2.0`. */
      version?: string;
      /**
       * @description `private`: for this organization; its file cannot be downloaded. `public`: its file may be taken to other installations.
       * @enum {string}
       */
      visibility?: "private" | "public";
      /** @description Own work of this environment, which is packed as it is now. */
      source?: {
        /** @constant */
        kind: "agent";
        /** @description The agent, by name. */
        agent: string;
        /** @description One of its versions. */
        version: number;
        /** @description Datasets that it was trained on, by name; whoever installs it trains it again. */
        training?: string[];
        /** @description Datasets of its evaluation. Default: those of its gate in this environment. */
        datasets?: string[];
        /** @description Knowledge bases whose documents go along. Default: none; installers bring their own. */
        knowledge?: string[];
        /** @description Policies that go along, by id. */
        policies?: string[];
      } | {
        /** @constant */
        kind: "workflow";
        /** @description The workflow, by name. */
        workflow: string;
        /** @description One of its published versions. */
        version: number;
      } | {
        /** @constant */
        kind: "tool_set";
        /** @description The agent whose tools they are. */
        agent: string;
        /** @description One of its versions. */
        version: number;
        /** @description Some of its tools, by name. Default: all. */
        tools?: string[];
      } | {
        /** @constant */
        kind: "policy_pack";
        /** @description Policies, by id. */
        policies: string[];
      } | {
        /** @constant */
        kind: "dataset";
        /** @description Datasets, by name or id. */
        datasets: string[];
      } | {
        /** @constant */
        kind: "scorer";
        /** @description Scorers, by name. */
        scorers: string[];
      };
      title?: string;
      /** @description What it is for, in a sentence or two. */
      summary?: string;
      /** @description Such as `Finance`. */
      business_function?: string;
      /** @description An SPDX expression. */
      license?: string;
      /** @description Its page, in Markdown. */
      readme?: string;
      /** @description What it cannot do: at least one sentence. */
      limits?: string[];
      /** @description What else an installer needs or has to change, in words. */
      requires?: string[];
      /** @description Of each dataset, by name: what data it is, who wrote it and how it was chosen. The scorecard says it. */
      data?: {
        [key: string]: string;
      };
      /** @description The text of an `.aosbundle` file from elsewhere, whole. It says everything else itself. */
      file?: string;
      /** @description For whoever reviews it. */
      note?: string;
    };
    /** @description `version` and `source`, or `file` alone. What is left out stays as in the version before. */
    CreateListingVersionBody: {
      /** @description Such as `1.2.0`. */
      version?: string;
      /** @description Own work of this environment, which is packed as it is now. */
      source?: {
        /** @constant */
        kind: "agent";
        /** @description The agent, by name. */
        agent: string;
        /** @description One of its versions. */
        version: number;
        /** @description Datasets that it was trained on, by name; whoever installs it trains it again. */
        training?: string[];
        /** @description Datasets of its evaluation. Default: those of its gate in this environment. */
        datasets?: string[];
        /** @description Knowledge bases whose documents go along. Default: none; installers bring their own. */
        knowledge?: string[];
        /** @description Policies that go along, by id. */
        policies?: string[];
      } | {
        /** @constant */
        kind: "workflow";
        /** @description The workflow, by name. */
        workflow: string;
        /** @description One of its published versions. */
        version: number;
      } | {
        /** @constant */
        kind: "tool_set";
        /** @description The agent whose tools they are. */
        agent: string;
        /** @description One of its versions. */
        version: number;
        /** @description Some of its tools, by name. Default: all. */
        tools?: string[];
      } | {
        /** @constant */
        kind: "policy_pack";
        /** @description Policies, by id. */
        policies: string[];
      } | {
        /** @constant */
        kind: "dataset";
        /** @description Datasets, by name or id. */
        datasets: string[];
      } | {
        /** @constant */
        kind: "scorer";
        /** @description Scorers, by name. */
        scorers: string[];
      };
      title?: string;
      /** @description What it is for, in a sentence or two. */
      summary?: string;
      /** @description Such as `Finance`. */
      business_function?: string;
      /** @description An SPDX expression. */
      license?: string;
      /** @description Its page, in Markdown. */
      readme?: string;
      /** @description What it cannot do: at least one sentence. */
      limits?: string[];
      /** @description What else an installer needs or has to change, in words. */
      requires?: string[];
      /** @description Of each dataset, by name: what data it is, who wrote it and how it was chosen. The scorecard says it. */
      data?: {
        [key: string]: string;
      };
      /** @description What is new, for whoever updates. */
      changes?: string;
      /** @description The text of an `.aosbundle` file from elsewhere, whole. It says everything else itself. */
      file?: string;
      /** @description For whoever reviews it. */
      note?: string;
    };
    /** @description About a `user`, or for one conversation (`conversation_id`), or taken from a message. */
    CreateMemoryBody: {
      /** @description What is remembered. Agents read it as data. */
      text: string;
      /** @description Your own name of the person who writes, such as the id of their account. */
      user?: string;
      /** @description The conversation's id, `cnv_…`. */
      conversation_id?: string;
      /** @description The message's id, `msg_…`. */
      source_message_id?: string;
    };
    CreateMissionBody: {
      /** @description What is to be achieved, in words. */
      goal: string;
      measure: components["schemas"]["Measure"];
      /** @description Agents that may work on it. No plan uses others. */
      agents: string[];
      budget: components["schemas"]["MissionBudgetLimit"];
      autonomy: components["schemas"]["Autonomy"];
      /** @description When it has to be done; null: no deadline. */
      deadline?: string | null;
      /** @description What the mission works on, such as a list of leads. Expressions of the plan read it as `input`. */
      inputs?: {
        [key: string]: unknown;
      };
      /** @description Labels that its tasks carry. */
      labels?: string[];
    };
    CreateMonitorBody: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description One skill of the agent; all of them where left out. */
      skill?: string;
      /**
       * @description The share of completed tasks that is drawn for review.
       * @default 0.02
       */
      share?: number;
      /**
       * @description The share of drawn tasks that two people judge, so that their agreement is known.
       * @default 0.1
       */
      double_review_share?: number;
    };
    /** @description Rows of a query. */
    CreatePostgresConnector: {
      /** @description Lowercase letters, digits, `_` and `-`; unique in the base. It does not begin with `cnr_`: ids do. */
      name: string;
      /** @description Null: it runs only when it is started. */
      schedule?: components["schemas"]["ConnectorSchedule"] | null;
      /** @description Who may read what it brings: `role:…`, `member:mbr_…` and `agent:…`. Null: whoever may read the base. */
      readers?: string[] | null;
      /** @description Whether documents stay when they vanish from the source. Default: only of a feed. */
      keep_removed?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "postgres";
      source: components["schemas"]["PostgresSource"];
      credentials: components["schemas"]["PostgresCredentials"];
    };
    CreateReportBody: {
      /** @description For people. */
      name: string;
      /** @description When it is made: five fields, such as `0 7 * * 1`. */
      schedule: string;
      /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
      time_zone?: string;
      /**
       * @description What it is about: the last whole day, week (from Monday) or month of its time zone.
       * @enum {string}
       */
      period: "day" | "week" | "month";
      /** @description In this order; default `overview`, `costs`, `quality`. */
      chapters?: ("overview" | "costs" | "quality" | "approvals" | "risk")[];
      /** @description Only this agent. */
      agent?: string;
      /** @description Only tasks with this declared label, `<name>:<value>`. */
      label?: string;
      /**
       * @description Default `markdown`.
       * @enum {string}
       */
      format?: "markdown" | "html" | "csv";
      /** @description Members who get it by e-mail, where the installation has a mail server and they have an address. */
      recipients?: string[];
    };
    /** @description Objects of a bucket. Without credentials it is read as anybody may. */
    CreateS3Connector: {
      /** @description Lowercase letters, digits, `_` and `-`; unique in the base. It does not begin with `cnr_`: ids do. */
      name: string;
      /** @description Null: it runs only when it is started. */
      schedule?: components["schemas"]["ConnectorSchedule"] | null;
      /** @description Who may read what it brings: `role:…`, `member:mbr_…` and `agent:…`. Null: whoever may read the base. */
      readers?: string[] | null;
      /** @description Whether documents stay when they vanish from the source. Default: only of a feed. */
      keep_removed?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "s3";
      source: components["schemas"]["S3Source"];
      credentials?: components["schemas"]["S3Credentials"];
    };
    CreateWebhookBody: {
      /** @description Where events are sent, by POST: https, at a public address. In development http to this machine is taken as well. */
      url: string;
      /** @description Which events are sent. `GET /v1/webhooks/event-types` lists them. */
      events: string[];
      /** @description What it is for, for people. */
      description?: string;
      /** @description Only events of these agents; those that concern no agent are not sent then. Null: no such bound. */
      agents?: string[] | null;
      /** @description Only events of work of these levels of risk. Null: no such bound. */
      risks?: components["schemas"]["RiskLevel"][] | null;
      /**
       * @description `flat`: `{event, …}`, all metadata in headers. `standard`: `{type, timestamp, data}` of Standard Webhooks. `cloudevents`: CloudEvents 1.0, structured.
       * @enum {string}
       */
      format?: "flat" | "standard" | "cloudevents";
      /** @description Most deliveries a second, whichever processes send them; what is over that waits. Null: no such bound. */
      rate_per_second?: number | null;
    };
    /** @description Pages of a website. */
    CreateWebsiteConnector: {
      /** @description Lowercase letters, digits, `_` and `-`; unique in the base. It does not begin with `cnr_`: ids do. */
      name: string;
      /** @description A connection of kind `http`, for a website or a feed. Its secret goes to its own origin only. */
      connection?: string;
      /** @description Null: it runs only when it is started. */
      schedule?: components["schemas"]["ConnectorSchedule"] | null;
      /** @description Who may read what it brings: `role:…`, `member:mbr_…` and `agent:…`. Null: whoever may read the base. */
      readers?: string[] | null;
      /** @description Whether documents stay when they vanish from the source. Default: only of a feed. */
      keep_removed?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "website";
      source: components["schemas"]["WebsiteSource"];
    };
    /** @description A new workflow: its definition, member by member with `workflow` and `steps` at least, or as a text by `source`. */
    CreateWorkflowBody: {
      /** @description The workflow's name. */
      workflow?: string;
      description?: string;
      /** @description What is new in this version. */
      version_note?: string;
      /** @description JSON Schema (2020-12) of the input. */
      input?: {
        [key: string]: unknown;
      };
      triggers?: (components["schemas"]["WorkflowEventTrigger"] | components["schemas"]["WorkflowScheduleTrigger"] | components["schemas"]["WorkflowHookTrigger"])[];
      /** @description The run's output. Texts are expressions in CEL (`input.order_id`, `'a text'`); numbers, true, false and null stand for themselves, lists and objects for what they hold. */
      output?: {
        [key: string]: unknown;
      };
      /** @description The business key: one open run per key, an expression in CEL. */
      key?: string;
      concurrency?: {
        /** @description Runs with the same one count together, an expression in CEL. */
        key: string;
        limit: number;
        /**
         * @description Default `queue`.
         * @enum {string}
         */
        when_full?: "queue" | "replace" | "reject";
      };
      limits?: {
        /** @description US dollars that a run may cost. */
        cost_usd?: number;
        /** @description How long a run may take. Default `30d`, such as `90s`, `1h30m` or `2d`. */
        duration?: string;
        /** @description Steps that a run may start, retries included; items of loops count against their own bound. Default 500. */
        steps?: number;
      };
      steps?: components["schemas"]["WorkflowStep"][];
      /** @description The whole definition as the text of a file, YAML or JSON, instead of the other members. It is kept with its comments. */
      source?: string;
    };
    CreatedChatToken: {
      /** @description `ctk_…`; audit records of the user's calls name it. */
      token_id: string;
      /** @description What the page sends as `Authorization: Bearer`. Shown once. */
      token?: string;
      /**
       * @description The call was repeated with its Idempotency-Key: what it made is there, but the secret was shown in the first answer and is kept nowhere. Absent otherwise.
       * @constant
       */
      secret_withheld?: true;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      channel: string;
      /** @description Your own name of the person who writes, such as the id of their account. */
      user: string;
      /** @description The conversation's id, `cnv_…`. */
      conversation: string | null;
      /** @description Origins of the pages that may use the token. */
      origins: string[];
      expires_at: string;
      /** @description The audit record of this call, `aud_…`. */
      audit_ref: string;
    };
    CreatedHook: {
      name: string;
      /** @description Where the other service sends. It is the same in every environment: the secret that signs decides which one takes the call. */
      url: string;
      description: string;
      /** @description Until when calls signed with an earlier secret are taken, too; null: none. */
      secret_overlap_until: string | null;
      /** @description Who made it, by id. */
      created_by: string;
      created_at: string;
      updated_at: string;
      /** @description `whsec_` and the base64 of 32 bytes, for a sender of Standard Webhooks. It is shown this once and cannot be read again. */
      secret?: string;
      /**
       * @description The call was repeated with its Idempotency-Key: what it made is there, but the secret was shown in the first answer and is kept nowhere. Absent otherwise.
       * @constant
       */
      secret_withheld?: true;
    };
    CreatedWebhook: {
      /** @description The endpoint's id, `whk_…`. */
      webhook_id: string;
      url: string;
      description: string;
      events: string[];
      /** @description Events, or groups of them, that are never sent to it, because whoever set its URL and events lacks a permission (`key.*` takes `admin:read`, `chat.*` `chat:read`). Events of a base or document with readers are held to those as well. */
      withheld: string[];
      /** @description Only events of these agents; null: no such bound. */
      agents: string[] | null;
      /** @description Only events of work of these levels of risk; null: no such bound. */
      risks: components["schemas"]["RiskLevel"][] | null;
      /**
       * @description `flat`: `{event, …}`, all metadata in headers. `standard`: `{type, timestamp, data}` of Standard Webhooks. `cloudevents`: CloudEvents 1.0, structured.
       * @enum {string}
       */
      format: "flat" | "standard" | "cloudevents";
      /** @description Most deliveries a second; null: no such bound. */
      rate_per_second: number | null;
      /**
       * @description `disabled`: the service stopped sending; `disabled_reason` says why. PATCH enables it again: whoever enables one that stopped becomes its owner.
       * @enum {string}
       */
      state: "enabled" | "paused" | "disabled";
      state_since: string;
      /** @description `gone`: it answered 410. `failing`: for five days every attempt failed. `stopped`: see `stopped_reason`. Null: it is not disabled. */
      disabled_reason: ("gone" | "failing" | "stopped") | null;
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      /** @description Since when events may not have been sent: it was paused or disabled then, or every attempt failed from then on. `POST …/recover` sends them, and what was given up before. Null: it was neither paused nor disabled since the last recovery. */
      missed_since: string | null;
      /** @description Events since an earlier time are being looked through for what was missed. */
      recovering: boolean;
      /** @description Until when deliveries are signed with earlier secrets as well; null: with the present one only. */
      secret_overlap_until: string | null;
      health: components["schemas"]["WebhookHealth"];
      /** @description Who made it, by id. */
      created_by: string;
      created_at: string;
      updated_at: string;
      /** @description `whsec_` and the base64 of 32 bytes: signs its deliveries. It is shown this once and cannot be read again. */
      secret?: string;
      /**
       * @description The call was repeated with its Idempotency-Key: what it made is there, but the secret was shown in the first answer and is kept nowhere. Absent otherwise.
       * @constant
       */
      secret_withheld?: true;
    };
    /** @description A dataset: cases that versions of an agent are measured by. */
    Dataset: {
      /** @description The dataset's id, `ds_…`. */
      dataset_id: string;
      /** @description A name of lowercase letters, digits and `-`. */
      name: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description The skill of the agent that the items are inputs of. */
      skill: string;
      /** @description What it tests, in words. */
      description: string;
      /** @description Words to find the set by. */
      tags: string[];
      /** @description Its present version; each addition makes the next one. */
      version: number;
      /** @description Of the present version; another one for each. */
      digest: string;
      coverage: components["schemas"]["Coverage"];
      /** @description Who decided it, as far as nobody else has looked at it in the environment of the key. */
      deciders: {
        /** @description `mbr_…`; `host`: whoever runs the service. */
        id: string;
        /**
         * @description What they did.
         * @enum {string}
         */
        how: "owner" | "issuer" | "named" | "took_over" | "input" | "edited" | "note" | "answered" | "signalled" | "secret" | "event" | "skipped" | "planned" | "wrote" | "channel" | "agent" | "trained" | "corrected" | "deployed" | "workflow" | "trigger" | "schedule" | "connection" | "dataset" | "document" | "connector" | "output" | "unknown";
        /** @description What they did it to, such as `agent:sales@3`; null: not known. */
        of: string | null;
        /** @description When; null: not known. */
        at: string | null;
      }[];
      /** @description The second person who looked at it in the environment of the key; null: nobody did. */
      confirmed_by: string | null;
      /** @description When they did. */
      confirmed_at: string | null;
      /** @description Who made it, by id. */
      created_by: string;
      created_at: string;
      updated_at: string;
    };
    DatasetItem: {
      /** @description The item's name in its set. */
      item?: string;
      /** @description An input of the skill. */
      input: {
        [key: string]: unknown;
      };
      /** @description What should come out, as far as scorers look at it; what it says has to fit the skill's output schema, and it may leave out anything. A scorer has nothing to say of an item whose `expected` lacks the place that it compares. */
      expected?: {
        [key: string]: unknown;
      };
      /** @description A version that fails it in most repeats fails the gate. Default: false. */
      must_pass?: boolean;
      /** @description Items that hang together, such as variants of one case, name the same cluster: they count as one. */
      cluster?: string;
      /** @description What the item is a case of; the set's coverage counts them. */
      labels?: string[];
    };
    DatasetPage: {
      data: components["schemas"]["Dataset"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /**
     * @description What the call came to: allowed, refused by a stage or a rule, or failed.
     * @enum {string}
     */
    Decision: "allowed" | "refused" | "failed";
    /** @description One field that differs. */
    DefinitionChange: {
      /** @description JSON Pointer to it in the later definition; of something removed, in the earlier one. */
      pointer: string;
      /** @description JSON Pointer to it in the earlier definition, where that is another one. */
      from?: string;
      /** @description The same way in words: tools, skills and examples by name instead of by position. */
      path: string[];
      /**
       * @description What happened to it. `moved`: only its position in its list changed.
       * @enum {string}
       */
      kind: "added" | "removed" | "changed" | "moved";
      /** @description The earlier value; of something moved, its position from 0. */
      before?: unknown;
      /** @description The later value; of something moved, its position from 0. */
      after?: unknown;
      text?: components["schemas"]["TextDiff"];
      /**
       * @description What it means for evidence that was gathered before.
       * @enum {string}
       */
      effect: "none" | "prompt_or_tool_change" | "model_change";
    };
    /** @description How two definitions of an agent differ, field by field. */
    DefinitionDiff: {
      /** @description The difference in a few words, such as `2 skills changed, 1 tool added`. */
      summary: string;
      /** @description Whether they say the same. */
      identical: boolean;
      /** @description SHA-256 of the earlier definition's canonical JSON. */
      before_digest: string;
      /** @description SHA-256 of the later definition's canonical JSON. */
      after_digest: string;
      /** @description Whether earlier labels still count for trust: `none`, all of them; otherwise the version is judged anew. */
      effect: {
        /**
         * @description The strongest of all changes.
         * @enum {string}
         */
        overall: "none" | "prompt_or_tool_change" | "model_change";
        /** @description By skill that both have: the strongest change that reaches it. */
        skills: {
          [key: string]: "none" | "prompt_or_tool_change" | "model_change";
        };
      };
      /** @description Every difference, in the order of the file. */
      changes: components["schemas"]["DefinitionChange"][];
    };
    /** @description Either `to` or `escalate`. */
    DelegateBody: {
      /** @description Whom the decision is handed to: a person who may decide here, `mbr_…`. */
      to?: string;
      /**
       * @description Hands it to the admins instead: from then on only they decide.
       * @constant
       */
      escalate?: true;
      /** @description Why it is handed on: read by who decides. */
      reason: string;
    };
    Delegation: {
      from: components["schemas"]["Party"];
      to: components["schemas"]["Party"];
      reason: string;
      at: string;
    };
    /** @description A deleted base. Nothing of it is found from now on; its documents are removed in the background. */
    DeletedBase: {
      base_id: string;
      /** @description Free again. */
      name: string;
      /** @constant */
      deleted: true;
      /** @description Documents that were in it, of those that you may read. */
      documents: number;
      /** @description Their chunks. */
      chunks: number;
      /** @description Deployed agents that named it and find nothing in it any more. */
      agents: string[];
      deleted_at: string;
      /** @description The record of the deletion. */
      audit_ref: string;
    };
    DeletedConversation: {
      /** @description The conversation's id, `cnv_…`. */
      conversation_id: string;
      /** @constant */
      state: "closed";
      /** @description Whether its messages are gone already. */
      erased: boolean;
      /** @description When they will be; null: they are, or are kept. */
      erase_at: string | null;
      /** @description Conversations that were forked from it and keep copies of its messages: delete them as well where these are to go. */
      forks: string[];
      audit_ref: string;
    };
    /** @description A deleted document: what was removed, and where the proof of it is. */
    DeletedDocument: {
      document_id: string;
      base_id: string;
      external_id: string | null;
      /** @constant */
      deleted: true;
      /** @description SHA-256, in hexadecimal: of a file's bytes, else of the canonical JSON (RFC 8785) of title, text and fields; null where it came with the service. */
      digest: string | null;
      /** @description Chunks that were removed from the index. */
      chunks_removed: number;
      /** @description Former versions that were removed. */
      versions_removed: number;
      /** @description Records that came from its rows and went with it. */
      rows_removed: number;
      deleted_at: string;
      /** @description The record of the deletion in the audit log. */
      audit_ref: string;
      /** @description Where the proof of the record can be read, once it is sequenced. */
      proof: string;
    };
    DeletedMemory: {
      /** @description The memory's id, `mem_…`. */
      memory_id: string;
      /** @constant */
      deleted: true;
      audit_ref: string;
    };
    Delivery: {
      delivery_id: string;
      webhook_id: string;
      /** @description The event, `webhook-id` of every attempt. */
      event_id: string;
      /** @description The event's name. */
      event: string;
      /** @description The event's place among those of its environment; null: a test. */
      sequence: number | null;
      /** @description A sample that somebody asked for; its event is in no log. */
      test: boolean;
      state: components["schemas"]["DeliveryStateName"];
      /** @description How often it was attempted. 0: never sent. */
      attempts: number;
      /** @description An attempt runs at this moment. */
      in_progress: boolean;
      /** @description The status of the answer; null: none came. */
      last_status: number | null;
      /** @description Why the last attempt failed: `status` (not 2xx), `redirect`, `gone` (410), `timeout`, or what kept it from being sent, such as `connect_failed`, `tls_failed`, `address_refused`; `interrupted` where the service ended in its middle; `filtered`: it was not sent any more, because the endpoint's events, agents, risks or what is withheld from it leave it out by now. Null: it did not fail, or there was none. */
      last_error: string | null;
      /** @description Null: none follows, or one runs. */
      next_attempt_at: string | null;
      created_at: string;
      /** @description When it was taken or given up; null: it is pending. */
      finished_at: string | null;
    };
    DeliveryAttempt: {
      number: number;
      started_at: string;
      /** @description From the start until the answer was read, or the attempt had failed; null: not known. */
      latency_ms: number | null;
      url: string;
      /** @description As they were sent; `aos-checkpoint`, which is of the moment, is left out. */
      request_headers: {
        [key: string]: string;
      };
      /** @description The status of the answer; null: none came. */
      status: number | null;
      /** @description Why the last attempt failed: `status` (not 2xx), `redirect`, `gone` (410), `timeout`, or what kept it from being sent, such as `connect_failed`, `tls_failed`, `address_refused`; `interrupted` where the service ended in its middle; `filtered`: it was not sent any more, because the endpoint's events, agents, risks or what is withheld from it leave it out by now. Null: it did not fail, or there was none. */
      error: string | null;
      /** @description What went wrong, in one sentence; null: nothing. */
      detail: string | null;
      /** @description The beginning of the answer's body, at most 1,024 characters; null: there was none. */
      response_excerpt: string | null;
    };
    DeliveryDetail: {
      delivery_id: string;
      webhook_id: string;
      /** @description The event, `webhook-id` of every attempt. */
      event_id: string;
      /** @description The event's name. */
      event: string;
      /** @description The event's place among those of its environment; null: a test. */
      sequence: number | null;
      /** @description A sample that somebody asked for; its event is in no log. */
      test: boolean;
      state: components["schemas"]["DeliveryStateName"];
      /** @description How often it was attempted. 0: never sent. */
      attempts: number;
      /** @description An attempt runs at this moment. */
      in_progress: boolean;
      /** @description The status of the answer; null: none came. */
      last_status: number | null;
      /** @description Why the last attempt failed: `status` (not 2xx), `redirect`, `gone` (410), `timeout`, or what kept it from being sent, such as `connect_failed`, `tls_failed`, `address_refused`; `interrupted` where the service ended in its middle; `filtered`: it was not sent any more, because the endpoint's events, agents, risks or what is withheld from it leave it out by now. Null: it did not fail, or there was none. */
      last_error: string | null;
      /** @description Null: none follows, or one runs. */
      next_attempt_at: string | null;
      created_at: string;
      /** @description When it was taken or given up; null: it is pending. */
      finished_at: string | null;
      /** @description What is sent, byte for byte in the endpoint's present format, as it is signed; null: the event is no longer kept. */
      request_body: string | null;
      /** @description The newest 100, oldest first. */
      attempt_list: components["schemas"]["DeliveryAttempt"][];
    };
    DeliveryPage: {
      data: components["schemas"]["Delivery"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /**
     * @description `pending`: it is attempted, now or at `next_attempt_at`. `delivered`: the endpoint took it. `failed`: all attempts failed; `retry` and `recover` send it again. `cancelled`: the endpoint was removed, or does not get such events any more.
     * @enum {string}
     */
    DeliveryStateName: "pending" | "delivered" | "failed" | "cancelled";
    Demand: {
      approvers: number;
      requester_allowed: boolean;
      reasons: string[];
    };
    Dependent: {
      /** @enum {string} */
      kind: "workflow" | "mission" | "channel" | "monitor" | "schedule";
      /** @description What the interface names it by. */
      id: string;
      /** @description What people know it by. */
      name: string;
      /** @description Such as `live`, `draft`, `running` or `enabled`. */
      state: string;
      /** @description Whether it breaks when the agent is archived. */
      active: boolean;
      /** @description Where to read it. */
      path: string;
    };
    /** @description What uses an agent in the environment of the key. */
    Dependents: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      dependents: components["schemas"]["Dependent"][];
      /** @description How many of them break when the agent is archived. */
      active: number;
      /** @description Kinds that the key may not read: whether any use the agent is not said. */
      unseen: ("workflow" | "mission" | "channel" | "monitor" | "schedule")[];
      /** @description Whether there are more of a kind than the 100 that are shown. */
      more: boolean;
    };
    /** @description `share` (10 for a canary and 100 for a shadow where it is left out) is of these two, `rule` of a canary, `budget` of a shadow. */
    DeployVersionBody: {
      /** @description Versions of an agent are numbered from 1. */
      version: number;
      /** @description Why, for people. */
      note?: string;
      mode?: components["schemas"]["DeploymentMode"];
      /** @description Percent of new tasks that go to the canary, at most 99; of a shadow, percent of the live version's tasks that it carries out too. */
      share?: number;
      rule?: components["schemas"]["CanaryRuleInput"];
      budget?: components["schemas"]["ShadowBudgetInput"];
    };
    /** @description The deployment that was made. */
    Deployed: {
      /** @description `dep_…` */
      deployment_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      environment: components["schemas"]["Environment"];
      /** @description Versions of an agent are numbered from 1. */
      version: number;
      /** @description `ver_…` */
      version_id: string;
      state: components["schemas"]["DeploymentState"];
      mode: components["schemas"]["DeploymentMode"];
      /** @description Percent of new tasks that go to it; of a shadow, that it runs beside. The live one has what a canary leaves. */
      share: number;
      /** @description When it is promoted or aborted; null where it is no canary. */
      rule: components["schemas"]["CanaryRule"] | null;
      /** @description What it may use; null where it is no shadow. */
      budget: components["schemas"]["ShadowBudget"] | null;
      /** @description How a canary or a shadow ended; null: it has not, or it is neither. */
      outcome: components["schemas"]["DeploymentOutcome"] | null;
      /** @description Why a canary or a shadow ended. */
      reason: string | null;
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      /** @description The live deployment that it runs beside, `dep_…`; null where it is whole. */
      compared_with: string | null;
      /** @description Counts the changes of it; ETags are made of it. */
      revision: number;
      /**
       * @description What brought it.
       * @enum {string}
       */
      kind: "deploy" | "rollback";
      /** @description Why, in the words of who did it. */
      note: string;
      /** @description What the evaluation gate said when it went live; null where it was not asked. */
      gate: {
        verdict: string;
        reasons: string[];
      } | null;
      /** @description A rollback left this version here: later rollbacks pass it over. */
      abandoned: boolean;
      /** @description Who deployed it, by id. */
      author: string;
      created_at: string;
      /** @description Since when it takes no new work; null while it does. */
      ended_at: string | null;
      /** @description Who ended it, by id. */
      ended_by: string | null;
      /** @description The deployment that took its place, `dep_…`. */
      replaced_by: string | null;
      /** @description While it is live, a canary or a shadow; else null. */
      health: components["schemas"]["DeploymentHealth"] | null;
      /** @description The canary that this ended, `dep_…`; null: none ran. */
      ended_canary: string | null;
      warnings: components["schemas"]["DeploymentWarning"][];
    };
    /** @description A version of an agent in the environment of the key. */
    Deployment: {
      /** @description `dep_…` */
      deployment_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      environment: components["schemas"]["Environment"];
      /** @description Versions of an agent are numbered from 1. */
      version: number;
      /** @description `ver_…` */
      version_id: string;
      state: components["schemas"]["DeploymentState"];
      mode: components["schemas"]["DeploymentMode"];
      /** @description Percent of new tasks that go to it; of a shadow, that it runs beside. The live one has what a canary leaves. */
      share: number;
      /** @description When it is promoted or aborted; null where it is no canary. */
      rule: components["schemas"]["CanaryRule"] | null;
      /** @description What it may use; null where it is no shadow. */
      budget: components["schemas"]["ShadowBudget"] | null;
      /** @description How a canary or a shadow ended; null: it has not, or it is neither. */
      outcome: components["schemas"]["DeploymentOutcome"] | null;
      /** @description Why a canary or a shadow ended. */
      reason: string | null;
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      /** @description The live deployment that it runs beside, `dep_…`; null where it is whole. */
      compared_with: string | null;
      /** @description Counts the changes of it; ETags are made of it. */
      revision: number;
      /**
       * @description What brought it.
       * @enum {string}
       */
      kind: "deploy" | "rollback";
      /** @description Why, in the words of who did it. */
      note: string;
      /** @description What the evaluation gate said when it went live; null where it was not asked. */
      gate: {
        verdict: string;
        reasons: string[];
      } | null;
      /** @description A rollback left this version here: later rollbacks pass it over. */
      abandoned: boolean;
      /** @description Who deployed it, by id. */
      author: string;
      created_at: string;
      /** @description Since when it takes no new work; null while it does. */
      ended_at: string | null;
      /** @description Who ended it, by id. */
      ended_by: string | null;
      /** @description The deployment that took its place, `dep_…`. */
      replaced_by: string | null;
      /** @description While it is live, a canary or a shadow; else null. */
      health: components["schemas"]["DeploymentHealth"] | null;
    };
    /** @description How the version does; counts end at 10,000. */
    DeploymentHealth: {
      /**
       * @description What the evaluation gate says of the version now.
       * @enum {string}
       */
      gate: "open" | "failed" | "inconclusive" | "expired" | "missing";
      /** @description Tasks of this version that have not ended. */
      open_tasks: number;
      /** @description Tasks of this version, created within 24 hours, that completed. */
      completed_24h: number;
      /** @description Tasks of this version, created within 24 hours, that failed. */
      failed_24h: number;
    };
    /**
     * @description `whole`: takes the place of the live version; `canary`: takes a share of new tasks beside it; `shadow`: runs beside it with effects withheld.
     * @enum {string}
     */
    DeploymentMode: "whole" | "canary" | "shadow";
    /**
     * @description `promoted`: its version went live; `aborted`: it was worse, or somebody stopped it; `ended`: another deployment, a rollback or archiving ended it.
     * @enum {string}
     */
    DeploymentOutcome: "promoted" | "aborted" | "ended";
    DeploymentPage: {
      data: components["schemas"]["Deployment"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /**
     * @description `live`: takes work; `canary`: takes a share of it; `shadow`: runs beside it with effects withheld; `replaced`: another took its place; `ended`: none did.
     * @enum {string}
     */
    DeploymentState: "live" | "canary" | "shadow" | "replaced" | "ended";
    /** @description What works otherwise than whoever deploys may expect. */
    DeploymentWarning: {
      /**
       * @description Every member who may approve here has decided this version or its deployment, so that nobody could approve what it asks people for. Somebody else confirms it, or joins the approvers.
       * @enum {string}
       */
      code: "nobody_could_approve";
      detail: string;
    };
    /** @description A run of changed lines with up to three unchanged ones around it. */
    DiffHunk: {
      /** @description The first line, from 1; of no lines, the line before. */
      before_start: number;
      /** @description How many lines. */
      before_lines: number;
      /** @description The first line, from 1; of no lines, the line before. */
      after_start: number;
      /** @description How many lines. */
      after_lines: number;
      lines: components["schemas"]["DiffLine"][];
    };
    /** @description One line of a text's difference. */
    DiffLine: {
      /**
       * @description Whether the line stands in both texts, or only in the one before or after.
       * @enum {string}
       */
      op: "same" | "removed" | "added";
      /** @description The line, without its line feed. */
      text: string;
      /**
       * @description No line feed follows: the text ends here.
       * @constant
       */
      no_newline?: true;
    };
    /** @description Every other field is a field of the skill's input. */
    DispatchBody: {
      /** @description Name of the operation the agent performs: one of its skills. */
      task: string;
      /** @description The skill's input; its fields may also stand at the top. */
      input?: {
        [key: string]: unknown;
      };
      /** @description When true, the task waits for human approval before anything runs. */
      require_approval?: boolean;
      /** @description Higher runs earlier; default 0. */
      priority?: number;
      /** @description If it has not run by then, it expires. */
      deadline?: string;
      labels?: string[];
      options?: components["schemas"]["DispatchOptions"];
    } & {
      [key: string]: unknown;
    };
    /** @description When it runs, and how long it waits for people. */
    DispatchOptions: {
      /** @description While a canary runs, all dispatches with this key go to the same version, such as those of one customer. Only a digest of it is kept. */
      sticky_key?: string;
      /** @description It is not started earlier. With a deadline, it has to be before that. */
      not_before?: string;
      /** @description Where the dispatch waits for people: how long. Where the environment's settings are stricter, they count. */
      approval?: {
        /** @description How long people may take. */
        expires_in_seconds: number;
        /**
         * @description Then the task expires, or it is handed to the admins. Nothing is ever approved by itself.
         * @enum {string}
         */
        on_expiry: "reject" | "escalate";
      };
    };
    Dispatched: {
      /** @description The task's id, `tsk_…`. */
      task_id: string;
      status: components["schemas"]["TaskStatus"];
      /** @description The probability that a reviewer would accept the outcome of the task. */
      trust_score: number;
      /** @description The audit record of the dispatch, `aud_…`. */
      audit_ref: string;
    };
    /** @description Who may read a document: whoever both lists admit. */
    DocumentAccess: {
      document_id: string;
      /** @description Who may read it: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist. */
      readers: string[] | null;
      /** @description Who may read it: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist. */
      base_readers: string[] | null;
    };
    /** @description A chunk of a document as it is indexed. */
    DocumentChunk: {
      /** @description Its place among the document's chunks, from 1. */
      number: number;
      /** @description Leads to this very text, also after the document has changed. */
      citation: string;
      /** @description The version of the document that it is of. */
      version: number;
      /** @description Raised by each correction by hand. */
      revision: number;
      /** @description The document's title. */
      title: string;
      text: string;
      /** @enum {string} */
      kind: "text" | "table" | "code" | "record";
      /** @description The headings above it, outermost first. */
      headings: string[];
      /** @description The page on which it begins, from 1; null where the source has no pages. */
      first_page: number | null;
      last_page: number | null;
      /** @description Where it begins in the document's text, in UTF-16 code units; null for records. */
      starts_at: number | null;
      ends_at: number | null;
      /** @description Classes of data found in it. */
      data_classes: string[];
      /** @description Searches do not find it. */
      disabled: boolean;
    };
    DocumentChunkPage: {
      data: components["schemas"]["DocumentChunk"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description A document of a knowledge base. */
    DocumentEntry: {
      /** @description `doc_…` */
      document_id: string;
      /** @description `kb_…` */
      base_id: string;
      /** @description The base's name. */
      base: string;
      /** @description What its own system calls it. */
      external_id: string | null;
      title: string;
      /**
       * @description `indexed`: searches and record look-ups find it. While new contents are `queued`, `parsing` or `indexing`, and if they failed, the former ones are found.
       * @enum {string}
       */
      state: "queued" | "parsing" | "indexing" | "indexed" | "failed";
      /** @description How far parsing and indexing are. */
      progress: number;
      /** @description Why it failed; null: it did not. */
      error: {
        code: string;
        detail: string;
      } | null;
      /** @description Pieces of it that searches find. */
      chunks: number;
      /** @description SHA-256, in hexadecimal: of a file's bytes, else of the canonical JSON (RFC 8785) of title, text and fields; null where it came with the service. */
      digest: string | null;
      /** @description Its contents, counted from 1. */
      version: number;
      /**
       * @description Where its contents came from.
       * @enum {string}
       */
      source: "text" | "file" | "url" | "connector";
      file_name: string | null;
      media_type: string | null;
      /** @description Bytes of its file. */
      size: number | null;
      /** @description SHA-256 of its file, in hexadecimal. */
      file_digest: string | null;
      /** @description The address that it was fetched from. */
      url: string | null;
      /** @description Pages of its file. */
      pages: number | null;
      metadata: {
        [key: string]: unknown;
      };
      /** @description Who may read it: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist. */
      readers: string[] | null;
      /** @description Classes of data found in it. */
      data_classes: string[];
      /** @description When it has to be reviewed; null: never. */
      review_at: string | null;
      /** @description Its review date has passed. */
      stale: boolean;
      /** @description The document of the file whose row it is. */
      parent: string | null;
      /** @description The connector that brought it. */
      connector: string | null;
      /** @description Who added what it says now, by id. */
      author: string;
      created_at: string;
      updated_at: string;
    };
    DocumentEntryPage: {
      data: components["schemas"]["DocumentEntry"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description What is wrong with an item. */
    DocumentFault: {
      /** @description The place in the item (RFC 6901). */
      pointer: string;
      code: string;
      detail: string;
    };
    /** @description A version of a document. */
    DocumentVersion: {
      /** @description From 1. */
      version: number;
      /** @description What the document says now. */
      current: boolean;
      title: string;
      /** @description SHA-256, in hexadecimal: of a file's bytes, else of the canonical JSON (RFC 8785) of title, text and fields; null where it came with the service. */
      digest: string | null;
      /**
       * @description Where its contents came from.
       * @enum {string}
       */
      source: "text" | "file" | "url" | "connector";
      file_name: string | null;
      media_type: string | null;
      /** @description Bytes of its file. */
      size: number | null;
      /** @description SHA-256 of its file, in hexadecimal. */
      file_digest: string | null;
      /** @description The address that it was fetched from. */
      url: string | null;
      /** @description Pages of its file. */
      pages: number | null;
      /** @description Who added it, by id. */
      author: string;
      created_at: string;
      /** @description Null: it is the current one. */
      replaced_at: string | null;
    };
    DocumentVersionPage: {
      data: components["schemas"]["DocumentVersion"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description How the draft and what was sent differ, and what would not work of the latter in the environment of the key. */
    DraftComparison: {
      /** @description The difference in a few words, such as `2 skills changed, 1 tool added`. */
      summary: string;
      /** @description Whether they say the same. */
      identical: boolean;
      /** @description SHA-256 of the earlier definition's canonical JSON. */
      before_digest: string;
      /** @description SHA-256 of the later definition's canonical JSON. */
      after_digest: string;
      /** @description Whether earlier labels still count for trust: `none`, all of them; otherwise the version is judged anew. */
      effect: {
        /**
         * @description The strongest of all changes.
         * @enum {string}
         */
        overall: "none" | "prompt_or_tool_change" | "model_change";
        /** @description By skill that both have: the strongest change that reaches it. */
        skills: {
          [key: string]: "none" | "prompt_or_tool_change" | "model_change";
        };
      };
      /** @description Every difference, in the order of the file. */
      changes: components["schemas"]["DefinitionChange"][];
      /** @description What would not work in the environment of the key; a deployment there is refused for names that are not there. */
      warnings: {
        /** @description The place in the definition, as a JSON Pointer. */
        pointer: string;
        /** @enum {string} */
        code: "unknown_base" | "unknown_connection" | "counts_as_write";
        detail: string;
      }[];
    };
    DraftFinding: {
      /**
       * @description `error`: no version of it can be frozen, or deployed in the environment of the key.
       * @enum {string}
       */
      severity: "error" | "warning" | "info";
      /** @description The place in the definition, as a JSON Pointer. */
      pointer: string;
      code: string;
      detail: string;
    };
    /** @description What would keep the draft from working in the environment of the key. */
    DraftValidation: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description The revision of the draft that was checked. */
      revision: number;
      /** @description Whether no finding is an error. */
      valid: boolean;
      findings: components["schemas"]["DraftFinding"][];
      verdicts: components["schemas"]["DraftVerdict"][];
      costs: components["schemas"]["SkillCost"][];
      checked_at: string;
    };
    /** @description What active policies and the declared risk say of an action of the draft, if your key dispatched it. */
    DraftVerdict: {
      /** @enum {string} */
      action: "task.dispatch" | "model.call" | "tool.call";
      skill: string;
      /** @description Of a call of a tool; else null. */
      tool: string | null;
      /**
       * @description `depends_on_input`: a policy reads the input or arguments, which only a call has.
       * @enum {string}
       */
      verdict: "allow" | "require_approval" | "deny" | "depends_on_input";
      /** @description Why people would be asked, or why it would be refused. */
      reasons: string[];
      /** @description Active policies behind it, if the key may read policies. */
      policies: {
        policy_id: string;
        effect: string;
        /**
         * @description `error`: its condition could not be evaluated, which counts as a refusal.
         * @enum {string}
         */
        outcome: "applies" | "depends_on_input" | "error";
        message: string;
      }[];
    };
    /** @description Changes of level in the series. */
    DriftFinding: {
      /** @description How changes are found, in a sentence. */
      method: string;
      /** @description How often a series that does not change gets a mark, at most. */
      level: number;
      watched: {
        /** @enum {string} */
        measure: "accepted_rate" | "success_rate" | "trust_mean";
        /** @description Things in the series. */
        n: number;
        /** @description False: too few to find anything. */
        enough: boolean;
      }[];
      marks: components["schemas"]["DriftMark"][];
    };
    /** @description Where the level of a series changed. */
    DriftMark: {
      /** @enum {string} */
      measure: "accepted_rate" | "success_rate" | "trust_mean";
      /** @description Beginning of the first window after the change. */
      at: string;
      before: components["schemas"]["Interval"];
      after: components["schemas"]["Interval"];
      difference: components["schemas"]["Interval"];
      /** @description Whether it fell. */
      worse: boolean;
      /** @description How often chance alone shows as much, at most. */
      p_value: number;
      /** @description What happened in the two windows around it, at most ten. */
      nearby: components["schemas"]["NearbyChange"][];
    };
    /** @description What a call would do. Every stage checked it and it was recorded; nothing else changed. */
    DryRun: {
      /**
       * @description Nothing was changed.
       * @constant
       */
      dry_run: true;
      /** @description The HTTP status that the call would return. */
      response_status: number;
      /** @description Verdict of each stage. */
      stages: components["schemas"]["StageVerdict"][];
      /** @description The approval that gate and policies require; null if none. */
      approval: {
        /** @description Number of people who would have to approve. */
        approvers: number;
        /** @description Whether the caller may approve. */
        requester_allowed: boolean;
        /** @description Why approval is required. */
        reasons: string[];
      } | null;
      /** @description Tags added by gate and policies. */
      tags: string[];
      /** @description The events that would be emitted. */
      events: string[];
      /** @description Of a batch: what it would return, with the status of each of its calls. */
      result?: unknown;
    };
    EmailChannelConfig: {
      /** @description An e-mail address, such as `help@example.com`. */
      address: string;
      /** @description Stands beside `address` in what is sent. */
      sender_name?: string;
      /** @description Where messages are read. They stay there as they are, unread too. */
      imap: {
        /** @description A name such as `imap.example.com`, or an address. */
        host: string;
        /** @description Default: 993, or 143 without `tls`. */
        port?: number;
        /**
         * @description `tls` from the first byte; `starttls`: the connection is encrypted before anything is said, or not used; `none` only on this machine, in development.
         * @default tls
         * @enum {string}
         */
        security?: "tls" | "starttls" | "none";
        /** @description Default: `address`. */
        user?: string;
        /** @default INBOX */
        mailbox?: string;
      };
      /** @description Where replies are handed in. */
      smtp: {
        /** @description A name such as `imap.example.com`, or an address. */
        host: string;
        /** @description Default: 465, or 587 without `tls`. */
        port?: number;
        /**
         * @description `tls` from the first byte; `starttls`: the connection is encrypted before anything is said, or not used; `none` only on this machine, in development.
         * @default tls
         * @enum {string}
         */
        security?: "tls" | "starttls" | "none";
        /** @description Default: `address`. */
        user?: string;
      };
      /**
       * @description How often the mailbox is looked through, besides at once when the server tells of a message (IDLE).
       * @default 60
       */
      poll_seconds?: number;
      /** @description The name under which your own mail server says in `Authentication-Results` whether DMARC passed (RFC 8601). Senders of messages that passed are known by their address; all others are anonymous, since anybody can write any address into a message. Your server has to remove such headers that come from outside. Default: nobody is verified. */
      trust_authentication_results?: string;
      /**
       * @description What happens to messages whose sender is not verified: answered as to an anonymous person, or not read.
       * @default answer
       * @enum {string}
       */
      unverified?: "answer" | "ignore";
    };
    EmailChannelSecret: {
      imap_password: string;
      /** @description Default: that of IMAP. */
      smtp_password?: string;
    };
    /** @description The model that makes vectors of its texts, so that searches also find what means the same in other words. Personal data leaves as placeholders. */
    Embedding: {
      /** @description A connection of the environment, of kind `openai` or `openai-compatible`. */
      connection: string;
      /** @description The model's name at the provider, such as `text-embedding-3-small`. */
      model: string;
      /** @description Dimensions to ask for. Left out: those of the model. */
      dimensions?: number;
      /** @description US dollars per million tokens, for budgets, where the list has no price of the model. */
      price?: number;
    };
    EngageAgentKillSwitch: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "agent";
      /** @description The agent's name. */
      target: string;
      mode?: components["schemas"]["KillSwitchMode"];
      /** @description Why; whoever is refused is told. */
      reason: string;
      /** @description Whether loosening or releasing it takes two persons. */
      critical?: boolean;
    };
    EngageCallKillSwitch: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "tool" | "model";
      /** @description The name of the tool or model. */
      target: string;
      /**
       * @description How it stops; `stop` unless told.
       * @default stop
       * @enum {string}
       */
      mode?: "pause" | "stop";
      /** @description Why; whoever is refused is told. */
      reason: string;
      /** @description Whether loosening or releasing it takes two persons. */
      critical?: boolean;
      /** @description Accepts a name that no agent uses yet. */
      allow_unknown?: boolean;
    };
    EngageEverythingKillSwitch: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "all" | "environment";
      mode?: components["schemas"]["KillSwitchMode"];
      /** @description Why; whoever is refused is told. */
      reason: string;
      /** @constant */
      critical?: true;
    };
    EngageKillSwitchBody: components["schemas"]["EngageEverythingKillSwitch"] | components["schemas"]["EngageAgentKillSwitch"] | components["schemas"]["EngageVersionKillSwitch"] | components["schemas"]["EngageSkillKillSwitch"] | components["schemas"]["EngageCallKillSwitch"] | components["schemas"]["EngageWorkflowKillSwitch"];
    EngageSkillKillSwitch: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "skill";
      /** @description `<agent>.<skill>`. */
      target: string;
      mode?: components["schemas"]["KillSwitchMode"];
      /** @description Why; whoever is refused is told. */
      reason: string;
      /** @description Whether loosening or releasing it takes two persons. */
      critical?: boolean;
    };
    EngageVersionKillSwitch: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "version";
      /** @description The version's id, `ver_…`. */
      target: string;
      mode?: components["schemas"]["KillSwitchMode"];
      /** @description Why; whoever is refused is told. */
      reason: string;
      /** @description Whether loosening or releasing it takes two persons. */
      critical?: boolean;
    };
    EngageWorkflowKillSwitch: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "workflow";
      /** @description The workflow's name. */
      target: string;
      mode?: components["schemas"]["KillSwitchMode"];
      /** @description Why; whoever is refused is told. */
      reason: string;
      /** @description Whether loosening or releasing it takes two persons. */
      critical?: boolean;
    };
    /** @enum {string} */
    Environment: "development" | "staging" | "production";
    EnvironmentSettings: {
      environment: components["schemas"]["Environment"];
      /** @description Counts the changes; 0: nothing was ever changed. */
      revision: number;
      settings: components["schemas"]["Settings"];
      limits: components["schemas"]["SettingLimits"];
    };
    /** @description A run over a dataset with its scores. */
    EvaluationPoint: {
      /** @description `run_…` */
      run_id: string;
      agent: string;
      skill: string;
      version: number;
      dataset: string;
      finished_at: string;
      /** @description What the agent's gate drew from it; null: nothing. */
      verdict: ("open" | "failed" | "inconclusive") | null;
      /** @description Mean over the items, each of them over its repeats. */
      scores: {
        scorer: string;
        score: components["schemas"]["Interval"];
      }[];
      /** @description Where the run can be read, a path of this interface. */
      link: string;
    };
    /** @description A dataset run against a version. */
    EvaluationRun: {
      /** @description The run's id, `run_…`. */
      run_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description The skill of the agent that the items are inputs of. */
      skill: string;
      /** @description The version of the set's agent that is measured. */
      version: number;
      /** @description `ver_…` */
      version_id: string;
      /** @description The dataset's id, `ds_…`. */
      dataset_id: string;
      /** @description A name of lowercase letters, digits and `-`. */
      dataset: string;
      /** @description The version of the set whose items are run. */
      dataset_version: number;
      /** @description Scorers of the run, in the versions that it uses. */
      scorers: {
        /** @description A name of lowercase letters, digits, `_` and `-`. */
        scorer: string;
        /** @description As it was when the run was started. */
        version: number;
      }[];
      /** @description How often each item is run; a gate adds to it while it cannot decide. */
      repeats: number;
      /** @description Repeat r of an item is run with seed + r. */
      seed: number;
      budget: {
        /** @description Runs of items at most; null: no limit. */
        items: number | null;
        /** @description US dollars; null: no limit. */
        usd: number | null;
      };
      state: components["schemas"]["RunState"];
      /** @description How far it is. */
      progress: {
        /** @description Runs of items that have ended. */
        done: number;
        /** @description Those of them that gave no output. */
        failed: number;
        /** @description Runs of items that are to be. */
        total: number;
      };
      usage: {
        /** @description Model and tool calls. */
        steps: number;
        /** @description Tokens in and out of models. */
        tokens: number;
        /** @description US dollars. */
        cost_usd: number;
      };
      /** @description The budget that ended it early; null: none did. */
      stopped_by: ("items" | "usd") | null;
      /** @description What the agent's gate drew from it; null: no gate names its set, the gate asks for more repeats than it has, the set had a newer version when it was started, or the gate has not decided yet. */
      verdict: components["schemas"]["RunVerdict"] | null;
      /** @description The run of the deployed version that it is to be compared with, where that is still under way. */
      waits_for: string | null;
      /** @description Why it could not be carried out; of a completed one, why repeats that a gate asked for could not. */
      failure: {
        /** @description Why, as a code. */
        code: string;
        /** @description Why, in a sentence. */
        detail: string;
      } | null;
      /** @description Why, in the words of who started it. */
      note: string;
      /** @description Who started it, by id. */
      requested_by: string;
      created_at: string;
      /** @description When a worker took it up first. */
      started_at: string | null;
      /** @description When it ended. */
      finished_at: string | null;
    };
    EvaluationRunPage: {
      data: components["schemas"]["EvaluationRun"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description A run with its figures and a page of its items. */
    EvaluationRunReport: {
      /** @description The run's id, `run_…`. */
      run_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description The skill of the agent that the items are inputs of. */
      skill: string;
      /** @description The version of the set's agent that is measured. */
      version: number;
      /** @description `ver_…` */
      version_id: string;
      /** @description The dataset's id, `ds_…`. */
      dataset_id: string;
      /** @description A name of lowercase letters, digits and `-`. */
      dataset: string;
      /** @description The version of the set whose items are run. */
      dataset_version: number;
      /** @description Scorers of the run, in the versions that it uses. */
      scorers: {
        /** @description A name of lowercase letters, digits, `_` and `-`. */
        scorer: string;
        /** @description As it was when the run was started. */
        version: number;
      }[];
      /** @description How often each item is run; a gate adds to it while it cannot decide. */
      repeats: number;
      /** @description Repeat r of an item is run with seed + r. */
      seed: number;
      budget: {
        /** @description Runs of items at most; null: no limit. */
        items: number | null;
        /** @description US dollars; null: no limit. */
        usd: number | null;
      };
      state: components["schemas"]["RunState"];
      /** @description How far it is. */
      progress: {
        /** @description Runs of items that have ended. */
        done: number;
        /** @description Those of them that gave no output. */
        failed: number;
        /** @description Runs of items that are to be. */
        total: number;
      };
      usage: {
        /** @description Model and tool calls. */
        steps: number;
        /** @description Tokens in and out of models. */
        tokens: number;
        /** @description US dollars. */
        cost_usd: number;
      };
      /** @description The budget that ended it early; null: none did. */
      stopped_by: ("items" | "usd") | null;
      /** @description What the agent's gate drew from it; null: no gate names its set, the gate asks for more repeats than it has, the set had a newer version when it was started, or the gate has not decided yet. */
      verdict: components["schemas"]["RunVerdict"] | null;
      /** @description The run of the deployed version that it is to be compared with, where that is still under way. */
      waits_for: string | null;
      /** @description Why it could not be carried out; of a completed one, why repeats that a gate asked for could not. */
      failure: {
        /** @description Why, as a code. */
        code: string;
        /** @description Why, in a sentence. */
        detail: string;
      } | null;
      /** @description Why, in the words of who started it. */
      note: string;
      /** @description Who started it, by id. */
      requested_by: string;
      created_at: string;
      /** @description When a worker took it up first. */
      started_at: string | null;
      /** @description When it ended. */
      finished_at: string | null;
      /** @description The figures of each scorer over what has been run so far. */
      figures: components["schemas"]["ScorerResult"][];
      /** @description What the gate drew from it, together with runs of its other sets; null: nothing. */
      decision: components["schemas"]["GateDecision"] | null;
      /** @description With `compare_to`; else null. */
      comparison: components["schemas"]["RunComparison"] | null;
      items: components["schemas"]["ItemResultPage"];
    };
    Event: {
      event_id: string;
      /** @description Its place among the events of its environment: gapless, in the order of commits. */
      sequence: number;
      /** @description Its name. */
      type: string;
      time: string;
      /** @description The agent that it concerns; null: none. */
      agent: string | null;
      /** @description The level of the task that it belongs to; null: it belongs to none. */
      risk: components["schemas"]["RiskLevel"] | null;
      /** @description The task that it belongs to; null: none. */
      task_id: string | null;
      /** @description The audit record of the call that caused it. */
      audit_ref: string | null;
      /** @description The flat body, as it is sent. */
      data: {
        [key: string]: unknown;
      };
    };
    EventPage: {
      data: components["schemas"]["Event"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    EventTypeView: {
      event: string;
      summary: string;
      /** @description What reading it takes beyond `webhooks:read`; null: nothing. */
      permission: string | null;
      /** @description The JSON Schema of its flat body. */
      schema: {
        [key: string]: unknown;
      };
      example: {
        [key: string]: unknown;
      };
    };
    /** @description A canary beside the live version, with confidence. */
    Experiment: {
      /** @description The canary, `dep_…`. */
      deployment_id: string;
      agent: string;
      state: components["schemas"]["DeploymentState"];
      /** @description Null: it runs. */
      outcome: components["schemas"]["DeploymentOutcome"] | null;
      /** @description Why it ended. */
      reason: string | null;
      /** @description Percent of new tasks that go to the canary, or went to it last. */
      share: number;
      /** @description The kill switch that stands against the canary's version alone: the live version takes all new tasks until it is released. Null: none. */
      held: string | null;
      rule: components["schemas"]["CanaryRule"];
      started_at: string;
      ended_at: string | null;
      arms: {
        canary: components["schemas"]["ExperimentArm"];
        stable: components["schemas"]["ExperimentArm"];
      };
      /** @description Those so far, in their order. */
      looks: components["schemas"]["ExperimentLook"][];
      /** @description Tasks of the canary that people judged, or that failed where those are more: what looks are timed by. */
      judged: number;
      /** @description Where it is heading if tasks go on as they did. */
      outlook: {
        verdict: components["schemas"]["ExperimentVerdict"];
        /**
         * @description `decision`: a person's, since its rule says `by_hand`; `limit`: what its rule says of a canary that is not decided.
         * @enum {string}
         */
        leads_to: "promotion" | "abort" | "decision" | "limit" | "ended";
        /** @description Judged tasks of the canary that it will take; null: none, or it will not be decided. */
        needed: number | null;
        /** @description Judged tasks of the canary at the next look; null: it ended. */
        next_look: number | null;
        text: string;
      };
      /** @description What to bear in mind when comparing both sides. */
      notes: string[];
    };
    /** @description One side: accepted outcomes among judged ones, and ended tasks that did not fail. */
    ExperimentArm: {
      deployment_id: string | null;
      version: number;
      version_id: string;
      /** @description Tasks that were drawn for it. */
      tasks: number;
      /** @description Those that have not ended. */
      open: number;
      completed: number;
      /** @description Those that failed or that policies blocked. */
      failed: number;
      /** @description Those that people judged, by feedback, review or a decision on a call. */
      judged: number;
      /** @description A share with its 95 % interval; tasks with one sticky key count as one piece of evidence. */
      accepted: {
        /** @description From 0 to 1; null: nothing to measure. */
        value: number | null;
        /** @description Lower end of the 95 % interval. */
        low: number | null;
        /** @description Upper end of the 95 % interval. */
        high: number | null;
        /** @description Tasks that it is about. */
        n: number;
      };
      /** @description A share with its 95 % interval; tasks with one sticky key count as one piece of evidence. */
      succeeded: {
        /** @description From 0 to 1; null: nothing to measure. */
        value: number | null;
        /** @description Lower end of the 95 % interval. */
        low: number | null;
        /** @description Upper end of the 95 % interval. */
        high: number | null;
        /** @description Tasks that it is about. */
        n: number;
      };
      /** @description Mean trust score of its newest 5,000 ended tasks, and so with what follows. */
      trust_mean: number | null;
      /** @description In US dollars. */
      cost_per_task: number | null;
      /** @description Seconds from dispatch to end, median. */
      duration_p50: number | null;
      /** @description Seconds from dispatch to end, 90th percentile. */
      duration_p90: number | null;
    };
    /** @description What a look found of one comparison, with its bounds. */
    ExperimentComparison: {
      /** @description Canary minus live version, as shares. */
      difference: number;
      /** @description Lower end of the 95 % interval. */
      low: number;
      /** @description Upper end of the 95 % interval. */
      high: number;
      /** @description Of "it is no worse": small where it is worse. */
      p_worse: number;
      /** @description Of "it is worse by the tolerance or more": small where it is not. */
      p_holds: number;
      /** @description The look aborts at a difference at or below this. */
      abort_at: number;
      /** @description The look finds it no worse at a difference at or above this. */
      promote_at: number;
    };
    /** @description One look at a canary. */
    ExperimentLook: {
      /** @description From 1. */
      look: number;
      at: string;
      /** @description Tasks of the canary that people had judged by then, or that had failed where those are more. */
      judged: number;
      /** @description Accepted among judged tasks; null: too few. */
      quality: components["schemas"]["ExperimentComparison"] | null;
      /** @description Ended tasks that did not fail; null: too few. */
      failures: components["schemas"]["ExperimentComparison"] | null;
      verdict: components["schemas"]["ExperimentVerdict"];
      /** @description Why, with the numbers. */
      text: string;
    };
    /**
     * @description `worse`: aborted; `no_worse`: a drop by the tolerance is excluded; `undecided`: neither is shown yet.
     * @enum {string}
     */
    ExperimentVerdict: "worse" | "no_worse" | "undecided";
    ExportConversationBody: {
      /** @description Messages with higher numbers; default: all. */
      after?: number;
    };
    /** @description Which records; they narrow together. Without any: the whole log of the key's environment, as far as the key sees it. */
    ExportFilter: {
      /** @description Who called: `mbr_…`, `system:<job>` or `anonymous`. */
      actor?: string;
      /** @description The operation, such as `agents.dispatchTask`. */
      action?: string;
      /** @description What was acted on, `<type>:<id>`, such as `agent:sales`. */
      object?: string;
      /** @description Records of this task, `tsk_…`. */
      task?: string;
      /** @description Records of calls with this key, `key_…`. */
      key?: string;
      /** @description With `key`: the record of this number. */
      key_seq?: number;
      /** @description What the calls came to. */
      decision?: components["schemas"]["Decision"][];
      /** @description The stages that refused. */
      stage?: components["schemas"]["StageName"][];
      /** @description Records from this place in the log on: an earlier export's `tree_size` goes on where that one ended, with no gap. */
      from_leaf?: number;
      /** @description Calls that began at this time or later. */
      created_after?: string;
      /** @description Calls that began before this time. */
      created_before?: string;
    };
    /**
     * @description `jsonl`: the exact text of each record, whose hash stands in the log. `csv`: a table (RFC 4180). `ocsf`: events of the Open Cybersecurity Schema Framework, class API Activity, one a line. Each row carries its place in the log and the record's exact text, whatever the format.
     * @enum {string}
     */
    ExportFormat: "jsonl" | "csv" | "ocsf";
    /**
     * @description Where the export stands; the last two are final.
     * @enum {string}
     */
    ExportState: "queued" | "running" | "completed" | "failed";
    FailureCount: {
      /** @description The failure's code. */
      code: string;
      tasks: number;
      /** @description The newest such task. */
      latest: string;
    };
    /** @description A sign that decisions may be made without a look. It is no verdict: read the decisions. */
    FatigueSign: {
      /**
       * @description `quick`: approves within five seconds more often than others. `never_changes`: a run of approvals without an edit or a rejection, longer than others' shares explain. `approves_wrong`: what is approved is judged wrong later more often than of others. `same_time_for_risk`: high risk takes no longer than low risk.
       * @enum {string}
       */
      sign: "quick" | "never_changes" | "approves_wrong" | "same_time_for_risk";
      /** @description What was seen, in a sentence with its numbers. */
      text: string;
      /** @description Decisions that it is about. */
      n: number;
      observed: number;
      /** @description What others, or the rule, would lead to. */
      expected: number;
      /** @description The test, by name. */
      test: string;
      /** @description How often chance alone shows as much, at most. */
      p_value: number;
      /** @description After Holm over all signs of all approvers that were tested. */
      adjusted_p_value: number;
    };
    /** @description One invalid part of the input. */
    Fault: {
      /** @description JSON Pointer (RFC 6901) into the body. */
      pointer?: string;
      /** @description Name of the query or path parameter. */
      parameter?: string;
      /** @description Name of the request header. */
      header?: string;
      /** @description Line of a body that is a file. */
      line?: number;
      /** @description Column in that line, in characters. */
      column?: number;
      /** @description The violated rule, for programs. */
      code: string;
      /** @description What is wrong and how to correct it, for people. */
      detail: string;
    };
    /** @description An RSS or Atom feed. Entries that it no longer lists stay, unless `keep_removed` is false. */
    FeedSource: {
      /** @description The feed. */
      url: string;
    };
    FeedbackBody: {
      /** @description Whether the outcome was taken as it is. */
      accepted?: boolean;
      /** @description 1 useless, 5 just right. */
      rating?: number;
      /** @description The output as it should have been, whole. */
      correction?: {
        [key: string]: unknown;
      };
      /** @description Words for people. */
      comment?: string;
      /** @description Whether training may learn from it: from the correction, or from an output that was accepted. Default true. */
      use_for_training?: boolean;
    };
    /** @description What people said of outcomes in the window. */
    FeedbackFigures: {
      /** @description Tasks that feedback was given to; of each, the latest counts. */
      given: number;
      /** @description Of it, that accepted the outcome. */
      accepted: number;
      /** @description Of it, that did not. */
      not_accepted: number;
      /** @description Of it, that brought a correction. */
      corrected: number;
      /** @description Mean of the ratings, from 1 to 5; null: nobody rated. */
      rating: number | null;
      /** @description Ratings. */
      rated: number;
    };
    /** @description A measured value. */
    Figure: {
      /** @description Null: nothing to measure, or, where `n` is not 0, too few cases: a median takes 5, a 90th percentile 20 and a 99th 100. */
      value: number | null;
      /** @description Lower end of the 95 % interval; null where there is none. */
      low: number | null;
      /** @description Upper end of the 95 % interval; null where there is none. */
      high: number | null;
      /** @description How many things it is about. */
      n: number;
      /** @description In the window of equal length before; null: not asked for, or nothing to measure. */
      previous: number | null;
      /** @description Where the things behind it are listed, a path of this interface; null where no list tells them apart. */
      link: string | null;
    };
    FilePart: {
      /** @constant */
      type: "file";
      /** @description `fil_…` */
      file_id: string;
      name: string;
      media_type: string;
      /** @description Bytes. */
      size: number;
    };
    /** @description Something that is wrong with a workflow, or that deserves a look. */
    Finding: {
      /**
       * @description An error keeps the workflow from being published, a warning does not.
       * @enum {string}
       */
      severity: "error" | "warning";
      /** @description The place in the definition, as a JSON Pointer. */
      pointer: string;
      /** @description What is wrong, for programs, such as `unknown_step` or `type_mismatch`. */
      code: string;
      /** @description What is wrong and how to correct it, for people. */
      detail: string;
      /** @description Line of the text, where it came as one. */
      line?: number;
      /** @description Column in that line, in characters. */
      column?: number;
    };
    /** @description An alert that fires. */
    FiringAlert: {
      alert: string;
      name: string;
      since: string;
      /** @description Where the alert is read. */
      link: string;
    };
    /** @description Hidden files, symbolic links and special files are left out. */
    FolderSource: {
      /** @description The folder, absolute. It lies below a folder in AOS_KNOWLEDGE_FOLDERS of the host. */
      path: string;
      /** @description Take only paths that match one of these patterns, such as `guides/**\/*.md`. `**` stands for any folders, `*` for any characters of a name, `?` for one, `[a-z]` for one of a set, `{a,b}` for one of several. Together they may have 4,000 characters. */
      include?: string[];
      /** @description Leave out paths that match one of these patterns, such as `guides/**\/*.md`. `**` stands for any folders, `*` for any characters of a name, `?` for one, `[a-z]` for one of a set, `{a,b}` for one of several. Together they may have 4,000 characters. */
      exclude?: string[];
      /**
       * @description Files that are taken. More are left out, and nothing is removed then.
       * @default 100000
       */
      most_items?: number;
    };
    /** @description An expected amount with its 80 % and 95 % intervals. */
    ForecastAmount: {
      value: number;
      low_80: number;
      high_80: number;
      low_95: number;
      high_95: number;
    };
    ForkConversationBody: {
      /** @description The last message that is taken along; default: the latest. */
      message_id?: string;
      title?: string;
      /** @description Your own name of the conversation, unique in its channel: starting it again returns the same one. */
      external_key?: string;
    };
    /** @description A document that a search found. */
    FoundDocument: {
      document_id: string;
      external_id: string | null;
      title: string;
      /** @description The beginning of the chunk that was found. */
      text: string;
    };
    FoundMessage: {
      /** @description The conversation's id, `cnv_…`. */
      conversation_id: string;
      agent: string;
      user: string | null;
      channel: string;
      title: string | null;
      /** @description The message's id, `msg_…`. */
      message_id: string;
      /** @description Its place in the conversation. */
      number: number;
      /** @enum {string} */
      role: "user" | "agent" | "person" | "system";
      author_name: string | null;
      created_at: string;
      /** @description The passages of the message in which the words stand. */
      snippet: string;
      /** @description Where the words stand in `snippet`, in UTF-16 code units. */
      highlights: {
        start: number;
        end: number;
      }[];
      /** @description How well it fits; comparable within one search only. */
      score: number;
    };
    /** @description A passage that a search found. */
    FoundPassage: {
      /** @description `cit_…`: names this passage as it is now, for good. */
      citation: string;
      /** @description The base's name. */
      base: string;
      /** @description `kb_…` */
      base_id: string;
      /** @description `doc_…` */
      document_id: string;
      /** @description What the document's own system calls it. */
      external_id: string | null;
      /** @description The document's title. */
      title: string;
      /** @description The headings above the passage, outermost first. */
      headings: string[];
      /** @enum {string} */
      kind: "text" | "table" | "code" | "record";
      /** @description The page on which it begins, from 1; null where the source has no pages. */
      first_page: number | null;
      last_page: number | null;
      text: string;
      /** @description Where the words of the query stand in `text`, in UTF-16 code units. */
      highlights: {
        start: number;
        end: number;
      }[];
      /** @description Classes of personal or confidential data in it. */
      data_classes: string[];
      /** @description How well it answers; comparable within one search only. */
      score: number;
    };
    FreezeVersionBody: {
      /** @description What is new in this version, for people. */
      note?: string;
    };
    /** @description A version as it was frozen, with what would not work of it in the environment of the key. */
    FrozenVersion: {
      /** @description Versions of an agent are numbered from 1. */
      version: number;
      /** @description `ver_…` */
      version_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description SHA-256, in hexadecimal, of the definition's canonical JSON (RFC 8785). */
      digest: string;
      /** @description What is new in it. */
      note: string;
      /** @description Who froze it, by id. */
      author: string;
      created_at: string;
      /** @description The version that was frozen before it; null for the first. */
      based_on: number | null;
      /** @description The training that made it; null: people wrote it. */
      training: components["schemas"]["VersionTraining"] | null;
      verdict: components["schemas"]["VersionVerdict"];
      /** @description Whether it is live in the environment of the key. */
      deployed: boolean;
      /** @description What would not work in the environment of the key; a deployment there is refused for names that are not there. */
      warnings: {
        /** @description The place in the definition, as a JSON Pointer. */
        pointer: string;
        /** @enum {string} */
        code: "unknown_base" | "unknown_connection" | "counts_as_write";
        detail: string;
      }[];
    };
    /** @description The evaluation gate of an agent in the environment of the key. */
    Gate: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /**
       * @description The environment of the key.
       * @enum {string}
       */
      environment: "development" | "staging" | "production";
      /** @description 0 where none was set yet; a change names it in If-Match by its ETag. */
      revision: number;
      /** @description Null where none were set: then no version has a verdict, and the environment's own rule for missing evidence holds. */
      rules: components["schemas"]["GateRules"] | null;
      /** @description What follows from each state here, all settings taken together. */
      consequences: {
        open: components["schemas"]["GateConsequence"];
        failed: components["schemas"]["GateConsequence"];
        inconclusive: components["schemas"]["GateConsequence"];
        expired: components["schemas"]["GateConsequence"];
        missing: components["schemas"]["GateConsequence"];
      };
      /** @description The version that is live here, and the newest 25. */
      versions: components["schemas"]["GateOfVersion"][];
    };
    /**
     * @description `allow`: the call goes on, tagged where the gate is not open. `require_approval`: it waits for people. `deny`: it is 409 `evaluation_gate_failed`.
     * @enum {string}
     */
    GateConsequence: "allow" | "require_approval" | "deny";
    /** @description The verdict with its figures. */
    GateDecision: {
      /**
       * @description What the gate says.
       * @enum {string}
       */
      verdict: "open" | "failed" | "inconclusive";
      /** @description Why. */
      reasons: components["schemas"]["GateReason"][];
      /** @description The newest look. All runs of a version over a dataset are one test; each further look at them must be surer than the ones before. */
      look: number;
      /** @description Independent clusters of the scorer that has the fewest. */
      n: number;
      /** @description Repeats of the item that has the fewest. */
      repeats: number;
      /** @description The largest among the scorers. */
      smallest_detectable_drop: number | null;
      /** @description So many independent items would settle it if they fall out as these did; null: no number would. */
      items_to_settle: number | null;
      /** @description Repeats that are still to be run. */
      repeats_to_add: number;
      /** @description What the gate has seen so far, look by look; the first that fails is final. */
      looks: {
        /** @description Which look it is, from 1. */
        look: number;
        /** @description Repeats of each item that it saw. */
        repeats: number;
        /** @description How sure a look must be. */
        levels: {
          /** @description A p-value against the version fails it at or below this. */
          fail: number;
          /** @description The gate opens where every p-value for the version is at or below this. */
          open: number;
        };
        /** @description The smallest p-value against the version. */
        p_worse: number;
        /** @description The largest p-value for the version. */
        p_holds: number;
        /**
         * @description What followed from it.
         * @enum {string}
         */
        verdict: "open" | "failed" | "inconclusive";
      }[];
      /** @description The look to come; null where the verdict is final, or all repeats agree so that only more items can tell. */
      next: {
        /** @description Which look it is, from 1. */
        look: number;
        /** @description Repeats of each item that it needs, over all runs of the version. */
        repeats: number;
        /** @description How sure a look must be. */
        levels: {
          /** @description A p-value against the version fails it at or below this. */
          fail: number;
          /** @description The gate opens where every p-value for the version is at or below this. */
          open: number;
        };
      } | null;
      /** @description The figures of each scorer. */
      scorers: components["schemas"]["ScorerResult"][];
    };
    /** @description How the gate stands to one version. */
    GateOfVersion: {
      /** @description The version's number. */
      version: number;
      /** @description `ver_…` */
      version_id: string;
      /** @description Whether it is live in this environment. */
      deployed: boolean;
      /**
       * @description The verdict, that it is out of date, or that there is none.
       * @enum {string}
       */
      state: "open" | "failed" | "inconclusive" | "expired" | "missing";
      consequence: components["schemas"]["GateConsequence"];
      /** @description Why, in sentences. */
      reasons: string[];
      /** @description The runs that were judged, `run_…`. */
      runs: string[];
      /** @description The figures; null where none were kept. */
      decision: components["schemas"]["GateDecision"] | null;
      /** @description When it was decided. */
      decided_at: string | null;
      /** @description Until when it holds. */
      expires_at: string | null;
      /** @description The version that was live when it was decided, by its number; null: none was. To be deployed, a version needs an open verdict against the one that is live then. */
      compared_with: number | null;
    };
    GateReason: {
      /** @description Such as `below_floor`. */
      code: string;
      /** @description The scorer that it is about. */
      scorer: string | null;
      /** @description The item that it is about. */
      item: string | null;
      /** @description The reason in a sentence, with its figures. */
      text: string;
    };
    /** @description What a version has to show before it may act here. */
    GateRules: {
      /** @description Dataset versions that a verdict needs a run over. */
      datasets: {
        /** @description The dataset's id, `ds_…`. */
        dataset_id: string;
        /** @description A name of lowercase letters, digits and `-`. */
        name: string;
        /** @description The version that the gate judges by. */
        version: number;
        /** @description The latest version that exists, in whichever environment it was made. */
        latest_version: number;
      }[];
      /** @description Scorer versions that the outputs are judged by. */
      scorers: {
        /** @description A name of lowercase letters, digits, `_` and `-`. */
        scorer: string;
        /** @description The version that the gate judges by. */
        version: number;
        /** @description The latest version that exists, in whichever environment it was made. */
        latest_version: number;
        /** @description Least mean score by this scorer; the gate's own where left out. */
        floor?: number;
        /** @description A score from here on counts as passed; the scorer's own where left out. */
        pass_at?: number;
      }[];
      /** @description Whether a dataset or scorer has a newer version than the gate pins. It takes effect here when the gate is set again in this environment. */
      newer_versions: boolean;
      /** @description Least mean score that is accepted. */
      floor: number;
      /** @description The largest drop against the deployed version that is accepted. */
      tolerance: number;
      /** @description How often a run does each item before the first decision. */
      repeats: number;
      /** @description While the decision is inconclusive, repeats are added up to so many of each item. */
      max_repeats: number;
      /** @description How long a verdict holds from the end of the oldest run behind it, those of the deployed version included. Repeats that are added make a run no younger. */
      lifetime_days: number;
      /** @description Whatever is not open is refused. */
      fail_closed: boolean;
      /** @description What follows where there is no verdict, or none that still holds; null: the environment's own rule. */
      on_missing: components["schemas"]["GateConsequence"] | null;
      table: components["schemas"]["GateTable"];
      /** @description Who set it, by id. */
      updated_by: string;
      updated_at: string;
    };
    GateScorerRule: {
      /** @description A name of lowercase letters, digits, `_` and `-`. */
      scorer: string;
      /** @description The version to pin; the latest where left out. */
      version?: number;
      /** @description Least mean score by this scorer; the gate's own where left out. */
      floor?: number;
      /** @description A score from here on counts as passed; the scorer's own where left out. */
      pass_at?: number;
    };
    /** @description What follows from each state in this environment, where it differs from the environment's own rule. */
    GateTable: {
      failed?: components["schemas"]["GateConsequence"];
      inconclusive?: components["schemas"]["GateConsequence"];
      expired?: components["schemas"]["GateConsequence"];
      missing?: components["schemas"]["GateConsequence"];
    };
    GenerateWorkflowBody: {
      /** @description What the workflow is to do, in plain words. */
      description: string;
      /** @description Its name. Default: made of the description. */
      name?: string;
      /** @description Who writes it. Default: the model of an agent that is deployed here; else a template is taken. */
      model?: {
        /** @description A connection to a provider of models. */
        connection: string;
        /** @description The model's name at the provider. */
        name: string;
      };
    };
    /** @description A draft from plain words. Read it before you publish it. */
    GeneratedWorkflow: {
      /** @enum {string} */
      made_by: "model" | "template";
      /** @description The model that wrote it. */
      model: string | null;
      /** @description The template that it was made from. */
      template: string | null;
      /** @description How it came about, for people. */
      note: string;
      /** @description The draft as YAML. Nothing is saved: create the workflow with it. */
      source: string;
      /** @description Null where the model's answer has not the form of a workflow. */
      definition: {
        /** @description The workflow's name. */
        workflow: string;
        description?: string;
        /** @description What is new in this version. */
        version_note?: string;
        /** @description JSON Schema (2020-12) of the input. */
        input?: {
          [key: string]: unknown;
        };
        triggers?: (components["schemas"]["WorkflowEventTrigger"] | components["schemas"]["WorkflowScheduleTrigger"] | components["schemas"]["WorkflowHookTrigger"])[];
        steps: components["schemas"]["WorkflowStep"][];
        /** @description The run's output. Texts are expressions in CEL (`input.order_id`, `'a text'`); numbers, true, false and null stand for themselves, lists and objects for what they hold. */
        output?: {
          [key: string]: unknown;
        };
        /** @description The business key: one open run per key, an expression in CEL. */
        key?: string;
        concurrency?: {
          /** @description Runs with the same one count together, an expression in CEL. */
          key: string;
          limit: number;
          /**
           * @description Default `queue`.
           * @enum {string}
           */
          when_full?: "queue" | "replace" | "reject";
        };
        limits?: {
          /** @description US dollars that a run may cost. */
          cost_usd?: number;
          /** @description How long a run may take. Default `30d`, such as `90s`, `1h30m` or `2d`. */
          duration?: string;
          /** @description Steps that a run may start, retries included; items of loops count against their own bound. Default 500. */
          steps?: number;
        };
      } | null;
      /** @description What is wrong with it, with line and column in `source`. */
      findings: components["schemas"]["Finding"][];
    };
    /**
     * @description Length of the windows of a series; weeks begin on Monday.
     * @enum {string}
     */
    Grain: "minute" | "hour" | "day" | "week" | "month";
    /** @description Who answers. While it is a person, the agent does not. */
    Handler: {
      /** @enum {string} */
      kind: "agent" | "person";
      /** @description The agent's name, or the member's id. */
      id: string;
      /** @description As people read it. */
      name: string;
      since: string | null;
    };
    Handoff: {
      /** @enum {string} */
      to: "person" | "agent";
      /** @description Who was asked for, by id; null: anybody who may answer. */
      member: string | null;
      reason: string;
      /** @description What happened so far, for who takes over. */
      summary: string;
      /** @description Whether a model wrote the summary. */
      summary_generated: boolean;
      /** @description By id; the agent's name where the agent asked. */
      requested_by: string;
      requested_at: string;
      /** @description Null: it waits for somebody. */
      taken_at: string | null;
    };
    HandoffBody: {
      /** @enum {string} */
      to: "person" | "agent";
      /** @description The person who is asked for, `mbr_…`; left out: anybody who may answer. */
      member?: string;
      /** @description The agent's name: a short lowercase word. */
      agent?: string;
      /** @description Why, as the one who takes over reads it. */
      reason: string;
      /**
       * @description What becomes of an answer that the agent is writing.
       * @default stop
       * @enum {string}
       */
      running?: "finish" | "stop";
    };
    HealthCheck: {
      /** @enum {string} */
      check: "deployment" | "gate" | "holds" | "model" | "tools" | "knowledge" | "budgets";
      /** @description The tool, connection, knowledge base or budget it is about; null: the agent. */
      subject: string | null;
      /**
       * @description `warning`: tasks run, but wait for people, may fail, or use what is out of date. `failed`: tasks do not run, or a part of the agent does not work.
       * @enum {string}
       */
      state: "ok" | "warning" | "failed";
      detail: string;
      /** @description What to do; null where nothing is wrong. */
      remedy: string | null;
    };
    /** @description What keeps work from going on until somebody acts. */
    Hold: {
      /**
       * @description `question`: a person is asked, by a task, a mission, or a conversation that was handed to people. `policy`: a policy refused it, and it can be tried again.
       * @enum {string}
       */
      kind: "kill_switch" | "gate" | "budget" | "pause" | "question" | "approval" | "policy";
      /** @description Which one: the id of the kill switch, approval, policy, task, conversation, decision, run or mission, the agent of a pause or gate, or the scope of the budget. */
      source: string;
      /** @description What holds it and why, for people. */
      text: string;
      /** @description Null: not known. */
      since: string | null;
      /** @description The permission of those who can lift it, such as `approvals:decide`. Further rules may apply. */
      lifted_by: string;
      /** @description What to do, with the call that does it. */
      remedy: string;
      /** @description The page of the portal where people see to it. */
      url: string;
    };
    /** @description An inbound hook: who has its secret can publish events here. */
    Hook: {
      name: string;
      /** @description Where the other service sends. It is the same in every environment: the secret that signs decides which one takes the call. */
      url: string;
      description: string;
      /** @description Until when calls signed with an earlier secret are taken, too; null: none. */
      secret_overlap_until: string | null;
      /** @description Who made it, by id. */
      created_by: string;
      created_at: string;
      updated_at: string;
    };
    HookPage: {
      data: components["schemas"]["Hook"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    HttpRequest: {
      /**
       * @description The HTTP method.
       * @enum {string}
       */
      method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
      /** @description The address; arguments may stand in path and query, not in the host. */
      url: string;
      /** @description Query parameters. */
      query?: {
        [key: string]: string;
      };
      /** @description Headers. Credentials come from the connection. */
      headers?: {
        [key: string]: string;
      };
      /** @description The JSON body. A text that is one placeholder only takes the argument with its type. */
      body?: unknown;
    };
    HttpTool: {
      /** @description A name of lowercase letters, digits and `_`. */
      name: string;
      /** @description What it does, in words. */
      description?: string;
      /** @description What a call is about, in one line, such as "Refund {{order_id}} · {{amount | money}}": text, and fields of the input by name or path (`customer/name`), each with a format if wanted (money, number, percent, date, upper). Lists, approvals and notifications lead with it. */
      title?: string;
      /** @description What one call costs, in US dollars: kept free in budgets before it, counted after it. */
      cost_usd?: number;
      /** @constant */
      kind: "http";
      request?: components["schemas"]["HttpRequest"];
      openapi?: components["schemas"]["OpenApiReference"];
      /** @description How the receiver knows a repeated call. Without it, a call whose outcome is unknown is not repeated. */
      idempotency?: {
        /** @description The header that carries the step's key. */
        header: string;
      };
      /** @description The connection that holds the credentials, by name. A definition holds no secret. */
      connection?: string;
      /**
       * @description A write is governed as an action of its own. A POST that says `read` counts as a write all the same until an admin marks its request as a read (`PATCH /v1/admin/settings`, `tools.reads`); PUT, PATCH and DELETE always write.
       * @enum {string}
       */
      effect: "read" | "write";
      /** @description JSON Schema (2020-12) of the arguments that a call may have. */
      arguments?: {
        [key: string]: unknown;
      };
      impact?: components["schemas"]["Impact"];
    };
    Impact: {
      /** @description Money at stake, in US dollars. */
      money?: number;
      /**
       * @description The most protected class of data that it touches.
       * @enum {string}
       */
      data?: "public" | "internal" | "confidential" | "personal" | "restricted";
      /** @description Whether it can be undone. */
      reversible?: boolean;
      /** @description Whether it reaches outside the company. */
      external?: boolean;
      /** @description How many people it affects. */
      persons?: number;
    };
    /** @description How many wait: all that the key may see, whatever the filter. */
    InboxCounts: {
      /** @description Approvals. */
      approval: number;
      /** @description Questions. */
      question: number;
      /** @description Hand-offs. */
      handoff: number;
      /** @description Dead letters. */
      dead_letter: number;
      /** @description All of them. */
      total: number;
      /** @description Those that the caller may act on now. */
      mine: number;
    };
    InboxItem: {
      /**
       * @description `approval`: a decision. `question`: of a task or a mission. `handoff`: a conversation that nobody has taken. `dead_letter`: something gave up and goes on only when somebody sees to it.
       * @enum {string}
       */
      kind: "approval" | "question" | "handoff" | "dead_letter";
      /** @description Of the approval, `apr_…`; the task that asks, `tsk_…`; the mission's decision, `mdc_…`; the conversation, `cnv_…`; the run, endpoint or trigger that gave up. */
      id: string;
      /** @description What it is about. */
      title: string;
      /** @description What is asked, or why it gave up. */
      text: string;
      /** @description Whose work it is; null: of several agents or none. */
      agent: string | null;
      /** @description Null: it has none. */
      risk: components["schemas"]["RiskLevel"] | null;
      since: string;
      /** @description When it expires, or has to be done; null: it waits. */
      due_at: string | null;
      /** @description Whether `due_at` has passed. */
      overdue: boolean;
      who_may_act: {
        /** @description Of those who may act on it. Further rules may apply, such as four eyes. */
        permission: string;
        /** @description Who alone is asked, by id; null: anybody with the permission. */
        member: string | null;
      };
      /** @description Whether the caller may act on it now. */
      may_act: boolean;
      /** @description The task that waits; null: none does. */
      task_id: string | null;
      /** @description The workflow's run that waits for it, or gave up. */
      run: {
        /** @description `wfr_…` */
        run_id: string;
        workflow: string;
      } | null;
      /** @description The page of the portal where people see to it. */
      url: string;
    };
    /** @description An install: what it made, what it may do, and what is left to do. */
    Install: {
      /** @description The install's id, `ins_…`. */
      install_id: string;
      /** @description The listing's id, `lst_…`. */
      listing_id: string;
      name: string;
      title: string;
      /**
       * @description What a bundle holds.
       * @enum {string}
       */
      kind: "agent" | "workflow" | "tool_set" | "policy_pack" | "dataset" | "scorer";
      publisher_id: string;
      /** @description Such as `1.2.0`. */
      version: string;
      /** @description `sha256:` and the SHA-256 of the bundle's archive, in hexadecimal: its name. */
      digest: string;
      /** @description Empty: none. */
      suffix: string;
      /**
       * @description `incomplete`: some part failed; `POST …/reset` tries it again.
       * @enum {string}
       */
      state: "installing" | "installed" | "incomplete" | "removed";
      /** @description A newer approved version; null: there is none. */
      update: {
        /** @description Such as `1.2.0`. */
        version: string;
        /** @description `sha256:` and the SHA-256 of the bundle's archive, in hexadecimal: its name. */
        digest: string;
        /** @description Whether it asks for more. */
        asks_more: boolean;
      } | null;
      /**
       * @description Whether some part is not as installed any more.
       * @enum {string}
       */
      drift: "none" | "changed" | "unknown";
      /** @description The quarantine or recall that holds it; null: none does. */
      recall: {
        recall_id: string;
        /** @enum {string} */
        kind: "quarantine" | "recall";
        reason: string;
        at: string;
      } | null;
      /** @description By id. */
      installed_by: string;
      created_at: string;
      updated_at: string;
      /** @description The agent that it made or serves, by name. */
      agent: string | null;
      parts: components["schemas"]["InstallPart"][];
      consent: {
        permissions: components["schemas"]["ListingPermission"][];
        /** @description The id of a publisher's key: `sha256:` and the SHA-256 of the public key. */
        publisher_key: string;
        by: string;
        at: string;
      };
      next_steps: components["schemas"]["NextStep"][];
      /** @description The bundle's page, in Markdown. */
      readme: string | null;
      revision: number;
    };
    /** @description Which version, by its digest, and the consent to what it asks for. */
    InstallListingBody: {
      /** @description `sha256:` and the SHA-256 of the bundle's archive, in hexadecimal: its name. */
      digest: string;
      consent: components["schemas"]["Consent"];
      /** @description Put behind every name that the install makes, such as `-2`, where the names are taken. */
      suffix?: string;
      /** @description For tool sets and datasets: the agent, by name, that gets the tools or whose skill is tested. */
      agent?: string;
    };
    /** @description Something that the install made. */
    InstallPart: {
      /**
       * @description What a part of an install is.
       * @enum {string}
       */
      kind: "knowledge_base" | "documents" | "agent" | "agent_version" | "tool" | "dataset" | "scorer" | "gate" | "policy" | "workflow";
      /** @description Its name here, with the suffix. */
      name: string;
      /** @description Its id where it has one. */
      id: string | null;
      file: string;
      /**
       * @description `kept`: an install of the same bundle had made it. `failed`: `problem` says why; `reset` tries again.
       * @enum {string}
       */
      state: "made" | "kept" | "failed" | "removed";
      /**
       * @description Whether it still is what the bundle holds.
       * @enum {string}
       */
      drift: "none" | "changed" | "missing" | "unknown";
      problem: {
        code: string;
        detail: string;
      } | null;
      /** @description The record of the call that made it. */
      audit_ref: string | null;
      /** @description Its room in the portal. */
      link: string | null;
    };
    /** @description What an install, or an update, would make and ask for. Nothing was made. */
    InstallPreview: {
      /** @description The listing's id, `lst_…`. */
      listing_id: string;
      name: string;
      title: string;
      /**
       * @description What a bundle holds.
       * @enum {string}
       */
      kind: "agent" | "workflow" | "tool_set" | "policy_pack" | "dataset" | "scorer";
      /** @description Such as `1.2.0`. */
      version: string;
      /** @description `sha256:` and the SHA-256 of the bundle's archive, in hexadecimal: its name. */
      digest: string;
      publisher: {
        /** @description `pub_…`. */
        publisher_id: string;
        name: string;
        /** @description True: this organization signs as this publisher. */
        own: boolean;
        /** @description The id of a publisher's key: `sha256:` and the SHA-256 of the public key. */
        key_id: string;
        /** @description Whether its key was accepted with a first install, or is this organization's. */
        pinned: boolean;
      };
      /**
       * @description `first`: this organization accepts the publisher's key with this install. `rotated`: the key it accepted vouches for this one. `foreign`: it does not, so that this cannot be installed.
       * @enum {string}
       */
      key_change: "first" | "same" | "rotated" | "foreign";
      permissions: components["schemas"]["ListingPermission"][];
      permissions_digest: string;
      /** @description Against the installed version; null: a first install. */
      difference: components["schemas"]["PermissionDifference"] | null;
      parts: components["schemas"]["PlannedPart"][];
      /** @description Connections that it names, and whether this environment has them. */
      connections: {
        name: string;
        present: boolean;
      }[];
      scan: {
        /** @description Findings with which it should not be installed as it is. */
        error: number;
        /** @description Findings that a person decides about. */
        warning: number;
        /** @description Examples and other harmless ones. */
        note: number;
      };
      limits: string[];
      /** @description Why it cannot be installed as asked; empty: it can. */
      faults: {
        code: string;
        detail: string;
      }[];
    };
    /** @description What an install, update, reset or removal came to, part by part. */
    InstallResult: {
      /** @description Null on a dry run. */
      install: components["schemas"]["Install"] | null;
      results: {
        /**
         * @description What a part of an install is.
         * @enum {string}
         */
        kind: "knowledge_base" | "documents" | "agent" | "agent_version" | "tool" | "dataset" | "scorer" | "gate" | "policy" | "workflow";
        name: string;
        /**
         * @description `keep`: it stays as it is, such as one that an install of the same bundle made already, or that the update does not change.
         * @enum {string}
         */
        action: "create" | "change" | "keep" | "remove";
        /** @description Of the call that made, changed or removed it; null: none was needed or made. */
        status: number | null;
        audit_ref: string | null;
        /** @description Why it stays, or what else is to be known of it, in a sentence. */
        note: string | null;
        problem: {
          [key: string]: unknown;
        } | null;
      }[];
      /** @description Calls that succeeded. */
      succeeded: number;
      /** @description Calls that did not. */
      failed: number;
    };
    /** @description Something that is installed in this environment. */
    InstallSummary: {
      /** @description The install's id, `ins_…`. */
      install_id: string;
      /** @description The listing's id, `lst_…`. */
      listing_id: string;
      name: string;
      title: string;
      /**
       * @description What a bundle holds.
       * @enum {string}
       */
      kind: "agent" | "workflow" | "tool_set" | "policy_pack" | "dataset" | "scorer";
      publisher_id: string;
      /** @description Such as `1.2.0`. */
      version: string;
      /** @description `sha256:` and the SHA-256 of the bundle's archive, in hexadecimal: its name. */
      digest: string;
      /** @description Empty: none. */
      suffix: string;
      /**
       * @description `incomplete`: some part failed; `POST …/reset` tries it again.
       * @enum {string}
       */
      state: "installing" | "installed" | "incomplete" | "removed";
      /** @description A newer approved version; null: there is none. */
      update: {
        /** @description Such as `1.2.0`. */
        version: string;
        /** @description `sha256:` and the SHA-256 of the bundle's archive, in hexadecimal: its name. */
        digest: string;
        /** @description Whether it asks for more. */
        asks_more: boolean;
      } | null;
      /**
       * @description Whether some part is not as installed any more.
       * @enum {string}
       */
      drift: "none" | "changed" | "unknown";
      /** @description The quarantine or recall that holds it; null: none does. */
      recall: {
        recall_id: string;
        /** @enum {string} */
        kind: "quarantine" | "recall";
        reason: string;
        at: string;
      } | null;
      /** @description By id. */
      installed_by: string;
      created_at: string;
      updated_at: string;
    };
    InstallSummaryPage: {
      data: components["schemas"]["InstallSummary"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description An estimate with its interval. */
    Interval: {
      value: number;
      /** @description Lower end of the 95 % interval. */
      low: number;
      /** @description Upper end of it. */
      high: number;
      /** @description How many things it is about. */
      n: number;
    };
    IssueKeyBody: {
      /** @description What it is for, for people. */
      name: string;
      role: components["schemas"]["RoleName"];
      /** @description Narrows the key to these permissions of its role. */
      scopes?: string[];
      /** @description Narrows the key to these agents. */
      agents?: string[];
      /** @description Days until it stops working; null: never. Left out: 90, or as long as the key that issues it, whichever is shorter. No key issues one that outlives it. */
      expires_in_days?: number | null;
      /** @description Networks it may be used from: addresses or CIDR blocks. */
      addresses?: string[];
      /** @description Requests a second. Left out: what the settings of the environment say. */
      rate_per_second?: number;
      /** @description Whom the key acts for: one of the two. Left out: the caller. */
      for?: {
        /** @description The id of a person or a service account, `mbr_…`. */
        member?: string;
        /** @description By name, a short lower-case word; made at its first use. */
        service_account?: string;
      };
    };
    IssuedKey: {
      /** @description The key's id, `key_…`; not the key itself. */
      key_id: string;
      name: string;
      environment: components["schemas"]["Environment"];
      role: components["schemas"]["RoleName"];
      /** @description Permissions the key is narrowed to, such as `tasks:read`; null: all of its role. */
      scopes: string[] | null;
      /** @description Agents the key is narrowed to, by name; null: all. */
      agents: string[] | null;
      /** @description Networks the key may be used from (addresses or CIDR blocks); null: any. */
      addresses: string[] | null;
      /** @description Requests a second; null: what the settings of its environment say. */
      rate_per_second: number | null;
      /** @description The id of a person or a service account, `mbr_…`. */
      member_id: string;
      member_kind: components["schemas"]["MemberKind"];
      member_name: string;
      /** @description The key's first characters, to recognise it by. */
      start: string;
      /** @description The key's last four characters. */
      last_four: string;
      state: components["schemas"]["KeyState"];
      /** @description The member, or the machine of the service, that issued it. */
      created_by: string;
      /** @description Whether its person issued it to themselves, signed in by OpenID Connect or passkey or with another such key. Only such a key votes where an approval demands another person. */
      personal: boolean;
      created_at: string;
      /** @description When it stops working by itself; null: never. */
      expires_at: string | null;
      /** @description When it stopped working, or will at the end of an overlap; null: not revoked. */
      revoked_at: string | null;
      /** @description The key that took its place when it was revoked; null: none. */
      replaced_by: string | null;
      /** @description To the minute, and written a little later; null: never used. */
      last_used_at: string | null;
      /** @description The key itself. It is shown this once and cannot be read again. */
      key?: string;
      /**
       * @description The call was repeated with its Idempotency-Key: what it made is there, but the secret was shown in the first answer and is kept nowhere. Absent otherwise.
       * @constant
       */
      secret_withheld?: true;
    };
    ItemRepeat: {
      /** @description From 0. */
      repeat: number;
      /** @description By scorer, from 0 to 1; one that has nothing to say of the item is left out. */
      scores: {
        [key: string]: number;
      };
      /** @description What the skill gave; null where it failed. */
      output: {
        [key: string]: unknown;
      } | null;
      /** @description Why it gave no output; every score is 0 then. */
      failure: {
        /** @description Why, as a code. */
        code: string;
        /** @description Why, in a sentence. */
        detail: string;
      } | null;
      /** @description Model and tool calls. */
      steps: number;
      /** @description Tokens in and out of models. */
      tokens: number;
      /** @description US dollars. */
      cost_usd: number;
      /** @description Milliseconds. */
      ms: number;
    };
    /** @description What became of one item. */
    ItemResult: {
      /** @description The item's name in its set. */
      item: string;
      /** @description What went in. */
      input: {
        [key: string]: unknown;
      };
      /** @description What should have come out. */
      expected: {
        [key: string]: unknown;
      };
      /** @description Whether the gate insists on it. */
      must_pass: boolean;
      /** @description Mean over the repeats, by scorer. */
      scores: {
        [key: string]: number;
      };
      /** @description What each repeat came to. */
      repeats: components["schemas"]["ItemRepeat"][];
    };
    ItemResultPage: {
      data: components["schemas"]["ItemResult"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    Key: {
      /** @description The key's id, `key_…`; not the key itself. */
      key_id: string;
      name: string;
      environment: components["schemas"]["Environment"];
      role: components["schemas"]["RoleName"];
      /** @description Permissions the key is narrowed to, such as `tasks:read`; null: all of its role. */
      scopes: string[] | null;
      /** @description Agents the key is narrowed to, by name; null: all. */
      agents: string[] | null;
      /** @description Networks the key may be used from (addresses or CIDR blocks); null: any. */
      addresses: string[] | null;
      /** @description Requests a second; null: what the settings of its environment say. */
      rate_per_second: number | null;
      /** @description The id of a person or a service account, `mbr_…`. */
      member_id: string;
      member_kind: components["schemas"]["MemberKind"];
      member_name: string;
      /** @description The key's first characters, to recognise it by. */
      start: string;
      /** @description The key's last four characters. */
      last_four: string;
      state: components["schemas"]["KeyState"];
      /** @description The member, or the machine of the service, that issued it. */
      created_by: string;
      /** @description Whether its person issued it to themselves, signed in by OpenID Connect or passkey or with another such key. Only such a key votes where an approval demands another person. */
      personal: boolean;
      created_at: string;
      /** @description When it stops working by itself; null: never. */
      expires_at: string | null;
      /** @description When it stopped working, or will at the end of an overlap; null: not revoked. */
      revoked_at: string | null;
      /** @description The key that took its place when it was revoked; null: none. */
      replaced_by: string | null;
      /** @description To the minute, and written a little later; null: never used. */
      last_used_at: string | null;
    };
    KeyPage: {
      data: components["schemas"]["Key"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /**
     * @description `revoked` as well where its member was removed or has lost the role behind it.
     * @enum {string}
     */
    KeyState: "active" | "expired" | "revoked";
    KillSwitch: {
      /** @description The kill switch's id, `ksw_…`. */
      kill_switch_id: string;
      /** @description Where it was engaged and is released. */
      environment: string;
      kind: components["schemas"]["KillSwitchKind"];
      /** @description By kind: an agent, a version's id, `<agent>.<skill>`, a tool, a model or a workflow by name. None for `all` and `environment`. */
      target: string | null;
      mode: components["schemas"]["KillSwitchMode"];
      /** @description Whether loosening or releasing it takes two persons. */
      critical: boolean;
      state: components["schemas"]["KillSwitchState"];
      reason: string;
      engaged_by: string;
      engaged_at: string;
      release_requested: {
        by: string;
        at: string;
        /** @enum {string} */
        to: "pause" | "released";
        reason: string;
        expires_at: string;
      } | null;
      /** @description What has to be set up before it can be released: two persons release it who signed in personally, and nobody can here. Null: nothing. */
      release_requires: string | null;
      /** @description Why it was released. */
      release_reason: string | null;
      released_by: string | null;
      released_at: string | null;
      /** @description Tasks that it ended: running ones are cancelled, others blocked. */
      tasks_ended: number;
      /** @description From its engagement to the end of the last running task that it ended, in milliseconds; null where it ended none. */
      time_to_stop_ms: number | null;
    };
    /**
     * @description What it stops. `all`: every environment; the others act in the environment of the key. `workflow`: the steps of its runs.
     * @enum {string}
     */
    KillSwitchKind: "all" | "environment" | "agent" | "version" | "skill" | "tool" | "model" | "workflow";
    /**
     * @description `stop`: running work is aborted, queued work is blocked, none is accepted. `drain`: none is accepted, what there is goes on. `pause`: work is accepted and waits, running work is given back before its next action.
     * @enum {string}
     */
    KillSwitchMode: "pause" | "drain" | "stop";
    KillSwitchPage: {
      data: components["schemas"]["KillSwitch"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /**
     * @description `release_requested`: one of two persons has asked to loosen or release it; it acts unchanged.
     * @enum {string}
     */
    KillSwitchState: "engaged" | "release_requested" | "released";
    /** @description A knowledge base of the environment. */
    KnowledgeBase: {
      /** @description `kb_…` */
      base_id: string;
      /** @description What agents call it by; unique in the environment. */
      name: string;
      description: string;
      /**
       * @description The language of its texts: words are found by their stems in it. `simple` takes words as they are, such as for mixed languages.
       * @enum {string}
       */
      language: "simple" | "arabic" | "armenian" | "basque" | "catalan" | "danish" | "dutch" | "english" | "finnish" | "french" | "german" | "greek" | "hindi" | "hungarian" | "indonesian" | "irish" | "italian" | "lithuanian" | "nepali" | "norwegian" | "portuguese" | "romanian" | "russian" | "serbian" | "spanish" | "swedish" | "tamil" | "turkish" | "yiddish";
      /** @description Who may read it: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist. */
      readers: string[] | null;
      settings: components["schemas"]["BaseSettings"];
      /** @description Days after which a document has to be reviewed, counted from its last change or review. Null: never. */
      review_days: number | null;
      /** @description Days for which former versions of documents, and the citations of them, are kept. Null: as long as the document. */
      version_days: number | null;
      /** @description Which model makes vectors of its texts; null: none does. */
      embedding: components["schemas"]["Embedding"] | null;
      /** @description How many documents it has, records among them. */
      documents: number;
      /** @description Documents with fields: what tools of kind `record` find. */
      records: number;
      /** @description Pieces of them that searches find. */
      chunks: number;
      health: components["schemas"]["BaseHealth"];
      /** @description Who made it, by id. */
      author: string;
      /** @description Raised by each change of its settings. */
      revision: number;
      created_at: string;
      /** @description When a document last came or changed; null: it is empty. */
      updated_at: string | null;
    };
    /** @description A knowledge base with its index and who uses it. */
    KnowledgeBaseDetails: {
      /** @description `kb_…` */
      base_id: string;
      /** @description What agents call it by; unique in the environment. */
      name: string;
      description: string;
      /**
       * @description The language of its texts: words are found by their stems in it. `simple` takes words as they are, such as for mixed languages.
       * @enum {string}
       */
      language: "simple" | "arabic" | "armenian" | "basque" | "catalan" | "danish" | "dutch" | "english" | "finnish" | "french" | "german" | "greek" | "hindi" | "hungarian" | "indonesian" | "irish" | "italian" | "lithuanian" | "nepali" | "norwegian" | "portuguese" | "romanian" | "russian" | "serbian" | "spanish" | "swedish" | "tamil" | "turkish" | "yiddish";
      /** @description Who may read it: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist. */
      readers: string[] | null;
      settings: components["schemas"]["BaseSettings"];
      /** @description Days after which a document has to be reviewed, counted from its last change or review. Null: never. */
      review_days: number | null;
      /** @description Days for which former versions of documents, and the citations of them, are kept. Null: as long as the document. */
      version_days: number | null;
      /** @description Which model makes vectors of its texts; null: none does. */
      embedding: components["schemas"]["Embedding"] | null;
      /** @description How many documents it has, records among them. */
      documents: number;
      /** @description Documents with fields: what tools of kind `record` find. */
      records: number;
      /** @description Pieces of them that searches find. */
      chunks: number;
      health: components["schemas"]["BaseHealth"];
      /** @description Who made it, by id. */
      author: string;
      /** @description Raised by each change of its settings. */
      revision: number;
      created_at: string;
      /** @description When a document last came or changed; null: it is empty. */
      updated_at: string | null;
      /** @description Agents that name it in their draft or a version; those of the key, where it is narrowed to agents. */
      agents: string[];
      /** @description Those of them that are deployed here with it. */
      live_agents: string[];
      /** @description Former versions of its documents that are kept. */
      versions: number;
      /** @description Pages of its documents, as far as they have pages. */
      pages: number;
      /** @description Bytes of its files. */
      bytes: number;
      /** @description How far its vectors are; null: it names no embedding. */
      vectors: components["schemas"]["VectorHealth"] | null;
    };
    KnowledgeBasePage: {
      data: components["schemas"]["KnowledgeBase"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description A document of a knowledge base, with what it says. */
    KnowledgeDocument: {
      /** @description `doc_…` */
      document_id: string;
      /** @description `kb_…` */
      base_id: string;
      /** @description The base's name. */
      base: string;
      /** @description What its own system calls it. */
      external_id: string | null;
      title: string;
      /**
       * @description `indexed`: searches and record look-ups find it. While new contents are `queued`, `parsing` or `indexing`, and if they failed, the former ones are found.
       * @enum {string}
       */
      state: "queued" | "parsing" | "indexing" | "indexed" | "failed";
      /** @description How far parsing and indexing are. */
      progress: number;
      /** @description Why it failed; null: it did not. */
      error: {
        code: string;
        detail: string;
      } | null;
      /** @description Pieces of it that searches find. */
      chunks: number;
      /** @description SHA-256, in hexadecimal: of a file's bytes, else of the canonical JSON (RFC 8785) of title, text and fields; null where it came with the service. */
      digest: string | null;
      /** @description Its contents, counted from 1. */
      version: number;
      /**
       * @description Where its contents came from.
       * @enum {string}
       */
      source: "text" | "file" | "url" | "connector";
      file_name: string | null;
      media_type: string | null;
      /** @description Bytes of its file. */
      size: number | null;
      /** @description SHA-256 of its file, in hexadecimal. */
      file_digest: string | null;
      /** @description The address that it was fetched from. */
      url: string | null;
      /** @description Pages of its file. */
      pages: number | null;
      metadata: {
        [key: string]: unknown;
      };
      /** @description Who may read it: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist. */
      readers: string[] | null;
      /** @description Classes of data found in it. */
      data_classes: string[];
      /** @description When it has to be reviewed; null: never. */
      review_at: string | null;
      /** @description Its review date has passed. */
      stale: boolean;
      /** @description The document of the file whose row it is. */
      parent: string | null;
      /** @description The connector that brought it. */
      connector: string | null;
      /** @description Who added what it says now, by id. */
      author: string;
      created_at: string;
      updated_at: string;
      text: string | null;
      fields: {
        [key: string]: unknown;
      } | null;
      /** @description When somebody last confirmed that it holds. */
      reviewed_at: string | null;
      usage: {
        /** @description How often searches and agents were given passages of it. */
        retrievals: number;
        last_retrieved_at: string | null;
      };
    };
    /** @description Whether knowledge bases have what is asked of them. */
    KnowledgeFigures: {
      from: string;
      to: string;
      time_zone: string;
      grain: components["schemas"]["Grain"];
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      /** @description Searches of the window, at most the newest 50,000 of each base. */
      questions: number;
      /** @description Answered well among them; null: nothing was asked. */
      hit_rate: components["schemas"]["Interval"] | null;
      /** @description `questions` and `hit_rate`. */
      series: components["schemas"]["Point"][];
      /** @description Bases that the key sees, those asked most first, at most 100. */
      bases: {
        base_id: string;
        name: string;
        /** @description Searches of the window. */
        questions: number;
        hit_rate: components["schemas"]["Interval"] | null;
        /** @description Documents that are indexed. */
        documents: number;
        /** @description Of them, those that no search found in the window, and that are older than it. */
        unused: number;
        /** @description Of them, those whose review is due. */
        stale: number;
        links: {
          documents: string;
          gaps: string;
          stale: string;
        };
      }[];
      /** @description Documents that nobody needed, the oldest first, at most 50. */
      unused: {
        document_id: string;
        base_id: string;
        title: string;
        /** @description Null: never. */
        last_retrieved_at: string | null;
        created_at: string;
      }[];
      /** @description What was asked most without a good answer, at most 20. */
      gaps: {
        base_id: string;
        /** @description The latest wording; personal data stands as placeholders. */
        question: string;
        /** @description Searches in these words. */
        asked: number;
        last_asked_at: string;
        agents: string[];
        /** @description The base's list of gaps, which groups all wordings. */
        link: string;
      }[];
    };
    /** @description Questions that ask for the same thing and found nothing good. */
    KnowledgeGap: {
      /** @description The wording that was used most. Personal data stands as placeholders. */
      question: string;
      /** @description How often it was asked without a good answer, in all its wordings. */
      asked: number;
      /** @description Some of the wordings, the latest first. */
      wordings: string[];
      first_asked_at: string;
      last_asked_at: string;
      /** @description The agents that asked it. */
      agents: string[];
      /** @description Whether somebody else asked it, too. */
      by_people: boolean;
      /** @description When it was asked again and answered well; null: it was not. */
      resolved_at: string | null;
      /** @description What a search finds for it now, best of all; null: nothing. */
      best: components["schemas"]["FoundDocument"] | null;
    };
    KnowledgeGapPage: {
      data: components["schemas"]["KnowledgeGap"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description How the cost of tasks comes to what was spent in the window. Whole millionths of a dollar: the sums are exact. */
    LedgerFigures: {
      /** @description What was spent in the window: `tasks_usd` - `spent_later_usd` + `earlier_tasks_usd` + `outside_usd`. */
      spent_usd: number;
      /** @description What the tasks cost so far that were dispatched in the window, open ones too: `figures.cost_usd`. */
      tasks_usd: number;
      /** @description Of that, what was spent after the window. */
      spent_later_usd: number;
      /** @description Spent in the window by tasks that were dispatched before it. */
      earlier_tasks_usd: number;
      /** @description Spent in the window outside of tasks, such as by evaluations, training and vectors of knowledge. With a skill or label as a filter 0. */
      outside_usd: number;
      /** @description The same by what it was spent for, most first. */
      outside: {
        /** @description What for: the operation that spent. */
        operation: string;
        /** @description How often. */
        entries: number;
        spent_usd: number;
      }[];
    };
    LimitPolicyBody: {
      /** @description What people call it. */
      name: string;
      scope?: components["schemas"]["PolicyScope"];
      /** @description A condition in CEL over the policy context, such as `agent.name == "sales" && risk.score >= 7`. True: the effect applies. */
      when: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      effect: "limit";
      params: {
        /** @description Of `limit`: the most steps of the run. */
        steps?: number;
        /** @description Of `limit`: the most seconds that it takes. */
        seconds?: number;
        /** @description Of `limit`: the most tokens of models. */
        tokens?: number;
        /** @description Of `limit`: the most that it costs, in US dollars. */
        cost_usd?: number;
      };
      /** @description A stable word for programs: a-z, 0-9 and _. */
      reason_code: string;
      /** @description One sentence for whoever meets it. */
      message: string;
      /** @description Controls of frameworks that it implements, such as `soc2:CC6.1`. */
      controls?: string[];
      /** @description It holds from then on; null: at once. */
      effective_from?: string | null;
      /** @description It ends then; null: never by itself. */
      effective_until?: string | null;
      /**
       * @description `shadow` unless told. `active`: the policy is first replayed over recorded calls; what that found is kept with the version.
       * @default shadow
       * @enum {string}
       */
      state?: "draft" | "shadow" | "active";
      /** @description Why this version. */
      note?: string;
    };
    Limits: {
      /** @description Model and tool calls. */
      steps?: number;
      /** @description Seconds of running; waiting for people does not count. */
      seconds?: number;
      /** @description Tokens in and out of the model. */
      tokens?: number;
      /** @description US dollars. */
      cost_usd?: number;
    };
    /** @description An entry of the catalogue, with its newest approved version, or its newest while none is. */
    Listing: {
      /** @description The listing's id, `lst_…`. */
      listing_id: string;
      name: string;
      /**
       * @description What a bundle holds.
       * @enum {string}
       */
      kind: "agent" | "workflow" | "tool_set" | "policy_pack" | "dataset" | "scorer";
      title: string;
      summary: string;
      business_function: string | null;
      publisher: {
        /** @description `pub_…`. */
        publisher_id: string;
        name: string;
        /** @description True: this organization signs as this publisher. */
        own: boolean;
        /** @description The id of a publisher's key: `sha256:` and the SHA-256 of the public key. */
        key_id: string;
        /** @description Whether its key was accepted with a first install, or is this organization's. */
        pinned: boolean;
      };
      /**
       * @description `private`: for this organization; its file cannot be downloaded. `public`: its file may be taken to other installations.
       * @enum {string}
       */
      visibility: "private" | "public";
      /**
       * @description `own`: packed from this organization's work. `imported`: from a file. `starter`: ships with the service.
       * @enum {string}
       */
      origin: "own" | "imported" | "starter";
      /**
       * @description `submitted`: waits for review. `approved`: can be installed. `quarantined`: stopped everywhere until it is approved again. `recalled`: stopped everywhere for good. `withdrawn`: its publisher offers it no longer; what is installed goes on.
       * @enum {string}
       */
      state: "submitted" | "approved" | "rejected" | "quarantined" | "recalled" | "withdrawn";
      /** @description Such as `1.2.0`. */
      version: string;
      /** @description `sha256:` and the SHA-256 of the bundle's archive, in hexadecimal: its name. */
      digest: string;
      /** @description Null: nothing was measured. */
      scorecard: components["schemas"]["Scorecard"] | null;
      scan: {
        /** @description Findings with which it should not be installed as it is. */
        error: number;
        /** @description Findings that a person decides about. */
        warning: number;
        /** @description Examples and other harmless ones. */
        note: number;
      };
      /** @description Null: nobody rated it yet. */
      rating: {
        /** @description Stars, 1 to 5. */
        mean: number;
        /** @description Members who rated it. */
        ratings: number;
      } | null;
      /** @description Installs in force, of all environments. */
      installs: number;
      created_at: string;
      updated_at: string;
    };
    /** @description A listing with all that one should know before installing it. */
    ListingDetail: {
      /** @description The listing's id, `lst_…`. */
      listing_id: string;
      name: string;
      /**
       * @description What a bundle holds.
       * @enum {string}
       */
      kind: "agent" | "workflow" | "tool_set" | "policy_pack" | "dataset" | "scorer";
      title: string;
      summary: string;
      business_function: string | null;
      publisher: {
        /** @description `pub_…`. */
        publisher_id: string;
        name: string;
        /** @description True: this organization signs as this publisher. */
        own: boolean;
        /** @description The id of a publisher's key: `sha256:` and the SHA-256 of the public key. */
        key_id: string;
        /** @description Whether its key was accepted with a first install, or is this organization's. */
        pinned: boolean;
      };
      /**
       * @description `private`: for this organization; its file cannot be downloaded. `public`: its file may be taken to other installations.
       * @enum {string}
       */
      visibility: "private" | "public";
      /**
       * @description `own`: packed from this organization's work. `imported`: from a file. `starter`: ships with the service.
       * @enum {string}
       */
      origin: "own" | "imported" | "starter";
      /**
       * @description `submitted`: waits for review. `approved`: can be installed. `quarantined`: stopped everywhere until it is approved again. `recalled`: stopped everywhere for good. `withdrawn`: its publisher offers it no longer; what is installed goes on.
       * @enum {string}
       */
      state: "submitted" | "approved" | "rejected" | "quarantined" | "recalled" | "withdrawn";
      /** @description Such as `1.2.0`. */
      version: string;
      /** @description `sha256:` and the SHA-256 of the bundle's archive, in hexadecimal: its name. */
      digest: string;
      /** @description Null: nothing was measured. */
      scorecard: components["schemas"]["Scorecard"] | null;
      scan: {
        /** @description Findings with which it should not be installed as it is. */
        error: number;
        /** @description Findings that a person decides about. */
        warning: number;
        /** @description Examples and other harmless ones. */
        note: number;
      };
      /** @description Null: nobody rated it yet. */
      rating: {
        /** @description Stars, 1 to 5. */
        mean: number;
        /** @description Members who rated it. */
        ratings: number;
      } | null;
      /** @description Installs in force, of all environments. */
      installs: number;
      created_at: string;
      updated_at: string;
      license: string | null;
      /** @description Markdown. */
      readme: string | null;
      limits: string[];
      requires: {
        connections: string[];
        notes: string[];
      };
      permissions: components["schemas"]["ListingPermission"][];
      /** @description SHA-256 of the permissions: what a consent names. */
      permissions_digest: string;
      signature: {
        verified: boolean;
        /** @description The id of a publisher's key: `sha256:` and the SHA-256 of the public key. */
        key_id: string;
        /** @description From the publisher's first key to the one that signs, each vouching for the next. */
        keys: string[];
        signed_at: string;
      };
      files: {
        path: string;
        /** @description Its size. */
        bytes: number;
        digest: string;
      }[];
      /** @description The newest ten; `…/versions` lists all. */
      versions: components["schemas"]["ListingVersion"][];
      /** @description Reports of abuse since it was last reviewed. */
      open_reports: number;
      revision: number;
    };
    ListingPage: {
      data: components["schemas"]["Listing"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description What a bundle asks for. Computed from its files, never taken from its publisher's word. */
    ListingPermission: {
      /** @description What it is about, the same in every version: `tool:find_policy`. */
      id: string;
      /**
       * @description What kind of thing it reaches or uses.
       * @enum {string}
       */
      kind: "tool" | "address" | "connection" | "model" | "data" | "knowledge" | "budget" | "trigger" | "policy";
      /**
       * @description How much care it deserves: `high` where it writes, sends data out or can spend much.
       * @enum {string}
       */
      level: "low" | "elevated" | "high";
      /** @description In one sentence, for people. */
      text: string;
      /** @description The same for programs. */
      value: {
        [key: string]: unknown;
      };
    };
    /** @description Who signs bundles, and with which keys. */
    ListingPublisher: {
      publisher_id: string;
      name: string;
      own: boolean;
      /** @description The key that was accepted with a first install; null: none was yet. This organization's own needs none. */
      pinned: {
        /** @description The id of a publisher's key: `sha256:` and the SHA-256 of the public key. */
        key_id: string;
        at: string;
        by: string;
      } | null;
      keys: {
        /** @description The id of a publisher's key: `sha256:` and the SHA-256 of the public key. */
        key_id: string;
        /** @description Ed25519, base64. */
        public_key: string;
        /** @description The key that signs now. */
        signs: boolean;
        /** @description The key before, which signed the rotation; null: the first. */
        vouched_by: string | null;
      }[];
      /** @description Listings of it here. */
      listings: number;
      created_at: string;
    };
    /** @description A report of abuse, for those who review listings. */
    ListingReport: {
      /** @description `abr_…`. */
      report_id: string;
      /** @description The listing's id, `lst_…`. */
      listing_id: string;
      /** @description Such as `1.2.0`. */
      version: string;
      /** @enum {string} */
      kind: "malicious" | "misleading" | "personal_data" | "copyright" | "broken" | "other";
      detail: string;
      /** @description By id. */
      reported_by: string;
      created_at: string;
    };
    ListingReportPage: {
      data: components["schemas"]["ListingReport"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description What a member thinks of a listing; one each, and the last one counts. */
    ListingReview: {
      /** @description By id. */
      member: string;
      stars: number;
      text: string | null;
      /** @description Such as `1.2.0`. */
      version: string;
      /** @description Whether this organization had it installed when it was rated. */
      installed: boolean;
      created_at: string;
      updated_at: string;
    };
    ListingReviewPage: {
      data: components["schemas"]["ListingReview"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description What the static scan found. With `Accept: application/sarif+json`: the SARIF log alone. */
    ListingScan: {
      /** @description The listing's id, `lst_…`. */
      listing_id: string;
      /** @description Such as `1.2.0`. */
      version: string;
      /** @description `sha256:` and the SHA-256 of the bundle's archive, in hexadecimal: its name. */
      digest: string;
      counts: {
        /** @description Findings with which it should not be installed as it is. */
        error: number;
        /** @description Findings that a person decides about. */
        warning: number;
        /** @description Examples and other harmless ones. */
        note: number;
      };
      scanned_at: string;
      /** @description SARIF 2.1.0. */
      sarif: {
        [key: string]: unknown;
      };
    };
    /** @description One version of a listing, never changed once it is there. */
    ListingVersion: {
      /** @description Such as `1.2.0`. */
      version: string;
      /** @description `sha256:` and the SHA-256 of the bundle's archive, in hexadecimal: its name. */
      digest: string;
      /** @description Size of its file. */
      bytes: number;
      /**
       * @description `submitted`: waits for review. `approved`: can be installed. `quarantined`: stopped everywhere until it is approved again. `recalled`: stopped everywhere for good. `withdrawn`: its publisher offers it no longer; what is installed goes on.
       * @enum {string}
       */
      state: "submitted" | "approved" | "rejected" | "quarantined" | "recalled" | "withdrawn";
      /** @description Why it was rejected, quarantined, recalled; or what its reviewer said. */
      reason: string | null;
      /** @description What is new in it, as its publisher says. */
      changes: string | null;
      /** @description What its submitter tells whoever reviews it. */
      note: string | null;
      scan: {
        /** @description Findings with which it should not be installed as it is. */
        error: number;
        /** @description Findings that a person decides about. */
        warning: number;
        /** @description Examples and other harmless ones. */
        note: number;
      };
      /** @description By id. */
      submitted_by: string;
      /** @description By id; null: not yet. */
      reviewed_by: string | null;
      reviewed_at: string | null;
      /** @description Whether a second person who signed in personally approved it, as staging and production demand; else it can be installed in development alone. */
      review_strict: boolean;
      created_at: string;
    };
    ListingVersionPage: {
      data: components["schemas"]["ListingVersion"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    McpTool: {
      /** @description A name of lowercase letters, digits and `_`. */
      name: string;
      /** @description What it does, in words. */
      description?: string;
      /** @description What a call is about, in one line, such as "Refund {{order_id}} · {{amount | money}}": text, and fields of the input by name or path (`customer/name`), each with a format if wanted (money, number, percent, date, upper). Lists, approvals and notifications lead with it. */
      title?: string;
      /** @description What one call costs, in US dollars: kept free in budgets before it, counted after it. */
      cost_usd?: number;
      /** @constant */
      kind: "mcp";
      /** @description An address, `https://…`. */
      server: string;
      /** @description Its name on the server; this tool's own where left out. */
      tool?: string;
      /** @description How the server knows a repeated call. Without it, a call whose outcome is unknown is not repeated. */
      idempotency?: {
        /** @description The argument that carries the step's key. */
        argument: string;
      };
      /** @description The connection that holds the credentials, by name. A definition holds no secret. */
      connection?: string;
      /**
       * @description A write is governed as an action of its own. A POST that says `read` counts as a write all the same until an admin marks its request as a read (`PATCH /v1/admin/settings`, `tools.reads`); PUT, PATCH and DELETE always write.
       * @enum {string}
       */
      effect: "read" | "write";
      /** @description JSON Schema (2020-12) of the arguments that a call may have. */
      arguments?: {
        [key: string]: unknown;
      };
      impact?: components["schemas"]["Impact"];
    };
    /** @description What success is: computed over the results of the mission's own tasks of a skill. No agent reports it. */
    Measure: {
      /** @description A skill of one of the agents. */
      skill: string;
      /** @description Which results count: over `output`, `input`, `feedback` (`accepted`, `rating`, `outcome`) and `status`, an expression in CEL. */
      where?: string;
      /** @description The number of a result, for `sum`, `mean`, `min` and `max`, an expression in CEL. */
      value?: string;
      /**
       * @description `count`: results that count. `rate`: their share of all results of the skill. Else over `value` of those that count.
       * @enum {string}
       */
      aggregate: "count" | "rate" | "sum" | "mean" | "min" | "max";
      /** @description What is to be reached. */
      target: number;
      /**
       * @description Which side of the target is good. Default `at_least`.
       * @enum {string}
       */
      direction?: "at_least" | "at_most";
    };
    /** @description The measure, computed from the results of the mission's tasks. */
    Measured: {
      /** @description What the measure comes to now; null without a result. */
      value: number | null;
      /** @description Lower bound of its 95 % interval. Counts, sums and extremes are exact. */
      low: number | null;
      /** @description Upper bound. */
      high: number | null;
      target: number;
      /** @enum {string} */
      direction: "at_least" | "at_most";
      /** @description Whether the value is on the good side of the target. */
      reached: boolean;
      /** @description Tasks of the skill that have ended. */
      results: number;
      /** @description Those that count. */
      counted: number;
      /** @description Results over which the expressions could not be evaluated; they do not count. */
      faults: number;
    };
    Member: {
      /** @description `mbr_…`. */
      member_id: string;
      kind: components["schemas"]["MemberKind"];
      name: string;
      /** @description Of a person, where one is known. */
      email: string | null;
      /** @description In the environment of the call; null: none. */
      role: ("viewer" | "operator" | "builder" | "evaluator" | "approver" | "auditor" | "admin") | null;
      /**
       * @description `invited` until they signed in, or a key of theirs was used.
       * @enum {string}
       */
      state: "invited" | "active";
      /** @description Keys of theirs that work in this environment. */
      keys: number;
      /** @description Who invited them; null: nobody did. */
      invited_by: string | null;
      /** @description When an invitation to this environment was last e-mailed to them; null: never. */
      invitation_sent_at: string | null;
      created_at: string;
    };
    /** @enum {string} */
    MemberKind: "person" | "service_account";
    MemberPage: {
      data: components["schemas"]["Member"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    Memory: {
      /** @description The memory's id, `mem_…`. */
      memory_id: string;
      /** @description About whom, in every conversation of theirs; null: it counts in its conversation alone. */
      user: string | null;
      /** @description The conversation's id, `cnv_…`. */
      conversation_id: string | null;
      /** @description What is remembered. Agents read it as data. */
      text: string;
      /** @description The message that it was taken from; null: somebody entered it. */
      source_message_id: string | null;
      /** @description Whether a model wrote it. */
      generated: boolean;
      /** @description Who entered it, by id. */
      author: string;
      audit_ref: string;
      created_at: string;
    };
    MemoryPage: {
      data: components["schemas"]["Memory"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    Message: {
      /** @description The message's id, `msg_…`. */
      message_id: string;
      /** @description The conversation's id, `cnv_…`. */
      conversation_id: string;
      /** @description Its place in the conversation. */
      number: number;
      /** @enum {string} */
      role: "user" | "agent" | "person" | "system";
      author: {
        /** @enum {string} */
        kind: "user" | "agent" | "person" | "service";
        id: string | null;
        name: string;
      };
      /**
       * @description `waiting`: for approval, or for an answer to its question.
       * @enum {string}
       */
      status: "queued" | "streaming" | "waiting" | "complete" | "stopped" | "failed" | "retracted";
      parts: (components["schemas"]["TextPart"] | components["schemas"]["CitationPart"] | components["schemas"]["ToolCallPart"] | components["schemas"]["FilePart"] | components["schemas"]["ApprovalPart"] | components["schemas"]["NoticePart"])[];
      /** @description The turn's id, `tur_…`. */
      turn_id: string | null;
      /** @description The task that wrote it, `tsk_…`. */
      task_id: string | null;
      /** @description Whether a model wrote it. */
      generated: boolean;
      /** @description Whether the caller brought it along. */
      imported: boolean;
      /** @description Of a summary: the messages that it stands for, which are kept. */
      covers: {
        from: number;
        to: number;
      } | null;
      /** @description The reply in whose place it stands. */
      replaces: string | null;
      replaced_by: string | null;
      trust_score: number | null;
      audit_ref: string;
      created_at: string;
      completed_at: string | null;
    };
    MessagePage: {
      data: components["schemas"]["Message"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    Mission: {
      /** @description The mission's id, `msn_…`. */
      mission_id: string;
      /** @description What is to be achieved, in words. */
      goal: string;
      status: components["schemas"]["MissionStatus"];
      health: components["schemas"]["MissionHealth"];
      agents: string[];
      autonomy: components["schemas"]["Autonomy"];
      measure: components["schemas"]["Measure"];
      measured: components["schemas"]["Measured"];
      tasks: components["schemas"]["TaskCounts"];
      spend: components["schemas"]["MissionSpend"];
      /** @description When it has to be done; null: no deadline. */
      deadline: string | null;
      /** @description The plan version that is accepted; null: none. */
      plan: number | null;
      /** @description Questions that wait for people. */
      open_decisions: number;
      /** @description What holds it now; null: nothing. */
      held_by: components["schemas"]["Hold"] | null;
      /** @description Labels that its tasks carry. */
      labels: string[];
      /** @description Who created it, by id. */
      created_by: string;
      created_at: string;
      updated_at: string;
      started_at: string | null;
      /** @description When it was completed or cancelled. */
      finished_at: string | null;
      /** @description What the mission works on, such as a list of leads. Expressions of the plan read it as `input`. */
      inputs: {
        [key: string]: unknown;
      };
      /** @description The plan by which it works. */
      accepted_plan: components["schemas"]["Plan"] | null;
      /** @description A newer plan that nobody has accepted. */
      proposed_plan: components["schemas"]["Plan"] | null;
      /** @description What keeps it from going on. */
      blockers: {
        code: string;
        detail: string;
        /** @description What to do. */
        remedy: string;
      }[];
      /** @description The oldest question that waits for people. */
      next_decision: components["schemas"]["MissionDecision"] | null;
      /** @description The workflow that carries the plan out; null: not started. */
      workflow: string | null;
      /** @description Its present run, `wfr_…`. */
      run_id: string | null;
      /** @description The mission's id, `msn_…`. */
      cloned_from: string | null;
      /** @description How it was closed. */
      outcome: {
        /** @enum {string} */
        result: "reached" | "missed" | "abandoned";
        note: string;
      } | null;
      revision: number;
    };
    MissionBudget: {
      /** @description The budget. */
      limit_usd: number;
      /** @description What the accepted plan is expected to cost; null: none is accepted. */
      planned_usd: number | null;
      /** @description Held for tasks that have not ended. */
      reserved_usd: number;
      /** @description Cost of the tasks so far. */
      spent_usd: number;
      /** @description Neither spent nor reserved. */
      left_usd: number;
      /** @description Tasks that the budget allows. */
      limit_tasks: number;
      /** @description Tasks that were begun. */
      used_tasks: number;
      /** @description What the mission will have cost at its end, in US dollars: tasks to come cost what tasks of their skill cost by now, or, where none ran, what the plan expects, with its 95 % interval. */
      forecast_usd: {
        value: number;
        low: number;
        high: number;
      };
      by_step: {
        step: string;
        /** @description What the plan expected when it was made; null: it is not of the plan. */
        planned_usd: number | null;
        reserved_usd: number;
        spent_usd: number;
        /** @description Tasks that were begun. */
        tasks: number;
      }[];
    };
    /** @description What the mission may use. It is reserved before each task, and never exceeded. */
    MissionBudgetLimit: {
      /** @description US dollars. */
      cost_usd: number;
      /** @description Tasks. */
      tasks: number;
    };
    MissionDecision: {
      /** @description The decision's id, `mdc_…`. */
      decision_id: string;
      /** @description The mission's id, `msn_…`. */
      mission_id: string;
      /**
       * @description `question`: somebody asked. The others are put by the service: a step failed, the budget does not suffice, the deadline has passed.
       * @enum {string}
       */
      kind: "question" | "failure" | "budget" | "deadline";
      question: string;
      /** @description Answers that can be chosen; empty: an answer in words. */
      options: {
        id: string;
        label: string;
      }[];
      /** @description What it is about. */
      context: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: "open" | "answered" | "withdrawn";
      /** @description The chosen option, or the words. */
      answer: string | null;
      comment: string | null;
      /** @description Who asked, by id; `service`: the service itself. */
      asked_by: string;
      asked_at: string;
      answered_by: string | null;
      answered_at: string | null;
    };
    /**
     * @description `at_risk`: something stands against it, see `GET /v1/missions/{mission}/risks`. `off_track`: the deadline has passed, or the plan is done and the target is not reached.
     * @enum {string}
     */
    MissionHealth: "not_started" | "on_track" | "at_risk" | "blocked" | "off_track" | "closed";
    MissionReasonBody: {
      /** @description Why, for people. */
      reason?: string;
    };
    MissionReport: {
      /** @description The mission's id, `msn_…`. */
      mission_id: string;
      goal: string;
      status: components["schemas"]["MissionStatus"];
      measure: components["schemas"]["Measure"];
      measured: components["schemas"]["Measured"];
      /** @description How it was closed. */
      outcome: {
        /** @enum {string} */
        result: "reached" | "missed" | "abandoned";
        note: string;
      } | null;
      tasks: components["schemas"]["TaskCounts"];
      budget: components["schemas"]["MissionBudget"];
      /** @description The accepted plan version. */
      plan: number | null;
      steps: {
        step: string;
        title: string;
        /** @description The agent's name: a short lowercase word. */
        agent: string;
        /** @description A skill of one of the agents. */
        skill: string;
        /** @description Tasks that were begun. */
        tasks: number;
        /** @description Completed. */
        completed: number;
        /** @description Failed, rejected, expired or blocked. */
        failed: number;
        /** @description Null: none has ended. */
        success: {
          value: number;
          low: number;
          high: number;
        } | null;
        cost_usd: number;
      }[];
      decisions: components["schemas"]["MissionDecision"][];
      started_at: string | null;
      finished_at: string | null;
      generated_at: string;
    };
    MissionRisk: {
      code: string;
      detail: string;
      /** @description What to do. */
      remedy: string;
      /** @description Whether it keeps the mission from going on. */
      blocks: boolean;
      /** @enum {string} */
      severity: "low" | "medium" | "high";
      task_id: string | null;
      /** @description The decision's id, `mdc_…`. */
      decision_id: string | null;
    };
    MissionRisks: {
      risks: components["schemas"]["MissionRisk"][];
    };
    /** @description Spend against the budget. */
    MissionSpend: {
      /** @description The budget. */
      limit_usd: number;
      /** @description What the accepted plan is expected to cost; null: none is accepted. */
      planned_usd: number | null;
      /** @description Held for tasks that have not ended. */
      reserved_usd: number;
      /** @description Cost of the tasks so far. */
      spent_usd: number;
      /** @description Neither spent nor reserved. */
      left_usd: number;
      /** @description Tasks that the budget allows. */
      limit_tasks: number;
      /** @description Tasks that were begun. */
      used_tasks: number;
    };
    /**
     * @description `draft`: no plan is accepted. `ready`: a plan is accepted and not started. `blocked`: waits for a decision of people. `finished`: all work of the plan is done, and the mission can be completed or planned further. `completed` and `cancelled` are final.
     * @enum {string}
     */
    MissionStatus: "draft" | "ready" | "running" | "paused" | "blocked" | "finished" | "completed" | "cancelled";
    MissionSummary: {
      /** @description The mission's id, `msn_…`. */
      mission_id: string;
      /** @description What is to be achieved, in words. */
      goal: string;
      status: components["schemas"]["MissionStatus"];
      health: components["schemas"]["MissionHealth"];
      agents: string[];
      autonomy: components["schemas"]["Autonomy"];
      measure: components["schemas"]["Measure"];
      measured: components["schemas"]["Measured"];
      tasks: components["schemas"]["TaskCounts"];
      spend: components["schemas"]["MissionSpend"];
      /** @description When it has to be done; null: no deadline. */
      deadline: string | null;
      /** @description The plan version that is accepted; null: none. */
      plan: number | null;
      /** @description Questions that wait for people. */
      open_decisions: number;
      /** @description What holds it now; null: nothing. */
      held_by: components["schemas"]["Hold"] | null;
      /** @description Labels that its tasks carry. */
      labels: string[];
      /** @description Who created it, by id. */
      created_by: string;
      created_at: string;
      updated_at: string;
      started_at: string | null;
      /** @description When it was completed or cancelled. */
      finished_at: string | null;
    };
    MissionSummaryPage: {
      data: components["schemas"]["MissionSummary"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    MissionTask: {
      /** @description `tsk_…` */
      task_id: string;
      /** @description The step of the plan, or of a task added by hand. */
      step: string;
      by_hand: boolean;
      /** @description Steps that were over before. */
      depends_on: string[];
      /** @description `wfr_…` */
      run_id: string;
      title: string | null;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description A skill of one of the agents. */
      skill: string;
      /** @description The task's status. */
      status: string;
      risk: string;
      trust_score: number;
      cost_usd: number;
      /** @description Held for it; 0 once it has ended. */
      reserved_usd: number;
      /** @description What holds it now; null: nothing. */
      held_by: components["schemas"]["Hold"] | null;
      created_at: string;
      finished_at: string | null;
    };
    MissionTaskPage: {
      data: components["schemas"]["MissionTask"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    MissionTemplate: {
      /** @description Its name: lowercase letters, digits and hyphens. */
      name: string;
      description: string;
      /** @enum {string} */
      origin: "built_in" | "saved";
      /** @description What a mission made of it is created with. */
      mission: {
        /** @description What is to be achieved, in words. */
        goal?: string;
        measure?: components["schemas"]["Measure"];
        /** @description Agents that may work on it. No plan uses others. */
        agents?: string[];
        budget?: components["schemas"]["MissionBudgetLimit"];
        autonomy?: components["schemas"]["Autonomy"];
        /** @description When it has to be done; null: no deadline. */
        deadline?: string | null;
        /** @description What the mission works on, such as a list of leads. Expressions of the plan read it as `input`. */
        inputs?: {
          [key: string]: unknown;
        };
        /** @description Labels that its tasks carry. */
        labels?: string[];
      };
      /** @description Its plan. */
      steps: components["schemas"]["PlanStepBody"][];
      created_by: string | null;
      created_at: string | null;
    };
    MissionTemplatePage: {
      data: components["schemas"]["MissionTemplate"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description Turns of models: mix, price, latency, tokens, failures. */
    ModelUse: {
      from: string;
      to: string;
      time_zone: string;
      grain: components["schemas"]["Grain"];
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      /** @description By the name of the measure. */
      figures: {
        tool_uses: components["schemas"]["Figure"];
        step_failures: components["schemas"]["Figure"];
        step_cost_usd: components["schemas"]["Figure"];
        step_duration_p50: components["schemas"]["Figure"];
        step_duration_p90: components["schemas"]["Figure"];
        step_tokens: components["schemas"]["Figure"];
      };
      /** @description The measures window by window, oldest first. */
      series: components["schemas"]["Point"][];
      /** @description Most used first. */
      rows: {
        /** @description `other`: beyond the dimension's limit. */
        model: string | null;
        /** @description Of all turns; null: there were none. */
        share: number | null;
        /** @description What a million of its tokens cost; null: it used none. */
        usd_per_million_tokens: number | null;
        /** @description By the name of the measure. */
        figures: {
          tool_uses: components["schemas"]["Figure"];
          step_failures: components["schemas"]["Figure"];
          step_cost_usd: components["schemas"]["Figure"];
          step_duration_p50: components["schemas"]["Figure"];
          step_duration_p90: components["schemas"]["Figure"];
          step_tokens: components["schemas"]["Figure"];
        };
      }[];
      /** @description Whether there are more rows than `limit`. */
      more: boolean;
    };
    /** @description Draws a random share of an agent's completed tasks for people to judge. */
    Monitor: {
      /** @description `mon_…` */
      monitor_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description Null: all skills of the agent. */
      skill: string | null;
      /** @description The share of completed tasks that is drawn. */
      share: number;
      /** @description The share of drawn tasks that two people judge. */
      double_review_share: number;
      /** @description Tasks drawn so far. */
      sampled: number;
      /** @description Of these, how many still wait for a verdict. */
      open: number;
      /** @description The share of first verdicts that accepted the outcome; null before there is one. */
      accepted: number | null;
      /** @description How far two reviewers agree. */
      agreement: {
        /** @description Tasks that two people have judged. */
        pairs: number;
        /** @description The share of these on which they agreed; null before there is one. */
        share: number | null;
        /** @description Cohen's kappa: agreement beyond chance, 1 for all of it; null where chance alone would always agree, or nothing is known. */
        kappa: number | null;
      };
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      /** @description Who created it, by id. */
      created_by: string;
      created_at: string;
    };
    MonitorPage: {
      data: components["schemas"]["Monitor"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description What became of tasks that were queued. */
    MovedTasks: {
      /** @description Queued tasks that run on the live version now. */
      moved: number;
      /** @description Queued tasks that stay with the version they were given; counted to 10,000. */
      kept: number;
    };
    /** @description What happened about when a series changed. It stands near it in time, which makes it no cause. */
    NearbyChange: {
      /** @enum {string} */
      kind: "deployment" | "policy" | "dataset";
      at: string;
      /** @description Null: not of one agent. */
      agent: string | null;
      /** @description What happened, in a sentence. */
      what: string;
      /** @description Where it can be read, a path of this interface. */
      link: string | null;
    };
    /** @description What is left to do until the install works. */
    NextStep: {
      /** @enum {string} */
      step: "connect" | "train" | "measure" | "gate" | "activate" | "deploy" | "try";
      /** @description In words, such as `Train read_note on 412 examples`. */
      title: string;
      done: boolean;
      /** @description The call that does it; null: it is done elsewhere, as `title` says. */
      operation: string | null;
      /** @description Its path. */
      params: {
        [key: string]: unknown;
      };
      /** @description Its body. */
      body: {
        [key: string]: unknown;
      };
      /** @description The ETag that it needs as `If-Match`, as things stand; null: it needs none. */
      if_match: string | null;
    };
    NoticePart: {
      /** @constant */
      type: "notice";
      /** @description `disclosure`, `question`, `handoff`, `returned`, `summary`, `policy`, `links_removed`, `stopped`, `failed`, `compacted`, `not_answered` or another one. */
      code: string;
      text: string;
      /** @description Of a question: the answers that it takes. */
      options?: string[];
    };
    OpenAiCompatibleModel: {
      /** @constant */
      provider: "openai-compatible";
      /** @description The model's name at the provider. */
      name: string;
      /** @description The connection that holds the credentials, by name. A definition holds no secret. */
      connection?: string;
      /** @description How the model is called. */
      settings: {
        /** @description 0 is the most predictable. */
        temperature?: number;
        /** @description Nucleus sampling: the share of probability kept. */
        top_p?: number;
        /** @description The longest answer of one model call. */
        max_output_tokens?: number;
        /** @description For providers that can repeat an answer. */
        seed?: number;
        /** @description How often the final answer is asked for again. The share that agrees is the probability from which the trust score starts. Each is a step that costs; off where left out. */
        confidence_samples?: number;
        /** @description Address of the provider's interface, such as `http://127.0.0.1:11434/v1`. */
        base_url: string;
        /** @description What a million tokens cost, in US dollars, in place of the list's prices; 0 for a server of one's own. Limits of money need a price. */
        price?: {
          input: number;
          output: number;
        };
      };
    };
    OpenAiModel: {
      /** @constant */
      provider: "openai";
      /** @description The model's name at the provider. */
      name: string;
      /** @description The connection that holds the credentials, by name. A definition holds no secret. */
      connection?: string;
      /** @description How the model is called. */
      settings?: {
        /** @description 0 is the most predictable. */
        temperature?: number;
        /** @description Nucleus sampling: the share of probability kept. */
        top_p?: number;
        /** @description The longest answer of one model call. */
        max_output_tokens?: number;
        /** @description For providers that can repeat an answer. */
        seed?: number;
        /** @description How often the final answer is asked for again. The share that agrees is the probability from which the trust score starts. Each is a step that costs; off where left out. */
        confidence_samples?: number;
        /** @description Address of the provider's interface, such as `http://127.0.0.1:11434/v1`. */
        base_url?: string;
        /** @description What a million tokens cost, in US dollars, in place of the list's prices; 0 for a server of one's own. Limits of money need a price. */
        price?: {
          input: number;
          output: number;
        };
      };
    };
    OpenApiReference: {
      /** @description An address, `https://…`. */
      url: string;
      /** @description Its `operationId`. */
      operation: string;
    };
    /** @description One screen of figures. */
    Overview: {
      from: string;
      to: string;
      time_zone: string;
      grain: components["schemas"]["Grain"];
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      /** @description By the name of the measure. */
      figures: {
        tasks: components["schemas"]["Figure"];
        completed: components["schemas"]["Figure"];
        failed: components["schemas"]["Figure"];
        success_rate: components["schemas"]["Figure"];
        accepted_rate: components["schemas"]["Figure"];
        trust_mean: components["schemas"]["Figure"];
        cost_usd: components["schemas"]["Figure"];
        duration_p50: components["schemas"]["Figure"];
        approvals: components["schemas"]["Figure"];
        blocked: components["schemas"]["Figure"];
        policy_denials: components["schemas"]["Figure"];
        pause_blocks: components["schemas"]["Figure"];
        kill_switch_blocks: components["schemas"]["Figure"];
        gate_blocks: components["schemas"]["Figure"];
        budget_blocks: components["schemas"]["Figure"];
      };
      /** @description The measures window by window, oldest first. */
      series: components["schemas"]["Point"][];
      now: components["schemas"]["Waiting"];
      /** @description Limits that are used to four fifths or to their warning level. */
      budgets: components["schemas"]["BudgetUse"][];
      /** @description Null: the caller lacks `agents:read`. */
      canaries: components["schemas"]["RunningCanary"][] | null;
      /** @description Parts that are null because the caller lacks the permission that reading them takes. */
      withheld: {
        part: string;
        permission: string;
      }[];
      alerts: components["schemas"]["FiringAlert"][];
    };
    Participant: {
      /** @enum {string} */
      kind: "user" | "agent" | "person";
      id: string | null;
      name: string;
      /** @description Of an agent: the version that answers. */
      version: number | null;
      /** @description Messages of theirs. */
      messages: number;
      first_at: string | null;
      last_at: string | null;
      /** @description Whether they can write now. */
      active: boolean;
    };
    ParticipantPage: {
      data: components["schemas"]["Participant"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    Party: {
      id: string;
      /** @description As the organization knows them; the id where there is no name. */
      name: string;
      /** @enum {string} */
      kind: "person" | "service_account" | "system";
    };
    PauseAgentBody: {
      /** @description Why; kept, and shown to whoever meets it. */
      reason: string;
      /**
       * @description `drain`: open tasks finish; `cancel`: they are cancelled, running ones within two seconds.
       * @default drain
       * @enum {string}
       */
      mode?: "drain" | "cancel";
    };
    /** @description Pending approvals by risk: all that the key may see, whatever the filter. */
    PendingCounts: {
      low: number;
      medium: number;
      high: number;
      critical: number;
      total: number;
      /** @description How many of them the caller may decide now; null unless `mine` was asked for. */
      mine: number | null;
    };
    /** @description What an update asks for that the installed version does not, and the reverse. */
    PermissionDifference: {
      added: components["schemas"]["ListingPermission"][];
      removed: components["schemas"]["ListingPermission"][];
      changed: {
        before: components["schemas"]["ListingPermission"];
        after: components["schemas"]["ListingPermission"];
      }[];
    };
    PinChange: {
      /**
       * @description What is pinned.
       * @enum {string}
       */
      kind: "dataset" | "scorer";
      /** @description Its name. */
      name: string;
      /** @description The version that was pinned before; null: the gate did not use it. */
      from: number | null;
      /** @description The version that is pinned now; null: the gate no longer uses it. */
      to: number | null;
    };
    PlainPolicyBody: {
      /** @description What people call it. */
      name: string;
      scope?: components["schemas"]["PolicyScope"];
      /** @description A condition in CEL over the policy context, such as `agent.name == "sales" && risk.score >= 7`. True: the effect applies. */
      when: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      effect: "deny" | "notify";
      /** @description It takes none. */
      params?: Record<string, never>;
      /** @description A stable word for programs: a-z, 0-9 and _. */
      reason_code: string;
      /** @description One sentence for whoever meets it. */
      message: string;
      /** @description Controls of frameworks that it implements, such as `soc2:CC6.1`. */
      controls?: string[];
      /** @description It holds from then on; null: at once. */
      effective_from?: string | null;
      /** @description It ends then; null: never by itself. */
      effective_until?: string | null;
      /**
       * @description `shadow` unless told. `active`: the policy is first replayed over recorded calls; what that found is kept with the version.
       * @default shadow
       * @enum {string}
       */
      state?: "draft" | "shadow" | "active";
      /** @description Why this version. */
      note?: string;
    };
    Plan: {
      /** @description The mission's id, `msn_…`. */
      mission_id: string;
      /** @description The number of the plan version. */
      plan: number;
      /** @enum {string} */
      status: "proposed" | "accepted" | "superseded";
      /**
       * @description `template`: proposed by the service. `model`: written by the model of one of the agents. `person`: somebody gave the steps. `replan`: made of what was left after a failure.
       * @enum {string}
       */
      origin: "template" | "model" | "person" | "replan";
      note: string;
      steps: components["schemas"]["PlanStep"][];
      total: {
        /** @description Tasks at most. */
        tasks: number;
        /** @description Expected cost, in US dollars, with its 95 % interval. */
        cost_usd: {
          value: number;
          low: number;
          high: number;
        };
        /** @description Tasks that are expected to succeed, with its 95 % interval. */
        succeeding: {
          value: number;
          low: number;
          high: number;
        };
        /** @description The highest of its steps. */
        risk: {
          level: components["schemas"]["RiskLevel"];
          score: number;
        };
      };
      /** @description A plan with an error cannot be accepted. */
      findings: components["schemas"]["PlanFinding"][];
      /** @description What the plan does not settle, in sentences. */
      leaves_open: string[];
      /** @description Who made it, by id. */
      author: string;
      created_at: string;
      accepted_at: string | null;
      accepted_by: string | null;
    };
    /** @description What is different from the version before. */
    PlanDiff: {
      /** @description The version that it is compared with. */
      against: number;
      added: string[];
      removed: string[];
      changed: {
        /** @description The step's id: lowercase letters, digits and `_`. */
        step: string;
        /** @description What differs: `skill`, `inputs`, `depends_on`, … */
        members: string[];
      }[];
      /** @description Tasks more (or, negative, fewer). */
      tasks: number;
      /** @description Expected US dollars more (or, negative, less). */
      cost_usd: number;
    };
    PlanFinding: {
      /** @enum {string} */
      severity: "error" | "warning";
      /** @description JSON Pointer into the plan. */
      pointer: string;
      code: string;
      detail: string;
    };
    PlanStep: {
      /** @description The step's id: lowercase letters, digits and `_`. */
      id: string;
      title: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description A skill of one of the agents. */
      skill: string;
      inputs: components["schemas"]["StepInputs"];
      depends_on: string[];
      /** @description Whether people approve its tasks: by the step or the autonomy. */
      require_approval: boolean;
      attempts: number;
      /** @description Tasks that it makes, at most. */
      tasks: number;
      /** @description What its tasks are expected to cost together, in US dollars, with its 95 % interval. */
      cost_usd: {
        value: number;
        low: number;
        high: number;
      };
      /** @description The risk of one of its tasks. */
      risk: {
        level: components["schemas"]["RiskLevel"];
        score: number;
      };
      /** @description The probability that a task of it succeeds, with its 95 % interval. */
      success: {
        value: number;
        low: number;
        high: number;
      };
      /** @description Tasks of the last 90 days here. The cost is the mean of those that ran. Without any, it is one call of each of the skill's tools where the model is the built-in one, and else the skill's limit; without any past task success is unknown. */
      evidence: {
        /** @description Past tasks of the skill that the estimates rest on. */
        tasks: number;
        /** @description Those that succeeded. */
        succeeded: number;
      };
    };
    PlanStepBody: {
      /** @description The step's id: lowercase letters, digits and `_`. */
      id: string;
      /** @description What it does, in words. */
      title?: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description A skill of one of the agents. */
      skill: string;
      inputs: components["schemas"]["StepInputs"];
      /** @description Steps that have to be over before. Default: those whose results it uses. */
      depends_on?: string[];
      /** @description Whether people approve its tasks, whatever the autonomy says. */
      require_approval?: boolean;
      /** @description How often a task is tried. Default 1. */
      attempts?: number;
    };
    PlanVersion: {
      /** @description The mission's id, `msn_…`. */
      mission_id: string;
      /** @description The number of the plan version. */
      plan: number;
      /** @enum {string} */
      status: "proposed" | "accepted" | "superseded";
      /**
       * @description `template`: proposed by the service. `model`: written by the model of one of the agents. `person`: somebody gave the steps. `replan`: made of what was left after a failure.
       * @enum {string}
       */
      origin: "template" | "model" | "person" | "replan";
      note: string;
      steps: components["schemas"]["PlanStep"][];
      total: {
        /** @description Tasks at most. */
        tasks: number;
        /** @description Expected cost, in US dollars, with its 95 % interval. */
        cost_usd: {
          value: number;
          low: number;
          high: number;
        };
        /** @description Tasks that are expected to succeed, with its 95 % interval. */
        succeeding: {
          value: number;
          low: number;
          high: number;
        };
        /** @description The highest of its steps. */
        risk: {
          level: components["schemas"]["RiskLevel"];
          score: number;
        };
      };
      /** @description A plan with an error cannot be accepted. */
      findings: components["schemas"]["PlanFinding"][];
      /** @description What the plan does not settle, in sentences. */
      leaves_open: string[];
      /** @description Who made it, by id. */
      author: string;
      created_at: string;
      accepted_at: string | null;
      accepted_by: string | null;
      /** @description Null: the first version. */
      diff: components["schemas"]["PlanDiff"] | null;
    };
    PlanVersionPage: {
      data: components["schemas"]["PlanVersion"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description Something that an install would make. */
    PlannedPart: {
      /**
       * @description What a part of an install is.
       * @enum {string}
       */
      kind: "knowledge_base" | "documents" | "agent" | "agent_version" | "tool" | "dataset" | "scorer" | "gate" | "policy" | "workflow";
      name: string;
      /** @description Where it stands in the bundle. */
      file: string;
      /**
       * @description `keep`: it stays as it is, such as one that an install of the same bundle made already, or that the update does not change.
       * @enum {string}
       */
      action: "create" | "change" | "keep" | "remove";
      /** @description The call that makes it, such as `agents.createAgent`. */
      operation: string;
      /** @description What that call needs. */
      permission: string;
      /** @description Whether the caller's key has it. */
      permitted: boolean;
      /** @description Whether something else has the name: then install it with `suffix`. */
      taken: boolean;
    };
    /** @description Values of one window of time. */
    Point: {
      from: string;
      to: string;
      complete: boolean;
      /** @description By the name of the measure. */
      values: {
        [key: string]: number | null;
      };
    };
    Policy: {
      /** @description The policy's id, `pol_…`. */
      policy_id: string;
      /** @description Versions never change; each change makes the next one. */
      version: number;
      state: components["schemas"]["PolicyState"];
      /** @description What people call it. */
      name: string;
      scope: components["schemas"]["PolicyScope"];
      /** @description A condition in CEL over the policy context, such as `agent.name == "sales" && risk.score >= 7`. True: the effect applies. */
      when: string;
      effect: components["schemas"]["PolicyEffect"];
      params: components["schemas"]["PolicyParams"];
      /** @description A stable word for programs: a-z, 0-9 and _. */
      reason_code: string;
      /** @description One sentence for whoever meets it. */
      message: string;
      /** @description Controls of frameworks that it implements, such as `soc2:CC6.1`. */
      controls: string[];
      /** @description It holds from then on; null: at once. */
      effective_from: string | null;
      /** @description It ends then; null: never by itself. */
      effective_until: string | null;
      /** @description Why this version. */
      note: string;
      /** @description Who wrote this version. */
      author: string;
      created_at: string;
      activated_at: string | null;
      retired_at: string | null;
      retired_by: string | null;
      /** @description The versions that are asked now: one that decides, and one in shadow beside it. */
      in_force: {
        active: number | null;
        shadow: number | null;
      };
      /** @description The replay before this version became active; null where it never did. */
      report: components["schemas"]["ReplayReport"] | null;
      /** @description The newest hundred, newest first. `?version=n` reads one of them, or an older one. */
      versions: {
        version: number;
        state: components["schemas"]["PolicyState"];
        /** @description Why this version. */
        note: string;
        author: string;
        created_at: string;
        activated_at: string | null;
        retired_at: string | null;
      }[];
    };
    PolicyBody: components["schemas"]["PlainPolicyBody"] | components["schemas"]["ApprovalPolicyBody"] | components["schemas"]["RedactPolicyBody"] | components["schemas"]["LimitPolicyBody"] | components["schemas"]["TagPolicyBody"];
    /**
     * @description What happens where `when` is true. `deny`: the call is refused. `require_approval`: it waits for people, and is refused where it cannot wait. `redact`: the agent, its models and the journal get personal data as placeholders only, of what the actions named bring in: `task.run` the input and what people answer, `tool.call` what the tool finds, `model.call` what the model is asked. A tool is called with what stands behind the placeholders of its arguments, and who asked gets it back in the output. `limit`: the run gets bounds. `notify`: the call goes on, the violation is listed and `policy.warned` is sent. `tag`: the task is tagged.
     * @enum {string}
     */
    PolicyEffect: "deny" | "require_approval" | "redact" | "limit" | "notify" | "tag";
    /** @description What the effect needs to know: members of that effect only. */
    PolicyParams: {
      /** @description Of `require_approval`: how many people must approve; 1 unless told. */
      approvers?: number;
      /** @description Of `require_approval`: whether who asked may be one of them; true unless told. */
      requester_allowed?: boolean;
      /** @description Of `require_approval`: what approvers are told; the message unless told. */
      reason?: string;
      /** @description Of `tag`: the tags. */
      tags?: string[];
      /** @description Of `redact`: the kinds of data; all unless told. */
      kinds?: ("email" | "phone" | "ip_address" | "iban" | "payment_card" | "national_id" | "secret_key")[];
      /** @description Of `limit`: the most steps of the run. */
      steps?: number;
      /** @description Of `limit`: the most seconds that it takes. */
      seconds?: number;
      /** @description Of `limit`: the most tokens of models. */
      tokens?: number;
      /** @description Of `limit`: the most that it costs, in US dollars. */
      cost_usd?: number;
    };
    PolicyScope: {
      /** @description Actions that it is asked about; without it, all that agents do. */
      actions?: string[];
      /** @description Names of agents; `*` stands for any run of characters, `?` for one. Without it, all agents, and calls that concern none. */
      agents?: string[];
      /** @description Only the environment of the key, where the policy is kept and holds. */
      environments?: components["schemas"]["Environment"][];
    };
    /**
     * @description `draft`: nobody asks it. `shadow`: it is asked, and what it would have done is only recorded. `active`: it decides. `retired`: it is over.
     * @enum {string}
     */
    PolicyState: "draft" | "shadow" | "active" | "retired";
    PolicySummary: {
      /** @description The policy's id, `pol_…`. */
      policy_id: string;
      /** @description Versions never change; each change makes the next one. */
      version: number;
      state: components["schemas"]["PolicyState"];
      /** @description What people call it. */
      name: string;
      scope: components["schemas"]["PolicyScope"];
      /** @description A condition in CEL over the policy context, such as `agent.name == "sales" && risk.score >= 7`. True: the effect applies. */
      when: string;
      effect: components["schemas"]["PolicyEffect"];
      params: components["schemas"]["PolicyParams"];
      /** @description A stable word for programs: a-z, 0-9 and _. */
      reason_code: string;
      /** @description One sentence for whoever meets it. */
      message: string;
      /** @description Controls of frameworks that it implements, such as `soc2:CC6.1`. */
      controls: string[];
      /** @description It holds from then on; null: at once. */
      effective_from: string | null;
      /** @description It ends then; null: never by itself. */
      effective_until: string | null;
      /** @description Why this version. */
      note: string;
      /** @description Who wrote this version. */
      author: string;
      created_at: string;
      activated_at: string | null;
      retired_at: string | null;
      retired_by: string | null;
      /** @description The versions that are asked now: one that decides, and one in shadow beside it. */
      in_force: {
        active: number | null;
        shadow: number | null;
      };
      violations_30d: components["schemas"]["ViolationCounts"];
    };
    PolicySummaryPage: {
      data: components["schemas"]["PolicySummary"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    PostgresCredentials: {
      /** @description A role that may only read. */
      user: string;
      /** @description Its password. */
      password: string;
    };
    /** @description A query on a PostgreSQL database, whose rows become records. */
    PostgresSource: {
      /** @description A name or an address. */
      host: string;
      /** @default 5432 */
      port?: number;
      database: string;
      /**
       * @description Without TLS only what plain http may reach is reached.
       * @default true
       */
      tls?: boolean;
      /** @description One statement that returns rows. It runs in a read-only transaction. */
      query: string;
      /** @description What columns mean. All columns become the record's fields, but for `text`. */
      columns: {
        /** @description Tells the rows apart; becomes the `external_id`. */
        id: string;
        /** @description The document's title. */
        title?: string;
        /** @description The document's text. Without it the row is a record alone. */
        text?: string;
        /** @description Changes whenever the row does, such as a time of change. Default: all columns are compared. */
        updated?: string;
      };
      /** @default 300 */
      timeout_seconds?: number;
      /**
       * @description Rows that are taken. More are left out, and nothing is removed then.
       * @default 100000
       */
      most_items?: number;
    };
    /** @description A run of a skill outside of tasks. It is not stored. */
    Preview: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description The version that ran; null for the draft. */
      version: number | null;
      task: string;
      /** @enum {string} */
      status: "completed" | "failed";
      /** @description Null where it failed. */
      output: {
        [key: string]: unknown;
      } | null;
      /** @description Why it failed. */
      failure: {
        code: string;
        detail: string;
      } | null;
      /** @description Tool calls, in their order. */
      calls: components["schemas"]["PreviewCall"][];
      /** @description Turns of the model and calls of tools. */
      steps: number;
      tokens: number;
      /** @description What it cost, which budgets of agent and environment count. */
      cost_usd: number;
      /** @description How long it took, in milliseconds. */
      ms: number;
      /** @description What to look at. */
      findings: components["schemas"]["PreviewFinding"][];
    };
    PreviewBody: {
      /** @description The skill. */
      task: string;
      /** @description Its input. */
      input: {
        [key: string]: unknown;
      };
      /** @description The version to run; the draft if omitted. */
      version?: number;
      /** @description Outputs by the tool's name: such a tool is not called but returns this. */
      fixtures?: {
        [key: string]: unknown;
      };
      /**
       * @description Whether tools that read are called where they have no fixture. Tools that write never are.
       * @default call
       * @enum {string}
       */
      reads?: "call" | "fixtures";
      /**
       * @description For models that can repeat an answer.
       * @default 0
       */
      seed?: number;
    };
    PreviewCall: {
      tool: string;
      arguments: {
        [key: string]: unknown;
      };
      /**
       * @description `read`: the tool was called. `withheld`: it writes, or had no fixture, and was not called. `refused`: by a policy, a budget or a kill switch.
       * @enum {string}
       */
      outcome: "read" | "fixture" | "withheld" | "refused" | "failed";
      /** @description What the model got; of what was refused or failed, code and detail. */
      result: unknown;
    };
    PreviewFinding: {
      /** @enum {string} */
      severity: "error" | "warning" | "info";
      code: string;
      detail: string;
    };
    /** @description `version`: default the newest approved. */
    PreviewInstallBody: {
      /** @description Such as `1.2.0`. */
      version?: string;
      /** @description Put behind every name that the install makes, such as `-2`, where the names are taken. */
      suffix?: string;
      /** @description For tool sets and datasets: the agent, by name, that gets the tools or whose skill is tested. */
      agent?: string;
      /** @description An install of it, `ins_…`: previews its update. */
      install?: string;
    };
    /** @description A problem (RFC 9457). Some types add members, such as `missing_scope` or `policies`. */
    Problem: {
      /** @description URL of a page with cause, remedy and example. */
      type: string;
      /** @description The type of problem, for people. */
      title: string;
      /** @description The HTTP status. */
      status: number;
      /** @description The type of problem, for programs. Codes are added, never renamed. */
      code: string;
      /** @description What was wrong with this call and how to correct it. */
      detail: string;
      /** @description Path of the call. */
      instance: string;
      /** @description As the header `X-Request-Id`. */
      request_id: string;
      /** @description As the header `Audit-Ref`. */
      audit_ref: string;
      /**
       * @description The stage of the pipeline that refused.
       * @enum {string}
       */
      stage?: "permissions" | "evaluation_gate" | "compliance" | "audit";
      /** @description Whether the same call may succeed later. */
      retryable: boolean;
      /** @description Everything that is wrong with the input. */
      errors?: components["schemas"]["Fault"][];
    } & {
      [key: string]: unknown;
    };
    ProposePlanBody: {
      /** @description The steps. Default: written by a connected model, or proposed from goal, measure, agents and inputs. */
      steps?: components["schemas"]["PlanStepBody"][];
      /** @description The mission template whose steps it takes, instead of `steps`. */
      template?: string;
      /** @description Why, for people. */
      note?: string;
    };
    PublishWorkflowBody: {
      /** @description What is new in it, for people. */
      note?: string;
      /** @description A version that was published before, such as in another environment. Default: the draft. */
      version?: number;
    };
    /** @description Whether what agents did was good. */
    QualityFigures: {
      from: string;
      to: string;
      time_zone: string;
      grain: components["schemas"]["Grain"];
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      figures: {
        accepted_rate: components["schemas"]["Figure"];
        success_rate: components["schemas"]["Figure"];
        trust_mean: components["schemas"]["Figure"];
        trust_calibration_error: components["schemas"]["Figure"];
        judged: components["schemas"]["Figure"];
      };
      /** @description `accepted_rate`, `judged`, `success_rate`, `tasks` and `trust_mean`. */
      series: components["schemas"]["Point"][];
      drift: components["schemas"]["DriftFinding"];
      /** @description By agent, those with the most judged tasks first, at most 50. */
      agents: components["schemas"]["Breakdown"][];
      /** @description Finished runs of the window, newest first, at most 50. */
      evaluations: components["schemas"]["EvaluationPoint"][];
      feedback: components["schemas"]["FeedbackFigures"];
    };
    QueryAnswer: {
      from: string;
      to: string;
      time_zone: string;
      /** @description Null: the whole window at once. */
      grain: components["schemas"]["Grain"] | null;
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      rows: {
        from: string;
        to: string;
        /** @description False: its window is not over, or tasks of it are still open. */
        complete: boolean;
        /** @description By dimension; `other`: values beyond its limit; null: none. */
        key: {
          [key: string]: string | null;
        };
        /** @description By dimension, what its value is called, where that is an id: of members, keys, versions, policies, kill switches, budgets and endpoints. */
        names?: {
          [key: string]: string;
        };
        /** @description By the name of the measure. */
        figures: {
          [key: string]: components["schemas"]["Figure"];
        };
      }[];
      /** @description True: there are rows beyond `limit`. */
      more: boolean;
      columns: {
        /** @description In the head of the CSV file, and in the Parquet file. */
        name: string;
        /** @enum {string} */
        type: "string" | "int64" | "double" | "timestamp" | "boolean";
        /** @description Of a measure; null: none. */
        unit: string | null;
        /** @description The dimension or measure; null: the row itself. */
        of: string | null;
        /** @description Which member of the measure's figure; null: no measure. */
        member: ("value" | "low" | "high" | "n" | "previous") | null;
      }[];
    };
    QueryBody: {
      measures: ("tasks" | "completed" | "failed" | "rejected" | "open" | "success_rate" | "judged" | "accepted_rate" | "trust_mean" | "trust_calibration_error" | "cost_usd" | "cost_per_task" | "cost_per_accepted" | "tokens" | "steps" | "tool_calls" | "duration_p50" | "duration_p90" | "duration_p99" | "queue_time_p50" | "queue_time_p90" | "queue_time_p99" | "approvals" | "decided" | "time_to_decide_p50" | "time_to_decide_p90" | "edit_rate" | "override_rate" | "expiry_rate" | "quick_rate" | "agreement" | "blocked" | "policy_denials" | "pause_blocks" | "kill_switch_blocks" | "gate_blocks" | "budget_blocks" | "violations" | "tool_uses" | "step_failures" | "step_cost_usd" | "step_tokens" | "step_duration_p50" | "step_duration_p90" | "deliveries" | "delivery_success")[];
      /** @description What rows are told apart by. */
      dimensions?: string[];
      /** @description A condition in CEL over dimensions, such as `agent == "sales" && label["team"] in ["blue", "red"]`. All are texts; the empty text is none. */
      where?: string;
      /** @description Beginning, a whole minute; default 30 days before `to`. */
      from?: string;
      /** @description End, a whole minute that is not part of it; default now. */
      to?: string;
      grain?: components["schemas"]["Grain"];
      /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
      time_zone?: string;
      /** @description Another window of equal length, whose values are `previous`: `previous`, the one before, or the one that begins at this time. Of a series each window is compared with the one at its place there. */
      compare_to?: "previous" | string;
      /** @description A measure that is asked for; `-` before it: the largest first. Default by time, then by dimensions. */
      sort?: string;
      /**
       * @description Rows at most.
       * @default 1000
       */
      limit?: number;
    };
    /** @description `version`: default the newest approved. */
    RateListingBody: {
      /** @description 1 to 5. */
      stars: number;
      /** @description What worked and what did not. */
      text?: string;
      /** @description Such as `1.2.0`. */
      version?: string;
    };
    /** @description What runs now. */
    RealtimeFigures: {
      as_of: string;
      states: {
        /** @enum {string} */
        status: "queued" | "running" | "awaiting_approval" | "input_required";
        /** @description Open tasks in this state. */
        n: number;
        /** @description When the oldest of them was dispatched; null: there is none. */
        oldest_at: string | null;
        /** @description Where these tasks are listed, a path of this interface. */
        link: string;
      }[];
      /** @description Agents with open tasks, those with the most first, at most 100. */
      agents: {
        agent: string;
        /** @description Tasks that wait for a worker. */
        queued: number;
        /** @description Tasks that run. */
        running: number;
        /** @description Tasks that wait for an approval. */
        awaiting_approval: number;
        /** @description Tasks that wait for an answer. */
        input_required: number;
        oldest_at: string;
      }[];
      /** @description Processes that run tasks of this environment. */
      workers: {
        /** @description Workers that hold a task now. */
        busy: number;
        /** @description Tasks that they hold. */
        tasks: number;
        /** @description Tasks whose worker has not been heard of in time; they are taken up again. */
        lapsed: number;
      };
      /** @description The last 15 minutes, the present one last. */
      minutes: {
        from: string;
        /** @description Dispatched. */
        tasks: number;
        /** @description Of them, completed by now. */
        completed: number;
        /** @description Of them, failed by now. */
        failed: number;
      }[];
      /** @description True: more than 10,000 tasks are open, and states and agents tell of these. */
      more: boolean;
    };
    /** @description Figures that are counted anew from what there is. They stay exact while it goes on. */
    Rebuild: {
      /** @enum {string} */
      state: "running" | "finished";
      from: string;
      to: string;
      /** @description Figures before this time are counted anew. */
      done_until: string;
      /** @description Of the time, how much is done. */
      share: number;
      /** @description Tasks, approvals, violations and deliveries so far. */
      counted: number;
      requested_by: string;
      requested_at: string;
      /** @description Null: it is running. */
      finished_at: string | null;
    };
    /** @description What to count anew; whole minutes that these times lie in. */
    RebuildBody: {
      /** @description Beginning; default: the oldest thing that is counted. */
      from?: string;
      /** @description End; default now. */
      to?: string;
    };
    /** @description A quarantine or recall, and what it stopped. */
    Recall: {
      /** @description `rcl_…`. */
      recall_id: string;
      /** @enum {string} */
      kind: "quarantine" | "recall";
      /** @description The listing's id, `lst_…`. */
      listing_id: string;
      name: string;
      title: string;
      versions: {
        /** @description Such as `1.2.0`. */
        version: string;
        /** @description `sha256:` and the SHA-256 of the bundle's archive, in hexadecimal: its name. */
        digest: string;
      }[];
      reason: string;
      /** @description By id. */
      by: string;
      at: string;
      /** @description When the listing was approved again; null: it is in force. */
      lifted_at: string | null;
      /** @description Whether every install was reached. */
      done: boolean;
      /** @description Installs that it reached. */
      installs: number;
      stopped: {
        environment: string;
        /** @description `ins_…`. */
        install_id: string;
        /** @enum {string} */
        kind: "agent" | "workflow" | "tool";
        /** @description What was stopped, by name. */
        target: string;
        /** @description The kill switch that holds it, `ksw_…`. */
        kill_switch_id: string;
        at: string;
        /** @description Tasks that it ended. */
        tasks_ended: number;
        /** @description From the decision until nothing of it ran any more; null: not yet. */
        seconds: number | null;
      }[];
    };
    RecallPage: {
      data: components["schemas"]["Recall"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    RecordTool: {
      /** @description A name of lowercase letters, digits and `_`. */
      name: string;
      /** @description What it does, in words. */
      description?: string;
      /** @description What a call is about, in one line, such as "Refund {{order_id}} · {{amount | money}}": text, and fields of the input by name or path (`customer/name`), each with a format if wanted (money, number, percent, date, upper). Lists, approvals and notifications lead with it. */
      title?: string;
      /** @description What one call costs, in US dollars: kept free in budgets before it, counted after it. */
      cost_usd?: number;
      /** @constant */
      kind: "record";
      /** @description A knowledge base, by name. */
      base: string;
      /**
       * @description It changes nothing.
       * @constant
       */
      effect: "read";
      /** @description JSON Schema (2020-12) of the arguments that a call may have. */
      arguments?: {
        [key: string]: unknown;
      };
      impact?: components["schemas"]["Impact"];
    };
    RecoverBody: {
      /** @description Left out: `missed_since` of the endpoint, and whatever was given up before. */
      since?: string;
    };
    Recovery: {
      /** @description The endpoint's id, `whk_…`. */
      webhook_id: string;
      since: string;
      /** @description Events above this sequence are looked through. */
      after_sequence: number;
      /** @description The newest event; what comes later is sent as usual. */
      up_to_sequence: number;
    };
    RedactPolicyBody: {
      /** @description What people call it. */
      name: string;
      scope?: components["schemas"]["PolicyScope"];
      /** @description A condition in CEL over the policy context, such as `agent.name == "sales" && risk.score >= 7`. True: the effect applies. */
      when: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      effect: "redact";
      params?: {
        /** @description Of `redact`: the kinds of data; all unless told. */
        kinds?: ("email" | "phone" | "ip_address" | "iban" | "payment_card" | "national_id" | "secret_key")[];
      };
      /** @description A stable word for programs: a-z, 0-9 and _. */
      reason_code: string;
      /** @description One sentence for whoever meets it. */
      message: string;
      /** @description Controls of frameworks that it implements, such as `soc2:CC6.1`. */
      controls?: string[];
      /** @description It holds from then on; null: at once. */
      effective_from?: string | null;
      /** @description It ends then; null: never by itself. */
      effective_until?: string | null;
      /**
       * @description `shadow` unless told. `active`: the policy is first replayed over recorded calls; what that found is kept with the version.
       * @default shadow
       * @enum {string}
       */
      state?: "draft" | "shadow" | "active";
      /** @description Why this version. */
      note?: string;
    };
    Regression: {
      /** @description The item's name in its set. */
      item: string;
      /** @description The scorer, by name. */
      scorer: string;
      /** @description Mean score in the run compared with. */
      before: number;
      /** @description Mean score in this run. */
      after: number;
      /** @description The probability that the item really got worse, rather than by chance; more repeats make it surer. */
      confidence: number;
    };
    /** @description A document that is indexed again. */
    ReindexedDocument: {
      document_id: string;
      base_id: string;
      /** @description The base's name. */
      base: string;
      /**
       * @description How far it is; one that is already under way goes on.
       * @enum {string}
       */
      state: "queued" | "parsing" | "indexing" | "indexed" | "failed";
      /** @description The version that is served. */
      version: number;
    };
    /** @description `digest` is required where the risk is high or critical. */
    RejectBody: {
      /** @description `digest` of the approval as it was shown: 64 hexadecimal digits. */
      digest?: string;
      /** @description Why not: read by the requester, the agent and who trains it. */
      reason: string;
    };
    ReleaseKillSwitchBody: {
      /** @description Why it is loosened or released. */
      reason: string;
      to?: components["schemas"]["ReleaseTo"];
    };
    /**
     * @description `released`: it ends. `pause`: it is loosened to the mode `pause`, as a first stage; `released` unless told.
     * @default released
     * @enum {string}
     */
    ReleaseTo: "pause" | "released";
    RemovedAgentSchedule: {
      /** @description The schedule's id, `sch_…`. */
      schedule_id: string;
      /** @constant */
      removed: true;
    };
    RemovedAlert: {
      /** @description The alert's id, `alr_…`. */
      alert_id: string;
      /** @constant */
      removed: true;
    };
    RemovedChannel: {
      /** @description Lowercase letters, digits and `-`; unique in the environment. `api` is what calls without a channel have. */
      name: string;
      /** @constant */
      removed: true;
    };
    RemovedConnection: {
      /** @description The name by which models and tools of agents refer to it. */
      connection: string;
      /** @constant */
      removed: true;
      /** @description What named it: these models and tools now lack their credentials. */
      used_by: components["schemas"]["ConnectionUse"][];
    };
    RemovedConnector: {
      /** @description `cnr_…` */
      connector_id: string;
      /** @constant */
      removed: true;
      /**
       * @description What became of what it brought.
       * @enum {string}
       */
      documents: "kept" | "deleted" | "being_deleted";
    };
    RemovedHook: {
      name: string;
      /** @constant */
      removed: true;
    };
    /** @description The monitor is gone; what it drew stays. */
    RemovedMonitor: {
      /** @description `mon_…` */
      monitor_id: string;
      /** @constant */
      removed: true;
    };
    RemovedReport: {
      /** @description The report's id, `rpt_…`. */
      report_id: string;
      /** @constant */
      removed: true;
    };
    RemovedWebhook: {
      /** @description The endpoint's id, `whk_…`. */
      webhook_id: string;
      /** @constant */
      removed: true;
    };
    RemovedWorkflowTrigger: {
      /** @description The trigger's id, `wtr_…`. */
      trigger_id: string;
      /** @constant */
      removed: true;
    };
    /** @description What it says from now on: `text`, `fields`, or both; or the `url` of a file. Metadata and review date that are left out stay. */
    ReplaceDocumentBody: {
      /** @description What it is about; found twice as well as its text. Left out: the title that the file has, or its name. */
      title?: string;
      /** @description Its words. They are cut into chunks at paragraphs and sentences. */
      text?: string;
      /**
       * @description What `text` is. Markdown and HTML are parsed like a file, after the answer: chunks keep their headings and tables, and `text` becomes what is read of it.
       * @default text/plain
       * @enum {string}
       */
      media_type?: "text/plain" | "text/markdown" | "text/html";
      /** @description A record's values by name: what a tool of kind `record` answers for its `external_id`. They are found as text, too. */
      fields?: {
        [key: string]: unknown;
      };
      /** @description Where the file is. It is fetched and indexed after the answer; `state` says how far that is. */
      url?: string;
      /** @description What else is known of it, by name: searches and lists filter by it. */
      metadata?: {
        [key: string]: unknown;
      };
      /** @description When it has to be reviewed. Null: after the base's `review_days`, counted from its last change or review. */
      review_at?: string | null;
    };
    /** @description The whole draft, member by member with `steps` at least, or as a text by `source`. What it leaves out is taken away. */
    ReplaceWorkflowBody: {
      /** @description The workflow's name. */
      workflow?: string;
      description?: string;
      /** @description What is new in this version. */
      version_note?: string;
      /** @description JSON Schema (2020-12) of the input. */
      input?: {
        [key: string]: unknown;
      };
      triggers?: (components["schemas"]["WorkflowEventTrigger"] | components["schemas"]["WorkflowScheduleTrigger"] | components["schemas"]["WorkflowHookTrigger"])[];
      /** @description The run's output. Texts are expressions in CEL (`input.order_id`, `'a text'`); numbers, true, false and null stand for themselves, lists and objects for what they hold. */
      output?: {
        [key: string]: unknown;
      };
      /** @description The business key: one open run per key, an expression in CEL. */
      key?: string;
      concurrency?: {
        /** @description Runs with the same one count together, an expression in CEL. */
        key: string;
        limit: number;
        /**
         * @description Default `queue`.
         * @enum {string}
         */
        when_full?: "queue" | "replace" | "reject";
      };
      limits?: {
        /** @description US dollars that a run may cost. */
        cost_usd?: number;
        /** @description How long a run may take. Default `30d`, such as `90s`, `1h30m` or `2d`. */
        duration?: string;
        /** @description Steps that a run may start, retries included; items of loops count against their own bound. Default 500. */
        steps?: number;
      };
      steps?: components["schemas"]["WorkflowStep"][];
      /** @description The whole definition as the text of a file, YAML or JSON, instead of the other members. It is kept with its comments. */
      source?: string;
    };
    /**
     * @description What policies alone make of a call.
     * @enum {string}
     */
    ReplayOutcome: "deny" | "require_approval" | "allow";
    ReplayReport: {
      /** @description Recorded calls that were judged, by the policies in force and by those that would be. */
      calls: number;
      /** @description Recorded calls that were left out, because what policies saw of them is no longer known exactly. */
      not_replayable: number;
      /** @description When the oldest record was made that was looked at; null where there was none. */
      from: string | null;
      to: string;
      /** @description Calls to which the policy applies. */
      matched: number;
      /** @description Calls on which its condition could not be evaluated; each would be refused with `policy_error`. */
      failed: number;
      /** @description Went on or waited, and would be refused. */
      would_be_denied: number;
      /** @description Would wait for people, and did not. */
      would_wait: number;
      /** @description Would be refused no longer. */
      no_longer_denied: number;
      /** @description Would go on without waiting. */
      no_longer_wait: number;
      /** @description More, or other, data would be redacted. */
      would_be_redacted: number;
      /** @description The run would get other bounds. */
      would_be_limited: number;
      /** @description Some of the calls that would come out otherwise, the newest. */
      examples: {
        audit_ref: string;
        task_id: string | null;
        agent: string | null;
        before: components["schemas"]["ReplayOutcome"];
        after: components["schemas"]["ReplayOutcome"];
      }[];
      by_agent: {
        agent: string;
        /** @description Its calls among those judged. */
        calls: number;
        /** @description Went on or waited, and would be refused. */
        would_be_denied: number;
        /** @description Would wait for people, and did not. */
        would_wait: number;
        /** @description Would be refused no longer. */
        no_longer_denied: number;
        /** @description Would go on without waiting. */
        no_longer_wait: number;
        /** @description More, or other, data would be redacted. */
        would_be_redacted: number;
        /** @description The run would get other bounds. */
        would_be_limited: number;
      }[];
      /** @description SHA-256, in hexadecimal, of the report's canonical JSON (RFC 8785) without `digest` and `duration_ms`. */
      digest: string;
      /** @description How long it took. */
      duration_ms: number;
    };
    /** @description A report that is made by a schedule. */
    Report: {
      /** @description The report's id, `rpt_…`. */
      report_id: string;
      /** @description For people. */
      name: string;
      /** @description When it is made: five fields, such as `0 7 * * 1`. */
      schedule: string;
      /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
      time_zone?: string;
      /**
       * @description What it is about: the last whole day, week (from Monday) or month of its time zone.
       * @enum {string}
       */
      period: "day" | "week" | "month";
      /** @description In this order; default `overview`, `costs`, `quality`. */
      chapters?: ("overview" | "costs" | "quality" | "approvals" | "risk")[];
      /** @description Only this agent. */
      agent?: string;
      /** @description Only tasks with this declared label, `<name>:<value>`. */
      label?: string;
      /**
       * @description Default `markdown`.
       * @enum {string}
       */
      format?: "markdown" | "html" | "csv";
      /** @description Members who get it by e-mail, where the installation has a mail server and they have an address. */
      recipients?: string[];
      /** @description By whose permissions it is made, by id. */
      made_as: string;
      /** @description When it is made next; null: never again. */
      next_at: string | null;
      /** @description The time for which it was made last. */
      last_at: string | null;
      /** @description Why nothing was made the last time. */
      last_error: string | null;
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      created_at: string;
    };
    /** @description What a report said at one time. */
    ReportIssue: {
      /** @description `iss_…` */
      issue_id: string;
      /** @description The report's id, `rpt_…`. */
      report_id: string;
      /** @description The time of the schedule that it was made for. */
      occasion: string;
      from: string;
      to: string;
      /** @description False: tasks of its period were still open. */
      complete: boolean;
      media_type: string;
      created_at: string;
    };
    ReportIssuePage: {
      data: components["schemas"]["ReportIssue"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description What a report said at one time, with its text. */
    ReportIssueText: {
      /** @description `iss_…` */
      issue_id: string;
      /** @description The report's id, `rpt_…`. */
      report_id: string;
      /** @description The time of the schedule that it was made for. */
      occasion: string;
      from: string;
      to: string;
      /** @description False: tasks of its period were still open. */
      complete: boolean;
      media_type: string;
      created_at: string;
      /** @description In the report's format. */
      text: string;
    };
    ReportListingBody: {
      /**
       * @description What is wrong with it.
       * @enum {string}
       */
      kind: "malicious" | "misleading" | "personal_data" | "copyright" | "broken" | "other";
      /** @description What you saw, and where. */
      detail: string;
      /** @description Such as `1.2.0`. */
      version?: string;
    };
    ReportPage: {
      data: components["schemas"]["Report"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description `digest` is required where the risk is high or critical. */
    RequestChangesBody: {
      /** @description `digest` of the approval as it was shown: 64 hexadecimal digits. */
      digest?: string;
      /** @description What has to change: read by whoever asked, by the agent and who trains it. */
      note: string;
    };
    ResetInstallBody: {
      /** @description True: makes what failed or is gone, and leaves changed parts alone. Default false. */
      only_missing?: boolean;
    };
    RestoreVersionBody: {
      /** @description The version to go back to. */
      version: number;
    };
    ResumeAgentBody: {
      /** @description What was mended, for people. */
      note?: string;
    };
    /** @description A mean over questions with its 95 % interval by Student's t. */
    RetrievalFigure: {
      /** @description Over the questions that were asked. */
      mean: number;
      /** @description Null: a single question has none. */
      low: number | null;
      /** @description Null: a single question has none. */
      high: number | null;
    };
    RetrievalFigures: {
      ndcg_at_10: components["schemas"]["RetrievalFigure"];
      recall_at_5: components["schemas"]["RetrievalFigure"];
      recall_at_10: components["schemas"]["RetrievalFigure"];
      recall_at_50: components["schemas"]["RetrievalFigure"];
      reciprocal_rank: components["schemas"]["RetrievalFigure"];
    };
    /**
     * @description `words`: by words alone. `hybrid`: by words and vectors.
     * @enum {string}
     */
    RetrievalMode: "words" | "hybrid";
    RetrievalTest: {
      base_id: string;
      /** @description Questions that were given. */
      questions: number;
      /** @description Questions that were asked within 90 seconds; where these are fewer, send the rest by itself. */
      asked: number;
      /** @description By words, and, where the base has vectors, by words and vectors. */
      figures: {
        mode: components["schemas"]["RetrievalMode"];
        figures: components["schemas"]["RetrievalFigures"];
      }[];
      /** @description How much vectors change, question by question. Null: the base has none. */
      difference: {
        /** @description Mean of hybrid less words. */
        ndcg_at_10: number;
        /** @description Lower bound of the 95 % interval; null: a single question. */
        low: number | null;
        /** @description Upper bound of it; null: a single question. */
        high: number | null;
      } | null;
      /** @description One for each question that was asked, in their order. */
      results: {
        /** @description The question's place in the call, from 0. */
        index: number;
        scores: {
          mode: components["schemas"]["RetrievalMode"];
          /** @description How near the first ten are to the best order, by their grades. */
          ndcg_at_10: number;
          /** @description The share of the expected documents among the first five. */
          recall_at_5: number;
          /** @description Among the first ten. */
          recall_at_10: number;
          /** @description Among the first fifty. */
          recall_at_50: number;
          /** @description 1 / rank of the first expected document; 0 where none was found. */
          reciprocal_rank: number;
        }[];
        /** @description What is expected and is no document of the base that the caller may see. It counts as not found. */
        unknown: string[];
      }[];
      /** @description Questions of whose expected documents none is among the first ten, by the best mode that the base has; at most 100. */
      misses: {
        /** @description The question's place in the call, from 0. */
        index: number;
        question: string;
        expected: string[];
        /** @description What stood at the top instead. */
        found: components["schemas"]["FoundDocument"][];
      }[];
    };
    ReturnBody: {
      /** @description What the agent is to know of what was agreed. It becomes part of the conversation, visible to everybody in it. */
      note?: string;
    };
    /** @description A task that was drawn at random for people to judge. It shows neither trust score nor version, so that the verdict does not lean on them. */
    Review: {
      /** @description `rev_…` */
      review_id: string;
      /** @description The task that was sampled, `tsk_…` */
      task_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description The skill that was asked for. */
      skill: string;
      /** @description What the task was given. */
      input: {
        [key: string]: unknown;
      };
      /** @description What came of it; null where it has been erased. */
      output: {
        [key: string]: unknown;
      } | null;
      /**
       * @description Whether a verdict is still wanted.
       * @enum {string}
       */
      state: "open" | "judged";
      /** @description How many people are to judge it. */
      verdicts_required: number;
      /** @description How many have. */
      verdicts_received: number;
      /** @description Empty while one is still wanted: reviewers do not see each other's. */
      verdicts: {
        /** @description Who gave it, by id. */
        reviewer: string;
        /** @description Whether the outcome was right. */
        accepted: boolean;
        /** @description What they said. */
        comment: string | null;
        submitted_at: string;
      }[];
      sampled_at: string;
    };
    ReviewBody: {
      /** @description Whether the outcome was right. */
      accepted: boolean;
      /** @description What the output should have been. Training can learn from it. */
      correction?: {
        [key: string]: unknown;
      };
      /** @description Why. */
      comment?: string;
    };
    ReviewDocumentBody: {
      /** @description When it has to be reviewed. Null: after the base's `review_days`, counted from its last change or review. */
      review_at?: string | null;
    };
    /** @description `version`: default the newest that waits, for approve and reject; all versions, for quarantine and recall. `digest` has to be given to approve: what was reviewed. */
    ReviewListingBody: {
      /**
       * @description `approve` also ends a quarantine. `quarantine` and `recall` stop what is installed, within a minute, in every environment; a recall is for good.
       * @enum {string}
       */
      decision: "approve" | "reject" | "quarantine" | "recall";
      /** @description Such as `1.2.0`. */
      version?: string;
      /** @description `sha256:` and the SHA-256 of the bundle's archive, in hexadecimal: its name. */
      digest?: string;
      /** @description Why. People whose work is stopped read it. */
      reason: string;
      /** @description Approves a version although its scan has errors; `reason` says why that is right. */
      accept_findings?: boolean;
    };
    ReviewPage: {
      data: components["schemas"]["Review"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    Risk: {
      level: components["schemas"]["RiskLevel"];
      /** @description 2 · impact + likelihood, 0 to 12. */
      score: number;
      impact: number;
      likelihood: number;
      /** @description What it was computed from. */
      inputs: {
        [key: string]: unknown;
      };
      floors: {
        rule: string;
        level: components["schemas"]["RiskLevel"];
      }[];
      lower: {
        change: {
          input: string;
          to: unknown;
        };
        level: components["schemas"]["RiskLevel"];
      } | null;
    };
    /** @description What was blocked, what nearly happened, and what can go wrong now. */
    RiskFigures: {
      from: string;
      to: string;
      time_zone: string;
      grain: components["schemas"]["Grain"];
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      figures: {
        violations: components["schemas"]["Figure"];
        blocked: components["schemas"]["Figure"];
        policy_denials: components["schemas"]["Figure"];
        pause_blocks: components["schemas"]["Figure"];
        kill_switch_blocks: components["schemas"]["Figure"];
        gate_blocks: components["schemas"]["Figure"];
        budget_blocks: components["schemas"]["Figure"];
      };
      /** @description What nearly happened, or happened and should not have. */
      near_misses: {
        /** @description Approvals that people rejected or sent back: an action that would have run without them. */
        rejected: number;
        /** @description What a policy in shadow would have blocked or put before people. */
        would_have: number;
        /** @description What a policy wanted noticed. */
        warned: number;
        /** @description Approved actions whose task was judged wrong later. */
        approved_wrong: number;
      };
      /** @description By the name of the measure: violations, and what was blocked by what. */
      series: components["schemas"]["Point"][];
      /** @description By policy and reason, the most frequent first, at most 20. */
      reasons: components["schemas"]["Breakdown"][];
      /** @description At most 50. */
      by_agent: components["schemas"]["Breakdown"][];
      /** @description What can go wrong at this moment. */
      exposure: {
        open_high_risk: {
          /** @description Open tasks of high or critical risk now; by agent. */
          n: number;
          link: string | null;
          items: {
            name: string;
            /** @description How often. */
            n: number;
            /** @description Where these are listed, a path of this interface. */
            link: string | null;
          }[];
        };
        unknown_outcomes: {
          /** @description Writes whose outcome is not known, of tasks that are open; at most 20 are named. */
          n: number;
          link: string | null;
          items: {
            id: string;
            what: string;
            since: string;
          }[];
        };
        kill_switches: {
          /** @description Kill switches that are engaged here; at most 20 are named. */
          n: number;
          link: string | null;
          items: {
            id: string;
            what: string;
            since: string;
          }[];
        };
        pauses: {
          /** @description Agents that are paused here. */
          n: number;
          link: string | null;
          items: {
            id: string;
            what: string;
            since: string;
          }[];
        };
        exceptions: {
          /** @description Live versions of agents with a gate that act without its open verdict, because the environment or the gate lets them; at most 20 are named. */
          n: number;
          link: string | null;
          items: {
            id: string;
            what: string;
            since: string;
          }[];
        };
        steered: {
          /** @description Writes that wait for an approval because the run had read text that could have steered it; at most 20 are named. */
          n: number;
          link: string | null;
          items: {
            id: string;
            what: string;
            since: string;
          }[];
        };
      };
    };
    /** @enum {string} */
    RiskLevel: "low" | "medium" | "high" | "critical";
    /**
     * @description What a key may do at most.
     * @enum {string}
     */
    RoleName: "viewer" | "operator" | "builder" | "evaluator" | "approver" | "auditor" | "admin";
    RollBackWorkflowBody: {
      /** @description Why; kept with the release. */
      reason: string;
      /** @description A version that was live here before. Default: the last one that no rollback has left. */
      to?: number;
    };
    RollbackBody: {
      /** @description Why; kept, and shown to whoever meets it. */
      reason: string;
      /** @description A version that was live here before; the last good one where this is left out, or the live one if a canary runs. */
      to?: number;
      /**
       * @description `finish`: tasks end on the version they were given. `move`: queued tasks that nobody approved go to the restored version, where it has their skill and takes their input.
       * @default finish
       * @enum {string}
       */
      open_tasks?: "finish" | "move";
    };
    /** @description The version that is live again. */
    RolledBack: {
      /** @description `dep_…` */
      deployment_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      environment: components["schemas"]["Environment"];
      /** @description Versions of an agent are numbered from 1. */
      version: number;
      /** @description `ver_…` */
      version_id: string;
      state: components["schemas"]["DeploymentState"];
      mode: components["schemas"]["DeploymentMode"];
      /** @description Percent of new tasks that go to it; of a shadow, that it runs beside. The live one has what a canary leaves. */
      share: number;
      /** @description When it is promoted or aborted; null where it is no canary. */
      rule: components["schemas"]["CanaryRule"] | null;
      /** @description What it may use; null where it is no shadow. */
      budget: components["schemas"]["ShadowBudget"] | null;
      /** @description How a canary or a shadow ended; null: it has not, or it is neither. */
      outcome: components["schemas"]["DeploymentOutcome"] | null;
      /** @description Why a canary or a shadow ended. */
      reason: string | null;
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      /** @description The live deployment that it runs beside, `dep_…`; null where it is whole. */
      compared_with: string | null;
      /** @description Counts the changes of it; ETags are made of it. */
      revision: number;
      /**
       * @description What brought it.
       * @enum {string}
       */
      kind: "deploy" | "rollback";
      /** @description Why, in the words of who did it. */
      note: string;
      /** @description What the evaluation gate said when it went live; null where it was not asked. */
      gate: {
        verdict: string;
        reasons: string[];
      } | null;
      /** @description A rollback left this version here: later rollbacks pass it over. */
      abandoned: boolean;
      /** @description Who deployed it, by id. */
      author: string;
      created_at: string;
      /** @description Since when it takes no new work; null while it does. */
      ended_at: string | null;
      /** @description Who ended it, by id. */
      ended_by: string | null;
      /** @description The deployment that took its place, `dep_…`. */
      replaced_by: string | null;
      /** @description While it is live, a canary or a shadow; else null. */
      health: components["schemas"]["DeploymentHealth"] | null;
      /** @description The canary that this ended, `dep_…`; null: none ran. */
      ended_canary: string | null;
      tasks: components["schemas"]["MovedTasks"];
    };
    RotateHookSecretBody: {
      /**
       * @description How long calls signed with the secret that was replaced are taken, too; at most 7 days. 0: the new one alone.
       * @default 86400
       */
      overlap_seconds?: number;
    };
    RotateSecretBody: {
      /**
       * @description How long deliveries carry a signature of the secret that was replaced, too; at most 7 days, 24 hours unless told. 0: of the new one alone, also where earlier secrets had longer.
       * @default 86400
       */
      overlap_seconds?: number;
    };
    /** @description This run against another one of the same set, item by item. */
    RunComparison: {
      /** @description The run's id, `run_…`. */
      run_id: string;
      /** @description The version that it measured. */
      version: number;
      /** @description The drop that is held to be harmless: the gate's, or 0.05. */
      tolerance: number;
      /** @description The paired comparison by each scorer of this run. */
      scorers: components["schemas"]["ScorerComparison"][];
      /** @description Items that do worse, the surest first; 100 at most. */
      regressions: components["schemas"]["Regression"][];
      /** @description Items that do worse by some scorer, those beyond the first 100 too. */
      regressed: number;
    };
    RunOfTask: {
      /** @description `wfr_…` */
      run_id: string;
      /** @description The workflow's name. */
      workflow: string;
      /** @description The step's id. */
      step: string;
    };
    /** @description A signal that the run was given. */
    RunSignal: {
      run_id: string;
      event: string;
      /** @description Whether a step waits for it now. If none does yet, the step that will takes it once it begins. */
      awaited: boolean;
    };
    /**
     * @description `queued`: waits for a worker, also where a gate asked for more repeats. `failed`: it could not be carried out; that says nothing about the version.
     * @enum {string}
     */
    RunState: "queued" | "running" | "completed" | "failed";
    /**
     * @description What a gate drew from it.
     * @enum {string}
     */
    RunVerdict: "open" | "failed" | "inconclusive";
    /** @description A canary that gets new tasks. */
    RunningCanary: {
      deployment: string;
      agent: string;
      version: number;
      /** @description Percent of new tasks that it gets. */
      share: number | null;
      since: string;
      /** @description Where both arms are compared. */
      link: string;
    };
    S3Credentials: {
      /** @description The access key's id. */
      access_key_id: string;
      /** @description Its secret. */
      secret_access_key: string;
    };
    /** @description An S3-compatible bucket. */
    S3Source: {
      /** @description Where the service is, such as `https://s3.eu-central-1.amazonaws.com`. */
      endpoint: string;
      /** @default us-east-1 */
      region?: string;
      bucket: string;
      /**
       * @description Take only objects whose keys begin so.
       * @default
       */
      prefix?: string;
      /** @description Take only paths that match one of these patterns, such as `guides/**\/*.md`. `**` stands for any folders, `*` for any characters of a name, `?` for one, `[a-z]` for one of a set, `{a,b}` for one of several. Together they may have 4,000 characters. */
      include?: string[];
      /** @description Leave out paths that match one of these patterns, such as `guides/**\/*.md`. `**` stands for any folders, `*` for any characters of a name, `?` for one, `[a-z]` for one of a set, `{a,b}` for one of several. Together they may have 4,000 characters. */
      exclude?: string[];
      /**
       * @description Objects that are taken. More are left out, and nothing is removed then.
       * @default 100000
       */
      most_items?: number;
    };
    SaveTemplateBody: {
      /** @description Its name: lowercase letters, digits and hyphens. */
      name: string;
      description?: string;
      /** @description The mission whose settings and accepted or newest plan it takes. */
      mission_id?: string;
      steps?: components["schemas"]["PlanStepBody"][];
    };
    /** @description Results of evaluations that are in the bundle, so that whoever installs it can run them again. */
    Scorecard: {
      /** @description The model behind the figures, `builtin` or `provider/model`. */
      model: string;
      datasets: {
        name: string;
        /** @description SHA-256 of its file in the bundle, in hexadecimal. */
        digest: string;
        /** @description Items that it has. */
        items: number;
        /** @description What data it is: who wrote it, from where, how chosen. */
        data: string;
      }[];
      /** @description Null: nothing was trained. */
      training: {
        /** @description Examples that it learnt from. */
        examples: number;
        digest: string;
      } | null;
      results: {
        dataset: string;
        scorer: string;
        /** @description SHA-256 of the scorer's definition, in hexadecimal. */
        scorer_digest: string;
        /** @description Items that were scored. */
        items: number;
        mean: number;
        /** @description Lower end of the interval. */
        low: number | null;
        /** @description Upper end of the interval. */
        high: number | null;
        /** @description Of the interval, such as 0.95. */
        confidence: number;
      }[];
      /** @description The gate that these results opened or did not open; null: it had none. */
      gate: {
        floor: number;
        tolerance: number;
        state: string;
      } | null;
      made_at: string;
      service_version: string;
    };
    /** @description How an output is compared with what was expected: a score from 0 to 1. */
    Scorer: {
      /** @description A name of lowercase letters, digits, `_` and `-`. */
      scorer: string;
      /** @description Each change makes the next one. */
      version: number;
      kind: components["schemas"]["ScorerKind"];
      /** @description The place that is compared; empty: all of it. */
      pointer: string;
      parameters: components["schemas"]["ScorerParameters"];
      /** @description A score from here on counts as passed. */
      pass_at: number;
      /** @description What it looks at, in words. */
      description: string;
      /** @description Cases by which it was tested when it was saved. */
      samples: components["schemas"]["ScorerSample"][];
      /** @description Who made this version, by id. */
      created_by: string;
      created_at: string;
    };
    ScorerComparison: {
      /** @description The scorer, by name. */
      scorer: string;
      /**
       * @description `worse`: it fell, with 95 %. `not_worse`: it did not fall by more than the tolerance, with 95 %. `unclear`: the items cannot tell.
       * @enum {string}
       */
      outcome: "worse" | "not_worse" | "unclear";
      /** @description Items that both have run and that the scorer has something to say of. */
      items: number;
      /** @description Independent clusters among them. */
      n: number;
      /** @description Mean score in the run compared with. */
      before: number;
      /** @description Mean score in this run. */
      after: number;
      /** @description After less before. */
      difference: number;
      /** @description The true difference lies above, with 95 %; null where a single cluster says nothing. */
      low: number | null;
      /** @description The true difference lies below, with 95 %; null where a single cluster says nothing. */
      high: number | null;
      /** @description Small where it got worse. */
      p_worse: number;
    };
    /**
     * @description `exact`: 1 where the value is the expected one. `json_match`: the share of expected values that the output has at the same places. `numeric_tolerance`: 1 where the number is near enough. `contains`: the share of expected texts that the output's text contains.
     * @enum {string}
     */
    ScorerKind: "exact" | "json_match" | "numeric_tolerance" | "contains";
    ScorerPage: {
      data: components["schemas"]["Scorer"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    ScorerParameters: {
      /** @description Of `exact` (default true) and `contains` (default false): whether capital letters matter. */
      case_sensitive?: boolean;
      /** @description Of `exact`: white space at the ends of texts does not matter. Default: false. */
      trim?: boolean;
      /** @description Of `json_match`: places below the compared one that are not looked at. */
      ignore?: string[];
      /** @description Of `json_match`: 1 where all is as expected, else 0. Default: false. */
      all_or_nothing?: boolean;
      /** @description Of `numeric_tolerance`: the largest accepted difference. */
      absolute?: number;
      /** @description Of `numeric_tolerance`: the largest accepted difference, as a share of the expected number. */
      relative?: number;
      /** @description Of `contains`: the texts, in place of each item's `expected`. */
      values?: string[];
      /** @description Of `contains`: one of the texts is enough. Default: false. */
      any?: boolean;
      /** @description Of `contains`: texts that must not stand there; one of them makes the score 0. */
      absent?: string[];
    };
    ScorerResult: {
      /** @description The scorer, by name. */
      scorer: string;
      /** @description Items that it had something to say of. */
      items: number;
      /** @description Repeats of the item that has the fewest. */
      repeats: number;
      /** @description The least mean score that was asked for. */
      floor: number;
      score: {
        /** @description Mean over the items. */
        mean: number;
        /** @description Its standard error, robust to clusters. */
        standard_error: number;
        /** @description The truth lies above, with 95 %; null where a single cluster says nothing. */
        low: number | null;
        /** @description The truth lies below, with 95 %; null where a single cluster says nothing. */
        high: number | null;
        /** @description Independent clusters. */
        n: number;
        /** @description The smallest true shortfall that so many items find in 80 of 100 cases. */
        smallest_detectable_drop: number | null;
        /** @description Small where the version is worse than it must be; after Holm over the scorers. */
        p_worse: number;
        /** @description Small where the version is as good as it must be. */
        p_holds: number;
      };
      /** @description This version less the other, over the items that both ran; null where there is nothing to compare with. */
      difference: {
        /** @description Mean over the items. */
        mean: number;
        /** @description Its standard error, robust to clusters. */
        standard_error: number;
        /** @description The truth lies above, with 95 %; null where a single cluster says nothing. */
        low: number | null;
        /** @description The truth lies below, with 95 %; null where a single cluster says nothing. */
        high: number | null;
        /** @description Independent clusters. */
        n: number;
        /** @description The smallest true shortfall that so many items find in 80 of 100 cases. */
        smallest_detectable_drop: number | null;
        /** @description Small where the version is worse than it must be; after Holm over the scorers. */
        p_worse: number;
        /** @description Small where the version is as good as it must be. */
        p_holds: number;
      } | null;
      failures: {
        /** @description Items that failed in any repeat. */
        items: number;
        /** @description The share of failing items is at most so large, with 95 %: 3/n where none did. */
        share_at_most: number;
      };
    };
    ScorerSample: {
      /** @description An output as the skill might give it. */
      output: {
        [key: string]: unknown;
      };
      /** @description As in an item. */
      expected?: {
        [key: string]: unknown;
      };
      /** @description What the scorer should say; null: nothing, since `expected` lacks the place. */
      score: number | null;
    };
    /** @description What a search found. */
    SearchAnswer: {
      /** @description Best first. */
      data: components["schemas"]["FoundPassage"][];
      /** @description False: nothing good was found. The passages have too little of what the query's words tell. */
      answered: boolean;
      /** @description The part, from 0 to 1, of what the query's words tell that the best passage has; rare words tell more. */
      coverage: number;
      /** @description Words that no base knows, with the known word that was looked for instead, as its stem. */
      corrected: {
        from: string;
        to: string;
      }[];
      took_ms: number;
    };
    SearchBody: {
      /** @description A question or words. `"Quoted phrases"` must occur, words after a minus (`-draft`) must not. */
      query: string;
      /** @description Bases by id or name; all that may be read without it. */
      bases?: string[];
      /**
       * @description Passages at most.
       * @default 10
       */
      limit?: number;
      /** @description Finds what this member or agent may read too. It never shows more than the caller may read. */
      as?: {
        /** @description `mbr_…` */
        member?: string;
        /** @description The agent's name. */
        agent?: string;
      };
      filters?: components["schemas"]["SearchFilters"];
      /**
       * @description `auto`: by words, and by meaning where a provider of embeddings is connected.
       * @default auto
       * @enum {string}
       */
      hybrid?: "auto" | "words" | "vectors";
    };
    /** @description What the documents must be, all of it. */
    SearchFilters: {
      /** @description Documents, by id (`doc_…`). */
      documents?: string[];
      /** @description Documents, by what their own systems call them. */
      external_ids?: string[];
      /** @description What the passages are. */
      kinds?: ("text" | "table" | "code" | "record")[];
      /** @description Where the documents came from. */
      sources?: ("text" | "file" | "url" | "connector")[];
      /** @description Documents added at this time or later. */
      created_after?: string;
      /** @description Documents added before this time. */
      created_before?: string;
      /** @description Documents changed at this time or later. */
      updated_after?: string;
      /** @description Documents last changed before this time. */
      updated_before?: string;
      /** @description Values by key, all of which a document must have. Of several values for a key, one suffices; a list in a document matches by any of its values. */
      metadata?: {
        [key: string]: (string | number | boolean) | (string | number | boolean)[];
      };
    };
    SearchTool: {
      /** @description A name of lowercase letters, digits and `_`. */
      name: string;
      /** @description What it does, in words. */
      description?: string;
      /** @description What a call is about, in one line, such as "Refund {{order_id}} · {{amount | money}}": text, and fields of the input by name or path (`customer/name`), each with a format if wanted (money, number, percent, date, upper). Lists, approvals and notifications lead with it. */
      title?: string;
      /** @description What one call costs, in US dollars: kept free in budgets before it, counted after it. */
      cost_usd?: number;
      /** @constant */
      kind: "search";
      bases?: string[];
      /**
       * @description It changes nothing.
       * @constant
       */
      effect: "read";
      /** @description JSON Schema (2020-12) of the arguments that a call may have. */
      arguments?: {
        [key: string]: unknown;
      };
      impact?: components["schemas"]["Impact"];
    };
    SendMessageBody: {
      text: string;
      files?: string[];
      /**
       * @description What happens while the agent answers: wait in line, stop that answer, or 409 with `Retry-After`.
       * @default queue
       * @enum {string}
       */
      when_busy?: "queue" | "interrupt" | "reject";
      /**
       * @description `person`: you answer in the agent's place, under your name. Needs the permission `chat:answer`.
       * @default user
       * @enum {string}
       */
      as?: "user" | "person";
    };
    Sent: {
      /** @description The conversation's id, `cnv_…`. */
      conversation_id: string;
      /** @description The message's id, `msg_…`. */
      message_id: string;
      /** @description Null: a person answers. */
      turn_id: string | null;
      /**
       * @description `answered`: it answered the question of a turn that waited for it.
       * @enum {string}
       */
      state: "running" | "queued" | "with_person" | "answered";
      /** @description The message's id, `msg_…`. */
      reply_id: string | null;
      task_id: string | null;
      /** @description The reply as far as it was there when the wait (`Prefer: wait`) ended. */
      reply: components["schemas"]["Message"] | null;
      /** @description The stream's latest event before this message. */
      sequence: number;
      trust_score: number | null;
      audit_ref: string;
    };
    SetAccessBody: {
      /** @description Who may read it: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist. */
      readers: string[] | null;
    };
    SetBudgetBody: {
      /** @description All limits of the scope, in place of those it has; each pair of unit and period once. None removes the budget. */
      limits: {
        unit: components["schemas"]["BudgetUnit"];
        period: components["schemas"]["BudgetPeriod"];
        /** @description What is never exceeded. Left out: nothing is refused. */
        hard?: number;
        /** @description From where on there is a warning; at most `hard`. Left out: none. */
        warn?: number;
      }[];
      /** @description Accepts an agent that does not exist yet. Otherwise such a name is refused, since nothing would be counted. */
      allow_unknown?: boolean;
    };
    SetChannelBody: components["schemas"]["SetWebChannel"] | components["schemas"]["SetEmailChannel"] | components["schemas"]["SetSlackChannel"];
    SetContainsScorer: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "contains";
      parameters?: {
        /** @description Of `exact` (default true) and `contains` (default false): whether capital letters matter. */
        case_sensitive?: boolean;
        /** @description Of `contains`: the texts, in place of each item's `expected`. */
        values?: string[];
        /** @description Of `contains`: one of the texts is enough. Default: false. */
        any?: boolean;
        /** @description Of `contains`: texts that must not stand there; one of them makes the score 0. */
        absent?: string[];
      };
      /** @description The place that is compared, in output and `expected` alike, as a JSON Pointer (RFC 6901). Default: all of it. */
      pointer?: string;
      /** @description A score from here on counts as passed. Default: 1. */
      pass_at?: number;
      /** @description What it looks at, in words. */
      description?: string;
      /** @description Cases by which it is tested now: it is saved only if it scores each as told. */
      samples: components["schemas"]["ScorerSample"][];
    };
    /** @description A mailbox. */
    SetEmailChannel: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /**
       * @description While false, nothing is taken or sent, and nothing was tested.
       * @default true
       */
      enabled?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "email";
      config: components["schemas"]["EmailChannelConfig"];
      secret?: components["schemas"]["EmailChannelSecret"];
    };
    SetExactScorer: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "exact";
      parameters?: {
        /** @description Of `exact` (default true) and `contains` (default false): whether capital letters matter. */
        case_sensitive?: boolean;
        /** @description Of `exact`: white space at the ends of texts does not matter. Default: false. */
        trim?: boolean;
      };
      /** @description The place that is compared, in output and `expected` alike, as a JSON Pointer (RFC 6901). Default: all of it. */
      pointer?: string;
      /** @description A score from here on counts as passed. Default: 1. */
      pass_at?: number;
      /** @description What it looks at, in words. */
      description?: string;
      /** @description Cases by which it is tested now: it is saved only if it scores each as told. */
      samples: components["schemas"]["ScorerSample"][];
    };
    SetGateBody: {
      /** @description Datasets of the agent; a verdict needs a finished run over each. The gate pins the latest version of one that is only named, or the version that is named with it. */
      datasets: (string | {
        /** @description The dataset, by its id (`ds_…`) or its name. */
        dataset: string;
        /** @description The version to pin. */
        version: number;
      })[];
      /** @description Scorers that the outputs are judged by, each pinned in one version; each judges the items that say what it compares. */
      scorers: components["schemas"]["GateScorerRule"][];
      /** @description Least mean score that is accepted. */
      floor?: number;
      /** @description The largest drop against the deployed version that is accepted. */
      tolerance?: number;
      /** @description How often a run does each item before the first decision. */
      repeats?: number;
      /** @description While the decision is inconclusive, repeats are added up to so many of each item. */
      max_repeats?: number;
      /** @description How long a verdict holds from the end of the oldest run behind it, those of the deployed version included. Repeats that are added make a run no younger. */
      lifetime_days?: number;
      on_missing?: components["schemas"]["GateConsequence"];
      table?: components["schemas"]["GateTable"];
      /** @description Whatever is not open is refused. Stands alone: not with `on_missing` or `table`. Default: false. */
      fail_closed?: boolean;
    };
    /** @description The gate, and which versions it judges by now instead of others. */
    SetGateResult: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /**
       * @description The environment of the key.
       * @enum {string}
       */
      environment: "development" | "staging" | "production";
      /** @description 0 where none was set yet; a change names it in If-Match by its ETag. */
      revision: number;
      /** @description Null where none were set: then no version has a verdict, and the environment's own rule for missing evidence holds. */
      rules: components["schemas"]["GateRules"] | null;
      /** @description What follows from each state here, all settings taken together. */
      consequences: {
        open: components["schemas"]["GateConsequence"];
        failed: components["schemas"]["GateConsequence"];
        inconclusive: components["schemas"]["GateConsequence"];
        expired: components["schemas"]["GateConsequence"];
        missing: components["schemas"]["GateConsequence"];
      };
      /** @description The version that is live here, and the newest 25. */
      versions: components["schemas"]["GateOfVersion"][];
      /** @description Datasets and scorers whose pinned version this call changed. */
      pins_changed: components["schemas"]["PinChange"][];
    };
    SetJsonMatchScorer: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "json_match";
      parameters?: {
        /** @description Of `json_match`: places below the compared one that are not looked at. */
        ignore?: string[];
        /** @description Of `json_match`: 1 where all is as expected, else 0. Default: false. */
        all_or_nothing?: boolean;
      };
      /** @description The place that is compared, in output and `expected` alike, as a JSON Pointer (RFC 6901). Default: all of it. */
      pointer?: string;
      /** @description A score from here on counts as passed. Default: 1. */
      pass_at?: number;
      /** @description What it looks at, in words. */
      description?: string;
      /** @description Cases by which it is tested now: it is saved only if it scores each as told. */
      samples: components["schemas"]["ScorerSample"][];
    };
    SetMemberBody: {
      /** @description The role in the environment of the call; null takes the one here away and ends the member's keys here. */
      role: ("viewer" | "operator" | "builder" | "evaluator" | "approver" | "auditor" | "admin") | null;
      /** @description For people. Of an invitation, the address unless given. */
      name?: string;
      /** @description Another e-mail address, for people who have a role in this environment only. It voids what the person signs in with: sessions, passkeys, the account at the provider, and open invitations. */
      email?: string;
    };
    SetNumericScorer: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "numeric_tolerance";
      /** @description `absolute`, `relative` or both. */
      parameters: {
        /** @description Of `numeric_tolerance`: the largest accepted difference. */
        absolute?: number;
        /** @description Of `numeric_tolerance`: the largest accepted difference, as a share of the expected number. */
        relative?: number;
      };
      /** @description The place that is compared, in output and `expected` alike, as a JSON Pointer (RFC 6901). Default: all of it. */
      pointer?: string;
      /** @description A score from here on counts as passed. Default: 1. */
      pass_at?: number;
      /** @description What it looks at, in words. */
      description?: string;
      /** @description Cases by which it is tested now: it is saved only if it scores each as told. */
      samples: components["schemas"]["ScorerSample"][];
    };
    SetScorerBody: components["schemas"]["SetExactScorer"] | components["schemas"]["SetJsonMatchScorer"] | components["schemas"]["SetNumericScorer"] | components["schemas"]["SetContainsScorer"];
    /** @description An app of Slack. */
    SetSlackChannel: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /**
       * @description While false, nothing is taken or sent, and nothing was tested.
       * @default true
       */
      enabled?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "slack";
      config: components["schemas"]["SlackChannelConfig"];
      secret?: components["schemas"]["SlackChannelSecret"];
    };
    /** @description The widget on a page. */
    SetWebChannel: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /**
       * @description While false, nothing is taken or sent, and nothing was tested.
       * @default true
       */
      enabled?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "web";
      config: components["schemas"]["WebChannelConfig"];
    };
    SettingLimits: {
      /** @description Longest JSON body. */
      json_body_bytes: number;
      /** @description How deep a JSON body may be nested. */
      json_depth: number;
      /** @description Most members of one object in a JSON body. An operation that takes more says so in its description. */
      json_members: number;
      /** @description Most values of a JSON body: every text, number, boolean, null, object and list counts. An operation that takes more says so in its description. */
      json_values: number;
      /** @description All header fields of a request together. */
      headers_bytes: number;
      /** @description How long a request may take to arrive. */
      request_seconds: number;
      /** @description Longest wait that `Prefer: wait` can ask for. */
      wait_seconds: number;
      /** @description Most items of a batch. */
      batch_items: number;
      /** @description Most items of a page. */
      page_items: number;
      /** @description How long a repetition with the same Idempotency-Key is answered as the first call was. */
      idempotency_hours: number;
    };
    Settings: {
      rate: {
        /** @description Requests a second of a key that has no rate of its own. */
        per_second: number;
      };
      tools: {
        /** @description Requests that only read although their method may write, such as searches by POST. Tools of `effect: read` that send any other POST count as writes. It holds for runs that start afterwards. */
        reads: string[];
      };
      approvals: {
        /** @description Whether risk asks for approval by itself, critical actions take two persons other than the requester, and only people who signed in personally count. Staging and production: always. */
        strict: boolean;
        low: {
          /** @description How long an approval of this risk waits, where the dispatch does not say; null: for ever. */
          expires_in_seconds: number | null;
          /**
           * @description What becomes of one that nobody decided in time. It is never approved by itself.
           * @enum {string}
           */
          on_expiry: "reject" | "escalate";
        };
        medium: {
          /** @description How long an approval of this risk waits, where the dispatch does not say; null: for ever. */
          expires_in_seconds: number | null;
          /**
           * @description What becomes of one that nobody decided in time. It is never approved by itself.
           * @enum {string}
           */
          on_expiry: "reject" | "escalate";
        };
        high: {
          /** @description How long an approval of this risk waits, where the dispatch does not say; null: for ever. */
          expires_in_seconds: number | null;
          /**
           * @description What becomes of one that nobody decided in time. It is never approved by itself.
           * @enum {string}
           */
          on_expiry: "reject" | "escalate";
        };
        critical: {
          /** @description How long an approval of this risk waits, where the dispatch does not say; null: for ever. */
          expires_in_seconds: number | null;
          /**
           * @description What becomes of one that nobody decided in time. It is never approved by itself.
           * @enum {string}
           */
          on_expiry: "reject" | "escalate";
        };
      };
      chat: {
        /** @description Days after which a closed conversation is erased; null: it is kept until somebody erases it. */
        retention_days: number | null;
      };
      retention: {
        /** @description Days after which webhook deliveries that have ended are deleted, with their attempts. */
        deliveries_days: number;
        /** @description Days after which finished audit exports are deleted, with their files; the audit log itself is always kept. */
        exports_days: number;
      };
      analytics: {
        /** @description Labels of tasks by whose values analytics tells figures apart, up to 1,000 values each. A new one counts for tasks that are dispatched or end afterwards; `POST /v1/analytics/rebuild` counts earlier ones anew. An environment can declare 32 different labels over time: nothing is counted by a later one, and `uncounted_labels` of `GET /v1/analytics/schema` names it. Values are kept as tasks have them: declare none that names a person. */
        labels: string[];
        /** @description What an accepted task is worth; `GET /v1/analytics/value` sets it against its cost. */
        value: {
          agent: string;
          /** @description Left out: skills of the agent that are not named. */
          skill?: string;
          /** @description Minutes of work that an accepted task saves. */
          minutes?: number;
          /** @description What an hour of that work costs, in US dollars. */
          usd_per_hour?: number;
          /** @description What an accepted task is worth besides, in US dollars. */
          usd?: number;
        }[];
      };
    };
    SettingsPatch: {
      rate?: {
        per_second?: number | null;
      } | null;
      tools?: {
        reads?: string[] | null;
      } | null;
      approvals?: {
        /** @description In development: decide as strictly as production. Elsewhere it is always true. */
        strict?: boolean | null;
        low?: {
          expires_in_seconds?: number | null;
          on_expiry?: ("reject" | "escalate") | null;
        } | null;
        medium?: {
          expires_in_seconds?: number | null;
          on_expiry?: ("reject" | "escalate") | null;
        } | null;
        high?: {
          expires_in_seconds?: number | null;
          on_expiry?: ("reject" | "escalate") | null;
        } | null;
        critical?: {
          expires_in_seconds?: number | null;
          on_expiry?: ("reject" | "escalate") | null;
        } | null;
      } | null;
      chat?: {
        retention_days?: (number | null) | null;
      } | null;
      retention?: {
        /** @description Days after which webhook deliveries that have ended are deleted, with their attempts. */
        deliveries_days?: number | null;
        /** @description Days after which finished audit exports are deleted, with their files; the audit log itself is always kept. */
        exports_days?: number | null;
      } | null;
      analytics?: {
        labels?: string[] | null;
        value?: {
          agent: string;
          /** @description Left out: skills of the agent that are not named. */
          skill?: string;
          /** @description Minutes of work that an accepted task saves. */
          minutes?: number;
          /** @description What an hour of that work costs, in US dollars. */
          usd_per_hour?: number;
          /** @description What an accepted task is worth besides, in US dollars. */
          usd?: number;
        }[] | null;
      } | null;
    };
    /** @description What a shadow may use before it ends. */
    ShadowBudget: {
      /** @description US dollars; default 5. */
      cost_usd: number;
      /** @description Tasks; default 1,000. */
      tasks: number;
    };
    /** @description What a shadow may use before it ends; what is left out has its default. Budgets of the agent and the environment hold besides. */
    ShadowBudgetInput: {
      /** @description US dollars; default 5. */
      cost_usd?: number;
      /** @description Tasks; default 1,000. */
      tasks?: number;
    };
    /** @description A task that both versions carried out. */
    ShadowRun: {
      /** @description `shr_…` */
      shadow_run_id: string;
      /** @description The task of the live version. */
      task_id: string;
      skill: string;
      /** @enum {string} */
      state: "queued" | "running" | "compared" | "skipped";
      /** @description Why it was skipped. */
      reason: string | null;
      /** @description Null: not compared. */
      same: boolean | null;
      /** @description How far both were compared. */
      up_to: ("write" | "end") | null;
      differences: {
        pointer: string;
        live: unknown;
        shadow: unknown;
      }[];
      live: {
        status: string;
        output: {
          [key: string]: unknown;
        } | null;
        /** @description The code of the failure. */
        failure: string | null;
        /** @description Calls of tools in their order; in shadow, those that write were only proposed. */
        calls: {
          tool: string;
          /** @enum {string} */
          effect: "read" | "write";
          arguments: {
            [key: string]: unknown;
          };
        }[];
      } | null;
      shadow: {
        status: string;
        output: {
          [key: string]: unknown;
        } | null;
        /** @description The code of the failure. */
        failure: string | null;
        /** @description Calls of tools in their order; in shadow, those that write were only proposed. */
        calls: {
          tool: string;
          /** @enum {string} */
          effect: "read" | "write";
          arguments: {
            [key: string]: unknown;
          };
        }[];
      } | null;
      cost_usd: {
        live: number;
        shadow: number;
      };
      seconds: {
        live: number;
        shadow: number;
      };
      created_at: string;
      finished_at: string | null;
    };
    ShadowRunPage: {
      data: components["schemas"]["ShadowRun"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description A version that ran in shadow: what it would have done, beside what was done. */
    ShadowSummary: {
      /** @description `dep_…` */
      deployment_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description The version in shadow. */
      version: number;
      /**
       * @description Whether it still runs beside the live version.
       * @enum {string}
       */
      state: "shadow" | "ended";
      /** @description Why it ended. */
      reason: string | null;
      /** @description Percent of the live version's tasks that it carries out too. */
      share: number;
      budget: {
        /** @description What it may cost in all. */
        cost_usd: number;
        used_usd: number;
        /** @description Tasks that it may carry out in all. */
        tasks: number;
        used_tasks: number;
      };
      /** @description Tasks that both versions carried out. */
      compared: number;
      /** @description Tasks of which both made the same. */
      same: {
        /** @description Among the compared ones; null: none yet. */
        share: number | null;
        /** @description Lower end of the 95 % interval. */
        low: number | null;
        /** @description Upper end of the 95 % interval. */
        high: number | null;
      };
      /** @description Compared only up to the first write: the shadow proposes it and it is withheld, so nobody knows what would have followed. */
      up_to_a_write: number;
      failed: {
        live: number;
        shadow: number;
      };
      cost_usd: {
        live: number;
        shadow: number;
      };
      mean_seconds: {
        live: number;
        shadow: number;
      };
      /** @description Where they differ most often. */
      differences: {
        /** @description Such as `/output/amount` or `/write/tool`. */
        pointer: string;
        runs: number;
      }[];
      /** @description Tasks that the shadow could not carry out for a reason that is not its own, such as an outage of a provider, or `budget_held`: runs under way may use up what is left of the budget. */
      skipped: {
        reason: string;
        runs: number;
      }[];
      created_at: string;
      /** @description Null while it runs. */
      ended_at: string | null;
    };
    SignalRunBody: {
      /** @description The type of event that a step of the run waits for. Types of the event catalogue are not taken. */
      event: string;
      /** @description The event's body: `event` in expressions. */
      data?: {
        [key: string]: unknown;
      };
    };
    /** @description Which records were asked for. */
    SignedFilter: {
      /** @description Who called: `mbr_…`, `system:<job>` or `anonymous`. */
      actor?: string;
      /** @description The operation, such as `agents.dispatchTask`. */
      action?: string;
      /** @description What was acted on, `<type>:<id>`, such as `agent:sales`. */
      object?: string;
      /** @description Records of this task, `tsk_…`. */
      task?: string;
      /** @description Records of calls with this key, `key_…`. */
      key?: string;
      /** @description With `key`: the record of this number. */
      key_seq?: number;
      /** @description What the calls came to. */
      decision?: components["schemas"]["Decision"][];
      /** @description The stages that refused. */
      stage?: components["schemas"]["StageName"][];
      /** @description Records from this place in the log on: an earlier export's `tree_size` goes on where that one ended, with no gap. */
      from_leaf?: number;
      /** @description Calls that began at this time or later. */
      created_after?: string;
      /** @description Calls that began before this time. */
      created_before?: string;
      /** @description The key was narrowed to these agents: records that concern others are not in the file. */
      agents?: string[];
    };
    SimulatePolicyBody: {
      /** @description What people call it. */
      name?: string;
      scope?: components["schemas"]["PolicyScope"];
      /** @description A condition in CEL over the policy context, such as `agent.name == "sales" && risk.score >= 7`. True: the effect applies. */
      when?: string;
      effect?: components["schemas"]["PolicyEffect"];
      params?: components["schemas"]["PolicyParams"];
      /** @description A stable word for programs: a-z, 0-9 and _. */
      reason_code?: string;
      /** @description One sentence for whoever meets it. */
      message?: string;
      /** @description Controls of frameworks that it implements, such as `soc2:CC6.1`. */
      controls?: string[];
      /** @description It holds from then on; null: at once. */
      effective_from?: string | null;
      /** @description It ends then; null: never by itself. */
      effective_until?: string | null;
      /** @description A policy that is there, `pol_…`: by itself its stored text is replayed; with a text, that text in its place. */
      policy?: string;
      /** @description The stored version to replay; the newest unless told. Only without a text. */
      version?: number;
      /**
       * @description The most recorded calls to replay, newest first.
       * @default 10000
       */
      calls?: number;
      /** @description The oldest call to replay; 30 days ago unless told, at most 90. */
      since?: string;
    };
    Skill: {
      /** @description A name of lowercase letters, digits and `_`. */
      name: string;
      /** @description What it does, in words. */
      description?: string;
      /** @description What a task is about, in one line, such as "Refund {{order_id}} · {{amount | money}}": text, and fields of the input by name or path (`customer/name`), each with a format if wanted (money, number, percent, date, upper). Lists, approvals and notifications lead with it. */
      title?: string;
      /** @description JSON Schema (2020-12) of the input. */
      input: {
        [key: string]: unknown;
      };
      /** @description JSON Schema (2020-12) of the output. */
      output?: {
        [key: string]: unknown;
      };
      /** @description What the model is told. */
      instructions?: string;
      /** @description The tools it may call, by name. */
      tools?: string[];
      /** @description The input field that names whose data a task carries. */
      subject?: string;
      impact?: components["schemas"]["Impact"];
      limits?: components["schemas"]["Limits"];
      examples?: components["schemas"]["SkillExample"][];
    };
    /** @description What a task of the skill is expected to cost. */
    SkillCost: {
      skill: string;
      /**
       * @description `past_tasks`: up to 200 completed tasks of the skill in the last 90 days, whatever their version. `limits`: there are fewer than two; `high` is what the skill allows at most. `none`: no tasks and no limit.
       * @enum {string}
       */
      basis: "past_tasks" | "limits" | "none";
      /** @description How many tasks it goes by. */
      tasks: number;
      /** @description Mean cost of a task. */
      mean_usd: number | null;
      /** @description 95 % interval of the mean. */
      low: number | null;
      /** @description 95 % interval of the mean; by limits the most that a task may cost. */
      high: number | null;
      /** @description Nine in ten tasks cost at most this. */
      p90_usd: number | null;
      /** @description Mean duration, without waiting. */
      mean_seconds: number | null;
    };
    SkillExample: {
      /** @description A name of lowercase letters, digits and `_`. */
      name?: string;
      /** @description An input of the skill. */
      input: {
        [key: string]: unknown;
      };
      /** @description The right output for it. */
      output: {
        [key: string]: unknown;
      };
    };
    /** @description What one skill takes and returns. */
    SkillSchema: {
      /** @description The value of `task` in a dispatch. */
      task: string;
      /** @description What the skill does. */
      description: string | null;
      /** @description JSON Schema (2020-12) of the input. */
      input: {
        [key: string]: unknown;
      };
      /** @description JSON Schema of the output; null if the skill declares none. */
      output: {
        [key: string]: unknown;
      } | null;
      /** @description The input field that names whose data the task carries. */
      subject: string | null;
      /** @description The first ten examples of the definition. */
      examples: components["schemas"]["SkillExample"][];
    };
    /** @description The skills of a version, with the schemas of their inputs and outputs. */
    SkillSchemas: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description The version whose skills these are. */
      version: number;
      version_id: string;
      /** @description Whether tasks dispatched in the environment of the key run this version. */
      live: boolean;
      skills: components["schemas"]["SkillSchema"][];
    };
    SlackChannelConfig: {
      /**
       * @description Below it are `auth.test` and `chat.postMessage`.
       * @default https://slack.com/api
       */
      api_url?: string;
      /**
       * @description In channels: messages that mention the app and all in their threads, or every message. Direct messages always.
       * @default mentions
       * @enum {string}
       */
      respond_to?: "mentions" | "all";
    };
    SlackChannelSecret: {
      /** @description Signs what is sent here. */
      signing_secret: string;
      /** @description Signs in what is sent from here. */
      bot_token: string;
    };
    Stage: {
      stage: components["schemas"]["StageName"];
      /** @enum {string} */
      verdict: "allow" | "deny" | "require_approval" | "not_applicable" | "recorded" | "not_reached";
      reasons: string[];
      /** @description The policies that decided, with their versions. */
      policy_version: string | null;
    };
    /** @enum {string} */
    StageName: "permissions" | "evaluation_gate" | "compliance" | "audit";
    /** @description Verdict of one pipeline stage. */
    StageVerdict: {
      /**
       * @description The stage of the pipeline.
       * @enum {string}
       */
      stage: "permissions" | "evaluation_gate" | "compliance" | "audit";
      /**
       * @description The stage's verdict.
       * @enum {string}
       */
      verdict: "allow" | "deny" | "require_approval" | "not_applicable" | "recorded" | "not_reached";
      /** @description Reasons for the verdict. */
      reasons: string[];
      /** @description Version of what it decided by; null where there is none. */
      policy_version: string | null;
    };
    StartConversationBody: {
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      /** @description Your own name of the person who writes, such as the id of their account. */
      user?: string;
      /** @description Your own name of the conversation, unique in its channel: starting it again returns the same one. */
      external_key?: string;
      title?: string;
      labels?: string[];
      /** @description A language tag of BCP 47, such as `en` or `de-AT`. */
      language?: string;
      /** @description What the agent is told of the situation besides the messages, such as the customer's order. Data, never instructions. */
      context?: {
        [key: string]: unknown;
      };
      /**
       * @description Default one day.
       * @default 86400
       */
      repin_after_seconds?: number;
      /** @description What tells the user that an agent answers; default: a sentence in the conversation's language. Null: you tell them yourself. */
      disclosure?: string | null;
      /** @description What was said elsewhere before. It is data: the agent follows no instruction in it. */
      history?: {
        /** @enum {string} */
        role: "user" | "assistant";
        text: string;
      }[];
    };
    StartExportBody: {
      format: components["schemas"]["ExportFormat"];
      filter?: components["schemas"]["ExportFilter"];
    };
    StartMissionBody: {
      /** @description The plan version to accept and start. Default: the accepted one, else the newest. */
      plan?: number;
    };
    StartRunBody: {
      /** @description The dataset, by its id (`ds_…`) or its name. */
      dataset: string;
      /** @description Default: the present one. By a run over an earlier one no gate draws a verdict. */
      dataset_version?: number;
      /** @description The version of the set's agent that is measured. */
      version: number;
      /** @description Default: those of the agent's gate in this environment. */
      scorers?: string[];
      /** @description How often each item is run. Default: what the agent's gate says where it names the set, else 1. */
      repeats?: number;
      /** @description Repeat r of an item is run with seed + r, where the model takes one. Default: 1. */
      seed?: number;
      /** @description Where it ends early, with what it has by then. A gate draws no verdict from a part of a set. */
      budget?: {
        /** @description So many runs of items at most, repeats counted. */
        items?: number;
        /** @description No further item is begun once so many US dollars are spent; those that run by then end, a few at a time. */
        usd?: number;
      };
      /** @description Why, for people. */
      note?: string;
    };
    /** @description Without `connector`, all active connectors of the base run. */
    StartSyncBody: {
      /** @description The connector, by id (`cnr_…`) or by name. */
      connector?: string;
      /**
       * @description Delete the documents that vanished even if they are more than half of what the connector brought, where that is 20 or more.
       * @default false
       */
      confirm_removals?: boolean;
    };
    StartTrainingBody: {
      /** @description The skill that learns, by name. */
      skill: string;
      /** @description The version to go out from; else the one that is live here, else the newest. */
      version?: number;
      /** @description Inputs with their right outputs. */
      examples?: components["schemas"]["TrainingPair"][];
      /** @description A dataset of the skill, by id or name, as it stands now. What is learnt from it no longer tests the skill. See `datasets` for several. */
      dataset?: string;
      /** @description Several datasets of the skill at once, by id or name, besides `dataset`. */
      datasets?: string[];
      /** @description Whether it learns again from the examples and datasets that earlier trainings of the version learnt from, in the environment of the key. Default: true for the built-in model, and false for a provider's, whose version has its demonstrations already. False forgets them, for later trainings too. */
      earlier?: boolean;
      /** @description Whether it learns from corrections and accepted outputs of tasks in the environment of the key. For the built-in model the default is true: it keeps weights, and of outputs the names of classes and the range of numbers. For a provider's model it is false: what is chosen becomes, with inputs and outputs word for word, part of the version, which people of every environment read. */
      feedback?: boolean;
      /** @description The share that is not learnt from, to measure by. Default 0.2. */
      held_out?: number;
      /** @description Decides which examples are held out. Keep it, and what was held out is held out again, so that versions compare fairly. Default 0. */
      seed?: number;
      budget?: components["schemas"]["TrainingBudget"];
      /** @description The candidate's change note. */
      note?: string;
    };
    StartWorkflowRunBody: {
      /** @description The run's input, which has to fit the workflow's `input` schema. Default `{}`. */
      input?: {
        [key: string]: unknown;
      };
      /** @description The business key, for a workflow whose file has no `key`: refused while a run with it is open. */
      key?: string;
      labels?: string[];
    };
    StartedSyncs: {
      /** @description One for each connector. Where one was under way already, that one. */
      syncs: components["schemas"]["Sync"][];
    };
    Step: {
      /** @description `stp_…`. */
      step_id: string;
      /** @description The attempt at the task in which it was made, from 1. */
      attempt: number;
      /** @description Its place in the run, from 1. One that was made again stands here again. */
      number: number;
      /** @enum {string} */
      kind: "model" | "tool";
      /** @description The model or the tool. */
      name: string;
      /**
       * @description `unknown`: it was broken off, got no clear answer or its worker was lost, and whether it had an effect is not known. `failure` says which, once that is known.
       * @enum {string}
       */
      state: "started" | "finished" | "failed" | "unknown";
      /** @description What it was given. What was replaced by a placeholder stays replaced. */
      input: unknown;
      /** @description What it answered; null until then. */
      output: unknown;
      failure: {
        code: string;
        detail: string;
      } | null;
      /** @description What the policies said of it. */
      verdict: string | null;
      /** @description The approval with whose arguments the call was made, because people edited it; null: it was made with `input`. */
      edit_approval_id: string | null;
      /** @description The step of an earlier attempt whose result stands here: the task was tried again, and the write was not made again. Null: the step was made. */
      reused_from: string | null;
      cost_usd: number;
      tokens: number;
      started_at: string;
      finished_at: string | null;
    };
    /** @description Where the inputs of the step's tasks come from: one task, `each` of a list, or the `best` of an earlier step. */
    StepInputs: {
      /** @description One task per item of this list, over `input` and `steps`, such as `input.leads`, an expression in CEL. */
      each?: string;
      /** @description One task for each of the best results of an earlier step. */
      best?: {
        /** @description The step's id: lowercase letters, digits and `_`. */
        of: string;
        count: number;
        /** @description The number by which results are ordered, highest first: over `item.input` and `item.output`, an expression in CEL. */
        by: string;
        /** @description Which results come into question, an expression in CEL. */
        where?: string;
      };
      /** @description Tasks of `each` at most. */
      at_most?: number;
      /** @description Tasks at once. Default 5. */
      parallel?: number;
      /** @description The skill's input. Texts are expressions in CEL over `input`, `steps` and, with `each` or `best`, `item`; numbers, true, false and null stand for themselves. */
      input: {
        [key: string]: unknown;
      };
    };
    StepPage: {
      data: components["schemas"]["Step"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description A kind of step. */
    StepType: {
      /** @enum {string} */
      kind: "agent" | "tool" | "approval" | "wait" | "parallel" | "workflow" | "set" | "end";
      title: string;
      description: string;
      /** @description JSON Schema of the member that makes a step of this kind. */
      schema: {
        [key: string]: unknown;
      };
      /** @description Further members that a step of this kind may have. */
      takes: string[];
      /** @description What `steps.<id>.output` is. */
      output: string;
      /** @description A step of this kind as a file has it. */
      yaml: string;
    };
    StepTypes: {
      data: components["schemas"]["StepType"][];
      /** @description JSON Schema of the members that steps of every kind may have. */
      common: {
        [key: string]: unknown;
      };
      /** @description JSON Schema of a whole file, for editors. */
      schema_url: string;
    };
    StopBody: {
      /**
       * @description What becomes of earlier answers that wait for people's approval.
       * @default keep
       * @enum {string}
       */
      approvals?: "keep" | "cancel";
    };
    Suggestion: {
      text: string;
      /**
       * @description `reply`: a draft for the person who answers. `question`: what the user might ask next.
       * @enum {string}
       */
      kind: "reply" | "question";
      /** @description Whether a model wrote it; else it is quoted from `source`. */
      generated: boolean;
      /** @description Where it is quoted from. */
      source: {
        base: string;
        title: string;
        chunk_id: string;
      } | null;
    };
    Suggestions: {
      suggestions: components["schemas"]["Suggestion"][];
      /** @description The message of the user that they answer; null: none waits for an answer. */
      message_id: string | null;
      /** @description Why there are none, or none by a model. */
      note: string | null;
      made_at: string;
    };
    /** @description One look at a source. The counts grow while it runs. */
    Sync: {
      /** @description `syn_…` */
      sync_id: string;
      /** @description `kb_…` */
      base_id: string;
      /** @description `cnr_…` */
      connector_id: string;
      /** @description The connector's name. */
      connector: string;
      /** @enum {string} */
      trigger: "manual" | "schedule";
      /**
       * @description `failed`: the source could not be read to its end. What came until then stays, and nothing was removed.
       * @enum {string}
       */
      state: "queued" | "running" | "completed" | "failed";
      /** @description Documents that it added. */
      added: number;
      /** @description Documents whose contents it replaced. */
      changed: number;
      /** @description Documents that it deleted because they vanished from the source. */
      removed: number;
      /** @description Items that were as before. */
      unchanged: number;
      /** @description Items that it could not take. The next sync tries them again. */
      failed: number;
      /** @description Why it saw only part of the source, so that it removed nothing; null: it saw all. */
      partial: string | null;
      /** @description Why it failed; null: it did not. */
      error: {
        code: string;
        /** @description What happened and what to do. */
        detail: string;
      } | null;
      /** @description Who started it, by id. */
      requested_by: string;
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
    };
    /** @description An item that a sync could not take. */
    SyncFailure: {
      /** @description What the source calls it: a path, an address, a key. */
      item: string;
      code: string;
      detail: string;
    };
    SyncFailurePage: {
      data: components["schemas"]["SyncFailure"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    SyncPage: {
      data: components["schemas"]["Sync"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description A sync with the items that failed. */
    SyncReport: {
      /** @description `syn_…` */
      sync_id: string;
      /** @description `kb_…` */
      base_id: string;
      /** @description `cnr_…` */
      connector_id: string;
      /** @description The connector's name. */
      connector: string;
      /** @enum {string} */
      trigger: "manual" | "schedule";
      /**
       * @description `failed`: the source could not be read to its end. What came until then stays, and nothing was removed.
       * @enum {string}
       */
      state: "queued" | "running" | "completed" | "failed";
      /** @description Documents that it added. */
      added: number;
      /** @description Documents whose contents it replaced. */
      changed: number;
      /** @description Documents that it deleted because they vanished from the source. */
      removed: number;
      /** @description Items that were as before. */
      unchanged: number;
      /** @description Items that it could not take. The next sync tries them again. */
      failed: number;
      /** @description Why it saw only part of the source, so that it removed nothing; null: it saw all. */
      partial: string | null;
      /** @description Why it failed; null: it did not. */
      error: {
        code: string;
        /** @description What happened and what to do. */
        detail: string;
      } | null;
      /** @description Who started it, by id. */
      requested_by: string;
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      failures: components["schemas"]["SyncFailurePage"];
    };
    TagPolicyBody: {
      /** @description What people call it. */
      name: string;
      scope?: components["schemas"]["PolicyScope"];
      /** @description A condition in CEL over the policy context, such as `agent.name == "sales" && risk.score >= 7`. True: the effect applies. */
      when: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      effect: "tag";
      params: {
        /** @description Of `tag`: the tags. */
        tags: string[];
      };
      /** @description A stable word for programs: a-z, 0-9 and _. */
      reason_code: string;
      /** @description One sentence for whoever meets it. */
      message: string;
      /** @description Controls of frameworks that it implements, such as `soc2:CC6.1`. */
      controls?: string[];
      /** @description It holds from then on; null: at once. */
      effective_from?: string | null;
      /** @description It ends then; null: never by itself. */
      effective_until?: string | null;
      /**
       * @description `shadow` unless told. `active`: the policy is first replayed over recorded calls; what that found is kept with the version.
       * @default shadow
       * @enum {string}
       */
      state?: "draft" | "shadow" | "active";
      /** @description Why this version. */
      note?: string;
    };
    TakeBody: {
      /**
       * @description What becomes of an answer that the agent is writing.
       * @default stop
       * @enum {string}
       */
      running?: "finish" | "stop";
    };
    TakeOverBody: {
      /** @description The automation as `kind:id`, such as `trigger:wtr_…`, `schedule:sch_…` and `channel:support`. */
      object: string;
    };
    TakenOver: {
      /** @description The automation as `kind:id`, such as `trigger:wtr_…`, `schedule:sch_…` and `channel:support`. */
      object: string;
      /** @description In whose name it acts from now on: the caller, `mbr_…`. */
      owner: string;
      /** @description In whose name it acted before: `mbr_…` or `system:…`. */
      previous_owner: string;
      /** @description Always null: the automation runs again. */
      stopped_reason: null;
    };
    Task: {
      /** @description The task's id, `tsk_…`. */
      task_id: string;
      status: components["schemas"]["TaskStatus"];
      /** @description The probability that a reviewer would accept the outcome of the task. */
      trust_score: number;
      /** @description The audit record of the dispatch, `aud_…`. */
      audit_ref: string;
      agent: string;
      /** @description The agent version that the task pinned. */
      version: number;
      version_id: string;
      /** @description The skill. */
      task: string;
      /** @description What it is about, by the skill's template over the input; null: the skill has none. */
      title: string | null;
      input: {
        [key: string]: unknown;
      };
      require_approval: boolean;
      approval_id: string | null;
      /** @description Where people decide, while the task waits for them. */
      approve_url: string | null;
      priority: number;
      deadline: string | null;
      not_before: string | null;
      /** @description The batch that it came with, `bat_…`. */
      batch_id: string | null;
      /** @description The step of a workflow's run that it carries out; null: it is none. */
      run: components["schemas"]["RunOfTask"] | null;
      /** @description The conversation in which it answers, `cnv_…`; null: in none. */
      conversation_id: string | null;
      labels: string[];
      tags: string[];
      trust: components["schemas"]["Trust"];
      risk: components["schemas"]["Risk"];
      attempt: number;
      question: components["schemas"]["TaskQuestion"] | null;
      /** @description What holds it now; null: nothing. */
      held_by: components["schemas"]["Hold"] | null;
      output: {
        [key: string]: unknown;
      } | null;
      predictions: {
        [key: string]: {
          /** @description A value that the field can have. */
          value: string | number | boolean | null;
          /** @description That it is the right one, from 0 to 1. */
          probability: number;
          /**
           * @description The last entry, where the model can tell: it is none of these values.
           * @constant
           */
          none?: true;
        }[];
      } | null;
      failure: {
        code: string;
        detail: string;
      } | null;
      cost_usd: number;
      /** @description Of the models that it asked. */
      tokens: number;
      requested_by: string;
      created_at: string;
      updated_at: string;
      started_at: string | null;
      finished_at: string | null;
    };
    TaskBatch: {
      items: ({
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      } & {
        [key: string]: unknown;
      })[];
    };
    TaskBatchResult: {
      /** @description `bat_…`; tasks carry it, and lists can be narrowed to it. */
      batch_id: string;
      succeeded: number;
      failed: number;
      /** @description One for each item, in their order. */
      results: {
        /** @description The item's place in the batch, from 0. */
        index: number;
        /** @description As if it had been dispatched alone. */
        status: number;
        /** @description The answer to the dispatch, or the problem. */
        body: unknown;
      }[];
    };
    TaskChange: {
      /** @description Higher runs earlier; default 0. */
      priority?: number;
      /** @description Null: none. */
      deadline?: string | null;
      /** @description Null: at once. */
      not_before?: string | null;
      labels?: string[];
      /** @description The whole new input, where people asked for changes; it goes before them again. */
      input?: {
        [key: string]: unknown;
      };
    };
    TaskCounts: {
      /** @description Tasks of the accepted plan and tasks added by hand, at most. */
      planned: number;
      /** @description Queued or running. */
      open: number;
      /** @description Waiting for people. */
      waiting: number;
      /** @description Completed. */
      completed: number;
      /** @description Failed, rejected, expired or blocked. */
      failed: number;
      /** @description Cancelled. */
      cancelled: number;
      /** @description Could not be made: no such task exists. The timeline says why. */
      not_made: number;
    };
    TaskFeedback: {
      /** @description The audit record of the call that gave it, `aud_…`. */
      feedback_id: string;
      task_id: string;
      accepted: boolean | null;
      /** @description 1 useless, 5 just right. */
      rating: number | null;
      correction: {
        [key: string]: unknown;
      } | null;
      comment: string | null;
      /** @description What it comes to: 1 the outcome was accepted, 0 it was not. A rating alone lies between, in steps of a quarter. */
      outcome: number;
      /** @description Whether it is evidence for the agent's trust score. What is said later than 7 days after the end is not; the latest word on a task is. */
      counts_for_trust: boolean;
      /** @description Whether training learns from it. */
      counts_for_training: boolean;
      /** @description Who gave it, by id. */
      submitted_by: string;
      submitted_at: string;
    };
    TaskFeedbackPage: {
      data: components["schemas"]["TaskFeedback"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description What became of dispatched tasks. */
    TaskFunnel: {
      from: string;
      to: string;
      time_zone: string;
      grain: components["schemas"]["Grain"];
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      /** @description In their order. Judged and accepted: among completed ones. */
      stages: {
        /** @enum {string} */
        stage: "dispatched" | "started" | "completed" | "judged" | "accepted";
        tasks: components["schemas"]["Figure"];
        /** @description Share of all that were dispatched; null: none. */
        of_dispatched: number | null;
        /** @description Share of those of the stage before; null: none. */
        of_before: number | null;
      }[];
      /** @description Where tasks were lost, and why. */
      dropped: {
        /**
         * @description The stage that they did not reach.
         * @enum {string}
         */
        before: "dispatched" | "started" | "completed" | "judged" | "accepted";
        /** @description `open`, a final state of the task, `not_judged` or `not_accepted`. */
        reason: string;
        tasks: number;
        /** @description Where they are listed; null where no list tells them apart. */
        link: string | null;
      }[];
    };
    TaskInput: {
      /** @description The answer; where the question has options, one of them. */
      answer: string;
      /** @description The `step_id` of the question that is answered: refused where the task asks something else by now. */
      step_id?: string;
    };
    TaskPage: {
      data: components["schemas"]["Task"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    TaskQuestion: {
      /**
       * @description `answer`: the agent asked. `outcome`: whether a call took effect whose end nobody saw.
       * @enum {string}
       */
      kind: "answer" | "outcome";
      /** @description What is asked. */
      text: string;
      options: string[] | null;
      /** @description The step that waits for the answer, `stp_…`. */
      step_id: string;
      asked_at: string;
    };
    TaskResult: {
      /** @description The task's id, `tsk_…`. */
      task_id: string;
      status: components["schemas"]["TaskStatus"];
      /** @description Whether it has ended. An end that can be tried again is one as well. */
      final: boolean;
      output: {
        [key: string]: unknown;
      } | null;
      predictions: {
        [key: string]: {
          /** @description A value that the field can have. */
          value: string | number | boolean | null;
          /** @description That it is the right one, from 0 to 1. */
          probability: number;
          /**
           * @description The last entry, where the model can tell: it is none of these values.
           * @constant
           */
          none?: true;
        }[];
      } | null;
      failure: {
        code: string;
        detail: string;
      } | null;
      /** @description What holds it now; null: nothing. */
      held_by: components["schemas"]["Hold"] | null;
      /** @description The probability that a reviewer would accept the outcome of the task. */
      trust_score: number;
      /** @description The audit record of the call that ended it, `aud_…`: its proof shows that exactly this was recorded. Null where it has not ended. */
      result_ref: string | null;
      /** @description Files that it made. No tool makes any yet. */
      files: {
        name: string;
      }[];
    };
    TaskRetry: {
      /**
       * @description The step that failed, which is the default; the step that `step` names; or the start, as a run of its own.
       * @enum {string}
       */
      from?: "failed_step" | "step" | "start";
      /** @description Number of a step of the task's run; it and all later ones are made again. */
      step?: number;
      /** @description If it has not run by then, it expires; null: no deadline. Left out, it keeps the one that it has. */
      deadline?: string | null;
    };
    /**
     * @description Where the task stands.
     * @enum {string}
     */
    TaskStatus: "queued" | "awaiting_approval" | "running" | "input_required" | "completed" | "failed" | "rejected" | "expired" | "blocked" | "cancelled";
    TestBaseBody: {
      questions: components["schemas"]["TestedQuestion"][];
    };
    TestConnectionBody: {
      /** @description Asks this model for a few words, which costs some tokens. Left out: models are only listed, and an http address is only fetched. */
      model?: string;
    };
    TestToolBody: {
      /** @description What the call carries. */
      arguments?: {
        [key: string]: unknown;
      };
      /** @description `draft` (default), `live`, or the number of a version. */
      version?: string;
      /** @description In which skill it is called; the first that may, where left out. */
      skill?: string;
    };
    TestWebhookBody: {
      /** @description The name of the event of which a sample is sent; `ping` unless told. */
      event?: string;
    };
    TestWorkflowBody: {
      /** @description A definition instead of the saved draft. */
      definition?: {
        [key: string]: unknown;
      };
      /** @description A text instead of the saved draft. */
      source?: string;
      /** @description A version instead of the draft. */
      version?: number;
      /** @description This step alone: the others count as completed with their `outputs`. */
      step?: string;
      /** @description The run's input. Default `{}`. */
      input?: unknown;
      /** @description The event that began the run. */
      event?: unknown;
      /** @description What steps answer, by their ids. A loop takes a list with an answer per item, or one for all. An approval is given unless `failures` says `rejected`. */
      outputs?: {
        [key: string]: unknown;
      };
      /** @description How steps fail, by their ids. */
      failures?: {
        [key: string]: {
          code: string;
          detail?: string;
          /** @description How many attempts fail. Default: all. */
          times?: number;
        };
      };
      /** @description The events for which steps wait, by the steps' ids. Without one a wait runs out. */
      events?: {
        [key: string]: unknown;
      };
    };
    TestedQuestion: {
      /** @description As people or agents would ask it. */
      question: string;
      /** @description The documents that should be found; one without a grade has 1. */
      expected: (string | {
        /** @description A document of the base, by id (`doc_…`) or by its `external_id`. */
        document: string;
        /** @description How well it answers, compared with the others: twice the grade counts twice. */
        grade: number;
      })[];
    };
    /** @description The difference of a text of several lines, by lines. */
    TextDiff: {
      /** @description Lines added. */
      added: number;
      /** @description Lines removed. */
      removed: number;
      hunks: components["schemas"]["DiffHunk"][];
    };
    TextPart: {
      /** @constant */
      type: "text";
      text: string;
    };
    TimelineEntry: {
      id: string;
      at: string;
      /** @description Such as `mission.started`, `plan.accepted`, `task.completed`, `decision.answered`. */
      kind: string;
      /** @description In a sentence. */
      text: string;
      /** @description Who did it, by id. */
      actor: string | null;
      step: string | null;
      task_id: string | null;
      run_id: string | null;
    };
    TimelineEntryPage: {
      data: components["schemas"]["TimelineEntry"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    TimelineEvent: {
      /** @description Its place among the task's events: 1, 2, 3 …, without a gap. The `id` of the event in the stream. */
      sequence: number;
      /** @description `evt_…`. */
      event_id: string;
      /** @description `task.created`, …: one of the event types. */
      type: string;
      /** @description When it was stored. */
      time: string;
      /** @description The event's body, as subscribers get it. */
      data: {
        [key: string]: unknown;
      };
    };
    TimelineEventPage: {
      data: components["schemas"]["TimelineEvent"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    ToolCallPart: {
      /** @constant */
      type: "tool_call";
      call_id: string;
      tool: string;
      arguments: unknown;
      /** @enum {string} */
      state: "running" | "waiting" | "completed" | "failed" | "cancelled";
      /** @description Null while it runs, and where it failed. */
      result: unknown;
      failure: {
        code: string;
        detail: string;
      } | null;
    };
    /** @description What a call of the tool would be, and what it answered. */
    ToolTest: {
      tool: string;
      /** @description Null: the draft. */
      version: number | null;
      skill: string | null;
      /** @enum {string} */
      effect: "read" | "write";
      /**
       * @description What policies, kill switches and pauses say of a call now. `by_arguments`: a policy decides by what a call carries. `unused`: no skill may call it.
       * @enum {string}
       */
      permission: "allowed" | "denied" | "held" | "by_arguments" | "unused";
      reasons: string[];
      /** @description Whether people are asked before a call, by policies and risk. */
      approval: {
        /**
         * @description `after_reading`: in a run that has read text which could have steered it.
         * @enum {string}
         */
        mode: "never" | "after_reading" | "always";
        /** @description How many people have to approve; 0: nobody is asked. */
        approvers: number;
        reasons: string[];
      };
      /** @description Whether it was really called. What writes never is. */
      called: boolean;
      /** @description Why it was not called. */
      why_not: string | null;
      /** @description The request that is sent; what the connection adds stands there by name alone. Null: it sends none. */
      request: {
        method: string;
        url: string;
        headers: {
          [key: string]: string;
        };
        body: string | null;
      } | null;
      /** @description What it answered, with what policies redact replaced. */
      output?: unknown;
      /** @description Why it failed. */
      failure: {
        code: string;
        detail: string;
      } | null;
      milliseconds: number;
    };
    /** @description Calls of tools: how many, how many failed, how long they took. */
    ToolUse: {
      from: string;
      to: string;
      time_zone: string;
      grain: components["schemas"]["Grain"];
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      /** @description By the name of the measure. */
      figures: {
        tool_uses: components["schemas"]["Figure"];
        step_failures: components["schemas"]["Figure"];
        step_cost_usd: components["schemas"]["Figure"];
        step_duration_p50: components["schemas"]["Figure"];
        step_duration_p90: components["schemas"]["Figure"];
      };
      /** @description The measures window by window, oldest first. */
      series: components["schemas"]["Point"][];
      /** @description By `name` of the tool, most used first. */
      rows: components["schemas"]["Breakdown"][];
      /** @description Whether there are more rows than `limit`. */
      more: boolean;
    };
    /** @description For a provider's model, whose runs cost money. The built-in model is trained and measured without any. */
    TrainingBudget: {
      /** @description How long the demonstrations may be together, in tokens. Default 2,000. */
      prompt_tokens?: number;
      /** @description How often the skill may be run to measure, before and after together. Default 60. */
      runs?: number;
      /** @description US dollars for these runs. Default 1. */
      cost_usd?: number;
    };
    TrainingField: {
      /** @description Its JSON Pointer in the output. */
      field: string;
      /**
       * @description What it holds.
       * @enum {string}
       */
      kind: "class" | "boolean" | "number";
      /** @description Examples learnt from that have it. */
      n_train: number;
      /** @description Held-out examples that have it. */
      n_held_out: number;
      /** @description Share that was right. */
      accuracy?: number;
      /** @description Area under the ROC curve, of two classes. */
      auc?: number;
      /** @description Mean squared error of the stated probability. */
      brier?: number;
      /** @description Expected calibration error of the stated probability, 10 bins. */
      ece?: number;
      /** @description Of a number, in its own unit. */
      mean_absolute_error?: number;
    };
    TrainingJob: {
      /** @description The training job's id, `trn_…`. */
      job_id: string;
      /** @description The agent's name: a short lowercase word. */
      agent: string;
      skill: string;
      /**
       * @description Where it stands.
       * @enum {string}
       */
      state: "queued" | "running" | "completed" | "failed" | "cancelled";
      /** @description What it is doing. */
      phase: string;
      /** @description How far it is. */
      progress: number;
      /**
       * @description `model`: the built-in model learns; `demonstrations`: examples are chosen that a provider's model is shown.
       * @enum {string}
       */
      method: "model" | "demonstrations";
      /** @description A version of the agent, by its number. */
      base_version: number;
      base_version_id: string;
      /** @description The candidate; null until there is one, and where nothing new came out. */
      version: number | null;
      /** @description Its id. */
      version_id: string | null;
      seed: number;
      held_out: number;
      /** @description Null until they are gathered. */
      examples: {
        /** @description That came with the request. */
        given: number;
        /** @description Of the dataset. */
        dataset: number;
        /** @description Of feedback on tasks. */
        feedback: number;
        /** @description Of earlier trainings of the version that it went out from, as far as they still fit the skill. */
        earlier: number;
        /** @description That the skill has in its definition. */
        definition: number;
        /** @description Left out, because a newer one has the same input. */
        duplicates: number;
        /** @description All together, each input once: the newest label counts. */
        used: number;
        /** @description Learnt from. */
        train: number;
        /** @description Held out. */
        held_out: number;
        /** @description Of feedback, and left out: what their tasks ended with was changed in the database, as `result_not_intact` says. Absent where there are none. */
        not_intact?: number;
      } | null;
      /** @description What a provider's model is shown; null for the built-in one. */
      demonstrations: {
        /** @description How many. */
        chosen: number;
        /** @description How long they are together, estimated. */
        prompt_tokens: number;
      } | null;
      /** @description Null until it was measured. */
      metrics: components["schemas"]["TrainingMetrics"] | null;
      /** @description How long learning took. */
      seconds: number | null;
      /** @description What measuring cost. */
      cost_usd: number;
      /** @description Why it failed. */
      failure: {
        code: string;
        detail: string;
      } | null;
      note: string;
      requested_by: string;
      created_at: string;
      /** @description When it ended. */
      finished_at: string | null;
    };
    TrainingMetrics: {
      /** @description Held-out examples that were measured on both sides. One that has nothing to judge by is none of them. */
      n: number;
      /** @description Mean score of the version it went out from; null where nothing was measured. */
      before: number | null;
      /** @description Mean score of the candidate. */
      after: number | null;
      /** @description After less before. */
      difference: number | null;
      /** @description One-sided 95 % lower bound of the difference, paired by example. */
      low: number | null;
      /** @description One-sided 95 % upper bound. */
      high: number | null;
      /**
       * @description What the bounds say: above nothing, below it, or neither.
       * @enum {string}
       */
      verdict: "better" | "worse" | "unclear";
      /** @description What was measured of each example. */
      score: string;
      /** @description How far the candidate's stated certainty is from what was right; null where it states none. */
      ece: number | null;
      /** @description Its mean squared error. */
      brier: number | null;
      fields: components["schemas"]["TrainingField"][];
    };
    TrainingPair: {
      /** @description An input of the skill. */
      input: {
        [key: string]: unknown;
      };
      /** @description The right output for it. */
      output: {
        [key: string]: unknown;
      };
    };
    TransferAgentBody: {
      /** @description The member who answers for the agent from now on, `mbr_…`. */
      owner: string;
    };
    TransferBody: {
      /** @description The member or service account on whose behalf the agent works from now on; they may do no more than you. */
      owner?: string;
      /** @description Your own name of the person who writes. */
      user?: string | null;
      /** @description `api`, or a connected channel. */
      channel?: string;
      /** @description Its name in the new channel, such as a thread's id. */
      external_key?: string | null;
    };
    Trust: {
      /** @description The probability that a reviewer would accept the outcome of the task. */
      score: number;
      /** @description 10 % quantile. */
      low: number;
      /** @description 90 % quantile. */
      high: number;
      /** @description What each part adds to the log-odds z; score = 1 / (1 + e^−z). */
      parts: {
        [key: string]: number;
      };
      /** @description What was known of the case, each from 0 to 1. At a dispatch: the mean of the judged cases. */
      case?: {
        /** @description The model's own probability that its outcome is right. */
        probability?: number;
        /**
         * @description Calibrated by our trainer, or told by a provider's model.
         * @enum {string}
         */
        probability_source?: "trained" | "told";
        findings?: number;
        /** @description How much of the outcome stands on nothing that was found. */
        ungrounded?: number;
        /** @description How unlike the examples the case is. */
        novelty?: number;
        injection?: number;
      };
      /** @description Digest of the fitted map: `GET /v1/agents/{agent}/trust` shows the present one. */
      fit?: string;
      /** @description Whole weeks since the newest judged case: they widen the interval. */
      weeks?: number;
      /** @description Of scores by the rule before `trust-3`: 1 / (1 + e^−(a·z + b)). */
      calibration?: {
        a: number;
        b: number;
      };
      /** @description SHA-256 of the inputs (`case`, `fit`, `weeks`), by which the score can be recomputed. */
      digest: string;
    };
    /** @description Scores held against labels that they were made without (cross-fitted in five parts), over all versions of the agent's skills. */
    TrustReliability: {
      /** @description Judged cases that the curve is made of. */
      n: number;
      /**
       * @description `unchosen`: evaluations and random reviews, where there are 30 at least. `all`: also volunteered labels, against which scores look too high, since people judge what looks wrong.
       * @enum {string}
       */
      of: "unchosen" | "all";
      /** @description Share of random reviews among the labels of live tasks; null: none was judged. */
      random_share: number | null;
      /** @description Expected calibration error: the mean distance between what was said and what happened, over the bins. */
      ece: number | null;
      /** @description Mean squared error of the scores. */
      brier: number | null;
      bins: {
        from: number;
        to: number;
        n: number;
        /** @description What was said. */
        mean_score: number | null;
        /** @description What happened. */
        mean_outcome: number | null;
        /** @description 10 % quantile of the share that is accepted. */
        low: number | null;
        /** @description 90 % quantile of it. */
        high: number | null;
      }[];
    };
    UnbindToolBody: {
      /** @description Takes it from the skills that name it as well. Default: refused where one does. */
      from_skills?: boolean;
    };
    /** @description A problem (RFC 9457) of a request that never became a call. */
    UnreadProblem: {
      /** @description URL of a page with cause, remedy and example. */
      type: string;
      /** @description The type of problem, for people. */
      title: string;
      /** @description The HTTP status. */
      status: number;
      /** @description The type of problem, for programs. Codes are added, never renamed. */
      code: string;
      /** @description What was wrong with this call and how to correct it. */
      detail: string;
      /** @description As the header `X-Request-Id`. */
      request_id: string;
      /** @description Whether the same call may succeed later. */
      retryable: boolean;
      /** @description Path of the call. */
      instance?: string;
    } & {
      [key: string]: unknown;
    };
    /** @description The version to take, by its digest, and the consent to what it asks for. */
    UpdateInstallBody: {
      /** @description `sha256:` and the SHA-256 of the bundle's archive, in hexadecimal: its name. */
      digest: string;
      consent: components["schemas"]["Consent"];
      /** @description Takes the new version of parts that were changed here, too; without it such an update is refused. */
      discard_local_changes?: boolean;
    };
    /** @description How much was done, how fast, with how many tokens. */
    Usage: {
      from: string;
      to: string;
      time_zone: string;
      grain: components["schemas"]["Grain"];
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      /** @description By the name of the measure. */
      figures: {
        tasks: components["schemas"]["Figure"];
        completed: components["schemas"]["Figure"];
        failed: components["schemas"]["Figure"];
        open: components["schemas"]["Figure"];
        success_rate: components["schemas"]["Figure"];
        duration_p50: components["schemas"]["Figure"];
        duration_p90: components["schemas"]["Figure"];
        duration_p99: components["schemas"]["Figure"];
        queue_time_p50: components["schemas"]["Figure"];
        queue_time_p90: components["schemas"]["Figure"];
        queue_time_p99: components["schemas"]["Figure"];
        tokens: components["schemas"]["Figure"];
        steps: components["schemas"]["Figure"];
        tool_calls: components["schemas"]["Figure"];
      };
      /** @description The measures window by window, oldest first. */
      series: components["schemas"]["Point"][];
      /** @description What the rows are told apart by; null: nothing was asked for. */
      by: string | null;
      rows: components["schemas"]["Breakdown"][];
      /** @description Whether there are more rows than `limit`. */
      more: boolean;
    };
    /** @description Declared worth of accepted tasks against the cost of all. */
    ValueFigures: {
      from: string;
      to: string;
      time_zone: string;
      grain: components["schemas"]["Grain"];
      /** @description False: the window is not over, or tasks of it are still open. */
      complete: boolean;
      /** @description Everything that had happened by then is in it. */
      as_of: string;
      /** @description Sum over agents and skills whose worth is declared. */
      declared: {
        accepted: number;
        minutes_saved: number;
        value_usd: number;
        cost_usd: number;
        net_usd: number;
        /** @description Value by cost; null: nothing was spent. */
        return_on_cost: number | null;
      };
      /** @description Sum over the others: nothing is said of their value. */
      undeclared: {
        tasks: number;
        accepted: number;
        cost_usd: number;
      };
      /** @description By agent and skill, most expensive first. */
      rows: components["schemas"]["ValueRow"][];
      /** @description Whether there are more rows than `limit`. */
      more: boolean;
      explanation: string;
    };
    ValueRow: {
      agent: string | null;
      skill: string | null;
      /** @description Worth of an accepted task by the settings of the environment (`analytics.value`); null: nobody declared one. */
      declared: {
        /** @description Minutes of work that an accepted task saves. */
        minutes: number | null;
        /** @description What an hour of that work costs, in US dollars. */
        usd_per_hour: number | null;
        /** @description What an accepted task is worth besides, in US dollars. */
        usd: number | null;
      } | null;
      tasks: number;
      judged: number;
      /** @description Accepted among judged tasks; partly accepted ones count in part. */
      accepted: number;
      /** @description Null: not declared. */
      minutes_saved: number | null;
      /** @description Null: not declared. */
      value_usd: number | null;
      /** @description Of all tasks, judged or not. */
      cost_usd: number;
      /** @description Value less cost; null: not declared. */
      net_usd: number | null;
      link: string | null;
    };
    /** @description Vectors of a base that names an embedding. Searches work without them meanwhile. */
    VectorHealth: {
      /** @description Chunks that have a vector. */
      embedded: number;
      /** @description Chunks that are searched, with and without one. */
      of: number;
      /** @description Chunks that the provider refuses. */
      failing: number;
      /** @description Of its vectors; null: there are none yet. */
      dimensions: number | null;
      /** @description Whether pgvector indexes them; else the search compares them one by one. */
      indexed: boolean;
      /** @description Tokens used so far. */
      tokens: number;
      /** @description US dollars spent so far, as far as prices are known. */
      usd: number;
      /** @description Why embedding does not go on; it is tried again. Null: it goes on, or is done. */
      error: {
        code: string;
        detail: string;
        at: string;
      } | null;
    };
    /** @description What a version was trained from, and how it did on held-out examples before and after. */
    VersionTraining: {
      /** @description The training job's id, `trn_…`. */
      job_id: string;
      /**
       * @description Where the job ran, and where its examples are from.
       * @enum {string}
       */
      environment: "development" | "staging" | "production";
      skill: string;
      /**
       * @description `model`: the built-in model learns; `demonstrations`: examples are chosen that a provider's model is shown.
       * @enum {string}
       */
      method: "model" | "demonstrations";
      /** @description A version of the agent, by its number. */
      base_version: number;
      /** @description Null until they are gathered. */
      examples: {
        /** @description That came with the request. */
        given: number;
        /** @description Of the dataset. */
        dataset: number;
        /** @description Of feedback on tasks. */
        feedback: number;
        /** @description Of earlier trainings of the version that it went out from, as far as they still fit the skill. */
        earlier: number;
        /** @description That the skill has in its definition. */
        definition: number;
        /** @description Left out, because a newer one has the same input. */
        duplicates: number;
        /** @description All together, each input once: the newest label counts. */
        used: number;
        /** @description Learnt from. */
        train: number;
        /** @description Held out. */
        held_out: number;
        /** @description Of feedback, and left out: what their tasks ended with was changed in the database, as `result_not_intact` says. Absent where there are none. */
        not_intact?: number;
      } | null;
      /** @description Null until it was measured. */
      metrics: components["schemas"]["TrainingMetrics"] | null;
    };
    /** @description The verdict of the evaluation gate in the environment of the key. */
    VersionVerdict: {
      /**
       * @description The verdict; `expired`: it is out of date; `missing`: the version was not evaluated here.
       * @enum {string}
       */
      state: "open" | "failed" | "inconclusive" | "expired" | "missing";
      /** @description Why. */
      reasons: string[];
      /** @description Until when the verdict counts; null where there is none. */
      expires_at: string | null;
    };
    Violation: {
      /** @description The record of the call. */
      audit_ref: string;
      /** @description `pol_…`, `ksw_…`, `budget:<scope>/<unit>/<period>`, `gate` or `pause`. */
      source: string;
      /** @description Of a policy: the version that found it. */
      version: number | null;
      kind: components["schemas"]["ViolationKind"];
      reason_code: string;
      message: string;
      operation: string;
      action: string;
      agent: string | null;
      task_id: string | null;
      principal: string;
      at: string;
      status: components["schemas"]["ViolationStatus"];
      /** @description Who looks after it; of a policy its author unless somebody took it over. */
      owner: string | null;
    };
    ViolationCounts: {
      /** @description Tasks that it put before people. */
      waited: number;
      /** @description Calls that it refused. */
      blocked: number;
      /** @description Calls that it would have refused. */
      would_block: number;
      /** @description Calls that it would have put before people. */
      would_wait: number;
      /** @description Calls that it wanted noticed. */
      warned: number;
    };
    /**
     * @description `blocked`: the call was refused. `would_block`, `would_wait`: a policy in shadow would have refused it, or put it before people. `warned`: a policy wanted it noticed.
     * @enum {string}
     */
    ViolationKind: "blocked" | "would_block" | "would_wait" | "warned";
    ViolationPage: {
      data: components["schemas"]["Violation"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /**
     * @description Whether somebody has dealt with it.
     * @enum {string}
     */
    ViolationStatus: "open" | "resolved";
    Vote: {
      voter: components["schemas"]["Party"];
      /** @description Who had handed the decision to the voter. */
      on_behalf_of: components["schemas"]["Party"] | null;
      /** @enum {string} */
      vote: "approve" | "reject";
      reason: string | null;
      /** @description Whether it counts: not where its voter was removed or may no longer decide. */
      counts: boolean;
      /** @description Why it does not count; null: it does. */
      not_counted_reason: string | null;
      at: string;
    };
    /** @description What is open at this moment, whatever the window. */
    Waiting: {
      /** @description Null: the caller lacks `approvals:read`. */
      approvals: number | null;
      /** @description Null: the caller lacks `tasks:read`. */
      questions: number | null;
      /** @description Null: the caller lacks `tasks:read`. */
      running: number | null;
      /** @description Null: the caller lacks `tasks:read`. */
      queued: number | null;
      /** @description Since when the oldest approval waits; null: none waits, or the caller lacks `approvals:read`. */
      oldest_approval_at: string | null;
      /** @description Each is counted up to this number. */
      counted_to: number;
    };
    WebChannelConfig: {
      /** @description Pages that may hold the widget, such as `https://www.example.com`. */
      origins?: string[];
      /** @description Shown before anything is said. */
      greeting?: string;
    };
    Webhook: {
      /** @description The endpoint's id, `whk_…`. */
      webhook_id: string;
      url: string;
      description: string;
      events: string[];
      /** @description Events, or groups of them, that are never sent to it, because whoever set its URL and events lacks a permission (`key.*` takes `admin:read`, `chat.*` `chat:read`). Events of a base or document with readers are held to those as well. */
      withheld: string[];
      /** @description Only events of these agents; null: no such bound. */
      agents: string[] | null;
      /** @description Only events of work of these levels of risk; null: no such bound. */
      risks: components["schemas"]["RiskLevel"][] | null;
      /**
       * @description `flat`: `{event, …}`, all metadata in headers. `standard`: `{type, timestamp, data}` of Standard Webhooks. `cloudevents`: CloudEvents 1.0, structured.
       * @enum {string}
       */
      format: "flat" | "standard" | "cloudevents";
      /** @description Most deliveries a second; null: no such bound. */
      rate_per_second: number | null;
      /**
       * @description `disabled`: the service stopped sending; `disabled_reason` says why. PATCH enables it again: whoever enables one that stopped becomes its owner.
       * @enum {string}
       */
      state: "enabled" | "paused" | "disabled";
      state_since: string;
      /** @description `gone`: it answered 410. `failing`: for five days every attempt failed. `stopped`: see `stopped_reason`. Null: it is not disabled. */
      disabled_reason: ("gone" | "failing" | "stopped") | null;
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      /** @description Since when events may not have been sent: it was paused or disabled then, or every attempt failed from then on. `POST …/recover` sends them, and what was given up before. Null: it was neither paused nor disabled since the last recovery. */
      missed_since: string | null;
      /** @description Events since an earlier time are being looked through for what was missed. */
      recovering: boolean;
      /** @description Until when deliveries are signed with earlier secrets as well; null: with the present one only. */
      secret_overlap_until: string | null;
      health: components["schemas"]["WebhookHealth"];
      /** @description Who made it, by id. */
      created_by: string;
      created_at: string;
      updated_at: string;
    };
    WebhookHealth: {
      /** @description When a delivery was last taken; null: never. */
      last_success_at: string | null;
      /** @description The first failure since the last success; null: the last attempt went well, or there was none. */
      failing_since: string | null;
      /** @description The last attempt that failed; null: none did. */
      last_failure: {
        at: string;
        /** @description The status of the answer; null: none came. */
        status: number | null;
        /** @description The class of the error. */
        error: string | null;
      } | null;
      /** @description Deliveries that wait for an attempt; counted up to 10,000. */
      pending: number;
      /** @description When the next of them is attempted; null: none waits. */
      next_attempt_at: string | null;
    };
    WebhookPage: {
      data: components["schemas"]["Webhook"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description robots.txt, `noindex`, `nofollow` and canonical links are followed. */
    WebsiteSource: {
      /** @description Where to begin. Its links are followed. This or `sitemap` is needed. */
      url?: string;
      /** @description A sitemap or an index of sitemaps. Its pages are taken; links are followed only if `url` is given. */
      sitemap?: string;
      /** @description Further origins whose pages are taken. Default: only that of the start. */
      origins?: string[];
      /** @description Take only paths that match one of these patterns, such as `guides/**\/*.md`. `**` stands for any folders, `*` for any characters of a name, `?` for one, `[a-z]` for one of a set, `{a,b}` for one of several. Together they may have 4,000 characters. */
      include?: string[];
      /** @description Leave out paths that match one of these patterns, such as `guides/**\/*.md`. `**` stands for any folders, `*` for any characters of a name, `?` for one, `[a-z]` for one of a set, `{a,b}` for one of several. Together they may have 4,000 characters. */
      exclude?: string[];
      /**
       * @description Pages that are taken. More are left out, and nothing is removed then.
       * @default 1000
       */
      most_items?: number;
      /**
       * @description Links from the start to a page at most.
       * @default 10
       */
      most_depth?: number;
      /**
       * @description Pause between two requests. The `Crawl-delay` of robots.txt counts where it is longer.
       * @default 0.2
       */
      delay_seconds?: number;
    };
    /** @description A workflow with its draft. */
    Workflow: {
      /** @description The workflow's name. */
      name: string;
      /** @description What it is for. */
      description: string;
      /** @description The member who answers for it, `mbr_…`. */
      owner: string;
      status: components["schemas"]["WorkflowStatus"];
      /** @description The version that is live in the environment of the key. */
      live_version: number | null;
      /** @description The newest version; null: none was published yet. */
      latest_version: number | null;
      /** @description Whether its triggers are off in the environment of the key. */
      paused: boolean;
      /** @description Null where no run has ended. */
      success_rate: components["schemas"]["WorkflowSuccessRate"] | null;
      /** @description Null where there is none. */
      last_run: components["schemas"]["WorkflowLastRun"] | null;
      /** @description Counts the changes of the draft; also its ETag. */
      revision: number;
      created_at: string;
      updated_at: string;
      draft: Record<string, never>;
      /** @description The draft's text, with its comments, where it came as a file. */
      source?: string;
      /** @description The version that `draft` and `source` are of, where one was asked for; null: the draft. */
      version: number | null;
      /** @description What is wrong with the draft, as the environment of the key stands, in the order of the text; at most 500. */
      findings: components["schemas"]["WorkflowFinding"][];
      /** @description Null where it is not paused. */
      pause: components["schemas"]["WorkflowPause"] | null;
      /** @description Null where it is not archived. */
      archived: components["schemas"]["WorkflowArchival"] | null;
    };
    /** @description A task of an agent. */
    WorkflowAgentCall: {
      /** @description The agent. */
      name: string;
      /** @description One of its skills. */
      skill: string;
      /** @description The skill's input. Texts are expressions in CEL (`input.order_id`, `'a text'`); numbers, true, false and null stand for themselves, lists and objects for what they hold. */
      input?: {
        [key: string]: unknown;
      };
      /** @description Whether people approve the task before it runs, whatever its risk. */
      require_approval?: boolean;
    };
    /** @description A decision of people. */
    WorkflowApprovalRequest: {
      /** @description What people read first, an expression in CEL. */
      title: string;
      /** @description For whose work people are asked. Default: the agent of what it covers, else of the nearest step before it that has one. */
      agent?: string;
      /** @description Steps that people approve with it: exactly the calls that they will make. */
      covers?: string[];
      /** @description What people are shown besides. Texts are expressions in CEL (`input.order_id`, `'a text'`); numbers, true, false and null stand for themselves, lists and objects for what they hold. */
      context?: {
        [key: string]: unknown;
      };
      /**
       * @description At least this risk.
       * @enum {string}
       */
      risk?: "low" | "medium" | "high" | "critical";
      /** @description How many people have to approve. */
      approvers?: number;
      /** @description How long people have, such as `90s`, `1h30m` or `2d`. */
      expires?: string;
      /**
       * @description What becomes of one that nobody decided. Default `reject`.
       * @enum {string}
       */
      on_expiry?: "reject" | "escalate";
    };
    /** @description Since when and why it is out of service. */
    WorkflowArchival: {
      reason: string;
      since: string;
      /** @description Who archived it, by id. */
      by: string;
    };
    /** @description A run of another workflow. */
    WorkflowCall: {
      /** @description The workflow. */
      name: string;
      /** @description Default: the version that is live when this one is published. */
      version?: number;
      /** @description Its input. Texts are expressions in CEL (`input.order_id`, `'a text'`); numbers, true, false and null stand for themselves, lists and objects for what they hold. */
      input?: {
        [key: string]: unknown;
      };
    };
    /** @description What is wrong with a workflow as the environment of the key stands. */
    WorkflowCheck: {
      /** @description Whether nothing of it is an error in the environment of the key. */
      publishable: boolean;
      /** @description What was checked; null where it has not the form of a workflow. */
      definition: {
        /** @description The workflow's name. */
        workflow: string;
        description?: string;
        /** @description What is new in this version. */
        version_note?: string;
        /** @description JSON Schema (2020-12) of the input. */
        input?: {
          [key: string]: unknown;
        };
        triggers?: (components["schemas"]["WorkflowEventTrigger"] | components["schemas"]["WorkflowScheduleTrigger"] | components["schemas"]["WorkflowHookTrigger"])[];
        steps: components["schemas"]["WorkflowStep"][];
        /** @description The run's output. Texts are expressions in CEL (`input.order_id`, `'a text'`); numbers, true, false and null stand for themselves, lists and objects for what they hold. */
        output?: {
          [key: string]: unknown;
        };
        /** @description The business key: one open run per key, an expression in CEL. */
        key?: string;
        concurrency?: {
          /** @description Runs with the same one count together, an expression in CEL. */
          key: string;
          limit: number;
          /**
           * @description Default `queue`.
           * @enum {string}
           */
          when_full?: "queue" | "replace" | "reject";
        };
        limits?: {
          /** @description US dollars that a run may cost. */
          cost_usd?: number;
          /** @description How long a run may take. Default `30d`, such as `90s`, `1h30m` or `2d`. */
          duration?: string;
          /** @description Steps that a run may start, retries included; items of loops count against their own bound. Default 500. */
          steps?: number;
        };
      } | null;
      /** @description In the order of the text, at most 500. With `source` each has its line and column. */
      findings: components["schemas"]["Finding"][];
    };
    /** @description How the draft would change. */
    WorkflowComparison: {
      /** @description The difference in a few words, such as `1 step added, limits changed`. */
      summary: string;
      /** @description Whether they say the same. */
      identical: boolean;
      /** @description SHA-256 of the earlier definition's canonical JSON. */
      before_digest: string;
      /** @description SHA-256 of the later definition's canonical JSON. */
      after_digest: string;
      /** @description Every difference, in the order of the file. */
      changes: components["schemas"]["WorkflowVersionChange"][];
      /** @description What is wrong with what was sent. */
      findings: components["schemas"]["WorkflowFinding"][];
    };
    /** @description What undoes the step. */
    WorkflowCompensation: {
      agent?: components["schemas"]["WorkflowAgentCall"];
      tool?: components["schemas"]["WorkflowToolCall"];
    };
    WorkflowDeadLetter: {
      /** @description The run's id, `wfr_…`. */
      run_id: string;
      workflow: string;
      /** @description The version that it ran. */
      version: number;
      status: components["schemas"]["WorkflowRunStatus"];
      /** @description Why it gave up. */
      reason: string;
      /** @description Why it failed. */
      failure: {
        code: string;
        detail: string;
      } | null;
      at: string;
      /** @description Null: nobody has retried or settled it. */
      settled_at: string | null;
      settled_by: string | null;
    };
    WorkflowDeadLetterPage: {
      data: components["schemas"]["WorkflowDeadLetter"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description How two definitions of a workflow differ, field by field. */
    WorkflowDiff: {
      /** @description The version that it was compared with. */
      against: number;
      /** @description The difference in a few words, such as `1 step added, limits changed`. */
      summary: string;
      /** @description Whether they say the same. */
      identical: boolean;
      /** @description SHA-256 of the earlier definition's canonical JSON. */
      before_digest: string;
      /** @description SHA-256 of the later definition's canonical JSON. */
      after_digest: string;
      /** @description Every difference, in the order of the file. */
      changes: components["schemas"]["WorkflowVersionChange"][];
    };
    /** @description A definition: its members, or a text by `source` alone. `{}` stands for the draft as it is saved. What has not the form of a workflow is answered as findings. */
    WorkflowDraftBody: {
      /** @description A definition as text, YAML or JSON. */
      source?: string;
    } & {
      [key: string]: unknown;
    };
    /** @description Runs for each event of a type. */
    WorkflowEventTrigger: {
      /** @description A step's id: lowercase letters, digits and `_`. */
      id?: string;
      /** @description The service account that runs it. Default: who published */
      as?: string;
      /** @description The type of an event, such as `task.completed`, or one that a hook publishes. */
      event: string;
      /** @description Which of them: `event` is its body, an expression in CEL. */
      where?: string;
      /** @description The run's input; `event` is the event's body. Texts are expressions in CEL (`input.order_id`, `'a text'`); numbers, true, false and null stand for themselves, lists and objects for what they hold. */
      map?: {
        [key: string]: unknown;
      };
    };
    WorkflowEventWait: {
      /** @description The type of an event, such as `task.completed`, or one that a hook publishes. */
      event: string;
      /** @description Which of them: `event` is its body, an expression in CEL. */
      where?: string;
    };
    /** @description Something that is wrong with a workflow, or that deserves a look. */
    WorkflowFinding: {
      /**
       * @description An error keeps the workflow from being published, a warning does not.
       * @enum {string}
       */
      severity: "error" | "warning";
      /** @description The place in the definition, as a JSON Pointer. */
      pointer: string;
      /** @description What is wrong, for programs. */
      code: string;
      /** @description What is wrong and how to correct it, for people. */
      detail: string;
      /** @description Line in `source`, where there is one. */
      line?: number;
      /** @description Column in that line, in characters. */
      column?: number;
    };
    /** @description The step's action, once per item. */
    WorkflowForEach: {
      /** @description The list, an expression in CEL. */
      in: string;
      /** @description The name of the item in expressions. Default `item`; its position is `<name>_index`. */
      as?: string;
      /** @description How many items at most; a longer list fails the step before it begins. */
      at_most: number;
      /** @description How many at once. Default 1. */
      parallel?: number;
      /**
       * @description Whether the first failure ends the loop, which is the default, or failures are collected.
       * @enum {string}
       */
      on_error?: "fail" | "collect";
    };
    /** @description A workflow as a graph. */
    WorkflowGraph: {
      workflow: string;
      /** @description Null: the draft. */
      version: number | null;
      /** @description In the order of the file, triggers first. */
      nodes: components["schemas"]["WorkflowGraphNode"][];
      edges: components["schemas"]["WorkflowGraphEdge"][];
    };
    WorkflowGraphEdge: {
      from: string;
      to: string;
      /**
       * @description `needs`: `to` begins after `from`; `branch`: `to` begins a branch of `from`; `covers`: people approve `to` by `from`; `triggers`: `from` begins the run.
       * @enum {string}
       */
      kind: "needs" | "branch" | "covers" | "triggers";
    };
    WorkflowGraphNode: {
      /** @description The step's id; of a trigger, `trigger:` and its position. */
      id: string;
      /**
       * @description The step's kind, or `trigger`.
       * @enum {string}
       */
      kind: "agent" | "tool" | "approval" | "wait" | "parallel" | "workflow" | "set" | "end" | "trigger";
      title: string;
      /** @description JSON Pointer to it in the definition. */
      pointer: string;
      /** @description The step `parallel` in one of whose branches it stands. */
      parent: string | null;
      branch: string | null;
      /** @description Its `when`. */
      condition: string | null;
      /** @description The list of its `for_each`. */
      loop: string | null;
      /** @description What undoes it: an agent's skill, or a tool. */
      undo: string | null;
    };
    /** @description Runs when somebody calls the hook. */
    WorkflowHookTrigger: {
      /** @description A step's id: lowercase letters, digits and `_`. */
      id?: string;
      /** @description The service account that runs it. Default: who published */
      as?: string;
      /** @description The name of an inbound hook, `POST /v1/hooks/{hook}`, signed by Standard Webhooks. */
      hook: string;
      /** @description The type of the event that a call publishes. Default: the `type` of its body. */
      publishes?: string;
      /** @description The run's input; `event` is the call's body. Texts are expressions in CEL (`input.order_id`, `'a text'`); numbers, true, false and null stand for themselves, lists and objects for what they hold. */
      map?: {
        [key: string]: unknown;
      };
    };
    /** @description The newest run in the environment of the key. */
    WorkflowLastRun: {
      /** @description `wfr_…` */
      run_id: string;
      status: string;
      created_at: string;
    };
    /** @description Since when and why its triggers are off. */
    WorkflowPause: {
      reason: string;
      since: string;
      /** @description Who paused it, by id. */
      by: string;
    };
    /** @description The version that is live now in the environment of the key. */
    WorkflowRelease: {
      /** @description The workflow's name. */
      workflow: string;
      /** @description Versions of a workflow are numbered from 1. */
      number: number;
      /** @description `wfv_…` */
      version_id: string;
      /** @description SHA-256, in hexadecimal, of the definition's canonical JSON (RFC 8785). */
      digest: string;
      /** @description What is new in it. */
      note: string;
      /** @description Who published it, by id. */
      author: string;
      created_at: string;
      /** @description Whether it is live in the environment of the key. */
      live: boolean;
      definition: Record<string, never>;
      /** @description Its text, where it came as a file. */
      source?: string;
      /** @description Versions of the workflows that its steps start without naming one, by their names. */
      pinned: {
        [key: string]: number;
      };
      /** @description `wrl_…` */
      release_id: string;
      /** @enum {string} */
      kind: "publish" | "rollback";
      /** @description The version that was live before; null: none. */
      previous_version: number | null;
      /** @description Warnings; with an error nothing is published. */
      findings: components["schemas"]["WorkflowFinding"][];
    };
    WorkflowRetry: {
      /** @description How often at most, the first time included. */
      attempts: number;
      /** @description The pause before the second attempt; each further one is twice as long. Default `1s`, such as `90s`, `1h30m` or `2d`. */
      backoff?: string;
      /** @description Codes of failures after which it is not tried again. */
      not_on?: string[];
    };
    WorkflowRun: {
      /** @description The run's id, `wfr_…`. */
      run_id: string;
      /** @description The workflow's name. */
      workflow: string;
      /** @description The version that it runs; a later one does not change it. */
      version: number;
      status: components["schemas"]["WorkflowRunStatus"];
      /** @description What somebody asked of it and has not come to its end. */
      asked: ("pause" | "cancel" | "cancel_and_compensate" | "compensate") | null;
      /** @description What somebody did with it last. */
      intervention: {
        /** @description As in the control of a run, or `compensate`. */
        action: string;
        /** @description By id. */
        by: string;
        at: string;
        reason: string | null;
      } | null;
      /** @description What it was started with. */
      input: unknown;
      /** @description What it came to; null until it has completed. */
      output: unknown;
      /** @description Why it failed. */
      failure: {
        code: string;
        detail: string;
      } | null;
      /** @description What holds it now; null: nothing. */
      held_by: components["schemas"]["Hold"] | null;
      trigger: components["schemas"]["WorkflowRunTrigger"];
      /** @description The trigger that fired, `wtr_…`; of a replayed run, the run that it repeats. */
      trigger_id: string | null;
      /** @description No other run of the workflow with this key is open. */
      business_key: string | null;
      /** @description Runs with this key count together against the workflow's `concurrency`. */
      concurrency_key: string | null;
      /** @description The run and the step that started it. */
      parent: {
        /** @description The run's id, `wfr_…`. */
        run_id: string;
        /** @description A step's id, as in the file. */
        step: string;
      } | null;
      /** @description The mission that it works for, `msn_…`. */
      mission: string | null;
      progress: {
        /** @description Steps of the version. */
        steps: number;
        /** @description Completed or skipped. */
        completed: number;
        /** @description Failed, rejected, or with an unknown outcome. */
        failed: number;
        /** @description Running. */
        running: number;
        /** @description Waiting for a time, an event or people. */
        waiting: number;
      };
      /** @description What its steps cost so far. */
      cost_usd: number;
      /** @description Tokens of its steps so far. */
      tokens: number;
      labels: string[];
      /** @description Whose permissions it has, by id. */
      started_by: string;
      /** @description The audit record of its start, `aud_…`. */
      audit_ref: string;
      created_at: string;
      /** @description Null while it is queued. */
      started_at: string | null;
      finished_at: string | null;
    };
    WorkflowRunControl: {
      /**
       * @description `cancel` ends the run. `pause` begins no further step, and `resume` goes on. `retry_from` does a step again with what comes after it, and what else did not complete. `skip` goes on without a step. `migrate` moves a run that is queued, waiting or paused to another version. `replay` starts a new run with the same input on the live version. `settle` takes the run off the dead letters.
       * @enum {string}
       */
      action: "cancel" | "pause" | "resume" | "retry_from" | "skip" | "migrate" | "replay" | "settle";
      /** @description Of `skip`: the step. Of `retry_from`: from which step; default: what did not complete. */
      step?: string;
      /** @description Of `cancel`: undo completed steps in reverse order. Default false. */
      compensate?: boolean;
      /** @description Of `retry_from`: members of the step's input, or of its tool's arguments, in place of its own. */
      input?: {
        [key: string]: unknown;
      };
      /** @description Of `retry_from`: steps that have written and may do so again. Needed where steps that completed are done again, or with other input. What did not complete and is done again as it was goes on with what it has written. Of `replay`: steps whose writes are in doubt and may be made twice. */
      acknowledge?: string[];
      /** @description Of `skip`: what later steps see as the step's output. */
      output?: {
        [key: string]: unknown;
      };
      /** @description Of `migrate`: the version. Default: the one that is live. */
      version?: number;
      /** @description Of `retry_from`, `skip` and `migrate`: answer what would change, and change nothing. */
      preview?: boolean;
      /** @description Why, for the record. */
      reason?: string;
    };
    WorkflowRunDetail: {
      /** @description The run's id, `wfr_…`. */
      run_id: string;
      /** @description The workflow's name. */
      workflow: string;
      /** @description The version that it runs; a later one does not change it. */
      version: number;
      status: components["schemas"]["WorkflowRunStatus"];
      /** @description What somebody asked of it and has not come to its end. */
      asked: ("pause" | "cancel" | "cancel_and_compensate" | "compensate") | null;
      /** @description What somebody did with it last. */
      intervention: {
        /** @description As in the control of a run, or `compensate`. */
        action: string;
        /** @description By id. */
        by: string;
        at: string;
        reason: string | null;
      } | null;
      /** @description What it was started with. */
      input: unknown;
      /** @description What it came to; null until it has completed. */
      output: unknown;
      /** @description Why it failed. */
      failure: {
        code: string;
        detail: string;
      } | null;
      /** @description What holds it now; null: nothing. */
      held_by: components["schemas"]["Hold"] | null;
      trigger: components["schemas"]["WorkflowRunTrigger"];
      /** @description The trigger that fired, `wtr_…`; of a replayed run, the run that it repeats. */
      trigger_id: string | null;
      /** @description No other run of the workflow with this key is open. */
      business_key: string | null;
      /** @description Runs with this key count together against the workflow's `concurrency`. */
      concurrency_key: string | null;
      /** @description The run and the step that started it. */
      parent: {
        /** @description The run's id, `wfr_…`. */
        run_id: string;
        /** @description A step's id, as in the file. */
        step: string;
      } | null;
      /** @description The mission that it works for, `msn_…`. */
      mission: string | null;
      progress: {
        /** @description Steps of the version. */
        steps: number;
        /** @description Completed or skipped. */
        completed: number;
        /** @description Failed, rejected, or with an unknown outcome. */
        failed: number;
        /** @description Running. */
        running: number;
        /** @description Waiting for a time, an event or people. */
        waiting: number;
      };
      /** @description What its steps cost so far. */
      cost_usd: number;
      /** @description Tokens of its steps so far. */
      tokens: number;
      labels: string[];
      /** @description Whose permissions it has, by id. */
      started_by: string;
      /** @description The audit record of its start, `aud_…`. */
      audit_ref: string;
      created_at: string;
      /** @description Null while it is queued. */
      started_at: string | null;
      finished_at: string | null;
      /** @description In the order of the file, 500 at most; those of branches behind theirs. */
      steps: components["schemas"]["WorkflowRunStep"][];
      /** @description There are more steps: read again with `steps_after` set to this. */
      steps_after: string | null;
    };
    WorkflowRunEvent: {
      /** @description Its place in the run: later ones are greater. The `id` of the event in the stream. */
      sequence: number;
      /**
       * @description Whether the run as a whole changed, or a step.
       * @enum {string}
       */
      type: "run" | "step";
      time: string;
      /** @description Of a step: `step`, `kind`, `status`, `attempt`, `task_id`, `child_run`, `failure`, `trust_score`, `cost_usd`, `undo`, `started_at`, `finished_at`. Of the run: `run_id`, `status`, `asked`, `failure`, `cost_usd`, `finished_at`. */
      data: {
        [key: string]: unknown;
      };
    };
    WorkflowRunEventPage: {
      data: components["schemas"]["WorkflowRunEvent"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    WorkflowRunPage: {
      data: components["schemas"]["WorkflowRun"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /**
     * @description Where the run stands.
     * @enum {string}
     */
    WorkflowRunStatus: "queued" | "running" | "waiting" | "paused" | "compensating" | "compensated" | "compensation_failed" | "completed" | "failed" | "cancelled";
    WorkflowRunStep: {
      /** @description A step's id, as in the file. */
      step: string;
      /** @enum {string} */
      kind: "agent" | "tool" | "approval" | "wait" | "parallel" | "workflow" | "set" | "end";
      /**
       * @description Where the step stands.
       * @enum {string}
       */
      status: "pending" | "running" | "waiting" | "skipped" | "completed" | "failed" | "rejected" | "cancelled" | "compensated" | "outcome_unknown";
      /** @description The attempt under way, or the last one; 0: it has not begun. */
      attempt: number;
      /** @description What it called, with its expressions resolved; null: nothing outside, or not begun. */
      action: unknown;
      /** @description What it came to; null: nothing yet. */
      output: unknown;
      /** @description Why it failed. */
      failure: {
        code: string;
        detail: string;
      } | null;
      /** @description The task that carries it out, `tsk_…`. */
      task_id: string | null;
      /** @description The run of another workflow that carries it out, `wfr_…`. */
      child_run: string | null;
      trust_score: number | null;
      /** @description Lower bound of the trust score. */
      trust_low: number | null;
      cost_usd: number | null;
      /** @description How far its compensation is. */
      undo: ("running" | "done" | "failed") | null;
      /** @description The task that undoes it. */
      undo_task: string | null;
      started_at: string | null;
      finished_at: string | null;
      /** @description When it is looked at again: the end of a wait, a time limit, the next attempt. */
      wake_at: string | null;
      /** @description What holds it now; null: nothing. */
      held_by: components["schemas"]["Hold"] | null;
      /** @description Of a loop: how far its items are. */
      items?: {
        /** @description Of the list. */
        total: number;
        /** @description So far. */
        completed: number;
        /** @description So far. */
        failed: number;
        /** @description Now. */
        running: number;
      };
      /** @description Attempts before this one, oldest first. */
      attempts?: {
        /** @description From 1. */
        attempt: number;
        /** @description How it ended. */
        status: string;
        /** @description The task that did it. */
        task_id: string | null;
        child_run: string | null;
        /** @description Why it failed. */
        failure: {
          code: string;
          detail: string;
        } | null;
        started_at: string | null;
        finished_at: string | null;
      }[];
    };
    /**
     * @description What started it.
     * @enum {string}
     */
    WorkflowRunTrigger: "manual" | "schedule" | "event" | "hook" | "workflow" | "mission" | "retry";
    /** @description Runs by the clock. */
    WorkflowScheduleTrigger: {
      /** @description A step's id: lowercase letters, digits and `_`. */
      id?: string;
      /** @description The service account that runs it. Default: who published */
      as?: string;
      /** @description Five fields: minute, hour, day, month, weekday; such as `0 7 * * MON-FRI`. */
      schedule: string;
      /** @description Such as `Europe/Vienna`. Default `UTC`. */
      time_zone?: string;
      /**
       * @description While an earlier run of it is not over. Default `skip`.
       * @enum {string}
       */
      overlap?: "skip" | "queue" | "allow";
      /**
       * @description Times that passed while nothing ran. Default `run_once`; `run_all` makes up for 100 at most.
       * @enum {string}
       */
      missed?: "skip" | "run_once" | "run_all";
      /** @description The run's input, as it is. */
      input?: {
        [key: string]: unknown;
      };
    };
    /**
     * @description `live`: a version of it is live in the environment of the key.
     * @enum {string}
     */
    WorkflowStatus: "draft" | "live" | "archived";
    WorkflowStep: {
      /** @description A step's id: lowercase letters, digits and `_`. */
      id: string;
      /** @description What it does, in words. */
      title?: string;
      /** @description Steps that have to be over before. Default: the step above; none: `[]`. */
      needs?: string[];
      /** @description Whether it is done; else it is skipped, an expression in CEL. */
      when?: string;
      agent?: components["schemas"]["WorkflowAgentCall"];
      tool?: components["schemas"]["WorkflowToolCall"];
      approval?: components["schemas"]["WorkflowApprovalRequest"];
      wait?: components["schemas"]["WorkflowWait"];
      workflow?: components["schemas"]["WorkflowCall"];
      /** @description The step's output. Texts are expressions in CEL (`input.order_id`, `'a text'`); numbers, true, false and null stand for themselves, lists and objects for what they hold. */
      set?: {
        [key: string]: unknown;
      };
      /** @description Ends the run here. */
      end?: {
        /** @enum {string} */
        status?: "completed" | "failed";
        /** @description Why, an expression in CEL. */
        reason?: string;
        /** @description The run's output, in place of the workflow's own. Texts are expressions in CEL (`input.order_id`, `'a text'`); numbers, true, false and null stand for themselves, lists and objects for what they hold. */
        output?: {
          [key: string]: unknown;
        };
      };
      for_each?: components["schemas"]["WorkflowForEach"];
      retry?: components["schemas"]["WorkflowRetry"];
      /** @description How long an attempt may take, waiting for people included, such as `90s`, `1h30m` or `2d`. */
      timeout?: string;
      /**
       * @description What a failure means: the run fails, which is the default, goes on, or undoes what was done.
       * @enum {string}
       */
      on_error?: "fail" | "continue" | "compensate";
      compensate?: components["schemas"]["WorkflowCompensation"];
      /** @description Branches side by side. */
      parallel?: {
        branches: {
          [key: string]: components["schemas"]["WorkflowStep"][];
        };
        /** @description How many branches have to end well: all of them, which is the default, one, or so many. */
        join?: "all" | "any" | number;
      };
    };
    /** @description Of the newest 500 runs that began within the last 30 days in the environment of the key and have ended, cancelled ones left out. */
    WorkflowSuccessRate: {
      /** @description The share of runs that completed. */
      rate: number;
      /** @description Lower end of its 95 % interval. */
      low: number;
      /** @description Upper end of its 95 % interval. */
      high: number;
      /** @description Runs that it was counted from. */
      runs: number;
    };
    /** @description A workflow as it stands in the environment of the key. */
    WorkflowSummary: {
      /** @description The workflow's name. */
      name: string;
      /** @description What it is for. */
      description: string;
      /** @description The member who answers for it, `mbr_…`. */
      owner: string;
      status: components["schemas"]["WorkflowStatus"];
      /** @description The version that is live in the environment of the key. */
      live_version: number | null;
      /** @description The newest version; null: none was published yet. */
      latest_version: number | null;
      /** @description Whether its triggers are off in the environment of the key. */
      paused: boolean;
      /** @description Null where no run has ended. */
      success_rate: components["schemas"]["WorkflowSuccessRate"] | null;
      /** @description Null where there is none. */
      last_run: components["schemas"]["WorkflowLastRun"] | null;
      /** @description Counts the changes of the draft; also its ETag. */
      revision: number;
      created_at: string;
      updated_at: string;
    };
    WorkflowSummaryPage: {
      data: components["schemas"]["WorkflowSummary"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description One call of a tool. */
    WorkflowToolCall: {
      /** @description The agent whose tool it is: its gate, policies and budgets count. */
      agent: string;
      /** @description One of its tools. */
      name: string;
      /** @description The tool's arguments. Texts are expressions in CEL (`input.order_id`, `'a text'`); numbers, true, false and null stand for themselves, lists and objects for what they hold. */
      arguments?: {
        [key: string]: unknown;
      };
    };
    /** @description A run in memory. Nothing outside has happened. */
    WorkflowTrial: {
      /** @description As of a run; `stopped` where something was not given, `invalid` where the workflow has errors that let no run begin. */
      status: string;
      /** @description The run's output; of a step alone, that step's. */
      output?: unknown;
      failure?: {
        code: string;
        detail: string;
      };
      /** @description What happened, in order, at most 2,000 entries. */
      path: components["schemas"]["WorkflowTrialStep"][];
      /** @description Steps for which nothing was given: add them to `outputs`. */
      missing: string[];
      /** @description What is wrong with it in the environment of the key. */
      findings: components["schemas"]["Finding"][];
    };
    WorkflowTrialStep: {
      step: string;
      /** @description Where the step stood then. */
      status: string;
      attempt: number;
      /** @description Seconds since the run began, by its own clock. */
      at: number;
      /** @description What it would have called, its expressions resolved. */
      action?: unknown;
      output?: unknown;
      failure?: {
        code: string;
        detail: string;
      };
      /** @description `running`, `done` or `failed`, where it is undone. */
      undo?: string;
    };
    /** @description What starts runs of a workflow by itself, in one environment. */
    WorkflowTrigger: {
      /** @description The trigger's id, `wtr_…`. */
      trigger_id: string;
      workflow: string;
      /** @enum {string} */
      kind: "schedule" | "event" | "hook";
      definition: components["schemas"]["WorkflowEventTrigger"] | components["schemas"]["WorkflowScheduleTrigger"] | components["schemas"]["WorkflowHookTrigger"];
      /**
       * @description `version`: it stands in the live version and changes with it. `added`: it was added by itself.
       * @enum {string}
       */
      origin: "version" | "added";
      /** @description The member or service account whose permissions its runs have, by id. */
      runs_as: string;
      /** @description False while it is stopped, the workflow is paused here, or no version is live. */
      active: boolean;
      /** @description Why it stopped by itself, such as that its owner was removed or the key revoked by which it was set up. Null: it goes on. */
      stopped_reason: string | null;
      /** @description When a schedule is due next. Null: no schedule, or it never comes again. */
      next_at: string | null;
      /** @description The time or event for which it last started a run. */
      last_at: string | null;
      /** @description The run that it last started. */
      last_run: string | null;
      /** @description Why it last failed to start a run; null: it never did, or has started one since. */
      last_error: components["schemas"]["WorkflowTriggerFailure"] | null;
      created_at: string;
    };
    /** @description Why a trigger started no run. */
    WorkflowTriggerFailure: {
      /** @description For programs, as in problems. */
      code: string;
      /** @description For people. */
      detail: string;
      at: string;
    };
    WorkflowTriggerPage: {
      data: components["schemas"]["WorkflowTrigger"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description A version with its definition. */
    WorkflowVersion: {
      /** @description The workflow's name. */
      workflow: string;
      /** @description Versions of a workflow are numbered from 1. */
      number: number;
      /** @description `wfv_…` */
      version_id: string;
      /** @description SHA-256, in hexadecimal, of the definition's canonical JSON (RFC 8785). */
      digest: string;
      /** @description What is new in it. */
      note: string;
      /** @description Who published it, by id. */
      author: string;
      created_at: string;
      /** @description Whether it is live in the environment of the key. */
      live: boolean;
      definition: Record<string, never>;
      /** @description Its text, where it came as a file. */
      source?: string;
      /** @description Versions of the workflows that its steps start without naming one, by their names. */
      pinned: {
        [key: string]: number;
      };
      /** @description From what `against` names to this version; null where nothing was asked for. */
      diff: components["schemas"]["WorkflowDiff"] | null;
    };
    /** @description One field that differs. */
    WorkflowVersionChange: {
      /** @description JSON Pointer to it in the later definition; of something removed, in the earlier one. */
      pointer: string;
      /** @description JSON Pointer to it in the earlier definition, where that is another one. */
      from?: string;
      /** @description The same way in words: steps by id instead of by position. */
      path: string[];
      /**
       * @description What happened to it. `moved`: only its position in its list changed.
       * @enum {string}
       */
      kind: "added" | "removed" | "changed" | "moved";
      /** @description The earlier value; of something moved, its position from 0. */
      before?: unknown;
      /** @description The later value; of something moved, its position from 0. */
      after?: unknown;
      text?: components["schemas"]["TextDiff"];
    };
    /** @description A version of a workflow. It never changes. */
    WorkflowVersionSummary: {
      /** @description The workflow's name. */
      workflow: string;
      /** @description Versions of a workflow are numbered from 1. */
      number: number;
      /** @description `wfv_…` */
      version_id: string;
      /** @description SHA-256, in hexadecimal, of the definition's canonical JSON (RFC 8785). */
      digest: string;
      /** @description What is new in it. */
      note: string;
      /** @description Who published it, by id. */
      author: string;
      created_at: string;
      /** @description Whether it is live in the environment of the key. */
      live: boolean;
    };
    WorkflowVersionSummaryPage: {
      data: components["schemas"]["WorkflowVersionSummary"][];
      has_more: boolean;
      next_cursor: string | null;
    };
    /** @description Waits for a time or an event. What waits takes no worker. */
    WorkflowWait: {
      /** @description How long, such as `90s`, `1h30m` or `2d`. */
      for?: string;
      /** @description Until when: a timestamp, or a text in RFC 3339, an expression in CEL. */
      until?: string;
      /** @description The type of an event, such as `task.completed`, or one that a hook publishes. */
      event?: string;
      /** @description Which of them: `event` is its body, an expression in CEL. */
      where?: string;
      /** @description The first of these; the others are not waited for any more. */
      any_of?: components["schemas"]["WorkflowEventWait"][];
      /** @description From when on events count. Default: the start of the run, an expression in CEL. */
      since?: string;
      /** @description How long at most. Default: the run's own limit, such as `90s`, `1h30m` or `2d`. */
      at_most?: string;
      /**
       * @description What happens when the time is over. Default `fail`.
       * @enum {string}
       */
      on_timeout?: "fail" | "continue" | "compensate";
    };
  };
  responses: {
    /** @description With `dry_run=true`: what the call would do. Nothing was changed. */
    DryRunResponse: {
      content: {
        "application/json": components["schemas"]["DryRun"];
      };
    };
    /** @description The revision in If-None-Match is still current. */
    NotModifiedResponse: {
    };
    /** @description A refusal. */
    Refusal: {
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
  };
  parameters: {
    /** @description The audit record of the call that caused the event. */
    AosAuditRef: string;
    /** @description The latest signed checkpoint of the audit log, in base64. */
    AosCheckpoint: string;
    /** @description The environment of the event. */
    AosEnvironment: "development" | "staging" | "production";
    /** @description The event's number in its environment, without gaps, in commit order. Absent on test events. */
    AosSequence: number;
    /** @description `true` on a test event, which is not in the event log. */
    AosTest: "true";
    /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
    DryRunQuery: boolean;
    /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
    IdempotencyKey: string;
    /** @description The ETag of the revision that the change is based on. */
    IfMatch: string;
    /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
    IfMatchOptional: string;
    /** @description ETag of the caller's copy: 304 if it is still current. */
    IfNoneMatch: string;
    /** @description With `Accept: text/event-stream`: the `id` of the last event received; the stream continues after it. */
    LastEventId: string;
    /** @description `wait=n` (RFC 7240): waits up to `n` seconds, at most 60, for the work to end. Other preferences are ignored. */
    Prefer: string;
    /** @description The event's id; the same on every attempt. */
    WebhookId: string;
    /** @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` with the endpoint's secret; several, separated by spaces, while a secret is being replaced. */
    WebhookSignature: string;
    /** @description When this attempt was sent, in seconds since 1970. */
    WebhookTimestamp: number;
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  "admin.listConnections": {
    parameters: {
      query?: {
        /** @description Kinds, separated by commas. */
        kind?: components["schemas"]["ConnectionKindName"][];
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ConnectionPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.addConnection": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddConnectionBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Connection"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.removeConnection": {
    parameters: {
      query?: {
        /** @description Remove it even if a live version names it, which then lacks its credentials. */
        force?: boolean;
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The name by which models and tools of agents refer to it. */
        connection: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RemovedConnection"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.testConnection": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The name by which models and tools of agents refer to it. */
        connection: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TestConnectionBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ConnectionTest"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.listKeys": {
    parameters: {
      query?: {
        /** @description Roles, separated by commas. */
        role?: components["schemas"]["RoleName"][];
        /** @description The id of a person or a service account, `mbr_…`. */
        member?: string;
        /** @description States, separated by commas. */
        state?: components["schemas"]["KeyState"][];
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["KeyPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.issueKey": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["IssueKeyBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["IssuedKey"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.revokeKey": {
    parameters: {
      query?: {
        /** @description How long it still works, for the rotation to a new key; at most 7 days. */
        overlap_seconds?: number;
        /** @description The key that takes its place, `key_…`: what acts later by the old key goes on by this one, within what both may do. It works, and acts for the same member. Left out: what acts by the old key stops. */
        replaced_by?: string;
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The key's id, `key_…`; not the key itself. */
        key: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Key"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.listMembers": {
    parameters: {
      query?: {
        /** @description People, or service accounts. */
        kind?: components["schemas"]["MemberKind"];
        /** @description Roles in this environment, separated by commas. */
        role?: components["schemas"]["RoleName"][];
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["MemberPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.readMember": {
    parameters: {
      path: {
        /** @description `mbr_…`, or the e-mail address of a person. */
        member: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Member"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.setMember": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description `mbr_…`, or the e-mail address of a person. */
        member: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetMemberBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Member"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.inviteMember": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description `mbr_…`, or the e-mail address of a member. */
        member: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Member"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.listSessions": {
    parameters: {
      query?: {
        /** @description The id of a person or a service account, `mbr_…`. */
        member?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": {
            data: {
              /** @description `ses_…` */
              session_id: string;
              /** @description The id of a person or a service account, `mbr_…`. */
              member_id: string;
              member_name: string;
              /**
               * @description How the member signed in: by a key, a one-time link made on the host, OpenID Connect, or a passkey. Only the last two are in person.
               * @enum {string}
               */
              method: "key" | "link" | "oidc" | "passkey";
              /** @description Whether it is the session that made this call. */
              current: boolean;
              /** @description Network address from which it was opened. */
              address: string | null;
              /** @description What the browser called itself then (User-Agent). */
              browser: string | null;
              created_at: string;
              /** @description To the hour. */
              last_used_at: string;
              /** @description When it ends, unless it is used before. */
              expires_at: string;
            }[];
            has_more: boolean;
            next_cursor: string | null;
          };
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.revokeSession": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description `ses_…` */
        session: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": {
            session_id: string;
            ended_at: string;
          } | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.readSettings": {
    parameters: {
      header?: {
        /** @description ETag of the caller's copy: 304 if it is still current. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["EnvironmentSettings"];
        };
      };
      304: components["responses"]["NotModifiedResponse"];
      default: components["responses"]["Refusal"];
    };
  };
  "admin.changeSettings": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the change is based on. */
        "If-Match": components["parameters"]["IfMatch"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeSettingsBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["EnvironmentSettings"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "admin.whoami": {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": {
            principal: {
              /** @description `mbr_…`: whom the key acts for. */
              id: string;
              /**
               * @description Only members decide approvals.
               * @enum {string}
               */
              kind: "member" | "service_account" | "system";
              role: components["schemas"]["RoleName"] | null;
              /** @description Whether they took this credential up in person: by OpenID Connect, a passkey, or a key issued to themselves from such a sign-in. */
              personal: boolean;
            };
            organization: string;
            environment: components["schemas"]["Environment"];
            key: {
              /** @description The key's id, `key_…`; not the key itself. */
              key_id: string;
              name: string;
              /** @description Networks the key may be used from (addresses or CIDR blocks); null: any. */
              addresses: string[] | null;
              /** @description The key's first characters, to recognise it by. */
              start: string;
              /** @description The key's last four characters. */
              last_four: string;
              /** @description When it stops working by itself; null: never. */
              expires_at: string | null;
              /** @description When it stopped working, or will at the end of an overlap; null: not revoked. */
              revoked_at: string | null;
            } | null;
            /** @description Everything that the key may do: its role's permissions, as far as its scopes leave them. */
            permissions: string[];
            /** @description Permissions the key is narrowed to, such as `tasks:read`; null: all of its role. */
            scopes: string[] | null;
            /** @description Agents the key is narrowed to, by name; null: all. */
            agents: string[] | null;
            /** @description Requests a second; null: what the settings of its environment say. */
            rate_per_second: number | null;
          };
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.listAgents": {
    parameters: {
      query?: {
        /** @description States in the environment of the key, separated by commas. */
        status?: ("deployed" | "draft" | "archived")[];
        /** @description Agents that carry this label. */
        label?: string;
        /** @description Agents of this member, `mbr_…`. */
        owner?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AgentPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.createAgent": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateAgentBody"];
        "application/yaml": components["schemas"]["CreateAgentBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Agent"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.readAgent": {
    parameters: {
      header?: {
        /** @description ETag of the caller's copy: 304 if it is still current. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Agent"];
          "application/yaml": string;
        };
      };
      304: components["responses"]["NotModifiedResponse"];
      default: components["responses"]["Refusal"];
    };
  };
  "agents.archiveAgent": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["ArchiveAgentBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Agent"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.changeDraft": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the change is based on. */
        "If-Match": components["parameters"]["IfMatch"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeDraftBody"];
        "application/yaml": components["schemas"]["ChangeDraftBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Agent"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.readCard": {
    parameters: {
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AgentCard"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.cloneAgent": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CloneAgentBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": {
            /** @description The agent's name: a short lowercase word. */
            agent: string;
            description: string;
            owner: string;
            labels: string[];
            /** @description In the environment of the key: deployed, or only a draft; archived in all. */
            status: "deployed" | "draft" | "archived";
            deployment: {
              deployment_id: string;
              version: number;
              version_id: string;
              since: string;
            } | null;
            /** @description In the environment of the key; null: it takes work. */
            paused: components["schemas"]["AgentPause"] | null;
            definition: components["schemas"]["AgentDefinition"];
            revision: number;
            created_at: string;
            updated_at: string;
            cloned_from: components["schemas"]["CloneSource"];
          };
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.compareDraft": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["AgentBundle"];
        "application/yaml": components["schemas"]["AgentBundle"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DraftComparison"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.readDependents": {
    parameters: {
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Dependents"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.listDeployments": {
    parameters: {
      query?: {
        /** @description States, separated by commas. */
        state?: components["schemas"]["DeploymentState"][];
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DeploymentPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.deployVersion": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeployVersionBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Deployed"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.changeDeployment": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
        /** @description `dep_…` */
        deployment: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeDeploymentBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ChangedDeployment"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.readHealth": {
    parameters: {
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AgentHealth"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.listMemory": {
    parameters: {
      query?: {
        /** @description Your own name of the person who writes, such as the id of their account. */
        user?: string;
        /** @description The conversation's id, `cnv_…`. */
        conversation?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AgentMemoryPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.forgetMemory": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
        /** @description The memory's id, `mem_…`. */
        item: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DeletedMemory"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.pauseAgent": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["PauseAgentBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Agent"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.previewAgent": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["PreviewBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Preview"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.restoreAgent": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Agent"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.resumeAgent": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ResumeAgentBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Agent"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.rollback": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["RollbackBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RolledBack"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.listSchedules": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AgentSchedulePage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.createSchedule": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateAgentScheduleBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["AgentSchedule"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.removeSchedule": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
        /** @description The schedule's id, `sch_…`. */
        schedule: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RemovedAgentSchedule"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.changeSchedule": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
        /** @description The schedule's id, `sch_…`. */
        schedule: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeAgentScheduleBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AgentSchedule"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.readSkillSchemas": {
    parameters: {
      query?: {
        /** @description The version whose skills to read. */
        version?: number;
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SkillSchemas"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.listAgentTasks": {
    parameters: {
      query?: {
        /** @description States, separated by commas. */
        status?: components["schemas"]["TaskStatus"][];
        /** @description The skill. */
        task?: string;
        /** @description Risk levels, separated by commas. */
        risk?: components["schemas"]["RiskLevel"][];
        /** @description The batch that they came with, `bat_…`. */
        batch?: string;
        /** @description The run of a workflow whose steps they carry out, `wfr_…`. */
        run?: string;
        /** @description Tasks of this mission, `msn_…`. */
        mission?: string;
        /** @description A label that the tasks carry, as it was given: `customer:acme`. */
        label?: string;
        /** @description Tasks that pinned this version, `ver_…`, or the version of this number of their agent. */
        version?: string;
        /** @description Tasks that were dispatched with this key, `key_…`. */
        key?: string;
        /** @description Tasks of this member, a person or a service account, `mbr_…`. */
        member?: string;
        /** @description Where they come from; `call`: they were dispatched by themselves. */
        origin?: "call" | "conversation" | "workflow" | "mission";
        /** @description Whether their outcome was judged: by feedback, review, approval, or a failed run. */
        judged?: boolean;
        /** @description Those whose trust score is lower. */
        trust_below?: number;
        /** @description Those that cost more, in US dollars. */
        cost_above?: number;
        /** @description Made at this time or later. */
        created_after?: string;
        /** @description Made before this time. */
        created_before?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TaskPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.dispatchTask": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["DispatchBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["Dispatched"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.listTools": {
    parameters: {
      query?: {
        /** @description `draft` (default), `live`, or the number of a version. */
        version?: string;
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AgentTools"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.bindTool": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header: {
        /** @description The ETag of the revision that the change is based on. */
        "If-Match": components["parameters"]["IfMatch"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
        /** @description The tool's name. */
        tool: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["BindToolBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Agent"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.unbindTool": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header: {
        /** @description The ETag of the revision that the change is based on. */
        "If-Match": components["parameters"]["IfMatch"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
        /** @description The tool's name. */
        tool: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["UnbindToolBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Agent"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.testTool": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
        /** @description The tool's name. */
        tool: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TestToolBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ToolTest"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.startTraining": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 100,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["StartTrainingBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["TrainingJob"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.readTraining": {
    parameters: {
      header?: {
        /** @description `wait=n` (RFC 7240): waits up to `n` seconds, at most 60, for the work to end. Other preferences are ignored. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
        /** @description The training job's id, `trn_…`. */
        job: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TrainingJob"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.cancelTraining": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
        /** @description The training job's id, `trn_…`. */
        job: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TrainingJob"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.transferAgent": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["TransferAgentBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Agent"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.readTrust": {
    parameters: {
      query?: {
        /** @description The version by its number; else the one that is live, else the newest. */
        version?: number;
        /** @description How many days of history, today included. Default 30. */
        days?: number;
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AgentTrust"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.validateDraft": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DraftValidation"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.listVersions": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AgentVersionPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.freezeVersion": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["FreezeVersionBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["FrozenVersion"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "agents.readVersion": {
    parameters: {
      query?: {
        /** @description The version to compare with, by its number. */
        diff?: number;
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
        /** @description The number of the version. */
        version: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AgentVersionDetail"];
          "application/yaml": string;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readAgentFigures": {
    parameters: {
      query?: {
        /** @description Beginning, a whole minute; default 30 days before `to`. */
        from?: string;
        /** @description End, a whole minute that is not part of it; default now. */
        to?: string;
        /** @description Length of the windows of a series; weeks begin on Monday. */
        grain?: "minute" | "hour" | "day" | "week" | "month";
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Only this skill. */
        skill?: string;
        /** @description Only tasks with this declared label, `<name>:<value>`. */
        label?: string;
      };
      path: {
        /** @description The agent. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AgentFigures"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.listAlerts": {
    parameters: {
      query?: {
        /** @description States, separated by commas. */
        state?: components["schemas"]["AlertState"][];
        /** @description Those that have fired and not cleared, or all others. */
        fired?: boolean;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AlertSummaryPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.createAlert": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateAlertBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Alert"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readAlert": {
    parameters: {
      path: {
        /** @description The alert's id, `alr_…`. */
        alert: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Alert"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.removeAlert": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The alert's id, `alr_…`. */
        alert: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RemovedAlert"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.changeAlert": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The alert's id, `alr_…`. */
        alert: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeAlertBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Alert"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readAnomalies": {
    parameters: {
      query?: {
        /** @description Beginning, a whole minute; default 30 days before `to`. */
        from?: string;
        /** @description End, a whole minute that is not part of it; default now. */
        to?: string;
        /** @description Length of the windows of a series; weeks begin on Monday. */
        grain?: "minute" | "hour" | "day" | "week" | "month";
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Only this agent. */
        agent?: string;
        /** @description Only this skill. */
        skill?: string;
        /** @description Only tasks with this declared label, `<name>:<value>`. */
        label?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AnomalyFigures"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readApprovalFigures": {
    parameters: {
      query?: {
        /** @description Beginning, a whole minute; default 30 days before `to`. */
        from?: string;
        /** @description End, a whole minute that is not part of it; default now. */
        to?: string;
        /** @description Length of the windows of a series; weeks begin on Monday. */
        grain?: "minute" | "hour" | "day" | "week" | "month";
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Only this agent. */
        agent?: string;
        /** @description Only this skill. */
        skill?: string;
        /** @description Only tasks with this declared label, `<name>:<value>`. */
        label?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ApprovalFigures"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readChargeback": {
    parameters: {
      query?: {
        /** @description Of the years 2000 to 2099, such as `2026-10`; default: the present month. */
        month?: string;
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Who is charged: `agent`, `key`, `member`, or a declared label, `label:<name>`. Default `member`. */
        by?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Chargeback"];
          "text/csv": string;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readCosts": {
    parameters: {
      query?: {
        /** @description Beginning, a whole minute; default 30 days before `to`. */
        from?: string;
        /** @description End, a whole minute that is not part of it; default now. */
        to?: string;
        /** @description Length of the windows of a series; weeks begin on Monday. */
        grain?: "minute" | "hour" | "day" | "week" | "month";
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Only this agent. */
        agent?: string;
        /** @description Only this skill. */
        skill?: string;
        /** @description Only tasks with this declared label, `<name>:<value>`. */
        label?: string;
        /** @description A dimension that rows are told apart by: `agent`, `version`, `skill`, `model`, `key`, `member`, `risk`, `status`, `origin`, or a declared label, `label:<name>`. */
        by?: string;
        /** @description Rows at most; default 50. */
        limit?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Costs"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readExperiment": {
    parameters: {
      path: {
        /** @description The canary, `dep_…`. */
        deployment: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Experiment"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readKnowledgeFigures": {
    parameters: {
      query?: {
        /** @description Beginning, a whole minute; default 30 days before `to`. */
        from?: string;
        /** @description End, a whole minute that is not part of it; default now. */
        to?: string;
        /** @description Length of the windows of a series; weeks begin on Monday. */
        grain?: "minute" | "hour" | "day" | "week" | "month";
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Only this agent. */
        agent?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["KnowledgeFigures"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readModelUse": {
    parameters: {
      query?: {
        /** @description Beginning, a whole minute; default 30 days before `to`. */
        from?: string;
        /** @description End, a whole minute that is not part of it; default now. */
        to?: string;
        /** @description Length of the windows of a series; weeks begin on Monday. */
        grain?: "minute" | "hour" | "day" | "week" | "month";
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Only this agent. */
        agent?: string;
        /** @description Only this skill. */
        skill?: string;
        /** @description Only tasks with this declared label, `<name>:<value>`. */
        label?: string;
        /** @description Rows at most; default 50. */
        limit?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ModelUse"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readOverview": {
    parameters: {
      query?: {
        /** @description Beginning, a whole minute; default 30 days before `to`. */
        from?: string;
        /** @description End, a whole minute that is not part of it; default now. */
        to?: string;
        /** @description Length of the windows of a series; weeks begin on Monday. */
        grain?: "minute" | "hour" | "day" | "week" | "month";
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Only this agent. */
        agent?: string;
        /** @description Only this skill. */
        skill?: string;
        /** @description Only tasks with this declared label, `<name>:<value>`. */
        label?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Overview"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readQuality": {
    parameters: {
      query?: {
        /** @description Beginning, a whole minute; default 30 days before `to`. */
        from?: string;
        /** @description End, a whole minute that is not part of it; default now. */
        to?: string;
        /** @description Length of the windows of a series; weeks begin on Monday. */
        grain?: "minute" | "hour" | "day" | "week" | "month";
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Only this agent. */
        agent?: string;
        /** @description Only this skill. */
        skill?: string;
        /** @description Only tasks with this declared label, `<name>:<value>`. */
        label?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["QualityFigures"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.queryFigures": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["QueryBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["QueryAnswer"] | components["schemas"]["DryRun"];
          "text/csv": string;
          "application/vnd.apache.parquet": unknown;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readRealtime": {
    parameters: {
      query?: {
        /** @description Only this agent. */
        agent?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RealtimeFigures"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readRebuild": {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Rebuild"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.rebuildFigures": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RebuildBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["Rebuild"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.listReports": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ReportPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.createReport": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateReportBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Report"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readReport": {
    parameters: {
      path: {
        /** @description The report's id, `rpt_…`. */
        report: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Report"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.removeReport": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The report's id, `rpt_…`. */
        report: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RemovedReport"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.listReportIssues": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The report's id, `rpt_…`. */
        report: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ReportIssuePage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readReportIssue": {
    parameters: {
      path: {
        /** @description The report's id, `rpt_…`. */
        report: string;
        /** @description `iss_…` */
        issue: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ReportIssueText"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readRisk": {
    parameters: {
      query?: {
        /** @description Beginning, a whole minute; default 30 days before `to`. */
        from?: string;
        /** @description End, a whole minute that is not part of it; default now. */
        to?: string;
        /** @description Length of the windows of a series; weeks begin on Monday. */
        grain?: "minute" | "hour" | "day" | "week" | "month";
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Only this agent. */
        agent?: string;
        /** @description Only this skill. */
        skill?: string;
        /** @description Only tasks with this declared label, `<name>:<value>`. */
        label?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskFigures"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readSchema": {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AnalyticsSchema"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readTaskFunnel": {
    parameters: {
      query?: {
        /** @description Beginning, a whole minute; default 30 days before `to`. */
        from?: string;
        /** @description End, a whole minute that is not part of it; default now. */
        to?: string;
        /** @description Length of the windows of a series; weeks begin on Monday. */
        grain?: "minute" | "hour" | "day" | "week" | "month";
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Only this agent. */
        agent?: string;
        /** @description Only this skill. */
        skill?: string;
        /** @description Only tasks with this declared label, `<name>:<value>`. */
        label?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TaskFunnel"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readToolUse": {
    parameters: {
      query?: {
        /** @description Beginning, a whole minute; default 30 days before `to`. */
        from?: string;
        /** @description End, a whole minute that is not part of it; default now. */
        to?: string;
        /** @description Length of the windows of a series; weeks begin on Monday. */
        grain?: "minute" | "hour" | "day" | "week" | "month";
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Only this agent. */
        agent?: string;
        /** @description Only this skill. */
        skill?: string;
        /** @description Only tasks with this declared label, `<name>:<value>`. */
        label?: string;
        /** @description Rows at most; default 50. */
        limit?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ToolUse"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readUsage": {
    parameters: {
      query?: {
        /** @description Beginning, a whole minute; default 30 days before `to`. */
        from?: string;
        /** @description End, a whole minute that is not part of it; default now. */
        to?: string;
        /** @description Length of the windows of a series; weeks begin on Monday. */
        grain?: "minute" | "hour" | "day" | "week" | "month";
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Only this agent. */
        agent?: string;
        /** @description Only this skill. */
        skill?: string;
        /** @description Only tasks with this declared label, `<name>:<value>`. */
        label?: string;
        /** @description A dimension that rows are told apart by: `agent`, `version`, `skill`, `model`, `key`, `member`, `risk`, `status`, `origin`, or a declared label, `label:<name>`. */
        by?: string;
        /** @description Rows at most; default 50. */
        limit?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Usage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "analytics.readValue": {
    parameters: {
      query?: {
        /** @description Beginning, a whole minute; default 30 days before `to`. */
        from?: string;
        /** @description End, a whole minute that is not part of it; default now. */
        to?: string;
        /** @description Length of the windows of a series; weeks begin on Monday. */
        grain?: "minute" | "hour" | "day" | "week" | "month";
        /** @description A time zone such as `Europe/Vienna`; default `UTC`. */
        time_zone?: string;
        /** @description Only this agent. */
        agent?: string;
        /** @description Only this skill. */
        skill?: string;
        /** @description Only tasks with this declared label, `<name>:<value>`. */
        label?: string;
        /** @description Rows at most; default 50. */
        limit?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ValueFigures"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "approvals.listApprovals": {
    parameters: {
      query?: {
        /** @description States, separated by commas; pending unless told. */
        status?: components["schemas"]["ApprovalStatus"][];
        /** @description Agents by name, separated by commas. */
        agent?: string[];
        /** @description Risk levels, separated by commas. */
        risk?: components["schemas"]["RiskLevel"][];
        /** @description The run of a workflow whose steps wait for them, `wfr_…`. */
        run?: string;
        /** @description Only what the caller may decide now, as `may_decide` says: pending, not yet voted on, not handed on, not asked for or edited by the caller where that is barred, and not where a personal sign-in is missing. */
        mine?: boolean;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": {
            data: components["schemas"]["Approval"][];
            has_more: boolean;
            next_cursor: string | null;
            counts: components["schemas"]["PendingCounts"];
          };
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "approvals.bulk": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["BulkBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description One result for each item. */
      207: {
        content: {
          "application/json": components["schemas"]["BulkAnswer"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "approvals.listInbox": {
    parameters: {
      query?: {
        /** @description Kinds, separated by commas. */
        kind?: ("approval" | "question" | "handoff" | "dead_letter")[];
        /** @description Agents by name, separated by commas. */
        agent?: string[];
        /** @description Only what the caller may act on now. */
        mine?: boolean;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": {
            data: components["schemas"]["InboxItem"][];
            has_more: boolean;
            next_cursor: string | null;
            counts: components["schemas"]["InboxCounts"];
          };
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "approvals.readApproval": {
    parameters: {
      path: {
        /** @description The approval's id, `apr_…`, or its task's, `tsk_…` (the latest approval of the task). */
        approval: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ApprovalDetail"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "approvals.approve": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The approval's id, `apr_…`, or its task's, `tsk_…` (the latest approval of the task). */
        approval: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ApproveBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ApprovalDetail"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "approvals.delegate": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The approval's id, `apr_…`, or its task's, `tsk_…` (the latest approval of the task). */
        approval: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["DelegateBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ApprovalDetail"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "approvals.reject": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The approval's id, `apr_…`, or its task's, `tsk_…` (the latest approval of the task). */
        approval: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["RejectBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ApprovalDetail"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "approvals.requestChanges": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The approval's id, `apr_…`, or its task's, `tsk_…` (the latest approval of the task). */
        approval: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["RequestChangesBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ApprovalDetail"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "audit.readCheckpoint": {
    parameters: {
      query?: {
        /** @description `environment` (default): the log of the key's environment. `installation`: the log of calls that belong to no environment, since their caller was not known (401); for auditors and admins of production whose key is not narrowed to agents. */
        log?: "environment" | "installation";
        /** @description The size of an older head: its second line. */
        from?: number;
        /** @description Whether to answer the newest head that a witness cosigned. */
        cosigned?: boolean;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "text/plain; charset=utf-8": string;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "audit.listEvents": {
    parameters: {
      query?: {
        /** @description `environment` (default): the log of the key's environment. `installation`: the log of calls that belong to no environment, since their caller was not known (401); for auditors and admins of production whose key is not narrowed to agents. */
        log?: "environment" | "installation";
        /** @description Who called: `mbr_…`, `system:<job>` or `anonymous`. */
        actor?: string;
        /** @description The operation, such as `agents.dispatchTask`. */
        action?: string;
        /** @description What was acted on, `<type>:<id>`, such as `agent:sales`. */
        object?: string;
        /** @description Records of this task, `tsk_…`. */
        task?: string;
        /** @description Records of calls with this key, `key_…`. */
        key?: string;
        /** @description With `key`: the record of this number; the numbers of a key have no gaps. */
        key_seq?: number;
        /** @description What the calls came to, separated by commas. */
        decision?: components["schemas"]["Decision"][];
        /** @description The stages that refused, separated by commas. */
        stage?: components["schemas"]["StageName"][];
        /** @description Records from this place in the log on. */
        from_leaf?: number;
        /** @description Made at this time or later. */
        created_after?: string;
        /** @description Made before this time. */
        created_before?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AuditEventPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "audit.readEvent": {
    parameters: {
      path: {
        /** @description The record's id, `aud_…`, as the `Audit-Ref` header of every answer names it. */
        audit_ref: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AuditRecord"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "audit.readProof": {
    parameters: {
      path: {
        /** @description The record's id, `aud_…`, as the `Audit-Ref` header of every answer names it. */
        audit_ref: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "text/plain; charset=utf-8": string;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "audit.startExport": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["StartExportBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["AuditExport"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "audit.readExport": {
    parameters: {
      header?: {
        /** @description `wait=n` (RFC 7240): waits up to `n` seconds, at most 60, for the work to end. Other preferences are ignored. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description The export, `exp_…`. */
        audit_export: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AuditExport"];
          "application/x-ndjson": unknown;
          "text/csv": unknown;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.listChannels": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ChannelPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.setChannel": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description Lowercase letters, digits and `-`; unique in the environment. `api` is what calls without a channel have. */
        channel: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetChannelBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Channel"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.removeChannel": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description Lowercase letters, digits and `-`; unique in the environment. `api` is what calls without a channel have. */
        channel: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RemovedChannel"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.listConversations": {
    parameters: {
      query?: {
        /** @description Agents by name, separated by commas. */
        agent?: string[];
        /** @description Your name of the person who writes. */
        user?: string;
        /** @description `open` or `closed`. */
        state?: "open" | "closed";
        /** @description Channels, separated by commas. */
        channel?: string[];
        /** @description Who answers: the agent or a person. `waiting`: a person was asked for and nobody took it yet. */
        handler?: "agent" | "person" | "waiting";
        /** @description A label that the conversations carry. */
        label?: string;
        /** @description Your name of the conversation. */
        external_key?: string;
        /** @description Made at this time or later. */
        created_after?: string;
        /** @description Made before this time. */
        created_before?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ConversationPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.startConversation": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["StartConversationBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Conversation"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.readConversation": {
    parameters: {
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Conversation"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.deleteConversation": {
    parameters: {
      query?: {
        /** @description When it is erased. */
        erase?: "retention" | "now";
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DeletedConversation"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.changeConversation": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeConversationBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Conversation"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.compactConversation": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CompactConversationBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.exportConversation": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ExportConversationBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ConversationExport"] | components["schemas"]["DryRun"];
          "text/markdown": string;
          "text/plain": string;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.addFile": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddFileBody"];
        "multipart/form-data": {
          /** @description The file, of at most 10485760 bytes. */
          file: string;
        };
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["ChatFile"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.readFile": {
    parameters: {
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
        /** @description The file's id, `fil_…`. */
        file: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ChatFile"];
          "application/octet-stream": unknown;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.forkConversation": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ForkConversationBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Conversation"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.handoffConversation": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["HandoffBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Conversation"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.listMessages": {
    parameters: {
      query?: {
        /** @description Which message comes first. */
        order?: "newest" | "oldest";
        /** @description States, separated by commas. */
        status?: ("queued" | "streaming" | "waiting" | "complete" | "stopped" | "failed" | "retracted")[];
        /** @description Who wrote them, separated by commas. */
        role?: ("user" | "agent" | "person" | "system")[];
        /** @description Those with higher numbers. */
        after?: number;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["MessagePage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.sendMessage": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description `wait=n` (RFC 7240): waits up to `n` seconds, at most 60, for the work to end. Other preferences are ignored. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["SendMessageBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["Sent"];
          "text/event-stream": unknown;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.readMessage": {
    parameters: {
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
        /** @description The message's id, `msg_…`. */
        message: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Message"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.retractMessage": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
        /** @description The message's id, `msg_…`. */
        message: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Message"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.rateMessage": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
        /** @description The message's id, `msg_…`. */
        message: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChatFeedbackBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["TaskFeedback"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.regenerateMessage": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description `wait=n` (RFC 7240): waits up to `n` seconds, at most 60, for the work to end. Other preferences are ignored. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
        /** @description The message's id, `msg_…`. */
        message: string;
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["Sent"];
          "text/event-stream": unknown;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.listParticipants": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ParticipantPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.returnConversation": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ReturnBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Conversation"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.stopReply": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["StopBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Conversation"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.followConversation": {
    parameters: {
      query?: {
        /** @description Those whose sequence is above this. Of a stream: where it begins, unless `Last-Event-ID` says so. */
        after?: number;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      header?: {
        /** @description With `Accept: text/event-stream`: the `id` of the last event received; the stream continues after it. */
        "Last-Event-ID"?: components["parameters"]["LastEventId"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ChatEventPage"];
          "text/event-stream": unknown;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.readSuggestions": {
    parameters: {
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Suggestions"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.takeConversation": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TakeBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Conversation"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.transferConversation": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The conversation's id, `cnv_…`. */
        conversation: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TransferBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Conversation"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.listMemories": {
    parameters: {
      query?: {
        /** @description Your own name of the person who writes, such as the id of their account. */
        user?: string;
        /** @description The conversation's id, `cnv_…`. */
        conversation?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["MemoryPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.createMemory": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateMemoryBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Memory"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.deleteMemory": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The memory's id, `mem_…`. */
        memory: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DeletedMemory"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.searchMessages": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChatSearchBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ChatSearchAnswer"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "chat.createToken": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateChatTokenBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CreatedChatToken"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.listDatasets": {
    parameters: {
      query?: {
        /** @description Sets of this agent. */
        agent?: string;
        /** @description Sets of skills of this name. */
        skill?: string;
        /** @description Sets that carry this tag. */
        tag?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DatasetPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.createDataset": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 50,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateDatasetBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Dataset"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.addItems": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The dataset, by its id (`ds_…`) or its name. */
        dataset: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 50,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AddItemsBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["AddedItems"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.readGate": {
    parameters: {
      header?: {
        /** @description ETag of the caller's copy: 304 if it is still current. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Gate"];
        };
      };
      304: components["responses"]["NotModifiedResponse"];
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.setGate": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header: {
        /** @description The ETag of the revision that the change is based on. */
        "If-Match": components["parameters"]["IfMatch"];
      };
      path: {
        /** @description The agent's name: a short lowercase word. */
        agent: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetGateBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SetGateResult"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.listMonitors": {
    parameters: {
      query?: {
        /** @description Monitors of this agent. */
        agent?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["MonitorPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.createMonitor": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateMonitorBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Monitor"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.removeMonitor": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description `mon_…` */
        monitor: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RemovedMonitor"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.listReviews": {
    parameters: {
      query?: {
        /** @description Tasks of this agent. */
        agent?: string;
        /** @description Whether a verdict is still wanted. */
        state?: "open" | "judged";
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ReviewPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.submitReview": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description `rev_…` */
        review: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReviewBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Review"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.listRuns": {
    parameters: {
      query?: {
        /** @description Runs of this agent's versions. */
        agent?: string;
        /** @description Runs of the version of this number. */
        version?: number;
        /** @description Runs of this set, by its id or name. */
        dataset?: string;
        /** @description What a gate drew from them, separated by commas; `none`: nothing. */
        verdict?: ("open" | "failed" | "inconclusive" | "none")[];
        /** @description States, separated by commas. */
        state?: components["schemas"]["RunState"][];
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["EvaluationRunPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.startRun": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["StartRunBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["EvaluationRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.readRun": {
    parameters: {
      query?: {
        /** @description The run to compare with, `run_…`. */
        compare_to?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      header?: {
        /** @description `wait=n` (RFC 7240): waits up to `n` seconds, at most 60, for the work to end. Other preferences are ignored. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description The run's id, `run_…`. */
        run: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["EvaluationRunReport"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.listScorers": {
    parameters: {
      query?: {
        /** @description Kinds, separated by commas. */
        kind?: components["schemas"]["ScorerKind"][];
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ScorerPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.readScorer": {
    parameters: {
      header?: {
        /** @description ETag of the caller's copy: 304 if it is still current. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description A name of lowercase letters, digits, `_` and `-`. */
        scorer: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Scorer"];
        };
      };
      304: components["responses"]["NotModifiedResponse"];
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.setScorer": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description A name of lowercase letters, digits, `_` and `-`. */
        scorer: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetScorerBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Scorer"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.readShadow": {
    parameters: {
      path: {
        /** @description A deployment with `mode: shadow`, `dep_…`. */
        deployment: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ShadowSummary"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "evaluations.listShadowRuns": {
    parameters: {
      query?: {
        /** @description Those in which both did the same, or did not. */
        same?: boolean;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description A deployment with `mode: shadow`, `dep_…`. */
        deployment: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ShadowRunPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.listBudgets": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BudgetPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.readBudget": {
    parameters: {
      path: {
        /** @description What it covers: `environment`, `agent:<name>`, `key:<key_…>` or `member:<mbr_…>` (a person or a service account). */
        scope: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Budget"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.setBudget": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description What it covers: `environment`, `agent:<name>`, `key:<key_…>` or `member:<mbr_…>` (a person or a service account). */
        scope: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetBudgetBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Budget"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.check": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CheckBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CheckResult"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.listConfirmations": {
    parameters: {
      query?: {
        /** @description Those of this content, such as `agent:sales@3`. */
        object?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ConfirmationPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.confirm": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["ConfirmBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Confirmation"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.readContent": {
    parameters: {
      path: {
        /** @description The content by kind and name, such as `agent:sales@3`. */
        object: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AccountableContent"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.listKillSwitches": {
    parameters: {
      query?: {
        /** @description States, separated by commas; those in force unless told. */
        state?: components["schemas"]["KillSwitchState"][];
        /** @description Kinds, separated by commas. */
        kind?: components["schemas"]["KillSwitchKind"][];
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["KillSwitchPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.engageKillSwitch": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["EngageKillSwitchBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["KillSwitch"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.releaseKillSwitch": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The kill switch's id, `ksw_…`. */
        kill_switch: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReleaseKillSwitchBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["KillSwitch"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.listPolicies": {
    parameters: {
      query?: {
        /** @description Policies with a version in one of these states; `retired` once all are. */
        state?: components["schemas"]["PolicyState"][];
        /** @description Effects of the newest version, separated by commas. */
        effect?: components["schemas"]["PolicyEffect"][];
        /** @description Policies that are asked about this action. */
        action?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PolicySummaryPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.createPolicy": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["PolicyBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Policy"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.simulatePolicy": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SimulatePolicyBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ReplayReport"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.readPolicy": {
    parameters: {
      query?: {
        /** @description Which version; the newest unless told. */
        version?: number;
      };
      header?: {
        /** @description ETag of the caller's copy: 304 if it is still current. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description The policy's id, `pol_…`. */
        policy: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Policy"];
        };
      };
      304: components["responses"]["NotModifiedResponse"];
      default: components["responses"]["Refusal"];
    };
  };
  "governance.replacePolicy": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header: {
        /** @description The ETag of the revision that the change is based on. */
        "If-Match": components["parameters"]["IfMatch"];
      };
      path: {
        /** @description The policy's id, `pol_…`. */
        policy: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["PolicyBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Policy"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.retirePolicy": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header: {
        /** @description The ETag of the revision that the change is based on. */
        "If-Match": components["parameters"]["IfMatch"];
      };
      path: {
        /** @description The policy's id, `pol_…`. */
        policy: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Policy"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.takeOver": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["TakeOverBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TakenOver"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "governance.listViolations": {
    parameters: {
      query?: {
        /** @description Kinds, separated by commas. */
        kind?: components["schemas"]["ViolationKind"][];
        /** @description What found it: a policy, `pol_…`, a kill switch, `ksw_…`, `gate`, `pause`, or a budget. */
        source?: string;
        /** @description Agents, separated by commas. */
        agent?: string[];
        /** @description States, separated by commas. */
        status?: components["schemas"]["ViolationStatus"][];
        /** @description Made at this time or later. */
        created_after?: string;
        /** @description Made before this time. */
        created_before?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ViolationPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.listHooks": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["HookPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.createHook": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateHookBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CreatedHook"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.removeHook": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The hook's name. */
        hook: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RemovedHook"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.rotateSecret": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The hook's name. */
        hook: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RotateHookSecretBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CreatedHook"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.listBases": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["KnowledgeBasePage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.createBase": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateBaseBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["KnowledgeBase"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.readBase": {
    parameters: {
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["KnowledgeBaseDetails"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.deleteBase": {
    parameters: {
      query?: {
        /** @description Delete it even if deployed agents name it. They find nothing in it any more. */
        force?: boolean;
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DeletedBase"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.changeBase": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeBaseBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ChangedBase"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.listConnectors": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ConnectorPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.createConnector": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateConnectorBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Connector"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.removeConnector": {
    parameters: {
      query?: {
        /** @description Whether what it brought stays in the base, where it is not updated any more. `false` deletes it. */
        keep_documents?: boolean;
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
        /** @description The connector, by id (`cnr_…`) or by name. */
        connector: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RemovedConnector"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.changeConnector": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
        /** @description The connector, by id (`cnr_…`) or by name. */
        connector: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeConnectorBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Connector"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.listDocuments": {
    parameters: {
      query?: {
        /** @description States, separated by commas. */
        state?: ("queued" | "parsing" | "indexing" | "indexed" | "failed")[];
        /** @description What its own system calls it. */
        external_id?: string;
        /** @description The connector that brought it, by id (`cnr_…`) or by name. */
        connector?: string;
        /** @description The document of the file whose rows they are, by id (`doc_…`) or by `external_id`. */
        parent?: string;
        /** @description A JSON object; documents whose metadata contains it, such as `{"team":"sales"}`. */
        metadata?: string;
        /** @description Made at this time or later. */
        created_after?: string;
        /** @description Made before this time. */
        created_before?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DocumentEntryPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.addDocument": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AddDocumentBody"];
        "multipart/form-data": {
          /** @description The file, of at most 104857600 bytes. */
          file: string;
          /** @description What its own system calls it, such as `ld_1001`. A document of this id that is there is replaced. */
          external_id?: string;
          /** @description What it is about; found twice as well as its text. Left out: the title that the file has, or its name. */
          title?: string;
          /** @description What else is known of it, by name: searches and lists filter by it. */
          metadata?: {
            [key: string]: unknown;
          };
          /** @description Who may read it: `role:approver`, `member:mbr_…`, `agent:sales`. Null: everybody with `knowledge:read`. Admins always may; for others it does not exist. */
          readers?: string[] | null;
          /** @description When it has to be reviewed. Null: after the base's `review_days`, counted from its last change or review. */
          review_at?: string | null;
        };
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["AddedDocument"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.addDocuments": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 50,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddDocumentsBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description One result for each item. */
      207: {
        content: {
          "application/json": components["schemas"]["AddDocumentsResult"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.readDocument": {
    parameters: {
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
        /** @description The document, by id (`doc_…`) or by its `external_id`, such as `ld_1001`. */
        document: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["KnowledgeDocument"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.replaceDocument": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
        /** @description The document, by id (`doc_…`) or by its `external_id`, such as `ld_1001`. */
        document: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ReplaceDocumentBody"];
        "multipart/form-data": {
          /** @description The file, of at most 104857600 bytes. */
          file: string;
          /** @description What it is about; found twice as well as its text. Left out: the title that the file has, or its name. */
          title?: string;
          /** @description What else is known of it, by name: searches and lists filter by it. */
          metadata?: {
            [key: string]: unknown;
          };
          /** @description When it has to be reviewed. Null: after the base's `review_days`, counted from its last change or review. */
          review_at?: string | null;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AddedDocument"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.deleteDocument": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
        /** @description The document, by id (`doc_…`) or by its `external_id`, such as `ld_1001`. */
        document: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DeletedDocument"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.setAccess": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
        /** @description The document, by id (`doc_…`) or by its `external_id`, such as `ld_1001`. */
        document: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetAccessBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DocumentAccess"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.listChunks": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
        /** @description The document, by id (`doc_…`) or by its `external_id`, such as `ld_1001`. */
        document: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DocumentChunkPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.changeChunk": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
        /** @description The document, by id (`doc_…`) or by its `external_id`, such as `ld_1001`. */
        document: string;
        /** @description The chunk, by its number in the document, from 1. */
        chunk: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeChunkBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DocumentChunk"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.reindexDocument": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
        /** @description The document, by id (`doc_…`) or by its `external_id`, such as `ld_1001`. */
        document: string;
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["ReindexedDocument"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.restoreVersion": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
        /** @description The document, by id (`doc_…`) or by its `external_id`, such as `ld_1001`. */
        document: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["RestoreVersionBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DocumentEntry"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.reviewDocument": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
        /** @description The document, by id (`doc_…`) or by its `external_id`, such as `ld_1001`. */
        document: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ReviewDocumentBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DocumentEntry"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.listVersions": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
        /** @description The document, by id (`doc_…`) or by its `external_id`, such as `ld_1001`. */
        document: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DocumentVersionPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.readExport": {
    parameters: {
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BaseExport"];
          "application/x-ndjson": unknown;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.exportBase": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BaseExport"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.listGaps": {
    parameters: {
      query?: {
        /** @description Asked at this time or later. */
        asked_after?: string;
        /** @description Asked before this time. */
        asked_before?: string;
        /** @description Those that were answered well when they were asked again. */
        resolved?: boolean;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["KnowledgeGapPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.listStale": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DocumentEntryPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.startSync": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["StartSyncBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["StartedSyncs"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.listSyncs": {
    parameters: {
      query?: {
        /** @description The connector, by id (`cnr_…`) or by name. */
        connector?: string;
        /** @description States, separated by commas. */
        state?: ("queued" | "running" | "completed" | "failed")[];
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SyncPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.readSync": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      header?: {
        /** @description `wait=n` (RFC 7240): waits up to `n` seconds, at most 60, for the work to end. Other preferences are ignored. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
        /** @description `syn_…` */
        sync: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SyncReport"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.testBase": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The base, by id (`kb_…`) or by name. */
        base: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 25,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["TestBaseBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RetrievalTest"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.readCitation": {
    parameters: {
      path: {
        /** @description A citation (`cit_…`), as searches and chunks carry it. */
        citation: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Citation"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "knowledge.search": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["SearchBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SearchAnswer"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.listInstalls": {
    parameters: {
      query?: {
        /** @description Installs of this listing. */
        listing?: string;
        /** @description True: removed ones, too. */
        removed?: boolean;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InstallSummaryPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.readInstall": {
    parameters: {
      path: {
        /** @description The install's id, `ins_…`. */
        install: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Install"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.removeInstall": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The install's id, `ins_…`. */
        install: string;
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description One result for each item. */
      207: {
        content: {
          "application/json": components["schemas"]["InstallResult"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.resetInstall": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The install's id, `ins_…`. */
        install: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ResetInstallBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description One result for each item. */
      207: {
        content: {
          "application/json": components["schemas"]["InstallResult"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.updateInstall": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The install's id, `ins_…`. */
        install: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateInstallBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description One result for each item. */
      207: {
        content: {
          "application/json": components["schemas"]["InstallResult"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.listListings": {
    parameters: {
      query?: {
        /** @description Words in name, title, summary or business function. */
        q?: string;
        /** @description What a bundle holds. */
        kind?: "agent" | "workflow" | "tool_set" | "policy_pack" | "dataset" | "scorer";
        /** @description Such as `Finance`. */
        business_function?: string;
        /** @description States; default `approved`. `submitted` also finds approved ones of which a newer version waits, separated by commas. */
        state?: ("submitted" | "approved" | "rejected" | "quarantined" | "recalled" | "withdrawn")[];
        /** @description By id. */
        publisher?: string;
        /** @description Where it comes from. */
        origin?: "own" | "imported" | "starter";
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListingPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.createListing": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 9,437,184 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CreateListingBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["ListingDetail"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.readListing": {
    parameters: {
      query?: {
        /** @description Such as `1.2.0`. */
        version?: string;
      };
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListingDetail"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.withdrawListing": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListingDetail"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.changeListing": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeListingBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListingDetail"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.installListing": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["InstallListingBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description One result for each item. */
      207: {
        content: {
          "application/json": components["schemas"]["InstallResult"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.previewInstall": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["PreviewInstallBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InstallPreview"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.reportListing": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReportListingBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["ListingReport"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.listReports": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListingReportPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.reviewListing": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReviewListingBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListingDetail"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.listReviews": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListingReviewPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.rateListing": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["RateListingBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListingReview"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.readScan": {
    parameters: {
      query?: {
        /** @description Such as `1.2.0`. */
        version?: string;
      };
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListingScan"];
          "application/sarif+json": string;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.listVersions": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListingVersionPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.createVersion": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
      };
    };
    /** @description JSON of at most 9,437,184 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CreateListingVersionBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["ListingDetail"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.readVersion": {
    parameters: {
      path: {
        /** @description The listing's id, `lst_…`. */
        listing: string;
        /** @description Such as `1.2.0`. */
        version: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListingVersion"];
          "application/vnd.aos.bundle+json": unknown;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.readPublisher": {
    parameters: {
      path: {
        /** @description The publisher's id, `pub_…`, or `own`: the publisher that this organization signs as. */
        publisher: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListingPublisher"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.rotateKey": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The publisher's id, `pub_…`, or `own`: the publisher that this organization signs as. */
        publisher: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListingPublisher"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "marketplace.listRecalls": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RecallPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.listMissions": {
    parameters: {
      query?: {
        /** @description States, separated by commas. */
        status?: components["schemas"]["MissionStatus"][];
        /** @description Missions that this agent may work on. */
        agent?: string;
        /** @description Missions that carry this label. */
        label?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["MissionSummaryPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.createMission": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateMissionBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Mission"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.listTemplates": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["MissionTemplatePage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.saveTemplate": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["SaveTemplateBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["MissionTemplate"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.readMission": {
    parameters: {
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Mission"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.changeMission": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeMissionBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Mission"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.readMissionBudget": {
    parameters: {
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["MissionBudget"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.cancelMission": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["MissionReasonBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CancelledMission"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.cloneMission": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CloneMissionBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Mission"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.completeMission": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CompleteMissionBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Mission"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.askDecision": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["AskDecisionBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["MissionDecision"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.answerDecision": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
        /** @description The decision's id, `mdc_…`. */
        decision: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["AnswerDecisionBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["MissionDecision"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.pauseMission": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["MissionReasonBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Mission"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.planMission": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ProposePlanBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Plan"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.listPlans": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PlanVersionPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.acceptPlan": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
        /** @description The number of the plan version. */
        plan: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Plan"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.readReport": {
    parameters: {
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["MissionReport"];
          "text/markdown": string;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.readMissionRisks": {
    parameters: {
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["MissionRisks"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.startMission": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["StartMissionBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["Mission"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.listMissionTasks": {
    parameters: {
      query?: {
        /** @description Tasks of this step. */
        step?: string;
        /** @description States, separated by commas. */
        status?: components["schemas"]["TaskStatus"][];
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["MissionTaskPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.addTask": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddTaskBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["AddedTask"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "missions.listTimeline": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The mission's id, `msn_…`. */
        mission: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TimelineEntryPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "tasks.listTasks": {
    parameters: {
      query?: {
        /** @description Agents by name, separated by commas. */
        agent?: string[];
        /** @description States, separated by commas. */
        status?: components["schemas"]["TaskStatus"][];
        /** @description The skill. */
        task?: string;
        /** @description Risk levels, separated by commas. */
        risk?: components["schemas"]["RiskLevel"][];
        /** @description The batch that they came with, `bat_…`. */
        batch?: string;
        /** @description The run of a workflow whose steps they carry out, `wfr_…`. */
        run?: string;
        /** @description Tasks of this mission, `msn_…`. */
        mission?: string;
        /** @description A label that the tasks carry, as it was given: `customer:acme`. */
        label?: string;
        /** @description Tasks that pinned this version, `ver_…`, or the version of this number of their agent. */
        version?: string;
        /** @description Tasks that were dispatched with this key, `key_…`. */
        key?: string;
        /** @description Tasks of this member, a person or a service account, `mbr_…`. */
        member?: string;
        /** @description Where they come from; `call`: they were dispatched by themselves. */
        origin?: "call" | "conversation" | "workflow" | "mission";
        /** @description Whether their outcome was judged: by feedback, review, approval, or a failed run. */
        judged?: boolean;
        /** @description Those whose trust score is lower. */
        trust_below?: number;
        /** @description Those that cost more, in US dollars. */
        cost_above?: number;
        /** @description Made at this time or later. */
        created_after?: string;
        /** @description Made before this time. */
        created_before?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TaskPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "tasks.dispatchBatch": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 50,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["TaskBatch"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description One result for each item. */
      207: {
        content: {
          "application/json": components["schemas"]["TaskBatchResult"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "tasks.readTask": {
    parameters: {
      header?: {
        /** @description `wait=n` (RFC 7240): waits up to `n` seconds, at most 60, for the work to end. Other preferences are ignored. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description The task's id, `tsk_…`. */
        task: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Task"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "tasks.changeTask": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The task's id, `tsk_…`. */
        task: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TaskChange"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Task"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "tasks.cancelTask": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The task's id, `tsk_…`. */
        task: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": {
          reason?: string;
        };
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["Task"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "tasks.listTaskEvents": {
    parameters: {
      query?: {
        /** @description Those whose sequence is above this. Of a stream: where it begins, unless `Last-Event-ID` says so. */
        after?: number;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      header?: {
        /** @description With `Accept: text/event-stream`: the `id` of the last event received; the stream continues after it. */
        "Last-Event-ID"?: components["parameters"]["LastEventId"];
      };
      path: {
        /** @description The task's id, `tsk_…`. */
        task: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TimelineEventPage"];
          "text/event-stream": unknown;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "tasks.listFeedback": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The task's id, `tsk_…`. */
        task: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TaskFeedbackPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "tasks.submitFeedback": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The task's id, `tsk_…`. */
        task: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["FeedbackBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["TaskFeedback"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "tasks.submitInput": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The task's id, `tsk_…`. */
        task: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["TaskInput"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["Task"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "tasks.readTaskResult": {
    parameters: {
      query?: {
        /** @description Seconds to wait for the end; comes before what `Prefer: wait=n` says. */
        wait?: number;
      };
      header?: {
        /** @description `wait=n` (RFC 7240): waits up to `n` seconds, at most 60, for the work to end. Other preferences are ignored. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description The task's id, `tsk_…`. */
        task: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TaskResult"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "tasks.retryTask": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The task's id, `tsk_…`. */
        task: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TaskRetry"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["Task"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "tasks.listTaskSteps": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The task's id, `tsk_…`. */
        task: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["StepPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.listWebhooks": {
    parameters: {
      query?: {
        /** @description States, separated by commas. */
        state?: ("enabled" | "paused" | "disabled")[];
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WebhookPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.createWebhook": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateWebhookBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CreatedWebhook"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.listEventTypes": {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": {
            data: components["schemas"]["EventTypeView"][];
          };
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.listEvents": {
    parameters: {
      query?: {
        /** @description Events, by name or group (`task.*`), separated by commas. */
        event?: string[];
        /** @description Agents that they concern, separated by commas. */
        agent?: string[];
        /** @description Only events whose sequence is above this. */
        after?: number;
        /** @description Events of this task, `tsk_…`. */
        task?: string;
        /** @description Made at this time or later. */
        created_after?: string;
        /** @description Made before this time. */
        created_before?: string;
        /** @description `-sequence`: newest first, which is the default. `sequence`: oldest first. */
        sort?: "-sequence" | "sequence";
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["EventPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.readEvent": {
    parameters: {
      path: {
        /** @description The event's id, `evt_…`; `webhook-id` of its deliveries. */
        event: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Event"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.streamEvents": {
    parameters: {
      query?: {
        /** @description Events, by name or group (`task.*`), separated by commas. */
        event?: string[];
        /** @description Agents that they concern, separated by commas. */
        agent?: string[];
        /** @description Only events whose sequence is above this. */
        after?: number;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      header?: {
        /** @description With `Accept: text/event-stream`: the `id` of the last event received; the stream continues after it. */
        "Last-Event-ID"?: components["parameters"]["LastEventId"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["EventPage"];
          "text/event-stream": unknown;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.readWebhook": {
    parameters: {
      path: {
        /** @description The endpoint's id, `whk_…`. */
        webhook: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.removeWebhook": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The endpoint's id, `whk_…`. */
        webhook: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RemovedWebhook"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.changeWebhook": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The endpoint's id, `whk_…`. */
        webhook: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeWebhookBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Webhook"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.listDeliveries": {
    parameters: {
      query?: {
        /** @description States, separated by commas. */
        state?: components["schemas"]["DeliveryStateName"][];
        /** @description Events, by name or group (`task.*`), separated by commas. */
        event?: string[];
        /** @description The event's id, `evt_…`; `webhook-id` of its deliveries. */
        event_id?: string;
        /** @description Made at this time or later. */
        created_after?: string;
        /** @description Made before this time. */
        created_before?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The endpoint's id, `whk_…`. */
        webhook: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DeliveryPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.readDelivery": {
    parameters: {
      path: {
        /** @description The endpoint's id, `whk_…`. */
        webhook: string;
        /** @description The delivery's id, `dlv_…`. */
        delivery: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DeliveryDetail"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.retryDelivery": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The endpoint's id, `whk_…`. */
        webhook: string;
        /** @description The delivery's id, `dlv_…`. */
        delivery: string;
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["Delivery"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.recover": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The endpoint's id, `whk_…`. */
        webhook: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RecoverBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["Recovery"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.rotateSecret": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The endpoint's id, `whk_…`. */
        webhook: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RotateSecretBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CreatedWebhook"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhooks.testWebhook": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The endpoint's id, `whk_…`. */
        webhook: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TestWebhookBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["Delivery"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.listWorkflows": {
    parameters: {
      query?: {
        /** @description States in the environment of the key, separated by commas. */
        status?: components["schemas"]["WorkflowStatus"][];
        /** @description Workflows of this member, `mbr_…`. */
        owner?: string;
        /** @description Workflows whose draft names this agent. */
        agent?: string;
        /** @description Part of the name or the description. */
        search?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowSummaryPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.createWorkflow": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CreateWorkflowBody"];
        "application/yaml": components["schemas"]["CreateWorkflowBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Workflow"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.listDeadLetters": {
    parameters: {
      query?: {
        /** @description Workflows by name, separated by commas. */
        workflow?: string[];
        /** @description Those that somebody has seen to instead. */
        settled?: boolean;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowDeadLetterPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.generateWorkflow": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["GenerateWorkflowBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["GeneratedWorkflow"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.listAllRuns": {
    parameters: {
      query?: {
        /** @description Workflows by name, separated by commas. */
        workflow?: string[];
        /** @description States, separated by commas. */
        status?: components["schemas"]["WorkflowRunStatus"][];
        /** @description What started them, separated by commas. */
        trigger?: components["schemas"]["WorkflowRunTrigger"][];
        /** @description The business key. */
        key?: string;
        /** @description A label that the runs carry. */
        label?: string;
        /** @description Runs that a step of this run started, `wfr_…`. */
        parent?: string;
        /** @description The mission that they work for, `msn_…`. */
        mission?: string;
        /** @description Made at this time or later. */
        created_after?: string;
        /** @description Made before this time. */
        created_before?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowRunPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.controlRuns": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["BulkWorkflowRunsBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description One result for each item. */
      207: {
        content: {
          "application/json": components["schemas"]["BulkWorkflowRunsResult"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.listStepTypes": {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["StepTypes"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.readWorkflow": {
    parameters: {
      query?: {
        /** @description The version to read instead of the draft. */
        version?: number;
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Workflow"];
          "application/yaml": string;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.replaceDraft": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header: {
        /** @description The ETag of the revision that the change is based on. */
        "If-Match": components["parameters"]["IfMatch"];
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ReplaceWorkflowBody"];
        "application/yaml": components["schemas"]["ReplaceWorkflowBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Workflow"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.archiveWorkflow": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["ArchiveWorkflowBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ArchivedWorkflow"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.compareDraft": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ReplaceWorkflowBody"];
        "application/yaml": components["schemas"]["ReplaceWorkflowBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowComparison"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.readWorkflowGraph": {
    parameters: {
      query?: {
        /** @description A version, by its number. Default: the draft. */
        version?: number;
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowGraph"];
          "text/vnd.mermaid": string;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.pauseWorkflow": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["ArchiveWorkflowBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Workflow"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.publishWorkflow": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
        /** @description The ETag of the revision that the call is based on: 412 if it is no longer current. Without it, the call applies to the current revision. */
        "If-Match"?: components["parameters"]["IfMatchOptional"];
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["PublishWorkflowBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowRelease"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.resumeWorkflow": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Workflow"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.rollback": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["RollBackWorkflowBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowRelease"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.listRuns": {
    parameters: {
      query?: {
        /** @description States, separated by commas. */
        status?: components["schemas"]["WorkflowRunStatus"][];
        /** @description What started them, separated by commas. */
        trigger?: components["schemas"]["WorkflowRunTrigger"][];
        /** @description The business key. */
        key?: string;
        /** @description A label that the runs carry. */
        label?: string;
        /** @description Runs that a step of this run started, `wfr_…`. */
        parent?: string;
        /** @description The mission that they work for, `msn_…`. */
        mission?: string;
        /** @description Made at this time or later. */
        created_after?: string;
        /** @description Made before this time. */
        created_before?: string;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowRunPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.startRun": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["StartWorkflowRunBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["WorkflowRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.readRun": {
    parameters: {
      query?: {
        /** @description `steps_after` of the answer before. */
        steps_after?: string;
      };
      path: {
        /** @description The workflow's name; `-` where only the run is known. */
        workflow: string;
        /** @description The run's id, `wfr_…`. */
        run: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowRunDetail"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.compensateRun": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The workflow's name; `-` where only the run is known. */
        workflow: string;
        /** @description The run's id, `wfr_…`. */
        run: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": {
          /** @description Why, for the record. */
          reason?: string;
        };
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["WorkflowRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.controlRun": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The workflow's name; `-` where only the run is known. */
        workflow: string;
        /** @description The run's id, `wfr_…`. */
        run: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["WorkflowRunControl"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["ControlledWorkflowRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.listRunEvents": {
    parameters: {
      query?: {
        /** @description Those whose sequence is above this. Of a stream: where it begins, unless `Last-Event-ID` says so. */
        after?: number;
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      header?: {
        /** @description With `Accept: text/event-stream`: the `id` of the last event received; the stream continues after it. */
        "Last-Event-ID"?: components["parameters"]["LastEventId"];
      };
      path: {
        /** @description The workflow's name; `-` where only the run is known. */
        workflow: string;
        /** @description The run's id, `wfr_…`. */
        run: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowRunEventPage"];
          "text/event-stream": unknown;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.signalRun": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The workflow's name; `-` where only the run is known. */
        workflow: string;
        /** @description The run's id, `wfr_…`. */
        run: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["SignalRunBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Accepted; the work continues. */
      202: {
        content: {
          "application/json": components["schemas"]["RunSignal"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.testWorkflow": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 20,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TestWorkflowBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowTrial"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.listTriggers": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowTriggerPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.addTrigger": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddWorkflowTriggerBody"];
      };
    };
    responses: {
      200: components["responses"]["DryRunResponse"];
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["WorkflowTrigger"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.removeTrigger": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
        /** @description The trigger's id, `wtr_…`. */
        trigger: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RemovedWorkflowTrigger"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.validateWorkflow": {
    parameters: {
      query?: {
        /** @description If `true`, returns what the call would do (schema `DryRun`) and changes nothing. */
        dry_run?: components["parameters"]["DryRunQuery"];
      };
      header?: {
        /** @description Makes retries safe: within 24 hours, the same key with the same body returns the first call's response. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    /** @description JSON of at most 1,048,576 bytes, 32 levels, 1,000 members in an object and 10,000 values. */
    requestBody?: {
      content: {
        "application/json": components["schemas"]["WorkflowDraftBody"];
        "application/yaml": components["schemas"]["WorkflowDraftBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowCheck"] | components["schemas"]["DryRun"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.listVersions": {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `next_cursor` of the page before. */
        cursor?: string;
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowVersionSummaryPage"];
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "workflows.readVersion": {
    parameters: {
      query?: {
        /** @description The version to compare with, by its number. */
        against?: number;
      };
      path: {
        /** @description The workflow's name. */
        workflow: string;
        /** @description The number of the version. */
        version: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowVersion"];
          "application/yaml": string;
        };
      };
      default: components["responses"]["Refusal"];
    };
  };
  "webhook.agent.paused": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "agent.paused";
          /** @description The agent's name: a short lowercase word. */
          agent: string;
          /**
           * @description Whether open tasks finish or are cancelled.
           * @enum {string}
           */
          mode: "drain" | "cancel";
          reason: string;
          /** @description Who paused it, by id. */
          by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.agent.resumed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "agent.resumed";
          /** @description The agent's name: a short lowercase word. */
          agent: string;
          /** @description What was mended. */
          note: string;
          /** @description Who resumed it, by id. */
          by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.analytics.alert.cleared": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "analytics.alert.cleared";
          /** @description The alert's id, `alr_…`. */
          alert_id: string;
          name: string;
          /** @enum {string} */
          measure: "tasks" | "completed" | "failed" | "rejected" | "open" | "success_rate" | "judged" | "accepted_rate" | "trust_mean" | "trust_calibration_error" | "cost_usd" | "cost_per_task" | "cost_per_accepted" | "tokens" | "steps" | "tool_calls" | "duration_p50" | "duration_p90" | "duration_p99" | "queue_time_p50" | "queue_time_p90" | "queue_time_p99" | "approvals" | "decided" | "time_to_decide_p50" | "time_to_decide_p90" | "edit_rate" | "override_rate" | "expiry_rate" | "quick_rate" | "agreement" | "blocked" | "policy_denials" | "pause_blocks" | "kill_switch_blocks" | "gate_blocks" | "budget_blocks" | "violations" | "tool_uses" | "step_failures" | "step_cost_usd" | "step_tokens" | "step_duration_p50" | "step_duration_p90" | "deliveries" | "delivery_success";
          /** @description `above` and `below`: beyond a threshold. `anomaly`: unlike the same window of the six weeks before; it needs four of them. */
          condition: {
            /** @constant */
            kind: "above";
            /** @description In the unit of the measure. */
            threshold: number;
            /** @description It clears at or below this. Default: a tenth of the threshold below it. */
            clear_at?: number;
          } | {
            /** @constant */
            kind: "below";
            /** @description In the unit of the measure. */
            threshold: number;
            /** @description It clears at or above this. Default: a tenth of the threshold above it. */
            clear_at?: number;
          } | {
            /** @constant */
            kind: "anomaly";
            /** @enum {string} */
            direction: "high" | "low" | "both";
            /** @description How rare a value has to be: once in so many windows, compared with the same window of the weeks before. */
            once_in: number;
          };
          /** @description The agent that it watches; null: several or all. */
          agent: string | null;
          /** @description What was measured. */
          value: number | null;
          /** @description Things in the window. */
          n: number;
          /** @description Beginning of the measured window. */
          from: string;
          to: string;
          /** @description Where people read it. */
          link: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.analytics.alert.fired": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "analytics.alert.fired";
          /** @description The alert's id, `alr_…`. */
          alert_id: string;
          name: string;
          /** @enum {string} */
          measure: "tasks" | "completed" | "failed" | "rejected" | "open" | "success_rate" | "judged" | "accepted_rate" | "trust_mean" | "trust_calibration_error" | "cost_usd" | "cost_per_task" | "cost_per_accepted" | "tokens" | "steps" | "tool_calls" | "duration_p50" | "duration_p90" | "duration_p99" | "queue_time_p50" | "queue_time_p90" | "queue_time_p99" | "approvals" | "decided" | "time_to_decide_p50" | "time_to_decide_p90" | "edit_rate" | "override_rate" | "expiry_rate" | "quick_rate" | "agreement" | "blocked" | "policy_denials" | "pause_blocks" | "kill_switch_blocks" | "gate_blocks" | "budget_blocks" | "violations" | "tool_uses" | "step_failures" | "step_cost_usd" | "step_tokens" | "step_duration_p50" | "step_duration_p90" | "deliveries" | "delivery_success";
          /** @description `above` and `below`: beyond a threshold. `anomaly`: unlike the same window of the six weeks before; it needs four of them. */
          condition: {
            /** @constant */
            kind: "above";
            /** @description In the unit of the measure. */
            threshold: number;
            /** @description It clears at or below this. Default: a tenth of the threshold below it. */
            clear_at?: number;
          } | {
            /** @constant */
            kind: "below";
            /** @description In the unit of the measure. */
            threshold: number;
            /** @description It clears at or above this. Default: a tenth of the threshold above it. */
            clear_at?: number;
          } | {
            /** @constant */
            kind: "anomaly";
            /** @enum {string} */
            direction: "high" | "low" | "both";
            /** @description How rare a value has to be: once in so many windows, compared with the same window of the weeks before. */
            once_in: number;
          };
          /** @description The agent that it watches; null: several or all. */
          agent: string | null;
          /** @description What was measured. */
          value: number | null;
          /** @description Things in the window. */
          n: number;
          /** @description Beginning of the measured window. */
          from: string;
          to: string;
          /** @description Where people read it. */
          link: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.analytics.report.ready": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "analytics.report.ready";
          /** @description The report's id, `rpt_…`. */
          report_id: string;
          /** @description `iss_…` */
          issue_id: string;
          name: string;
          /** @description Beginning of what it is about. */
          from: string;
          to: string;
          /** @description False: tasks of that time were still open. */
          complete: boolean;
          /** @description Where people read it. */
          link: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.approval.decided": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "approval.decided";
          /** @description The approval's id, `apr_…`. */
          approval_id: string;
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent whose task needs approval. */
          agent: string;
          risk: components["schemas"]["RiskLevel"];
          /** @enum {string} */
          decision: "approved" | "rejected" | "changes_requested";
          /** @description Who cast the deciding vote or sent it back, `mbr_…`. */
          decided_by: string;
          decided_at: string;
          /** @description The reason given with the decision. */
          reason: string | null;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.approval.delegated": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "approval.delegated";
          /** @description The approval's id, `apr_…`. */
          approval_id: string;
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent whose task needs approval. */
          agent: string;
          risk: components["schemas"]["RiskLevel"];
          /** @description Who delegated it, `mbr_…`. */
          from: string;
          /** @description Who decides in their place, `mbr_…`. */
          to: string;
          reason: string;
          /** @description Page where people review the request and decide. */
          approve_url: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.approval.escalated": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "approval.escalated";
          /** @description The approval's id, `apr_…`. */
          approval_id: string;
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent whose task needs approval. */
          agent: string;
          risk: components["schemas"]["RiskLevel"];
          /** @description Who escalated it: `mbr_…`, or `system:…` if nobody decided in time. */
          by: string;
          reason: string;
          /** @description Page where people review the request and decide. */
          approve_url: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.approval.expiring": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "approval.expiring";
          /** @description The approval's id, `apr_…`. */
          approval_id: string;
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent whose task needs approval. */
          agent: string;
          risk: components["schemas"]["RiskLevel"];
          expires_at: string;
          /**
           * @description What happens at expiry. It is never approved automatically.
           * @enum {string}
           */
          on_expiry: "reject" | "escalate";
          /** @description Page where people review the request and decide. */
          approve_url: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.audit.export_ready": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "audit.export_ready";
          /** @description The export, `exp_…`. */
          export_id: string;
          format: components["schemas"]["ExportFormat"];
          /** @description Records in the file. */
          rows: number;
          /** @description SHA-256 of the file, in hexadecimal. */
          digest: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.audit.log_stopped": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "audit.log_stopped";
          /** @description Reason code, such as `record_forged` or `head_went_back`. */
          reason: string;
          /** @description The reason as a sentence. */
          detail: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.automation.stopped": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "automation.stopped";
          /** @description What acts later, such as `trigger:wtr_…` and `schedule:sch_…`. */
          object: string;
          /** @description In whose name it acts: `mbr_…`. */
          owner: string;
          /** @description Why, and what to do. */
          reason: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.automation.taken_over": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "automation.taken_over";
          /** @description What acts later, such as `trigger:wtr_…` and `schedule:sch_…`. */
          object: string;
          /** @description In whose name it acts: `mbr_…`. */
          owner: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.budget.exhausted": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "budget.exhausted";
          /** @description What it covers: `environment`, `agent:<name>`, `key:<key_…>` or `member:<mbr_…>` (a person or a service account). */
          scope: string;
          unit: components["schemas"]["BudgetUnit"];
          period: components["schemas"]["BudgetPeriod"];
          /** @description The hard limit. */
          limit: number;
          /** @description Used in this window; money in US dollars. */
          used: number;
          window_from: string;
          /** @description When the window ends; null: never. */
          window_to: string | null;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.budget.warning": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "budget.warning";
          /** @description What it covers: `environment`, `agent:<name>`, `key:<key_…>` or `member:<mbr_…>` (a person or a service account). */
          scope: string;
          unit: components["schemas"]["BudgetUnit"];
          period: components["schemas"]["BudgetPeriod"];
          /** @description The warning level. */
          limit: number;
          /** @description Used in this window; money in US dollars. */
          used: number;
          window_from: string;
          /** @description When the window ends; null: never. */
          window_to: string | null;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.chat.conversation_closed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "chat.conversation_closed";
          /** @description `cnv_…` */
          conversation_id: string;
          agent: string;
          channel: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.chat.conversation_started": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "chat.conversation_started";
          /** @description `cnv_…` */
          conversation_id: string;
          agent: string;
          channel: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.chat.handoff_requested": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "chat.handoff_requested";
          /** @description `cnv_…` */
          conversation_id: string;
          agent: string;
          channel: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.chat.handoff_taken": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "chat.handoff_taken";
          /** @description `cnv_…` */
          conversation_id: string;
          agent: string;
          channel: string;
          /** @description Who, by id. */
          member: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.chat.handoff_waiting": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "chat.handoff_waiting";
          /** @description `cnv_…` */
          conversation_id: string;
          agent: string;
          channel: string;
          /** @description When a person was asked for, RFC 3339. */
          since: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.chat.message_completed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "chat.message_completed";
          /** @description `cnv_…` */
          conversation_id: string;
          agent: string;
          channel: string;
          /** @description `msg_…` */
          message_id: string;
          role: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.chat.returned": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "chat.returned";
          /** @description `cnv_…` */
          conversation_id: string;
          agent: string;
          channel: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.content.confirmed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "content.confirmed";
          /** @description The content by kind and name, such as `agent:sales@3`. */
          object: string;
          /** @description Identifies this exact content; any change gives another digest. */
          digest: string;
          /** @description Who confirmed it: `mbr_…`. */
          confirmed_by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.deployment.aborted": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "deployment.aborted";
          /** @description The agent's name: a short lowercase word. */
          agent: string;
          deployment_id: string;
          /** @description The canary's version. */
          version: number;
          /**
           * @description `worse`: its judged tasks show it; `limit`: not decided within its rule's limit; `gate`: its evaluation gate refuses it; `by_hand`; or what it ran beside was replaced or ended.
           * @enum {string}
           */
          cause: "worse" | "limit" | "gate" | "by_hand" | "deployment" | "rollback" | "archived";
          reason: string;
          /** @description The numbers that decided it; null where nothing was measured. */
          evidence: string | null;
          /** @description Who ended it, by id; `system:sweeper`: the service did. */
          by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.deployment.changed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "deployment.changed";
          /** @description The agent's name: a short lowercase word. */
          agent: string;
          /** @description The deployment that went live, or that ended. */
          deployment_id: string;
          /** @description The version that is live now; null: none. */
          version: number | null;
          /** @description The version that was live before; null: none. */
          previous_version: number | null;
          /**
           * @description What happened.
           * @enum {string}
           */
          kind: "deploy" | "promote" | "rollback" | "end";
          /** @description Who did it, by id. */
          by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.deployment.shadow_ended": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "deployment.shadow_ended";
          /** @description The agent's name: a short lowercase word. */
          agent: string;
          deployment_id: string;
          /** @description The version in shadow. */
          version: number;
          /** @description Such as that its budget is used up. */
          reason: string;
          /** @description Who ended it, by id; `system:worker`: the service did. */
          by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.deployment.started": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "deployment.started";
          /** @description The agent's name: a short lowercase word. */
          agent: string;
          deployment_id: string;
          /** @enum {string} */
          mode: "canary" | "shadow";
          version: number;
          /** @description The version that it runs beside. */
          live_version: number;
          /** @description Percent of new tasks. */
          share: number;
          /** @description Who started it, by id. */
          by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.evaluation.completed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "evaluation.completed";
          /** @description The run's id, `run_…`. */
          run_id: string;
          /** @description The agent's name: a short lowercase word. */
          agent: string;
          /** @description The version that was measured. */
          version: number;
          /** @description A name of lowercase letters, digits and `-`. */
          dataset: string;
          /**
           * @description `failed`: the run could not be finished.
           * @enum {string}
           */
          state: "completed" | "failed";
          /** @description The verdict of the agent's gate. Null if no gate names the dataset, or if another of the gate's datasets has no run to judge. */
          verdict: components["schemas"]["RunVerdict"] | null;
          /** @description Mean score over the items, by scorer. */
          scores: {
            [key: string]: number;
          };
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.evaluation.gate_failed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "evaluation.gate_failed";
          /** @description The run's id, `run_…`. */
          run_id: string;
          /** @description The agent's name: a short lowercase word. */
          agent: string;
          /** @description The version that was measured. */
          version: number;
          /** @description A name of lowercase letters, digits and `-`. */
          dataset: string;
          /** @description Why it failed, as sentences. */
          reasons: string[];
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.hook.received": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "hook.received";
          /** @description The hook's name. */
          hook: string;
          /** @description The type of event that the call publishes: the `type` of its body. Triggers and waits name it. Null: it has none. */
          type: string | null;
          /** @description The body's `data` where it has `type` and `data` as Standard Webhooks has them, else the whole body. */
          data: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.install.completed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "install.completed";
          install_id: string;
          listing_id: string;
          name: string;
          title: string;
          version: string;
          state: string;
          by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.install.recalled": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "install.recalled";
          install_id: string;
          listing_id: string;
          name: string;
          title: string;
          version: string;
          recall_id: string;
          /** @enum {string} */
          kind: "quarantine" | "recall";
          stopped: {
            kind: string;
            target: string;
            kill_switch_id: string;
          }[];
          reason: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.install.removed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "install.removed";
          install_id: string;
          listing_id: string;
          name: string;
          title: string;
          version: string;
          by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.key.expiring": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "key.expiring";
          /** @description The key's id, `key_…`; not the key itself. */
          key_id: string;
          name: string;
          role: components["schemas"]["RoleName"];
          /** @description The id of a person or a service account, `mbr_…`. */
          member_id: string;
          expires_at: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.key.revoked": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "key.revoked";
          /** @description The key's id, `key_…`; not the key itself. */
          key_id: string;
          name: string;
          role: components["schemas"]["RoleName"];
          /** @description The id of a person or a service account, `mbr_…`. */
          member_id: string;
          /** @description Now, or at the end of the requested overlap. */
          revoked_at: string;
          /** @description Who revoked it. */
          revoked_by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.kill_switch.engaged": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "kill_switch.engaged";
          /** @description The kill switch's id, `ksw_…`. */
          kill_switch_id: string;
          kind: components["schemas"]["KillSwitchKind"];
          /** @description By kind: an agent, a version's id, `<agent>.<skill>`, a tool, a model or a workflow by name. None for `all` and `environment`. */
          target: string | null;
          mode: components["schemas"]["KillSwitchMode"];
          critical: boolean;
          reason: string;
          /** @description Who engaged it. */
          by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.kill_switch.released": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "kill_switch.released";
          /** @description The kill switch's id, `ksw_…`. */
          kill_switch_id: string;
          kind: components["schemas"]["KillSwitchKind"];
          /** @description By kind: an agent, a version's id, `<agent>.<skill>`, a tool, a model or a workflow by name. None for `all` and `environment`. */
          target: string | null;
          /**
           * @description The mode that it had.
           * @enum {string}
           */
          mode: "pause" | "drain" | "stop";
          critical: boolean;
          reason: string;
          /**
           * @description `pause`: it is in force still, as a pause.
           * @enum {string}
           */
          to: "pause" | "released";
          /** @description Who released it: of a critical one two persons. */
          by: string[];
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.knowledge.base.deleted": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "knowledge.base.deleted";
          /** @description `kb_…` */
          base_id: string;
          /** @description The base's name. */
          base: string;
          /** @description Who deleted it, by id. */
          deleted_by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.knowledge.base.reindexed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "knowledge.base.reindexed";
          /** @description `kb_…` */
          base_id: string;
          /** @description The base's name. */
          base: string;
          generation: number;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.knowledge.document.deleted": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "knowledge.document.deleted";
          /** @description `kb_…` */
          base_id: string;
          /** @description The base's name. */
          base: string;
          /** @description `doc_…` */
          document_id: string;
          /** @description What its own system calls it. */
          external_id: string | null;
          /** @description Who deleted it, by id. */
          deleted_by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.knowledge.document.failed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "knowledge.document.failed";
          /** @description `doc_…` */
          document_id: string;
          /** @description `kb_…` */
          base_id: string;
          /** @description The base's name. */
          base: string;
          /** @description Why, such as `encrypted`, `too_large` or `fetch_failed`. */
          code: string;
          /** @description The reason as a sentence. */
          detail: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.knowledge.document.indexed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "knowledge.document.indexed";
          /** @description `doc_…` */
          document_id: string;
          /** @description `kb_…` */
          base_id: string;
          /** @description The base's name. */
          base: string;
          version: number;
          chunks: number;
          /** @description Of a file with rows: how many records it has. */
          records: number;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.knowledge.sync.completed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "knowledge.sync.completed";
          /** @description `kb_…` */
          base_id: string;
          /** @description The base's name. */
          base: string;
          /** @description `cnr_…` */
          connector_id: string;
          /** @description The connector's name. */
          connector: string;
          /** @description `syn_…` */
          sync_id: string;
          added: number;
          changed: number;
          removed: number;
          /** @description Items that could not be taken. */
          failed: number;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.knowledge.sync.failed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "knowledge.sync.failed";
          /** @description `kb_…` */
          base_id: string;
          /** @description The base's name. */
          base: string;
          /** @description `cnr_…` */
          connector_id: string;
          /** @description The connector's name. */
          connector: string;
          /** @description `syn_…` */
          sync_id: string;
          added: number;
          changed: number;
          removed: number;
          /** @description Items that could not be taken. */
          failed: number;
          /** @description Why, such as `connect_failed`. */
          code: string;
          failures_in_a_row: number;
          /** @description When it is tried again by itself; null: it is not. */
          next_run_at: string | null;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.listing.recalled": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "listing.recalled";
          listing_id: string;
          name: string;
          title: string;
          version: string;
          recall_id: string;
          /** @enum {string} */
          kind: "quarantine" | "recall";
          versions: string[];
          reason: string;
          by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.listing.reported": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "listing.reported";
          listing_id: string;
          name: string;
          title: string;
          version: string;
          report_id: string;
          kind: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.listing.reviewed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "listing.reviewed";
          listing_id: string;
          name: string;
          title: string;
          version: string;
          /** @enum {string} */
          decision: "approve" | "reject";
          reason: string;
          by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.listing.submitted": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "listing.submitted";
          listing_id: string;
          name: string;
          title: string;
          version: string;
          by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.mission.cancelled": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "mission.cancelled";
          /** @description The mission's id, `msn_…`. */
          mission_id: string;
          goal: string;
          status: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.mission.completed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "mission.completed";
          /** @description The mission's id, `msn_…`. */
          mission_id: string;
          goal: string;
          status: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.mission.decision_required": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "mission.decision_required";
          /** @description The mission's id, `msn_…`. */
          mission_id: string;
          goal: string;
          status: string;
          /** @description The decision's id, `mdc_…`. */
          decision_id: string;
          question: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.mission.finished": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "mission.finished";
          /** @description The mission's id, `msn_…`. */
          mission_id: string;
          goal: string;
          status: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.mission.paused": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "mission.paused";
          /** @description The mission's id, `msn_…`. */
          mission_id: string;
          goal: string;
          status: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.mission.replanned": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "mission.replanned";
          /** @description The mission's id, `msn_…`. */
          mission_id: string;
          goal: string;
          status: string;
          plan: number;
          reason: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.mission.started": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "mission.started";
          /** @description The mission's id, `msn_…`. */
          mission_id: string;
          goal: string;
          status: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.ping": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "ping";
          /** @description The endpoint's id, `whk_…`. */
          webhook_id: string;
          /** @description Who requested the test, by id. */
          sent_by: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.policy.blocked": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "policy.blocked";
          /** @description The operation that was called. */
          operation: string;
          /** @description The agent concerned; null where the call concerns none. */
          agent: string | null;
          /** @description Who called. */
          principal: string;
          /** @description Why, in one sentence. */
          detail: string;
          /** @description The record of the call. */
          audit_ref: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.policy.warned": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "policy.warned";
          /** @description The operation that was called. */
          operation: string;
          /** @description The agent concerned; null where the call concerns none. */
          agent: string | null;
          /** @description Who called. */
          principal: string;
          /** @description The policy. */
          policy: string;
          /** @description The policy's reason code. */
          reason_code: string;
          /** @description The policy's message. */
          message: string;
          /** @description The record of the call. */
          audit_ref: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.schedule.failed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "schedule.failed";
          /** @description The agent's name: a short lowercase word. */
          agent: string;
          schedule_id: string;
          /** @description The skill. */
          task: string;
          /** @description The time for which a task was due. */
          at: string;
          /** @description For programs, as in problems. */
          code: string;
          detail: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.task.approval_required": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "task.approval_required";
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent handling the task. */
          agent: string;
          risk: components["schemas"]["RiskLevel"];
          /** @description Why approval is needed. */
          summary: string;
          /** @description Page where people review the request and decide. */
          approve_url: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.task.approved": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "task.approved";
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent handling the task. */
          agent: string;
          /** @description The operation the agent performs. */
          task: string;
          status: components["schemas"]["TaskStatus"];
          /** @description The probability that a reviewer would accept the outcome of the task. */
          trust_score: number;
          /** @description The audit record of the dispatch, `aud_…`. */
          audit_ref: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.task.blocked": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "task.blocked";
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent handling the task. */
          agent: string;
          /** @description The operation the agent performs. */
          task: string;
          status: components["schemas"]["TaskStatus"];
          /** @description The probability that a reviewer would accept the outcome of the task. */
          trust_score: number;
          /** @description The audit record of the dispatch, `aud_…`. */
          audit_ref: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.task.cancelled": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "task.cancelled";
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent handling the task. */
          agent: string;
          /** @description The operation the agent performs. */
          task: string;
          status: components["schemas"]["TaskStatus"];
          /** @description The probability that a reviewer would accept the outcome of the task. */
          trust_score: number;
          /** @description The audit record of the dispatch, `aud_…`. */
          audit_ref: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.task.completed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "task.completed";
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent handling the task. */
          agent: string;
          /** @description The operation the agent performs. */
          task: string;
          status: components["schemas"]["TaskStatus"];
          /** @description The probability that a reviewer would accept the outcome of the task. */
          trust_score: number;
          /** @description The audit record of the dispatch, `aud_…`. */
          audit_ref: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.task.created": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "task.created";
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent handling the task. */
          agent: string;
          /** @description The operation the agent performs. */
          task: string;
          status: components["schemas"]["TaskStatus"];
          /** @description The probability that a reviewer would accept the outcome of the task. */
          trust_score: number;
          /** @description The audit record of the dispatch, `aud_…`. */
          audit_ref: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.task.expired": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "task.expired";
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent handling the task. */
          agent: string;
          /** @description The operation the agent performs. */
          task: string;
          status: components["schemas"]["TaskStatus"];
          /** @description The probability that a reviewer would accept the outcome of the task. */
          trust_score: number;
          /** @description The audit record of the dispatch, `aud_…`. */
          audit_ref: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.task.failed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "task.failed";
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent handling the task. */
          agent: string;
          /** @description The operation the agent performs. */
          task: string;
          status: components["schemas"]["TaskStatus"];
          /** @description The probability that a reviewer would accept the outcome of the task. */
          trust_score: number;
          /** @description The audit record of the dispatch, `aud_…`. */
          audit_ref: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.task.input_required": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "task.input_required";
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent handling the task. */
          agent: string;
          /** @description The operation the agent performs. */
          task: string;
          status: components["schemas"]["TaskStatus"];
          /** @description The probability that a reviewer would accept the outcome of the task. */
          trust_score: number;
          /** @description The audit record of the dispatch, `aud_…`. */
          audit_ref: string;
          /** @description The question. Submit the answer with `POST /v1/tasks/{task}/input`. */
          question: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.task.rejected": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "task.rejected";
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent handling the task. */
          agent: string;
          /** @description The operation the agent performs. */
          task: string;
          status: components["schemas"]["TaskStatus"];
          /** @description The probability that a reviewer would accept the outcome of the task. */
          trust_score: number;
          /** @description The audit record of the dispatch, `aud_…`. */
          audit_ref: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.task.started": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "task.started";
          /** @description The task's id, `tsk_…`. */
          task_id: string;
          /** @description Name of the agent handling the task. */
          agent: string;
          /** @description The operation the agent performs. */
          task: string;
          status: components["schemas"]["TaskStatus"];
          /** @description The probability that a reviewer would accept the outcome of the task. */
          trust_score: number;
          /** @description The audit record of the dispatch, `aud_…`. */
          audit_ref: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.webhook.disabled": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "webhook.disabled";
          /** @description The endpoint's id, `whk_…`. */
          webhook_id: string;
          /** @description The host of its URL. */
          url_host: string;
          /**
           * @description `gone`: it responded with 410. `failing`: every attempt failed for five days.
           * @enum {string}
           */
          reason: "gone" | "failing";
          /** @description The first failure since the last success. */
          failing_since: string | null;
          /** @description Events since then may be missing. `recover` sends them, and dead letters from before. */
          missed_since: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.workflow.run.cancelled": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "workflow.run.cancelled";
          /** @description `wfr_…` */
          run_id: string;
          /** @description The workflow's name. */
          workflow: string;
          version: number;
          status: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.workflow.run.compensated": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "workflow.run.compensated";
          /** @description `wfr_…` */
          run_id: string;
          /** @description The workflow's name. */
          workflow: string;
          version: number;
          status: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.workflow.run.completed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "workflow.run.completed";
          /** @description `wfr_…` */
          run_id: string;
          /** @description The workflow's name. */
          workflow: string;
          version: number;
          status: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.workflow.run.failed": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "workflow.run.failed";
          /** @description `wfr_…` */
          run_id: string;
          /** @description The workflow's name. */
          workflow: string;
          version: number;
          status: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.workflow.run.signalled": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "workflow.run.signalled";
          /** @description `wfr_…` */
          run_id: string;
          /** @description The workflow's name. */
          workflow: string;
          /** @description The type of event that the run was given. */
          type: string;
          /** @description The event's body. */
          data: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
  "webhook.workflow.run.started": {
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          event: "workflow.run.started";
          /** @description `wfr_…` */
          run_id: string;
          /** @description The workflow's name. */
          workflow: string;
          version: number;
          status: string;
        };
      };
    };
    responses: {
      /** @description Any. */
      default: {
      };
    };
  };
}
