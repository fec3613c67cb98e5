/** Members and settings. */
export const rows = `
                            vwr opr bld evl apr aud adm
admin.listMembers            ·   ·   ·   ·   ·   ·   ✓
admin.setMember              ·   ·   ·   ·   ·   ·   ✓
admin.inviteMember           ·   ·   ·   ·   ·   ·   ✓
admin.listSessions           ✓   ✓   ✓   ✓   ✓   ✓   ✓
admin.revokeSession          ✓   ✓   ✓   ✓   ✓   ✓   ✓
admin.readSettings           ·   ·   ·   ·   ·   ·   ✓
admin.changeSettings         ·   ·   ·   ·   ·   ·   ✓
admin.readMember             ·   ·   ·   ·   ·   ·   ✓
`;
