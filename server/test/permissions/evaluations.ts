/** Datasets, scorers, runs and gates. */
export const rows = `
                            vwr opr bld evl apr aud adm
evaluations.listDatasets     ✓   ✓   ✓   ✓   ✓   ✓   ✓
evaluations.createDataset    ·   ·   ·   ✓   ·   ·   ✓
evaluations.addItems         ·   ·   ·   ✓   ·   ·   ✓
evaluations.listScorers      ✓   ✓   ✓   ✓   ✓   ✓   ✓
evaluations.readScorer       ✓   ✓   ✓   ✓   ✓   ✓   ✓
evaluations.setScorer        ·   ·   ·   ✓   ·   ·   ✓
evaluations.listRuns         ✓   ✓   ✓   ✓   ✓   ✓   ✓
evaluations.startRun         ·   ·   ·   ✓   ·   ·   ✓
evaluations.readRun          ✓   ✓   ✓   ✓   ✓   ✓   ✓
evaluations.readGate         ✓   ✓   ✓   ✓   ✓   ✓   ✓
evaluations.setGate          ·   ·   ·   ✓   ·   ·   ✓
evaluations.listMonitors     ✓   ✓   ✓   ✓   ✓   ✓   ✓
evaluations.createMonitor    ·   ·   ·   ✓   ·   ·   ✓
evaluations.removeMonitor    ·   ·   ·   ✓   ·   ·   ✓
evaluations.listReviews      ✓   ✓   ✓   ✓   ✓   ✓   ✓
evaluations.giveReview       ·   ✓   ✓   ✓   ✓   ·   ✓
`;
