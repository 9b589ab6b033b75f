import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  samplePentest,
  samplePentestFinding,
  sampleScan,
  sampleScanFinding,
} from '@sortie/testing/reports/sample-reports.ts';
import { renderHtml } from './html/html.ts';
import { renderMarkdown } from './markdown.ts';
import { markdownText } from './markdown-text.ts';
import type { Verdict } from './report.ts';
import { COMMENT_MARKER, renderComment, renderStepSummary } from './summary.ts';

const many = (count: number, title: string) =>
  Array.from({ length: count }, (_, index) =>
    samplePentestFinding({ id: `f${index}`, title: `${title} ${index}`, remediation: 'Bind the value. '.repeat(50) }),
  );

const verdict: Verdict = {
  outcome: 'undecided',
  reason: 'The wait was used up.',
  failOn: 'HIGH',
  minConfidence: 'FIRM',
};

it('keeps what our sentences quote as code, so that it can be copied, and escapes everything else', () => {
  const quoted = '`GET http://shop.test/?q=<img/src=x>&a=_b_`';
  assert.equal(markdownText(`Open ${quoted} as *bob*`), `Open ${quoted} as \\*bob\\*`);
  assert.equal(markdownText('one ` alone <b>'), 'one \\` alone &lt;b&gt;');
});

describe('Markdown', () => {
  it('tells the run, the counts and each finding with what was seen', () => {
    const text = renderMarkdown(sampleScan());
    assert.match(text, /^## Sortie scan of `https:\/\/shop\.example\.com\/`$/m);
    assert.match(text, /^\| 0 \| 0 \| 1 \| 0 \| 0 \|$/m);
    assert.match(text, /^```text\n\| x-frame-options: \(not sent\)\n```$/m);
  });

  it('tells the check of a finding, how it is rated, where it is and where to read more', () => {
    const text = renderMarkdown(samplePentest());
    const page = renderHtml(samplePentest());
    for (const [line, markup] of [
      ['- Check: `sql-injection-error`', '<dt>Check</dt><dd>sql-injection-error</dd>'],
      ['- Parameter: `id (query)`', '<dt>Parameter</dt><dd>id (query)</dd>'],
      ['- OWASP Top 10: A03:2021 Injection', '<dt>OWASP Top 10</dt><dd>A03:2021 Injection</dd>'],
      ['- CVSS vector: `CVSS:3.1/AV:N/', '<dt>CVSS vector</dt><dd>CVSS:3.1/AV:N/'],
      ['Cheat', '<a href="https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html"'],
    ] as const) {
      assert.ok(text.includes(line), line);
      assert.ok(page.includes(markup), markup);
    }
  });

  it('tells what was tested line by line, or why the run failed, where that is known', () => {
    const summary = 'Crawled 3 pages.\nSkipped *one*.';
    const lines = '- Crawled 3 pages.\n- Skipped \\*one\\*.\n';
    assert.ok(renderMarkdown(samplePentest({ summary })).endsWith(`### What was tested\n\n${lines}`));
    const failed = samplePentest({ summary, status: 'FAILED', findings: [] });
    assert.ok(renderMarkdown(failed).endsWith(`### Why it failed\n\n${lines}`));
    assert.match(
      renderHtml(failed),
      /<h3>Why it failed<\/h3><ul><li [^>]*>Crawled 3 pages\.<\/li><li [^>]*>Skipped \*one\*\.</,
    );
    assert.doesNotMatch(renderMarkdown(samplePentest({ summary: null })), /was tested|failed/);
  });

  it('keeps what a target wrote from being markup', () => {
    const title = '<img src=x onerror=alert(1)> [a](https://evil.example) ![b](https://evil.example/p.png) | cell';
    const text = renderMarkdown(
      samplePentest({ findings: [samplePentestFinding({ title, description: `# ${title}` })] }),
    );
    assert.doesNotMatch(text, /<img/);
    assert.doesNotMatch(text, /(?<!\\)\[a(?<!\\)\]/);
    assert.doesNotMatch(text, /(?<!\\)!/);
    assert.doesNotMatch(text, /^# /m);
    assert.doesNotMatch(text, /https:\/\/evil/);
  });

  it('parts a number from its dot only where it would begin a list', () => {
    const described = '1. first\n 2) second\n3.\n9.8 of 10, version 1.2. More';
    const text = renderMarkdown(
      samplePentest({ findings: [samplePentestFinding({ description: described, cvssScore: '9.8' })] }),
    );
    assert.ok(text.includes('\n1\\. first\n 2\\) second\n3\\.\n9.8 of 10, version 1.2. More\n'), text);
    assert.match(text, /^- CVSS 3\.1: 9\.8$/m);
  });

  it('calls nobody and links no issue that a target names', () => {
    const text = renderMarkdown(
      samplePentest({ findings: [samplePentestFinding({ title: 'ask @octocat about #12' })] }),
    );
    assert.doesNotMatch(text, /@octocat|#12/);
  });

  it('keeps evidence within its block, whatever fences it has', () => {
    const evidence = '```\n</pre>\n`````\n# head';
    const text = renderMarkdown(sampleScan({ findings: [sampleScanFinding({ evidence })] }));
    assert.ok(text.includes(`\`\`\`\`\`\`text\n| ${evidence.replaceAll('\n', '\n| ')}\n\`\`\`\`\`\``));
  });
});

describe('the summary of a step', () => {
  it('tells the verdict, also when there is none to be had', () => {
    assert.match(renderStepSummary(samplePentest({ verdict })), /\*\*Gate undecided\*\*: The wait was used up\./);
  });

  it('stays below 900 KiB with 6,000 findings and says how many are left out', () => {
    const text = renderStepSummary(samplePentest({ findings: many(6000, 'Éé'.repeat(20)) }));
    assert.ok(Buffer.byteLength(text) <= 900 * 1024);
    assert.match(text, /… and \d+ more findings\./);
    assert.match(text, /Details of \d+ findings are omitted\./);
  });

  it('has no evidence, no description and no query', () => {
    const finding = sampleScanFinding({
      evidence: 'seen-7',
      description: 'described-7',
      affectedUrl: 'https://shop.example.com/a?query=7',
    });
    for (const text of [
      renderStepSummary(sampleScan({ findings: [finding] })),
      renderComment(sampleScan({ findings: [finding] })),
    ]) {
      assert.match(text, /`shop\.example\.com\/a`/);
      assert.doesNotMatch(text, /seen-7|described-7|query=7/);
    }
  });
});

describe('a comment', () => {
  it('begins with the mark by which it is found again', () => {
    assert.ok(renderComment(samplePentest()).startsWith(COMMENT_MARKER));
  });

  it('lists the ten worst and stays below 60,000 characters', () => {
    const findings = [...many(30, 'x'.repeat(50_000)), samplePentestFinding({ title: 'minor', severity: 'LOW' })];
    const text = renderComment(samplePentest({ findings, target: `https://shop.example.com/${'a'.repeat(70_000)}` }));
    assert.ok(text.length <= 60_000);
    assert.equal(text.match(/^\| Critical \| confirmed/gm)?.length, 10);
    assert.match(text, /… and 21 more findings\./);
  });
});
