import type { Severity } from '@sortie/contract';
import type { ScanFinding, ScanResult } from '@sortie/engine';

const CHECKS = 40;
const NOT_RUN = [
  { checkId: 'sandbox-not-asked', reason: 'The sandbox made this up: evidence for the check is missing.' },
  { checkId: 'sandbox-explained', reason: 'Already explained by sandbox-critical.' },
];

function invented(severity: Severity, scoreImpact: number): ScanFinding {
  const name = severity.toLowerCase();
  return {
    checkId: `sandbox-${name}`,
    title: `An invented failing check: ${severity}`,
    description: 'It was made up by the sandbox. Nothing was looked at.',
    severity,
    confidence: 'CONFIRMED',
    category: 'headers',
    affectedUrl: severity === 'INFO' ? null : `https://scan-findings.sandbox.example/${name}`,
    evidence: severity === 'INFO' ? null : `x-invented: ${name}`,
    remediation: 'Nothing has to be repaired.',
    cwe: severity === 'INFO' ? null : 693,
    scoreImpact,
    references: ['https://www.rfc-editor.org/rfc/rfc2606'],
  };
}

function judged(score: number, grade: 'A+' | 'B' | 'F', findings: readonly ScanFinding[]): ScanResult {
  const failed = findings.length;
  const checks = { passed: CHECKS - failed, failed, notApplicable: 3, notRun: NOT_RUN.length };
  return { score, grade, checks, notRun: NOT_RUN, findings: [...findings] };
}

const [critical, high, medium, low, info] = [
  invented('CRITICAL', 55),
  invented('HIGH', 25),
  invented('MEDIUM', 8),
  invented('LOW', 3),
  invented('INFO', 0),
];

export const cleanScan = judged(100, 'A+', []);
export const scanWithWarnings = judged(89, 'B', [medium, low, info]);
export const scanOfEachSeverity = judged(9, 'F', [critical, high, medium, low, info]);
export const failedScan: ScanResult = {
  failure: {
    code: 'TARGET_UNREACHABLE',
    message: 'The story says that nobody answers there. Nothing was looked at.',
  },
};
