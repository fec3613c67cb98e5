/** Budgets. */
export const rows = `
                            vwr opr bld evl apr aud adm
governance.listBudgets       ✓   ✓   ✓   ✓   ✓   ✓   ✓
governance.setBudget         ·   ·   ·   ·   ·   ·   ✓
governance.readBudget        ✓   ✓   ✓   ✓   ✓   ✓   ✓
`;
