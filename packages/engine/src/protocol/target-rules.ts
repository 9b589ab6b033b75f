/** The URLs that one target of an account covers. */
export interface TargetCoverage {
  origin: string;
  host: string;
  /** Names that its DNS verifications cover, each with its subdomains. */
  coveredNames: readonly string[];
}

/** Rules of one target, as an engine applies them. */
export interface TargetRules extends TargetCoverage {
  /** Why no request to this target may be sent, as a message for the customer; null if requests may be sent. */
  forbidden: string | null;
  excludedPaths: readonly string[];
  /** Null: the rate of the run. */
  requestsPerSecond: number | null;
  /** How long the target may be tested from now on; null without a limit, 0 while its window is closed. */
  windowMs: number | null;
}
