import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  earlierFinding,
  provedFinding,
  sampleCoverage,
  sampleEngagement,
  sampleExchange,
  samplePentest,
  samplePentestFinding,
  sampleScan,
  sampleScanFinding,
} from '@sortie/testing/reports/sample-reports.ts';
import { renderHtml } from './html.ts';

const summary = [
  'Tested 4 parameters with 6 checks: csrf, dom-xss, idor-read, open-redirect, ssrf, xxe.',
  '3 entries created at POST https://shop.example.com/notes, 1 removed, 2 left; 1 entry created at PUT https://shop.example.com/files/{id}, 0 removed, 1 left.',
  'Accepted without a sign whether anything was stored: POST https://shop.example.com/graphql (mutation setNick) (32), POST https://shop.example.com/ask (2), 18 more. The numbers count requests.',
  'Most test data contains a marker: "s" and twelve hexadecimal digits.',
].join('\n');

const pentest = renderHtml(
  samplePentest({
    depth: 'STANDARD',
    summary,
    findings: [provedFinding(), provedFinding({ id: 'fnd_3', severity: 'LOW', cweId: 'CWE-601' })],
    coverage: sampleCoverage(),
    engagements: [sampleEngagement()],
    fixed: [earlierFinding()],
    notTested: [earlierFinding({ title: 'Path traversal' })],
  }),
);

