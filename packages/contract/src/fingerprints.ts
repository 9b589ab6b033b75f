interface Fingerprinted {
  fingerprint: string;
  /** Those that earlier versions gave it. */
  formerFingerprints?: readonly string[] | undefined;
}

/** Returns all fingerprints by which a finding may be known: compare them with `ownFingerprintsOf` an earlier one. */
export const fingerprintsOf = ({ fingerprint, formerFingerprints = [] }: Fingerprinted): string[] => [
  fingerprint,
  ...formerFingerprints,
];

/**
 * Returns the fingerprints that no other finding has: its own, and those of its places. Former ones are left out, because
 * earlier releases gave one to several findings.
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
