/** Tokens of all sessions of a run, so that no session sends a token of another one. Must not be persisted. */
export interface KnownTokens {
  /** Tokens that identify an account. */
  sessions: Set<string>;
  /** Values that CSRF cookies have or had. */
  csrf: Set<string>;
}

export const createKnownTokens = (): KnownTokens => ({ sessions: new Set(), csrf: new Set() });
