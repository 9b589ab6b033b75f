import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCsv } from '@sortie/testing/reports/read-csv.ts';
import { samplePentest, samplePentestFinding, sampleScan } from '@sortie/testing/reports/sample-reports.ts';
import { renderCsv } from './csv.ts';
import type { Report } from './report.ts';

function tableOf(report: Report): Record<string, string>[] {
  const [head = [], ...rows] = readCsv(renderCsv(report));
  return rows.map((cells) => {
    assert.equal(cells.length, head.length);
    return Object.fromEntries(head.map((name, index) => [name, cells[index] ?? '']));
  });
}

describe('CSV', () => {
  it('has a row for each finding, with what each kind of run has', () => {
    const [pentest] = tableOf(samplePentest());
    assert.equal(pentest?.severity, 'CRITICAL');
    assert.equal(pentest?.cweId, 'CWE-89');
    assert.equal(pentest?.cvssScore, '9.8');
    assert.deepEqual([pentest?.checkId, pentest?.ruleId], ['sql-injection-error', 'sql-injection-error']);
    assert.deepEqual([pentest?.location, pentest?.owaspCategory], ['query', 'A03:2021 Injection']);
    assert.match(pentest?.references ?? '', /^https:/);
    const [scan] = tableOf(sampleScan());
    assert.equal(scan?.ruleId, 'clickjacking-unprotected');
    assert.equal(scan?.evidence, 'x-frame-options: (not sent)');
  });

  it('has a head without findings', () => {
    assert.equal(readCsv(renderCsv(sampleScan({ findings: [] }))).length, 1);
  });

  it('keeps lines, quotes and commas within their cell', () => {
    const description = 'one, "two"\nthree\r\nfour';
    const [row] = tableOf(samplePentest({ findings: [samplePentestFinding({ description })] }));
    assert.equal(row?.description, 'one, "two"\nthree\nfour');
  });

  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\n=1', '＝1', '＋1', '－1', '＠1']) {
    it(`keeps a spreadsheet from running ${JSON.stringify(formula)}`, () => {
      const texts = { title: formula, description: formula, remediation: formula, parameter: formula };
      const [row] = tableOf(samplePentest({ findings: [samplePentestFinding(texts)] }));
      for (const name of Object.keys(texts)) assert.match(row?.[name] ?? '', /^'[=+\-@＝＋－＠]/);
    });
  }

  it('cuts what no cell of a spreadsheet can hold', () => {
    const [row] = tableOf(samplePentest({ findings: [samplePentestFinding({ description: 'x'.repeat(90_000) })] }));
    assert.ok((row?.description?.length ?? 0) <= 32_767);
  });
});
