// Made by `npm run gen` from the examples of the operations, as the reference shows them. Not for editing.
import type { AosClient } from "../client.ts";

/** Every example of the reference: that it compiles is what it is for. */
export async function examples(aos: AosClient, etag: string): Promise<void> {
  {
    await aos.admin.addConnection({
      name: "openai-main",
      kind: "openai",
      secret: "the-key-that-the-provider-issued"
    });
  }
  {
    await aos.admin.changeSettings({
      settings: {
        rate: { per_second: 50 },
        approvals: {
          high: { expires_in_seconds: 86400, on_expiry: "escalate" }
        }
      }
    }, { ifMatch: etag });
  }
  {
    await aos.admin.inviteMember({ member: "mbr_01jd8x0000000000000000000e" });
  }
  {
    await aos.admin.issueKey({
      name: "Lead intake",
      role: "operator",
      scopes: ["tasks:read", "tasks:write"],
      agents: ["sales"],
      addresses: ["192.0.2.0/24"],
      rate_per_second: 20,
      for: { service_account: "lead-intake" }
    });
  }
  {
    for await (const one of aos.admin.listConnections()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.admin.listKeys()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.admin.listMembers()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.admin.listSessions()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.admin.listTeams()) {
      console.log(one);
    }
  }
  {
    await aos.admin.readMember({ member: "mbr_01jd8x0000000000000000000e" });
  }
  {
    await aos.admin.readSettings();
  }
  {
    await aos.admin.readTeam({ team: "billing" });
  }
  {
    await aos.admin.removeConnection({ connection: "openai-main" });
  }
  {
    await aos.admin.removeTeam({ team: "billing" });
  }
  {
    await aos.admin.revokeKey({ key: "key_01jd8x0000000000000000000f" });
  }
  {
    await aos.admin.revokeSession({ session: "ses_01jd8x0000000000000000000s" });
  }
  {
    await aos.admin.setMember({
      member: "approver@example.com",
      role: "approver",
      name: "Sample Approver"
    });
  }
  {
    await aos.admin.setTeam({
      team: "billing",
      title: "Billing",
      members: ["mbr_01jd8x0000000000000000000e"],
      hours: {
        time_zone: "Europe/Vienna",
        weekly: {
          mon: [
            { from: "09:00", to: "17:00" }
          ],
          tue: [
            { from: "09:00", to: "17:00" }
          ],
          wed: [
            { from: "09:00", to: "17:00" }
          ],
          thu: [
            { from: "09:00", to: "17:00" }
          ],
          fri: [
            { from: "09:00", to: "17:00" }
          ]
        },
        holidays: ["2026-12-25"]
      },
      targets: { waiting_seconds: 600, first_answer_seconds: 900 }
    });
  }
  {
    await aos.admin.testConnection({ connection: "openai-main" });
  }
  {
    await aos.admin.whoami();
  }
  {
    await aos.agents.archiveAgent({ agent: "sales", reason: "The team has moved to another agent." });
  }
  {
    await aos.agents.bindTool({
      agent: "sales",
      tool: "get_lead",
      definition: {
        name: "get_lead",
        kind: "record",
        base: "leads",
        effect: "read"
      },
      skills: ["qualify_lead"]
    }, { ifMatch: etag });
  }
  {
    await aos.agents.cancelTraining({ agent: "sales", job: "trn_01jd8x0000000000000000000n" });
  }
  {
    await aos.agents.changeDeployment({
      agent: "sales",
      deployment: "dep_01jd8x0000000000000000000g",
      share: 25
    });
  }
  {
    await aos.agents.changeDraft({
      agent: "sales",
      description: "Qualifies and prepares inbound leads.",
      labels: ["sample"]
    }, { ifMatch: etag });
  }
  {
    await aos.agents.changeSchedule({
      agent: "sales",
      schedule: "sch_01jd8x0000000000000000000s",
      paused: true,
      reason: "Holidays."
    });
  }
  {
    await aos.agents.cloneAgent({ agent: "sales", name: "sales-eu", version: 1 });
  }
  {
    await aos.agents.compareDraft({
      agent: "sales",
      description: "Qualifies and prepares inbound leads.",
      model: { provider: "builtin" },
      knowledge: ["leads"],
      tools: [
        {
          name: "get_lead",
          kind: "record",
          base: "leads",
          effect: "read"
        }
      ],
      skills: [
        {
          name: "qualify_lead",
          input: {
            type: "object",
            required: ["lead_id"],
            properties: {
              lead_id: {
                type: "string",
                pattern: "^ld_",
                maxLength: 64
              }
            }
          },
          output: {
            type: "object",
            properties: {
              qualified: { type: "boolean" },
              reason: {
                type: "string",
                maxLength: 2000,
                pattern: "^[^\\u0000]*$"
              }
            }
          },
          tools: ["get_lead"],
          subject: "lead_id",
          impact: {
            money: 0,
            data: "personal",
            reversible: true,
            external: false
          },
          limits: {
            steps: 12,
            seconds: 120,
            tokens: 20000,
            cost_usd: 0.2
          }
        }
      ],
      labels: ["sample"]
    });
  }
  {
    await aos.agents.createAgent({
      agent: "sales",
      description: "Qualifies and prepares inbound leads.",
      model: { provider: "builtin" },
      knowledge: ["leads"],
      tools: [
        {
          name: "get_lead",
          kind: "record",
          base: "leads",
          effect: "read"
        }
      ],
      skills: [
        {
          name: "qualify_lead",
          input: {
            type: "object",
            required: ["lead_id"],
            properties: {
              lead_id: {
                type: "string",
                pattern: "^ld_",
                maxLength: 64
              }
            }
          },
          output: {
            type: "object",
            properties: {
              qualified: { type: "boolean" },
              reason: {
                type: "string",
                maxLength: 2000,
                pattern: "^[^\\u0000]*$"
              }
            }
          },
          tools: ["get_lead"],
          subject: "lead_id",
          impact: {
            money: 0,
            data: "personal",
            reversible: true,
            external: false
          },
          limits: {
            steps: 12,
            seconds: 120,
            tokens: 20000,
            cost_usd: 0.2
          }
        }
      ],
      labels: ["sample"]
    });
  }
  {
    await aos.agents.createSchedule({
      agent: "sales",
      task: "qualify_lead",
      input: { lead_id: "ld_1001" },
      schedule: "0 7 * * MON-FRI",
      time_zone: "Europe/Vienna",
      budget: { per_run_usd: 0.1, per_month_usd: 2 }
    });
  }
  {
    await aos.agents.deployVersion({ agent: "sales", version: 1, note: "Names the rule that decided." });
  }
  {
    await aos.agents.dispatchTask({
      agent: "sales",
      task: "qualify_lead",
      input: { lead_id: "ld_1001" },
      require_approval: true
    });
  }
  {
    await aos.agents.forgetMemory({ agent: "support", item: "mem_01jd8x0000000000000000000e" });
  }
  {
    await aos.agents.freezeVersion({ agent: "sales", note: "Names the rule that decided." });
  }
  {
    for await (const one of aos.agents.listAgentTasks({ agent: "sales" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.agents.listAgents()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.agents.listDeployments({ agent: "sales" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.agents.listMemory({ agent: "support" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.agents.listSchedules({ agent: "sales" })) {
      console.log(one);
    }
  }
  {
    await aos.agents.listTools({ agent: "sales" });
  }
  {
    for await (const one of aos.agents.listVersions({ agent: "sales" })) {
      console.log(one);
    }
  }
  {
    await aos.agents.pauseAgent({
      agent: "sales",
      reason: "its playbook is being corrected",
      mode: "drain"
    });
  }
  {
    await aos.agents.previewAgent({ agent: "sales", task: "qualify_lead", input: { lead_id: "ld_1001" } });
  }
  {
    await aos.agents.readAgent({ agent: "sales" });
  }
  {
    await aos.agents.readCard({ agent: "sales" });
  }
  {
    await aos.agents.readDependents({ agent: "sales" });
  }
  {
    await aos.agents.readHealth({ agent: "sales" });
  }
  {
    await aos.agents.readSkillSchemas({ agent: "sales" });
  }
  {
    await aos.agents.readTraining({ agent: "sales", job: "trn_01jd8x0000000000000000000n" });
  }
  {
    await aos.agents.readTrust({ agent: "sales" });
  }
  {
    await aos.agents.readVersion({ agent: "sales", version: "1" });
  }
  {
    await aos.agents.removeSchedule({ agent: "sales", schedule: "sch_01jd8x0000000000000000000s" });
  }
  {
    await aos.agents.restoreAgent({ agent: "sales" });
  }
  {
    await aos.agents.resumeAgent({ agent: "sales", note: "the playbook names budgets now" });
  }
  {
    await aos.agents.rollback({
      agent: "sales",
      reason: "qualifies leads that have no budget",
      open_tasks: "move"
    });
  }
  {
    await aos.agents.startTraining({
      agent: "sales",
      skill: "qualify_lead",
      examples: [
        {
          input: { lead_id: "ld_1001" },
          output: { qualified: true }
        }
      ],
      note: "From the first month."
    });
  }
  {
    await aos.agents.testTool({ agent: "sales", tool: "get_lead", arguments: { lead_id: "ld_1001" } });
  }
  {
    await aos.agents.transferAgent({ agent: "sales", owner: "mbr_01jd8x0000000000000000000b" });
  }
  {
    await aos.agents.unbindTool({ agent: "sales", tool: "get_lead", from_skills: true }, { ifMatch: etag });
  }
  {
    await aos.agents.validateDraft({ agent: "sales" });
  }
  {
    await aos.analytics.changeAlert({ alert: "alr_01jd8x0000000000000000000a", paused: true });
  }
  {
    await aos.analytics.createAlert({
      name: "Accepted rate of sales",
      measure: "accepted_rate",
      filters: {
        agent: ["sales"]
      },
      window_minutes: 1440,
      condition: { kind: "below", threshold: 0.85, clear_at: 0.9 },
      for_minutes: 30,
      least_n: 50,
      notify: {
        members: []
      }
    });
  }
  {
    await aos.analytics.createReport({
      name: "Weekly figures",
      schedule: "0 7 * * 1",
      time_zone: "Europe/Vienna",
      period: "week",
      chapters: ["overview", "costs"],
      format: "html"
    });
  }
  {
    for await (const one of aos.analytics.listAlerts()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.analytics.listReportIssues({ report: "rpt_01jd8x0000000000000000000r" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.analytics.listReports()) {
      console.log(one);
    }
  }
  {
    await aos.analytics.queryFigures({
      measures: ["tasks", "accepted_rate"],
      dimensions: ["agent"],
      where: "skill == \"qualify_lead\"",
      from: "2026-11-01T00:00:00.000Z",
      to: "2026-12-01T00:00:00.000Z",
      sort: "-tasks"
    });
  }
  {
    await aos.analytics.readAgentFigures({ agent: "sales" });
  }
  {
    await aos.analytics.readAlert({ alert: "alr_01jd8x0000000000000000000a" });
  }
  {
    await aos.analytics.readAnomalies();
  }
  {
    await aos.analytics.readApprovalFigures();
  }
  {
    await aos.analytics.readChargeback();
  }
  {
    await aos.analytics.readCosts();
  }
  {
    await aos.analytics.readExperiment({ deployment: "dep_01jd8x0000000000000000000g" });
  }
  {
    await aos.analytics.readKnowledgeFigures();
  }
  {
    await aos.analytics.readModelUse();
  }
  {
    await aos.analytics.readOverview();
  }
  {
    await aos.analytics.readQuality();
  }
  {
    await aos.analytics.readRealtime();
  }
  {
    await aos.analytics.readRebuild();
  }
  {
    await aos.analytics.readReport({ report: "rpt_01jd8x0000000000000000000r" });
  }
  {
    await aos.analytics.readReportIssue({
      report: "rpt_01jd8x0000000000000000000r",
      issue: "iss_01jd8x0000000000000000000s"
    });
  }
  {
    await aos.analytics.readRisk();
  }
  {
    await aos.analytics.readSchema();
  }
  {
    await aos.analytics.readServiceLevels();
  }
  {
    await aos.analytics.readTaskFunnel();
  }
  {
    await aos.analytics.readToolUse();
  }
  {
    await aos.analytics.readUsage();
  }
  {
    await aos.analytics.readValue();
  }
  {
    await aos.analytics.rebuildFigures();
  }
  {
    await aos.analytics.removeAlert({ alert: "alr_01jd8x0000000000000000000a" });
  }
  {
    await aos.analytics.removeReport({ report: "rpt_01jd8x0000000000000000000r" });
  }
  {
    await aos.approvals.approve({
      approval: "apr_01jd8x0000000000000000000d",
      digest: "e58f7c93d8fc303af3d5854a0d0bcbee4518a11f1660113b305333ec221fc00b"
    });
  }
  {
    await aos.approvals.bulk({
      items: [
        {
          approval: "apr_01jd8x0000000000000000000d",
          decision: "approve",
          digest: "e58f7c93d8fc303af3d5854a0d0bcbee4518a11f1660113b305333ec221fc00b"
        }
      ]
    });
  }
  {
    await aos.approvals.claim({ approval: "apr_01jd8x0000000000000000000d", minutes: 30 });
  }
  {
    await aos.approvals.createComment({
      approval: "apr_01jd8x0000000000000000000d",
      text: "@mbr_01jd8x0000000000000000000g is this lead one of yours?"
    });
  }
  {
    await aos.approvals.createDelegation({
      from: "mbr_01jd8x0000000000000000000e",
      to: "mbr_01jd8x0000000000000000000g",
      starts_at: "2026-12-21T00:00:00.000Z",
      ends_at: "2027-01-04T00:00:00.000Z",
      reason: "On leave."
    });
  }
  {
    await aos.approvals.delegate({
      approval: "apr_01jd8x0000000000000000000d",
      to: "mbr_01jd8x0000000000000000000g",
      reason: "The lead is one of theirs."
    });
  }
  {
    await aos.approvals.extend({
      approval: "apr_01jd8x0000000000000000000d",
      seconds: 3600,
      reason: "The customer calls back at noon."
    });
  }
  {
    await aos.approvals.listApprovals();
  }
  {
    for await (const one of aos.approvals.listComments({ approval: "apr_01jd8x0000000000000000000d" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.approvals.listDeciders()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.approvals.listDelegations()) {
      console.log(one);
    }
  }
  {
    await aos.approvals.listInbox();
  }
  {
    for await (const one of aos.approvals.listRules()) {
      console.log(one);
    }
  }
  {
    await aos.approvals.readApproval({ approval: "apr_01jd8x0000000000000000000d" });
  }
  {
    await aos.approvals.readDelegation({ delegation: "dlg_01jd8x0000000000000000000j" });
  }
  {
    await aos.approvals.readHistory({ approval: "apr_01jd8x0000000000000000000d" });
  }
  {
    await aos.approvals.readRule({ rule: "large-refunds" });
  }
  {
    await aos.approvals.readSimilar({ approval: "apr_01jd8x0000000000000000000d" });
  }
  {
    await aos.approvals.reject({
      approval: "apr_01jd8x0000000000000000000d",
      reason: "This lead asked not to be contacted.",
      digest: "e58f7c93d8fc303af3d5854a0d0bcbee4518a11f1660113b305333ec221fc00b"
    });
  }
  {
    await aos.approvals.release({ approval: "apr_01jd8x0000000000000000000d" });
  }
  {
    await aos.approvals.removeDelegation({ delegation: "dlg_01jd8x0000000000000000000j" });
  }
  {
    await aos.approvals.requestChanges({
      approval: "apr_01jd8x0000000000000000000d",
      note: "Ask for the consent of this lead first.",
      digest: "e58f7c93d8fc303af3d5854a0d0bcbee4518a11f1660113b305333ec221fc00b"
    });
  }
  {
    await aos.approvals.retireRule({ rule: "large-refunds" });
  }
  {
    await aos.approvals.setRule({
      rule: "large-refunds",
      title: "Finance looks at large refunds",
      when: {
        skills: ["judge_refund"],
        amount: { field: "amount", above: 1000 }
      },
      require: {
        stages: [
          {
            quorum: 1,
            teams: ["finance"]
          },
          {
            quorum: 1,
            roles: ["admin"]
          }
        ],
        four_eyes: true,
        expires_in_seconds: 86400,
        on_expiry: "escalate"
      }
    });
  }
  {
    await aos.approvals.testRule({
      rule: "large-refunds",
      candidate: {
        title: "Finance looks at large refunds",
        when: {
          skills: ["judge_refund"],
          amount: { field: "amount", above: 1000 }
        },
        require: {
          stages: [
            {
              quorum: 1,
              teams: ["finance"]
            },
            {
              quorum: 1,
              roles: ["admin"]
            }
          ],
          four_eyes: true,
          expires_in_seconds: 86400,
          on_expiry: "escalate"
        }
      },
      tasks: 10000
    });
  }
  {
    await aos.approvals.withdraw({
      approval: "apr_01jd8x0000000000000000000d",
      reason: "The customer found the invoice."
    });
  }
  {
    await aos.audit.changeSink({ sink: "snk_01jd8x0000000000000000000v", state: "paused" });
  }
  {
    await aos.audit.checkRange();
  }
  {
    await aos.audit.createSink({
      name: "Security team's Splunk",
      kind: "splunk_hec",
      target: { url: "https://splunk.example.com:8088", index: "audit" },
      credentials: { token: "the-token-of-the-collector" },
      from_leaf: 0
    });
  }
  {
    for await (const one of aos.audit.listAccess()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.audit.listEvents()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.audit.listSinks()) {
      console.log(one);
    }
  }
  {
    await aos.audit.readActor({ actor: "mbr_01jd8x0000000000000000000e" });
  }
  {
    await aos.audit.readCheckpoint();
  }
  {
    await aos.audit.readDecision({ task: "tsk_01jd8x0000000000000000000a" });
  }
  {
    await aos.audit.readEvent({ audit_ref: "aud_01jd8x0000000000000000000b" });
  }
  {
    await aos.audit.readExport({ audit_export: "exp_01jd8x0000000000000000000t" });
  }
  {
    await aos.audit.readObject({ type: "agent", id: "sales" });
  }
  {
    await aos.audit.readProof({ audit_ref: "aud_01jd8x0000000000000000000b" });
  }
  {
    await aos.audit.readSink({ sink: "snk_01jd8x0000000000000000000v" });
  }
  {
    await aos.audit.removeSink({ sink: "snk_01jd8x0000000000000000000v" });
  }
  {
    await aos.audit.startExport({
      format: "jsonl",
      filter: {
        decision: ["refused"],
        created_after: "2026-11-01T00:00:00Z"
      }
    });
  }
  {
    for await (const one of aos.audit.streamLog()) {
      console.log(one);
    }
  }
  {
    await aos.chat.addFile({
      conversation: "cnv_01jd8x0000000000000000000c",
      name: "order.txt",
      text: "Order 4711: two looms."
    });
  }
  {
    await aos.chat.addNote({
      conversation: "cnv_01jd8x0000000000000000000c",
      text: "The carrier has lost the parcel before."
    });
  }
  {
    await aos.chat.assignConversation({
      conversation: "cnv_01jd8x0000000000000000000c",
      member: "mbr_01jd8x0000000000000000000e"
    });
  }
  {
    await aos.chat.changeConversation({
      conversation: "cnv_01jd8x0000000000000000000c",
      title: "Delivery of order 4711",
      labels: ["delivery"]
    });
  }
  {
    await aos.chat.compactConversation({ conversation: "cnv_01jd8x0000000000000000000c", keep: 2 });
  }
  {
    await aos.chat.createMemory({ user: "customer-4711", text: "Wants parcels left with the neighbour." });
  }
  {
    await aos.chat.createToken({
      agent: "support",
      user: "customer-4711",
      origins: ["https://www.example.com"]
    });
  }
  {
    await aos.chat.deleteConversation({ conversation: "cnv_01jd8x0000000000000000000c" });
  }
  {
    await aos.chat.deleteMemory({ memory: "mem_01jd8x0000000000000000000e" });
  }
  {
    await aos.chat.exportConversation({ conversation: "cnv_01jd8x0000000000000000000c" });
  }
  {
    for await (const one of aos.chat.followConversation({ conversation: "cnv_01jd8x0000000000000000000c" })) {
      console.log(one);
    }
  }
  {
    await aos.chat.forkConversation({
      conversation: "cnv_01jd8x0000000000000000000c",
      message_id: "msg_01jd8x0000000000000000000m"
    });
  }
  {
    await aos.chat.handoffConversation({
      conversation: "cnv_01jd8x0000000000000000000c",
      to: "person",
      reason: "The customer asks for a person."
    });
  }
  {
    for await (const one of aos.chat.listChannels()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.chat.listConversations()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.chat.listMemories()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.chat.listMessages({ conversation: "cnv_01jd8x0000000000000000000c" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.chat.listParticipants({ conversation: "cnv_01jd8x0000000000000000000c" })) {
      console.log(one);
    }
  }
  {
    await aos.chat.listQueues();
  }
  {
    await aos.chat.rateMessage({
      conversation: "cnv_01jd8x0000000000000000000c",
      message: "msg_01jd8x0000000000000000000m",
      accepted: true
    });
  }
  {
    await aos.chat.readConversation({ conversation: "cnv_01jd8x0000000000000000000c" });
  }
  {
    await aos.chat.readFile({
      conversation: "cnv_01jd8x0000000000000000000c",
      file: "fil_01jd8x0000000000000000000d"
    });
  }
  {
    await aos.chat.readHandoff({ conversation: "cnv_01jd8x0000000000000000000c" });
  }
  {
    await aos.chat.readMessage({
      conversation: "cnv_01jd8x0000000000000000000c",
      message: "msg_01jd8x0000000000000000000m"
    });
  }
  {
    await aos.chat.readQueue({ team: "billing" });
  }
  {
    await aos.chat.readSuggestions({ conversation: "cnv_01jd8x0000000000000000000c" });
  }
  {
    await aos.chat.regenerateMessage({
      conversation: "cnv_01jd8x0000000000000000000c",
      message: "msg_01jd8x0000000000000000000m"
    });
  }
  {
    await aos.chat.removeChannel({ channel: "help" });
  }
  {
    await aos.chat.retractMessage({
      conversation: "cnv_01jd8x0000000000000000000c",
      message: "msg_01jd8x0000000000000000000m"
    });
  }
  {
    await aos.chat.returnConversation({
      conversation: "cnv_01jd8x0000000000000000000c",
      note: "The customer gets a refund of 20 EUR; that is settled."
    });
  }
  {
    await aos.chat.searchMessages({ query: "way tuesday", user: "customer-4711" });
  }
  {
    await aos.chat.sendMessage({
      conversation: "cnv_01jd8x0000000000000000000c",
      text: "Where is my order?"
    });
  }
  {
    await aos.chat.setChannel({
      channel: "help",
      kind: "email",
      agent: "support",
      config: {
        address: "help@example.com",
        sender_name: "Example Support",
        imap: { host: "imap.example.com" },
        smtp: {
          host: "smtp.example.com",
          port: 587,
          security: "starttls"
        },
        trust_authentication_results: "mx.example.com"
      },
      secret: { imap_password: "the-password-of-the-mailbox" }
    });
  }
  {
    await aos.chat.startConversation({
      agent: "support",
      user: "customer-4711",
      language: "en",
      context: { order: "4711" }
    });
  }
  {
    await aos.chat.stopReply({ conversation: "cnv_01jd8x0000000000000000000c", approvals: "keep" });
  }
  {
    await aos.chat.submitResults({
      conversation: "cnv_01jd8x0000000000000000000c",
      turn_id: "tur_01jd8x0000000000000000000t",
      results: [
        {
          call_id: "call_2",
          output: "{\"status\": \"on its way\"}"
        }
      ]
    });
  }
  {
    await aos.chat.takeConversation({ conversation: "cnv_01jd8x0000000000000000000c", running: "stop" });
  }
  {
    await aos.chat.transferConversation({ conversation: "cnv_01jd8x0000000000000000000c", user: "customer-4711" });
  }
  {
    await aos.evaluations.addItems({
      dataset: "ds_01jd8x0000000000000000000u",
      items: [
        {
          item: "reseller-1",
          input: { lead_id: "ld_1002" },
          expected: { team: "partners" },
          must_pass: true,
          labels: ["reseller"]
        },
        {
          item: "reseller-2",
          input: { lead_id: "ld_1017" },
          expected: { team: "partners" },
          labels: ["reseller"]
        }
      ],
      note: "Two cases of a reseller."
    });
  }
  {
    await aos.evaluations.createDataset({
      name: "lead-routing",
      agent: "sales",
      skill: "route_lead",
      description: "Leads whose team is beyond doubt.",
      items: [
        {
          item: "reseller-1",
          input: { lead_id: "ld_1002" },
          expected: { team: "partners" },
          must_pass: true,
          labels: ["reseller"]
        },
        {
          item: "reseller-2",
          input: { lead_id: "ld_1017" },
          expected: { team: "partners" },
          labels: ["reseller"]
        }
      ]
    });
  }
  {
    await aos.evaluations.createMonitor({ agent: "sales", share: 0.02 });
  }
  {
    for await (const one of aos.evaluations.listDatasets()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.evaluations.listMonitors()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.evaluations.listReviews()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.evaluations.listRuns()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.evaluations.listScorers()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.evaluations.listShadowRuns({ deployment: "dep_01jd8x0q3v7w9y2z4a6b8c0e5k" })) {
      console.log(one);
    }
  }
  {
    await aos.evaluations.readGate({ agent: "sales" });
  }
  {
    await aos.evaluations.readRun({ run: "run_01jd8x0000000000000000000v" });
  }
  {
    await aos.evaluations.readScorer({ scorer: "same-team" });
  }
  {
    await aos.evaluations.readShadow({ deployment: "dep_01jd8x0q3v7w9y2z4a6b8c0e5k" });
  }
  {
    await aos.evaluations.removeMonitor({ monitor: "mon_01jd8x0q3v7w9y2z4a6b8c0e2g" });
  }
  {
    await aos.evaluations.setGate({
      agent: "sales",
      datasets: ["lead-routing"],
      scorers: [
        { scorer: "same-team" }
      ],
      floor: 0.8,
      table: { inconclusive: "deny" }
    }, { ifMatch: etag });
  }
  {
    await aos.evaluations.setScorer({
      scorer: "same-team",
      kind: "exact",
      pointer: "/team",
      description: "The lead goes to the team that it should.",
      samples: [
        {
          output: { team: "partners" },
          expected: { team: "partners" },
          score: 1
        },
        {
          output: { team: "midmarket" },
          expected: { team: "partners" },
          score: 0
        }
      ]
    });
  }
  {
    await aos.evaluations.startRun({
      dataset: "lead-routing",
      version: 2,
      scorers: ["same-team"],
      repeats: 3,
      budget: { usd: 2 },
      note: "Before version 2 goes live."
    });
  }
  {
    await aos.evaluations.submitReview({ review: "rev_01jd8x0q3v7w9y2z4a6b8c0e3h", accepted: true });
  }
  {
    await aos.governance.check({
      action: "task.dispatch",
      agent: "sales",
      skill: "qualify_lead",
      input: { lead_id: "ld_1001" }
    });
  }
  {
    await aos.governance.confirm({
      object: "agent:sales@3",
      digest: "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
    });
  }
  {
    await aos.governance.createPolicy({
      name: "No account numbers in lead notes",
      scope: {
        actions: ["task.dispatch"],
        agents: ["sales"]
      },
      when: "\"iban\" in data.kinds",
      effect: "deny",
      params: {},
      reason_code: "account_number",
      message: "The input holds a bank account number; leave it out.",
      controls: ["gdpr:art5"],
      state: "active",
      note: "After the review of October."
    });
  }
  {
    await aos.governance.engageKillSwitch({
      kind: "agent",
      target: "sales",
      mode: "stop",
      reason: "It writes to customers who asked not to be written to."
    });
  }
  {
    for await (const one of aos.governance.listBudgets()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.governance.listConfirmations()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.governance.listKillSwitches()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.governance.listPolicies()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.governance.listViolations()) {
      console.log(one);
    }
  }
  {
    await aos.governance.readBudget({ scope: "agent:sales" });
  }
  {
    await aos.governance.readContent({ object: "agent:sales@3" });
  }
  {
    await aos.governance.readPolicy({ policy: "pol_01jd8x0000000000000000000a" });
  }
  {
    await aos.governance.releaseKillSwitch({
      kill_switch: "ksw_01jd8x0000000000000000000a",
      reason: "The list was corrected.",
      to: "released"
    });
  }
  {
    await aos.governance.replacePolicy({
      policy: "pol_01jd8x0000000000000000000a",
      name: "No account numbers in lead notes",
      scope: {
        actions: ["task.dispatch"],
        agents: ["sales"]
      },
      when: "\"iban\" in data.kinds",
      effect: "deny",
      params: {},
      reason_code: "account_number",
      message: "The input holds a bank account number; leave it out.",
      controls: ["gdpr:art5"],
      state: "active",
      note: "After the review of October."
    }, { ifMatch: etag });
  }
  {
    await aos.governance.retirePolicy({ policy: "pol_01jd8x0000000000000000000a" }, { ifMatch: etag });
  }
  {
    await aos.governance.setBudget({
      scope: "agent:sales",
      limits: [
        {
          unit: "usd",
          period: "month",
          hard: 200,
          warn: 150
        },
        { unit: "tasks", period: "day", hard: 500 }
      ]
    });
  }
  {
    await aos.governance.simulatePolicy({
      name: "No account numbers in lead notes",
      scope: {
        actions: ["task.dispatch"],
        agents: ["sales"]
      },
      when: "\"iban\" in data.kinds",
      effect: "deny",
      params: {},
      reason_code: "account_number",
      message: "The input holds a bank account number; leave it out.",
      controls: ["gdpr:art5"],
      calls: 10000
    });
  }
  {
    await aos.governance.takeOver({ object: "schedule:sch_01jd8x0000000000000000000s" });
  }
  {
    await aos.knowledge.addDocument({
      base: "leads",
      external_id: "ld_1001",
      fields: {
        company: "Amber Looms",
        industry: "textiles",
        employees: 120,
        budget_usd_per_year: 24000
      }
    });
  }
  {
    await aos.knowledge.addDocuments({
      base: "leads",
      documents: [
        {
          external_id: "ld_1001",
          fields: {
            company: "Amber Looms",
            industry: "textiles",
            employees: 120,
            budget_usd_per_year: 24000
          }
        },
        { external_id: "ld_1002" }
      ]
    });
  }
  {
    await aos.knowledge.changeBase({
      base: "leads",
      readers: ["role:builder", "agent:sales"],
      review_days: 180
    });
  }
  {
    await aos.knowledge.changeChunk({
      base: "leads",
      document: "doc_01jd8x0000000000000000000d",
      chunk: "1",
      text: "company: Amber Looms\nindustry: textiles\nemployees: 140"
    });
  }
  {
    await aos.knowledge.changeConnector({ base: "leads", connector: "handbook", state: "paused" });
  }
  {
    await aos.knowledge.createBase({
      name: "leads",
      description: "Inbound leads, as the form on the website brings them."
    });
  }
  {
    await aos.knowledge.createConnector({
      base: "leads",
      name: "handbook",
      kind: "website",
      source: {
        url: "https://handbook.example.com/",
        include: ["guides/**"]
      },
      schedule: { cron: "0 3 * * *", time_zone: "Europe/Zurich" },
      readers: ["role:operator", "agent:sales"]
    });
  }
  {
    await aos.knowledge.deleteBase({ base: "leads" });
  }
  {
    await aos.knowledge.deleteDocument({ base: "leads", document: "doc_01jd8x0000000000000000000d" });
  }
  {
    await aos.knowledge.exportBase({ base: "leads" });
  }
  {
    for await (const one of aos.knowledge.listBases()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.knowledge.listChunks({ base: "leads", document: "doc_01jd8x0000000000000000000d" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.knowledge.listConnectors({ base: "leads" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.knowledge.listDocuments({ base: "leads" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.knowledge.listGaps({ base: "leads" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.knowledge.listStale({ base: "leads" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.knowledge.listSyncs({ base: "leads" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.knowledge.listVersions({ base: "leads", document: "doc_01jd8x0000000000000000000d" })) {
      console.log(one);
    }
  }
  {
    await aos.knowledge.readBase({ base: "leads" });
  }
  {
    await aos.knowledge.readCitation({ citation: "cit_01jd8x0000000000000000000d11111111" });
  }
  {
    await aos.knowledge.readDocument({ base: "leads", document: "doc_01jd8x0000000000000000000d" });
  }
  {
    await aos.knowledge.readExport({ base: "leads" });
  }
  {
    await aos.knowledge.readSync({ base: "leads", sync: "syn_01jd8x0000000000000000000s" });
  }
  {
    await aos.knowledge.reindexDocument({ base: "leads", document: "doc_01jd8x0000000000000000000d" });
  }
  {
    await aos.knowledge.removeConnector({ base: "leads", connector: "handbook" });
  }
  {
    await aos.knowledge.replaceDocument({
      base: "leads",
      document: "ld_1001",
      fields: {
        company: "Amber Looms",
        industry: "textiles",
        employees: 120,
        budget_usd_per_year: 24000
      }
    });
  }
  {
    await aos.knowledge.restoreVersion({ base: "leads", document: "doc_01jd8x0000000000000000000d", version: 1 });
  }
  {
    await aos.knowledge.reviewDocument({
      base: "leads",
      document: "doc_01jd8x0000000000000000000d",
      review_at: "2027-06-01T00:00:00Z"
    });
  }
  {
    await aos.knowledge.search({
      query: "until when can a parcel be \"sent back\"",
      filters: {
        metadata: { product: "shop" }
      }
    });
  }
  {
    await aos.knowledge.setAccess({
      base: "leads",
      document: "doc_01jd8x0000000000000000000d",
      readers: ["role:builder", "agent:sales"]
    });
  }
  {
    await aos.knowledge.startSync({ base: "leads", connector: "handbook" });
  }
  {
    await aos.knowledge.testBase({
      base: "leads",
      questions: [
        {
          question: "Which lead makes textiles?",
          expected: ["ld_1001"]
        }
      ]
    });
  }
  {
    await aos.marketplace.changeListing({ listing: "lst_01jd8x0000000000000000000m", visibility: "public" });
  }
  {
    await aos.marketplace.createListing({
      name: "support-routing",
      version: "1.0.0",
      title: "Support routing",
      summary: "Says to which team a message belongs.",
      limits: ["English only."],
      source: { kind: "agent", agent: "support-routing", version: 2 }
    });
  }
  {
    await aos.marketplace.createVersion({
      listing: "lst_01jd8x0000000000000000000m",
      version: "1.1.0",
      source: { kind: "agent", agent: "support-routing", version: 3 },
      changes: "Knows two more teams."
    });
  }
  {
    await aos.marketplace.installListing({
      listing: "lst_01jd8x0000000000000000000m",
      digest: "sha256:3333333333333333333333333333333333333333333333333333333333333333",
      consent: {
        permissions: "5555555555555555555555555555555555555555555555555555555555555555",
        publisher_key: "sha256:7777777777777777777777777777777777777777777777777777777777777777"
      }
    });
  }
  {
    for await (const one of aos.marketplace.listInstalls()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.marketplace.listListings()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.marketplace.listRecalls()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.marketplace.listReports({ listing: "lst_01jd8x0000000000000000000m" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.marketplace.listReviews({ listing: "lst_01jd8x0000000000000000000m" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.marketplace.listVersions({ listing: "lst_01jd8x0000000000000000000m" })) {
      console.log(one);
    }
  }
  {
    await aos.marketplace.previewInstall({ listing: "lst_01jd8x0000000000000000000m" });
  }
  {
    await aos.marketplace.rateListing({ listing: "lst_01jd8x0000000000000000000m", stars: 5 });
  }
  {
    await aos.marketplace.readInstall({ install: "ins_01jd8x0000000000000000000n" });
  }
  {
    await aos.marketplace.readListing({ listing: "lst_01jd8x0000000000000000000m" });
  }
  {
    await aos.marketplace.readPublisher({ publisher: "pub_01jd8x0000000000000000000p" });
  }
  {
    await aos.marketplace.readScan({ listing: "lst_01jd8x0000000000000000000m" });
  }
  {
    await aos.marketplace.readVersion({ listing: "lst_01jd8x0000000000000000000m", version: "1.0.0" });
  }
  {
    await aos.marketplace.removeInstall({ install: "ins_01jd8x0000000000000000000n" });
  }
  {
    await aos.marketplace.reportListing({
      listing: "lst_01jd8x0000000000000000000m",
      kind: "misleading",
      detail: "It says German; it knows English only."
    });
  }
  {
    await aos.marketplace.resetInstall({ install: "ins_01jd8x0000000000000000000n" });
  }
  {
    await aos.marketplace.reviewListing({
      listing: "lst_01jd8x0000000000000000000m",
      decision: "approve",
      digest: "sha256:3333333333333333333333333333333333333333333333333333333333333333",
      reason: "Read and tried."
    });
  }
  {
    await aos.marketplace.rotateKey({ publisher: "pub_01jd8x0000000000000000000p" });
  }
  {
    await aos.marketplace.updateInstall({
      install: "ins_01jd8x0000000000000000000n",
      digest: "sha256:3333333333333333333333333333333333333333333333333333333333333333",
      consent: {
        permissions: "5555555555555555555555555555555555555555555555555555555555555555",
        publisher_key: "sha256:7777777777777777777777777777777777777777777777777777777777777777"
      }
    });
  }
  {
    await aos.marketplace.withdrawListing({ listing: "lst_01jd8x0000000000000000000m" });
  }
  {
    await aos.missions.acceptPlan({ mission: "msn_01jd8x0000000000000000000m", plan: 1 });
  }
  {
    await aos.missions.addTask({
      mission: "msn_01jd8x0000000000000000000m",
      agent: "sales",
      skill: "qualify_lead",
      input: { lead_id: "ld_1003" }
    });
  }
  {
    await aos.missions.answerDecision({
      mission: "msn_01jd8x0000000000000000000m",
      decision: "mdc_01jd8x0000000000000000000q",
      answer: "no",
      comment: "Not before the contract is signed."
    });
  }
  {
    await aos.missions.askDecision({
      mission: "msn_01jd8x0000000000000000000m",
      question: "May we write to leads outside of the EU?",
      options: [
        { id: "yes", label: "Yes" },
        { id: "no", label: "No" }
      ],
      context: { leads: 3 }
    });
  }
  {
    await aos.missions.cancelMission({
      mission: "msn_01jd8x0000000000000000000m",
      reason: "The campaign was called off."
    });
  }
  {
    await aos.missions.changeMission({
      mission: "msn_01jd8x0000000000000000000m",
      budget: { cost_usd: 5, tasks: 60 }
    });
  }
  {
    await aos.missions.cloneMission({
      mission: "msn_01jd8x0000000000000000000m",
      inputs: {
        leads: ["ld_1003"]
      }
    });
  }
  {
    await aos.missions.completeMission({
      mission: "msn_01jd8x0000000000000000000m",
      note: "All leads of the week are done."
    });
  }
  {
    await aos.missions.createMission({
      goal: "Qualify this week's leads and write to the best of them.",
      measure: {
        skill: "write_mail",
        where: "feedback.accepted == true",
        aggregate: "count",
        target: 1,
        direction: "at_least"
      },
      agents: ["sales"],
      budget: { cost_usd: 5, tasks: 60 },
      deadline: "2026-11-30T17:00:00.000Z",
      autonomy: "approve_writes",
      inputs: {
        leads: ["ld_1001", "ld_1002"]
      },
      labels: ["leads"]
    });
  }
  {
    for await (const one of aos.missions.listMissionTasks({ mission: "msn_01jd8x0000000000000000000m" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.missions.listMissions()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.missions.listPlans({ mission: "msn_01jd8x0000000000000000000m" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.missions.listTemplates()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.missions.listTimeline({ mission: "msn_01jd8x0000000000000000000m" })) {
      console.log(one);
    }
  }
  {
    await aos.missions.pauseMission({
      mission: "msn_01jd8x0000000000000000000m",
      reason: "Wait for the new price list."
    });
  }
  {
    await aos.missions.planMission({
      mission: "msn_01jd8x0000000000000000000m",
      steps: [
        {
          id: "qualify_lead",
          agent: "sales",
          skill: "qualify_lead",
          inputs: {
            each: "input.leads",
            input: { lead_id: "item" }
          }
        },
        {
          id: "write_mail",
          agent: "sales",
          skill: "write_mail",
          inputs: {
            best: {
              of: "qualify_lead",
              count: 1,
              by: "item.output.score",
              where: "item.output.qualified"
            },
            input: { lead_id: "item.input.lead_id" }
          },
          depends_on: ["qualify_lead"]
        }
      ]
    });
  }
  {
    await aos.missions.readMission({ mission: "msn_01jd8x0000000000000000000m" });
  }
  {
    await aos.missions.readMissionBudget({ mission: "msn_01jd8x0000000000000000000m" });
  }
  {
    await aos.missions.readMissionRisks({ mission: "msn_01jd8x0000000000000000000m" });
  }
  {
    await aos.missions.readReport({ mission: "msn_01jd8x0000000000000000000m" });
  }
  {
    await aos.missions.saveTemplate({
      name: "weekly-leads",
      description: "Every Monday.",
      steps: [
        {
          id: "qualify_lead",
          agent: "sales",
          skill: "qualify_lead",
          inputs: {
            each: "input.leads",
            input: { lead_id: "item" }
          }
        },
        {
          id: "write_mail",
          agent: "sales",
          skill: "write_mail",
          inputs: {
            best: {
              of: "qualify_lead",
              count: 1,
              by: "item.output.score",
              where: "item.output.qualified"
            },
            input: { lead_id: "item.input.lead_id" }
          },
          depends_on: ["qualify_lead"]
        }
      ]
    });
  }
  {
    await aos.missions.startMission({ mission: "msn_01jd8x0000000000000000000m", plan: 1 });
  }
  {
    await aos.tasks.addComment({
      task: "tsk_01jd8x0000000000000000000a",
      text: "The customer called: they need it before Friday."
    });
  }
  {
    await aos.tasks.cancelBatch({
      batch: "bat_01jd8x0000000000000000000h",
      reason: "The list of leads was an old one."
    });
  }
  {
    await aos.tasks.cancelTask({ task: "tsk_01jd8x0000000000000000000a", reason: "asked for by mistake" });
  }
  {
    await aos.tasks.cancelTasks({
      filter: {
        agent: ["sales"],
        label: "october"
      },
      count: 1,
      reason: "The campaign was called off."
    });
  }
  {
    await aos.tasks.changeTask({
      task: "tsk_01jd8x0000000000000000000a",
      priority: 5,
      labels: ["urgent"]
    });
  }
  {
    await aos.tasks.dispatchBatch({
      items: [
        {
          agent: "sales",
          task: "qualify_lead",
          lead_id: "ld_1001"
        },
        {
          agent: "sales",
          task: "qualify_lead",
          lead_id: "ld_1002",
          require_approval: true
        }
      ]
    });
  }
  {
    await aos.tasks.estimateTask({ agent: "sales", task: "qualify_lead", input: { lead_id: "ld_1001" } });
  }
  {
    for await (const one of aos.tasks.listComments({ task: "tsk_01jd8x0000000000000000000a" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.tasks.listFeedback({ task: "tsk_01jd8x0000000000000000000a" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.tasks.listTaskEvents({ task: "tsk_01jd8x0000000000000000000a" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.tasks.listTaskSteps({ task: "tsk_01jd8x0000000000000000000a" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.tasks.listTasks()) {
      console.log(one);
    }
  }
  {
    await aos.tasks.pauseTask({
      task: "tsk_01jd8x0000000000000000000a",
      reason: "waiting for the new price list"
    });
  }
  {
    await aos.tasks.readBatch({ batch: "bat_01jd8x0000000000000000000h" });
  }
  {
    await aos.tasks.readTask({ task: "tsk_01jd8x0000000000000000000a" });
  }
  {
    await aos.tasks.readTaskChildren({ task: "tsk_01jd8x0000000000000000000a" });
  }
  {
    await aos.tasks.readTaskCost({ task: "tsk_01jd8x0000000000000000000a" });
  }
  {
    await aos.tasks.readTaskResult({ task: "tsk_01jd8x0000000000000000000a" });
  }
  {
    await aos.tasks.readTaskTrace({ task: "tsk_01jd8x0000000000000000000a" });
  }
  {
    await aos.tasks.readTaskTrust({ task: "tsk_01jd8x0000000000000000000a" });
  }
  {
    await aos.tasks.resumeTask({ task: "tsk_01jd8x0000000000000000000a" });
  }
  {
    await aos.tasks.retryTask({ task: "tsk_01jd8x0000000000000000000a", from: "failed_step" });
  }
  {
    await aos.tasks.submitFeedback({
      task: "tsk_01jd8x0000000000000000000a",
      accepted: false,
      correction: { qualified: false },
      comment: "This company closed last year."
    });
  }
  {
    await aos.tasks.submitInput({ task: "tsk_01jd8x0000000000000000000a", answer: "The plan for teams." });
  }
  {
    await aos.webhooks.changeWebhook({ webhook: "whk_01jd8x0000000000000000000a", state: "paused" });
  }
  {
    await aos.webhooks.createWebhook({
      url: "https://hooks.example.com/aos",
      events: ["task.approval_required", "task.completed"],
      description: "The support team's inbox",
      agents: ["sales"]
    });
  }
  {
    for await (const one of aos.webhooks.listDeliveries({ webhook: "whk_01jd8x0000000000000000000a" })) {
      console.log(one);
    }
  }
  {
    await aos.webhooks.listEventTypes();
  }
  {
    for await (const one of aos.webhooks.listEvents()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.webhooks.listWebhooks()) {
      console.log(one);
    }
  }
  {
    await aos.webhooks.readDelivery({
      webhook: "whk_01jd8x0000000000000000000a",
      delivery: "dlv_01jd8x0000000000000000000c"
    });
  }
  {
    await aos.webhooks.readEvent({ event: "evt_01jd8x0000000000000000000f" });
  }
  {
    await aos.webhooks.readWebhook({ webhook: "whk_01jd8x0000000000000000000a" });
  }
  {
    await aos.webhooks.recover({
      webhook: "whk_01jd8x0000000000000000000a",
      since: "2026-11-20T08:00:00.000Z"
    });
  }
  {
    await aos.webhooks.removeWebhook({ webhook: "whk_01jd8x0000000000000000000a" });
  }
  {
    await aos.webhooks.retryDelivery({
      webhook: "whk_01jd8x0000000000000000000a",
      delivery: "dlv_01jd8x0000000000000000000c"
    });
  }
  {
    await aos.webhooks.rotateSecret({ webhook: "whk_01jd8x0000000000000000000a", overlap_seconds: 3600 });
  }
  {
    for await (const one of aos.webhooks.streamEvents()) {
      console.log(one);
    }
  }
  {
    await aos.webhooks.testWebhook({
      webhook: "whk_01jd8x0000000000000000000a",
      event: "task.approval_required"
    });
  }
  {
    await aos.workflows.addTrigger({
      workflow: "refund",
      definition: {
        schedule: "0 7 * * MON-FRI",
        time_zone: "Europe/Vienna",
        overlap: "skip",
        missed: "run_once"
      }
    });
  }
  {
    await aos.workflows.archiveWorkflow({ workflow: "refund", reason: "Refunds are judged elsewhere." });
  }
  {
    await aos.workflows.compareDraft({
      workflow: "refund",
      description: "Judges a request for a refund, asks people above an amount, and pays.",
      input: {
        type: "object",
        required: ["order_id", "message"],
        properties: {
          order_id: {
            type: "string",
            pattern: "^or_",
            maxLength: 64
          },
          message: {
            type: "string",
            pattern: "^[^\\u0000]*$",
            maxLength: 2000
          }
        }
      },
      steps: [
        {
          id: "judge",
          agent: {
            name: "support",
            skill: "judge_refund",
            input: { message: "input.message" }
          }
        },
        {
          id: "ask",
          when: "steps.judge.output.amount > 100.0",
          approval: {
            title: "'Refund ' + input.order_id",
            risk: "high",
            expires: "2d"
          }
        },
        {
          id: "pay",
          tool: {
            agent: "support",
            name: "issue_refund",
            arguments: {
              order: "input.order_id",
              amount: "steps.judge.output.amount"
            }
          }
        }
      ],
      output: { refunded: "steps.pay.output.amount" }
    });
  }
  {
    await aos.workflows.compensateRun({
      workflow: "refund",
      run: "wfr_01jd8x0000000000000000000a",
      reason: "The customer changed their mind."
    });
  }
  {
    await aos.workflows.controlRun({
      workflow: "refund",
      run: "wfr_01jd8x0000000000000000000a",
      action: "retry_from",
      step: "judge",
      input: { message: "It arrived broken, and late." }
    });
  }
  {
    await aos.workflows.controlRuns({ action: "retry", runs: ["wfr_01jd8x0000000000000000000a"] });
  }
  {
    await aos.workflows.createHook({
      name: "orders",
      description: "The shop tells of refunds that customers ask for."
    });
  }
  {
    await aos.workflows.createWorkflow({
      workflow: "refund",
      description: "Judges a request for a refund, asks people above an amount, and pays.",
      input: {
        type: "object",
        required: ["order_id", "message"],
        properties: {
          order_id: {
            type: "string",
            pattern: "^or_",
            maxLength: 64
          },
          message: {
            type: "string",
            pattern: "^[^\\u0000]*$",
            maxLength: 2000
          }
        }
      },
      steps: [
        {
          id: "judge",
          agent: {
            name: "support",
            skill: "judge_refund",
            input: { message: "input.message" }
          }
        },
        {
          id: "ask",
          when: "steps.judge.output.amount > 100.0",
          approval: {
            title: "'Refund ' + input.order_id",
            risk: "high",
            expires: "2d"
          }
        },
        {
          id: "pay",
          tool: {
            agent: "support",
            name: "issue_refund",
            arguments: {
              order: "input.order_id",
              amount: "steps.judge.output.amount"
            }
          }
        }
      ],
      output: { refunded: "steps.pay.output.amount" }
    });
  }
  {
    await aos.workflows.generateWorkflow({
      description: "Judge a refund and pay it after people have approved it.",
      name: "refund"
    });
  }
  {
    for await (const one of aos.workflows.listAllRuns()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.workflows.listDeadLetters()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.workflows.listHooks()) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.workflows.listRunEvents({ workflow: "refund", run: "wfr_01jd8x0000000000000000000a" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.workflows.listRuns({ workflow: "refund" })) {
      console.log(one);
    }
  }
  {
    await aos.workflows.listStepTypes();
  }
  {
    for await (const one of aos.workflows.listTriggers({ workflow: "refund" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.workflows.listVersions({ workflow: "refund" })) {
      console.log(one);
    }
  }
  {
    for await (const one of aos.workflows.listWorkflows()) {
      console.log(one);
    }
  }
  {
    await aos.workflows.pauseWorkflow({ workflow: "refund", reason: "The shop is closed for stocktaking." });
  }
  {
    await aos.workflows.publishWorkflow({ workflow: "refund", note: "Asks people above 100 dollars." });
  }
  {
    await aos.workflows.readRun({ workflow: "refund", run: "wfr_01jd8x0000000000000000000a" });
  }
  {
    await aos.workflows.readVersion({ workflow: "refund", version: "2" });
  }
  {
    await aos.workflows.readWorkflow({ workflow: "refund" });
  }
  {
    await aos.workflows.readWorkflowGraph({ workflow: "refund" });
  }
  {
    await aos.workflows.removeHook({ hook: "orders" });
  }
  {
    await aos.workflows.removeTrigger({ workflow: "refund", trigger: "wtr_01jd8x0000000000000000000t" });
  }
  {
    await aos.workflows.replaceDraft({
      workflow: "refund",
      description: "Judges a request for a refund, asks people above an amount, and pays.",
      input: {
        type: "object",
        required: ["order_id", "message"],
        properties: {
          order_id: {
            type: "string",
            pattern: "^or_",
            maxLength: 64
          },
          message: {
            type: "string",
            pattern: "^[^\\u0000]*$",
            maxLength: 2000
          }
        }
      },
      steps: [
        {
          id: "judge",
          agent: {
            name: "support",
            skill: "judge_refund",
            input: { message: "input.message" }
          }
        },
        {
          id: "ask",
          when: "steps.judge.output.amount > 100.0",
          approval: {
            title: "'Refund ' + input.order_id",
            risk: "high",
            expires: "2d"
          }
        },
        {
          id: "pay",
          tool: {
            agent: "support",
            name: "issue_refund",
            arguments: {
              order: "input.order_id",
              amount: "steps.judge.output.amount"
            }
          }
        }
      ],
      output: { refunded: "steps.pay.output.amount" }
    }, { ifMatch: etag });
  }
  {
    await aos.workflows.resumeWorkflow({ workflow: "refund" });
  }
  {
    await aos.workflows.rollback({ workflow: "refund", reason: "Asks people about every refund." });
  }
  {
    await aos.workflows.rotateSecret({ hook: "orders", overlap_seconds: 3600 });
  }
  {
    await aos.workflows.signalRun({
      workflow: "refund",
      run: "wfr_01jd8x0000000000000000000r",
      event: "bank.settled",
      data: { refund: "rf_1" }
    });
  }
  {
    await aos.workflows.startRun({
      workflow: "refund",
      input: { order_id: "or_2001", message: "It arrived broken." }
    });
  }
  {
    await aos.workflows.testWorkflow({
      workflow: "refund",
      input: { message: "Where is my order?" },
      outputs: {
        judge: { amount: 20 },
        pay: { id: "rf_1" }
      }
    });
  }
  {
    await aos.workflows.validateWorkflow({ workflow: "refund" });
  }
}
