/** What people do with approvals besides voting. */
export const rows = `
                            vwr opr bld evl apr aud adm
approvals.requestChanges     ·   ·   ·   ·   ✓   ·   ✓
approvals.delegate           ·   ·   ·   ·   ✓   ·   ✓
approvals.bulk               ·   ·   ·   ·   ✓   ·   ✓
`;
