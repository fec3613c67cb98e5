/** Tasks beyond dispatch: batches, changes, events, steps, results. */
export const rows = `
                            vwr opr bld evl apr aud adm
tasks.dispatchBatch          ·   ✓   ✓   ·   ·   ·   ✓
tasks.changeTask             ·   ✓   ✓   ·   ·   ·   ✓
tasks.retryTask              ·   ✓   ✓   ·   ·   ·   ✓
tasks.giveInput              ·   ✓   ✓   ·   ·   ·   ✓
tasks.listTaskEvents         ✓   ✓   ✓   ✓   ✓   ✓   ✓
tasks.listTaskSteps          ✓   ✓   ✓   ✓   ✓   ✓   ✓
tasks.readTaskResult         ✓   ✓   ✓   ✓   ✓   ✓   ✓
`;
