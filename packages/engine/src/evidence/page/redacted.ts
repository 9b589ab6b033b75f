/** Shortens a secret for evidence: enough to find it, not enough to use it. */
export const redacted = (secret: string) =>
  secret.length < 16 ? `${secret.slice(0, 4)}…` : `${secret.slice(0, 4)}…${secret.slice(-4)}`;
