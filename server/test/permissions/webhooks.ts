/** Endpoints, deliveries, and the event log. */
export const rows = `
                            vwr opr bld evl apr aud adm
webhooks.listWebhooks        ✓   ✓   ✓   ✓   ✓   ✓   ✓
webhooks.createWebhook       ·   ·   ✓   ·   ·   ·   ✓
webhooks.readWebhook         ✓   ✓   ✓   ✓   ✓   ✓   ✓
webhooks.changeWebhook       ·   ·   ✓   ·   ·   ·   ✓
webhooks.removeWebhook       ·   ·   ✓   ·   ·   ·   ✓
webhooks.rotateSecret        ·   ·   ✓   ·   ·   ·   ✓
webhooks.recover             ·   ·   ✓   ·   ·   ·   ✓
webhooks.testWebhook         ·   ·   ✓   ·   ·   ·   ✓
webhooks.listDeliveries      ✓   ✓   ✓   ✓   ✓   ✓   ✓
webhooks.readDelivery        ✓   ✓   ✓   ✓   ✓   ✓   ✓
webhooks.retryDelivery       ·   ·   ✓   ·   ·   ·   ✓
webhooks.listEventTypes      ✓   ✓   ✓   ✓   ✓   ✓   ✓
webhooks.listEvents          ✓   ✓   ✓   ✓   ✓   ✓   ✓
webhooks.readEvent           ✓   ✓   ✓   ✓   ✓   ✓   ✓
webhooks.streamEvents        ✓   ✓   ✓   ✓   ✓   ✓   ✓
`;
