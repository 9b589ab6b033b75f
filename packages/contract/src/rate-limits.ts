/** How many requests a fixed window of a minute admits. Reads are GET requests, writes are starts and cancels. */
export const rateLimits = {
  windowSeconds: 60,
  readsPerKey: 120,
  readsPerAccount: 600,
  writesPerKey: 10,
} as const;
