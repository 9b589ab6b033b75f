import { confidences, type Severity, severities } from '@sortie/contract';
import type { PentestFinding } from '@sortie/engine';

type Rating = Pick<PentestFinding, 'cvssScore' | 'cvssVector'>;

const ratings: Record<Severity, Rating> = {
  CRITICAL: { cvssScore: 9.8, cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
  HIGH: { cvssScore: 7.5, cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' },
  MEDIUM: { cvssScore: 5.3, cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N' },
  LOW: { cvssScore: 3.1, cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N' },
  INFO: { cvssScore: null, cvssVector: null },
};
const references = ['https://www.rfc-editor.org/rfc/rfc2606'];

/** One finding per severity and confidence. In those of the lowest severity, all nullable fields are null. */
export const findingsOfEachKind: readonly PentestFinding[] = severities.flatMap((severity) =>
  confidences.map((confidence) => {
    const name = `${severity}-${confidence}`.toLowerCase();
    const isBare = severity === 'INFO';
    return {
      title: `An invented finding: ${severity}, ${confidence}`,
      description: isBare ? null : 'It was made up by the sandbox. Nothing was tested.',
      severity,
      confidence,
      affectedUrl: isBare ? null : `https://released-findings.sandbox.example/${name}?q=1`,
      remediation: isBare ? null : 'Nothing has to be repaired.',
      ...ratings[severity],
      cwe: isBare ? null : 79,
      method: isBare ? null : 'GET',
      parameter: isBare ? null : 'q',
      location: isBare ? null : 'query',
      checkId: isBare ? null : `sandbox-${severity.toLowerCase()}`,
      references: isBare ? [] : references,
      fingerprint: `sandbox-${name}`,
    };
  }),
);

export function oneFinding(name: string): PentestFinding {
  return {
    title: `An invented finding: ${name}`,
    description: 'It was made up by the sandbox. Nothing was tested.',
    severity: 'HIGH',
    confidence: 'CONFIRMED',
    affectedUrl: `https://findings.sandbox.example/${name}`,
    remediation: 'Nothing has to be repaired.',
    ...ratings.HIGH,
    cwe: 89,
    method: 'POST',
    parameter: 'id',
    location: 'form',
    checkId: 'sandbox-high',
    references,
    fingerprint: `sandbox-${name}`,
  };
}

const MANY = 120;

/** More than fit on one page. */
export const manyFindings: readonly PentestFinding[] = Array.from({ length: MANY }, (_, index) => ({
  ...oneFinding(`number-${index + 1}`),
  severity: severities[index % severities.length] ?? 'INFO',
}));
