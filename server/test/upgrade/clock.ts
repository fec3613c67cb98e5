// Preloaded into a service: its clock goes on from the moment at which a kept release stopped, so that what is kept for a day is still there.
const machine = Date.now;
const behind = machine() - Number(process.env.TEST_CLOCK_FROM);
Date.now = () => machine() - behind;

export {};
