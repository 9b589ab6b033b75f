/** Requests allowed in a fixed window of one minute. Reads are GET requests, writes are starts and cancels. */
export const rateLimits = {
  windowSeconds: 60,
  readsPerKey: 120,
  readsPerAccount: 600,
  writesPerKey: 10,
} as const;
