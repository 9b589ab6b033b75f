import type { z } from 'zod';
import type { EndpointName, endpoints } from '../endpoints.ts';

/** An example response of each endpoint; all examples share the same run, scan and key. */
export type Examples = { [Name in EndpointName]: z.infer<(typeof endpoints)[Name]['answer']['schema']> };

/** The ids that the examples share. */
export const ids = {
  account: 'acc_3fQ8vLr2WkZ6nD1pX9tB',
  key: 'Kx7Qm2Vd9LpZ',
  scan: 'scn_8rT4wNc6YbH2kJ5mQ7sP',
  pentest: 'pen_6zV1xGd3RfK9qL8nM4hC',
};

/** What the key of the examples may still spend this month. */
export const keyBudget = { limit: 10_000, used: 2_000, remaining: 8_000, resetsAt: '2026-04-01T00:00:00.000Z' };
