import { confidences, type Severity, severities } from '@sortie/contract';
import type { PentestFinding } from '@sortie/engine';

const scores: Record<Severity, number | null> = { CRITICAL: 9.8, HIGH: 7.5, MEDIUM: 5.3, LOW: 3.1, INFO: null };

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
      cvssScore: scores[severity],
      cwe: isBare ? null : 79,
      method: isBare ? null : 'GET',
      parameter: isBare ? null : 'q',
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
    cvssScore: 7.5,
    cwe: 89,
    method: 'POST',
    parameter: 'id',
    fingerprint: `sandbox-${name}`,
  };
}

const MANY = 120;

/** More than fit on one page. */
export const manyFindings: readonly PentestFinding[] = Array.from({ length: MANY }, (_, index) => ({
  ...oneFinding(`number-${index + 1}`),
  severity: severities[index % severities.length] ?? 'INFO',
}));
