/** Training of agents. */
export const rows = `
                            vwr opr bld evl apr aud adm
agents.startTraining         ·   ·   ✓   ·   ·   ·   ✓
agents.readTraining          ✓   ✓   ✓   ✓   ✓   ✓   ✓
agents.cancelTraining        ·   ·   ✓   ·   ·   ·   ✓
`;
