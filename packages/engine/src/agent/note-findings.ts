import type { PentestFinding } from '../protocol/finding.ts';
import type { PlannerState } from './agent-state.ts';

const MOST_FINDINGS = 40;
export const MOST_FACT = 900;

/** Keeps the facts of findings, which are masked, for the reporter. */
export function noteFindings(
  { agent: team }: { agent: PlannerState | null },
  findings: readonly PentestFinding[],
  isPlanned: boolean,
): void {
  if (!team) return;
  for (const finding of findings) {
    const { fingerprint, title, severity, confidence, description, remediation, impact, partOf } = finding;
    const isKnown = team.findings.some((each) => each.fingerprint === (partOf ?? fingerprint));
    if (isKnown || team.findings.length >= MOST_FINDINGS) continue;
    const cut = (text: string | null) => (text ?? '').slice(0, MOST_FACT);
    team.findings.push({
      fingerprint,
      title,
      severity,
      confidence,
      place: `${finding.method ?? ''} ${cut(finding.affectedUrl)}`.trim(),
      description: cut(description),
      remediation: cut(remediation),
      impact: cut(impact),
      isPlanned,
    });
  }
}
