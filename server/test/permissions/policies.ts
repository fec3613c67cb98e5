/** Policies, their simulation, and violations. */
export const rows = `
                            vwr opr bld evl apr aud adm
governance.listPolicies      ✓   ✓   ✓   ✓   ✓   ✓   ✓
governance.createPolicy      ·   ·   ·   ·   ·   ·   ✓
governance.readPolicy        ✓   ✓   ✓   ✓   ✓   ✓   ✓
governance.replacePolicy     ·   ·   ·   ·   ·   ·   ✓
governance.retirePolicy      ·   ·   ·   ·   ·   ·   ✓
governance.simulatePolicy    ·   ·   ·   ·   ·   ·   ✓
governance.check             ✓   ✓   ✓   ✓   ✓   ✓   ✓
governance.listViolations    ✓   ✓   ✓   ✓   ✓   ✓   ✓
`;
