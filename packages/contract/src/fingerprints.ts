interface Fingerprinted {
  fingerprint: string;
  /** Fingerprints that earlier releases gave to this finding. */
  formerFingerprints?: readonly string[] | undefined;
}

/**
 * Returns all fingerprints by which a finding may be known. Compare them with `ownFingerprintsOf` the other finding.
 */
export const fingerprintsOf = ({ fingerprint, formerFingerprints = [] }: Fingerprinted): string[] => [
  fingerprint,
  ...formerFingerprints,
];

/**
 * Returns the fingerprints that identify this finding alone: its own and those of its places. Leaves out former ones,
 * because earlier releases gave one fingerprint to several findings.
 */
export const ownFingerprintsOf = ({ fingerprint, placeFingerprints }: OwnFingerprints): string[] => [
  fingerprint,
  ...(placeFingerprints ?? []),
];

interface OwnFingerprints {
  fingerprint: string;
  /** Null for findings of earlier releases. */
  placeFingerprints: readonly string[] | null;
}
