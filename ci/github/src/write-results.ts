import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setOutput, summary } from '@actions/core';
import { formats, isJudged, type Report, renderStepSummary } from '../../../packages/report/src/index.ts';
import type { Inputs } from './inputs.ts';
import type { Outcome } from './outcome.ts';

function writeFile(file: string, content: string): string {
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  writeFileSync(file, content);
  return file;
}

const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const;

function writeReport(report: Report, { sarif, anchor, junit }: Inputs): void {
  const judged = isJudged(report);
  // Empty instead of 0: findings that were not read completely have no count.
  for (const severity of judged ? severities : []) {
    setOutput(severity.toLowerCase(), report.findings.filter((finding) => finding.severity === severity).length);
  }
  setOutput('verdict', report.verdict?.outcome ?? '');
  setOutput('report-released', judged);
  // Without a verdict, an empty SARIF file would close every alert of the repository.
  if (sarif !== '' && judged) {
    const options = anchor === '' ? {} : { anchor };
    setOutput('sarif-file', writeFile(sarif, formats.sarif.render(report, options)));
  }
  if (junit !== '') setOutput('junit-file', writeFile(junit, formats.junit.render(report)));
}

export async function writeResults({ exitCode, runId, status, report }: Outcome, inputs: Inputs): Promise<void> {
  setOutput('exit-code', exitCode);
  setOutput('run-id', runId ?? '');
  setOutput('status', status ?? '');
  if (!report) return;
  writeReport(report, inputs);
  await summary.addRaw(renderStepSummary(report), true).write();
}
