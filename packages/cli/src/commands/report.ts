import type { Command } from 'commander';
import { apiCommand, collect, withShell } from '../api/api-command.ts';
import { withAcceptUntested } from '../pentest/accepted-groups.ts';
import type { ReportOptions } from '../pentest/write-reports.ts';

export function reportCommand(): Command {
  const report = apiCommand('report', 'write the report of a pentest or scan as SARIF, JUnit, HTML, PDF, …')
    .argument('<id>', 'id of the run or scan')
    .option(
      '--format <name>',
      'sarif, junit, gitlab-dast, defectdojo, csv, markdown, json, html or pdf (repeatable; default: markdown)',
      collect,
    )
    .option(
      '-o, --output <file>',
      'output file of each format, in order, - for stdout (default: stdout for one format, except sortie.pdf for pdf; ' +
        'for several: sortie.sarif, sortie-junit.xml, gl-dast-report.json, sortie-defectdojo.json, sortie.csv, sortie.md, ' +
        'sortie.json, sortie.html and sortie.pdf)',
      collect,
    );
  report
    .option('--new-only', 'in JUnit: report findings as passed that are open since an earlier run on the target')
    .option('--baseline-run <id>', 'in JUnit: report findings as passed that this completed run has');
  const described = 'in JUnit: do not report an error if checks of this group could not run';
  return withAcceptUntested(report, described).action((id: string, options: ReportOptions) =>
    withShell(options, `The report of ${id} could not be written`, async (shell) =>
      (await import('../pentest/write-reports.ts')).writeReports(shell, id, options),
    ),
  );
}
