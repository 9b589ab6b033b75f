/** For evidence: enough to find it again, not enough to use it. */
export const redacted = (secret: string) =>
  secret.length < 16 ? `${secret.slice(0, 4)}…` : `${secret.slice(0, 4)}…${secret.slice(-4)}`;
