/** Deployments of agents and their pauses. */
export const rows = `
                            vwr opr bld evl apr aud adm
agents.listDeployments       ✓   ✓   ✓   ✓   ✓   ✓   ✓
agents.deployVersion         ·   ·   ✓   ·   ·   ·   ✓
agents.rollback              ·   ·   ✓   ·   ·   ·   ✓
agents.pauseAgent            ·   ✓   ✓   ·   ·   ·   ✓
agents.resumeAgent           ·   ✓   ✓   ·   ·   ·   ✓
`;