/** The text of a chapter, without tags. */
function chapter(page: string, id: string): string {
  const [, content = ''] =
    new RegExp(`<section class="chapter[^"]*" id="${id}"[^>]*>([\\s\\S]*?)</section>`).exec(page) ?? [];
  return content.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

describe('the HTML report of a pentest', () => {
  it('has contents whose links lead to every chapter and finding', () => {
    const [, contents = ''] = /<nav class="contents"[^>]*>([\s\S]*?)<\/nav>/.exec(pentest) ?? [];
    const links = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id);
    const chapters = ['summary', 'scope', 'accounts', 'coverage', 'findings', 'finding-1', 'finding-2'];
    assert.deepEqual(links, [...chapters, 'earlier-findings', 'target-changes', 'appendix']);
    for (const [, id] of pentest.matchAll(/href="#([^"]+)"/g)) assert.ok(pentest.includes(` id="${id}"`), id);
  });

  it('begins with target, level, times, run and overall risk', () => {
    const [, cover = ''] = /<header class="cover[^>]*>([\s\S]*?)<\/header>/.exec(pentest) ?? [];
    for (const text of ['https://shop.example.com/', 'Standard (STANDARD)', '15 November 2026, 10:00 UTC', 'pnt_1'])
      assert.ok(cover.includes(text), text);
    assert.match(cover, /Overall risk<\/span><strong>Critical</);
  });

  it('tells in the summary what to do first, and why', () => {
    const text = chapter(pentest, 'summary');
    assert.match(text, /The overall risk is the severity of the worst finding/);
    assert.match(text, /The two things to do first SQL injection Bind the value .* Why: 1 finding: Critical/);
  });

  it('states scope, verification and rules, and accounts by name', () => {
    const text = chapter(pentest, 'scope');
    assert.match(text, /DNS record: example\.com and its subdomains, verified 1 November 2026/);
    assert.match(text, /at most 5 per second .*22:00 to 05:00 UTC .*\/checkout/);
    assert.match(
      chapter(pentest, 'accounts'),
      /with 1 test account, given by the customer, and without a login\..* alice 1 0 without a login 1 0/,
    );
  });

  it('tells for each request, account and group of checks what was not tested, and why', () => {
    const text = chapter(pentest, 'coverage');
    assert.match(text, /GET \/products\?id alice – partly: injection \(1\); not: injection \(2\)/);
    assert.match(text, /injection reached its limit\. injection would change data\./);
    assert.match(text, /keeps 2 of 14 requests/);
    assert.match(text, /uploads not applicable 0 0 0/);
  });

  it('marks in the evidence what to look at, and shows impact, steps, command and history', () => {
    assert.match(pentest, /id=<mark>1&#39;<\/mark>[\s\S]*<mark>SQLite error<\/mark> near/);
    const text = chapter(pentest, 'findings');
    assert.match(text, /Exchange 2: value with a quote Request GET https:\/\/shop\.example\.com\/products/);
    assert.match(text, /Impact An attacker reads every table/);
    assert.match(text, /Steps to reproduce Open the list of products\. Add a quote to the parameter id \./);
    assert.match(text, /curl command curl --include/);
    assert.match(text, /regression: fixed before, and found again/);
  });

  it('lists the further places of a finding, and counts those that are left out', () => {
    const place = {
      url: 'https://shop.example.com/a',
      method: 'GET',
      parameter: 'q',
      location: 'query',
      accounts: ['bob'],
    };
    const findings = [provedFinding({ places: Array.from({ length: 40 }, () => place) })];
    const text = chapter(renderHtml(samplePentest({ findings })), 'findings');
    assert.match(text, /Also at GET https:\/\/shop\.example\.com\/a parameter q \(query\) as bob .* 9 more places/);
  });

  it('tells fixed findings from those that were not tested again', () => {
    const text = chapter(pentest, 'earlier-findings');
    assert.match(text, /Fixed \(1\) .* Medium Open redirect in parameter to of \/leave GET shop\.example\.com\/leave/);
    assert.match(
      text,
      /Not tested again \(1\) They may still exist.* Path traversal .* The request was not found\. pnt_0/,
    );
    assert.match(
      chapter(pentest, 'summary'),
      /0 new, 0 open before, 2 back after a fix\. Findings of earlier runs: 1 fixed, 1 not tested again\./,
    );
  });

  it('tells what was changed at the target, and lists the checks in the appendix', () => {
    assert.match(
      chapter(pentest, 'target-changes'),
      /Most test data .* POST \/notes 3 1 2 PUT \/files\/\{id\} 1 0 1 .*POST \/graphql \(mutation setNick\) 32 POST \/ask 2 18 more/,
    );
    assert.doesNotMatch(chapter(pentest, 'coverage'), /entries created|dom-xss/);
    assert.match(chapter(pentest, 'appendix'), /with 6 checks: csrf, dom-xss/);
    assert.match(chapter(pentest, 'appendix'), /sortie finding replay pnt_1 fnd_2/);
  });

  it('says how to see evidence that is not in it, or that it was deleted', () => {
    const withEvidence = (changes: Parameters<typeof provedFinding>[0]) =>
      chapter(renderHtml(samplePentest({ findings: [provedFinding(changes)] })), 'findings');
    const { evidence: _, ...unread } = provedFinding();
    assert.match(
      chapter(renderHtml(samplePentest({ findings: [unread] })), 'findings'),
      /Not included\. View it with: sortie finding view pnt_1 fnd_2/,
    );
    assert.match(
      withEvidence({ evidence: [], evidenceDeletedAt: '2026-12-01T00:00:00.000Z' }),
      /Deleted on 1 December 2026/,
    );
    const many = Array.from({ length: 9 }, () => sampleExchange());
    assert.match(withEvidence({ evidence: many }), /5 more exchanges of this proof: sortie finding view/);
  });

  it('counts requests without any test as not tested, and names only how requests were tested', () => {
    const { requests, ...coverage } = sampleCoverage();
    const untested = requests.map((each) => ({ ...each, tested: [], partlyTested: [] }));
    const accounts = (given: typeof requests, omittedRequests = 0) =>
      chapter(renderHtml(samplePentest({ coverage: { ...coverage, requests: given, omittedRequests } })), 'accounts');
    assert.match(accounts(untested), /No request was tested\. .* alice 0 1 without a login 0 1/);
    assert.match(accounts(untested, 3), /None of the 2 requests that the service keeps was tested\./);
    const gap = { reason: 'No listener.', cure: 'Set one up.' };
    const open = ['ssrf', 'injection'].map((group) => ({ group, ...gap }));
    assert.match(
      chapter(renderHtml(samplePentest({ untested: open })), 'summary'),
      /Not tested: injection, ssrf\. No listener\. Set one up\. (?!Not tested)/,
    );
    const both = renderHtml(samplePentest({ coverage: { ...coverage, requests, accounts: ['alice', 'bob'] } }));
    assert.match(
      chapter(both, 'accounts'),
      /with 2 test accounts, .* bob 0 0 .* met none that others had not met before/,
    );
    assert.match(accounts(requests.slice(0, 1)), /with 1 test account, given by the customer\. User/);
    assert.match(accounts([...untested.slice(0, 1), ...requests.slice(1)]), /The target was tested without a login\./);
  });

  it('states rules and not deeds: a run may have failed to undo a change, or not have started', () => {
    const queued = { status: 'QUEUED', startedAt: null, completedAt: null, released: false, findings: [] };
    const page = renderHtml(samplePentest({ ...queued, depth: 'STANDARD' }));
    const text = chapter(page, 'scope');
    assert.match(
      text,
      /restores the originals\. “Changes at the target and clean-up” lists what could not be undone\./,
    );
    assert.doesNotMatch(text, /\b(?:were|was|went)\b|Started/);
    assert.match(text, /Created 15 November 2026, 10:00 UTC/);
    assert.match(page, /<dt>Created<\/dt>/);
    assert.doesNotMatch(page, /<dt>Started<\/dt>/);
  });

  it('shows no chart of zeros for a run without a result, and says what became of it', () => {
    for (const [status, words] of [
      ['FAILED', 'The run failed'],
      ['CANCELLED', 'The run was cancelled'],
      ['QUEUED', 'The run has not started yet'],
    ] as const) {
      const page = renderHtml(samplePentest({ status, released: false, findings: [] }));
      assert.doesNotMatch(page, /Findings by severity/);
      assert.match(page, new RegExp(`Not a final report\\.</strong> ${words}`));
    }
    assert.match(renderHtml(samplePentest({ findings: [] })), /Findings by severity/);
  });

  it('draws each part of a bar with an outline, apart from the next, and nothing for zero', () => {
    const parts = ['CONFIRMED', 'FIRM'].map((confidence, index) => provedFinding({ id: `fnd_${index}`, confidence }));
    const page = renderHtml(samplePentest({ findings: parts }));
    const bars = [...page.matchAll(/<rect class="bar (\w+)" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)];
    assert.deepEqual(
      bars.map(([, name]) => name),
      ['confirmed', 'firm'],
    );
    const [first, second] = bars.map(([, , x, width]) => ({ x: Number(x), width: Number(width) }));
    // The outlines add half a unit on either side.
    assert.equal((second?.x ?? 0) - (first?.x ?? 0) - (first?.width ?? 0), 2);
    assert.match(page, /svg \.bar \{ fill: var\(--tone\); stroke: var\(--tone\); \}/);
  });

  it('details the 500 worst findings of very many, lists the others, and has no link that leads nowhere', () => {
    const findings = Array.from({ length: 520 }, (_, index) =>
      samplePentestFinding({ id: `fnd_${index}`, severity: index < 510 ? 'HIGH' : 'LOW', title: `Title ${index}` }),
    );
    const page = renderHtml(samplePentest({ findings }));
    assert.equal(page.match(/<article /g)?.length, 500);
    assert.match(page, /Details follow for the 500 worst findings\..*sortie report pnt_1 --format json/);
    assert.match(page, />Title 519</);
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(page.includes(` id="${id}"`), id);
  });

  it('lists severities instead of findings in the contents of a long report', () => {
    const findings = Array.from({ length: 60 }, (_, index) => provedFinding({ id: `fnd_${index}` }));
    assert.match(renderHtml(samplePentest({ findings })), /<a href="#severity-critical">Critical \(60\)<\/a>/);
  });
});

describe('the HTML report of a scan', () => {
  it('explains the score: which finding costs how many points', () => {
    const checks = { run: 40, passed: 38, failed: 2, notApplicable: 5, notRun: 1 };
    const notRunReasons = [{ checkId: 'tls-versions', reason: 'The port did not respond.' }];
    const findings = [sampleScanFinding(), sampleScanFinding({ id: 'fnd_9', severity: 'INFO', scoreImpact: 0 })];
    const text = chapter(renderHtml(sampleScan({ findings, checks, notRunReasons })), 'score');
    assert.match(text, /1 finding deducts nothing/);
    assert.match(text, /Start 100 Medium Clickjacking: page can be framed by any site −8 Score, grade A 92/);
    assert.match(text, /38 checks passed, 2 failed, 5 do not apply to this site, 1 have no result/);
    assert.match(text, /tls-versions The port did not respond\./);
  });
});
