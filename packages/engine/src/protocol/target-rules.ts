/** The URLs that one target of an account covers. */
export interface TargetCoverage {
  origin: string;
  host: string;
  /** The names that its DNS verifications cover, each with all names below it. */
  coveredNames: readonly string[];
}

/** The rules of one target, as an engine applies them. */
export interface TargetRules extends TargetCoverage {
  /** Why no request to this target may be sent, for the customer; null when requests may be sent. */
  forbidden: string | null;
  excludedPaths: readonly string[];
  /** Null: the run's own rate. */
  requestsPerSecond: number | null;
  /** How long the target may be tested from now on; null without an end, 0 while its window is closed. */
  windowMs: number | null;
}
