/** The governed call itself: agents and their tasks, approvals, the audit log, keys. */
export const rows = `
                            vwr opr bld evl apr aud adm
agents.listAgents            ✓   ✓   ✓   ✓   ✓   ✓   ✓
agents.readAgent             ✓   ✓   ✓   ✓   ✓   ✓   ✓
agents.dispatchTask          ·   ✓   ✓   ·   ·   ·   ✓

tasks.listTasks              ✓   ✓   ✓   ✓   ✓   ✓   ✓
tasks.readTask               ✓   ✓   ✓   ✓   ✓   ✓   ✓
tasks.cancelTask             ·   ✓   ✓   ·   ·   ·   ✓

approvals.listApprovals      ✓   ✓   ✓   ✓   ✓   ✓   ✓
approvals.readApproval       ✓   ✓   ✓   ✓   ✓   ✓   ✓
approvals.approve            ·   ·   ·   ·   ✓   ·   ✓
approvals.reject             ·   ·   ·   ·   ✓   ·   ✓

audit.listEvents             ·   ·   ·   ·   ·   ✓   ✓
audit.readEvent              ·   ·   ·   ·   ·   ✓   ✓
audit.readProof              ·   ·   ·   ·   ·   ✓   ✓
audit.readCheckpoint         ·   ·   ·   ·   ·   ✓   ✓

admin.listKeys               ·   ·   ·   ·   ·   ·   ✓
admin.issueKey               ·   ·   ·   ·   ·   ·   ✓
admin.revokeKey              ·   ·   ·   ·   ·   ·   ✓
admin.whoami                 ✓   ✓   ✓   ✓   ✓   ✓   ✓
`;
