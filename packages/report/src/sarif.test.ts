import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readers } from '@sortie/testing/reports/report-readers.ts';
import {
  provedFinding,
  sampleExchange,
  samplePentest,
  samplePentestFinding,
  sampleScan,
  sampleScanFinding,
} from '@sortie/testing/reports/sample-reports.ts';
import type { Log, Result, Run } from 'sarif';
import type { Report } from './report.ts';
import { renderSarif, type SarifOptions } from './sarif.ts';

const sarifOf = (report: Report, options?: SarifOptions) => runOf(renderSarif(report, options));

function runOf(text: string): Run {
  const log: Log = JSON.parse(text);
  readers.sarif(text);
  const [run] = log.runs;
  assert.ok(run);
  return run;
}

const resultsOf = (run: Run): Result[] => run.results ?? [];
const uriOf = (result: Result | undefined) => result?.locations?.[0]?.physicalLocation?.artifactLocation?.uri;
const uriFor = (affectedUrl: string | null, target = 'https://shop.example.com/') =>
  uriOf(resultsOf(sarifOf(sampleScan({ target, findings: [sampleScanFinding({ affectedUrl })] })))[0]);
const notesOf = (run: Run) =>
  run.invocations?.[0]?.toolExecutionNotifications?.map(({ message }) => message.text) ?? [];

describe('SARIF', () => {
  it('places a finding by host and path, without scheme, query and fragment', () => {
    assert.equal(uriFor('https://shop.example.com/a/b?c=d#e'), 'shop.example.com/a/b');
  });

  it('places a finding without an address at the target', () => {
    assert.equal(uriFor(null), 'shop.example.com/');
    assert.equal(uriFor('not an address'), 'shop.example.com/');
    assert.equal(uriFor('javascript:alert(1)'), 'shop.example.com/');
  });

  it('writes a port so that the host is not read as a scheme', () => {
    assert.equal(uriFor('http://localhost:8080/x'), 'localhost%3A8080/x');
    assert.equal(uriFor('http://[::1]:8080/x'), '%5B%3A%3A1%5D%3A8080/x');
  });

  it('escapes what has no place in a path', () => {
    assert.equal(
      uriFor('https://shop.example.com/a b|c[d]%zz/é`^'),
      'shop.example.com/a%20b%7Cc%5Bd%5D%25zz/%C3%A9%60%5E',
    );
  });

  it('keeps a very long address valid', () => {
    assert.ok((uriFor(`https://shop.example.com/${'é'.repeat(5000)}`)?.length ?? 0) < 1100);
  });

  it('pins alerts to a file of the repository when asked to', () => {
    const run = sarifOf(samplePentest(), { anchor: './deploy/site file.yml' });
    assert.equal(uriOf(resultsOf(run)[0]), 'deploy/site%20file.yml');
  });

  it('lists a rule once, and each result points at its own', () => {
    const cwes = ['CWE-79', 'CWE-89', 'CWE-79', null, 'CWE-89'];
    const unknown = cwes.map((cweId) => samplePentestFinding({ cweId, checkId: null }));
    const checkIds = ['reflected-xss', 'stored-xss', 'reflected-xss'];
    const known = checkIds.map((checkId) => samplePentestFinding({ cweId: 'CWE-79', checkId }));
    const run = sarifOf(samplePentest({ findings: [...unknown, ...known] }));
    const rules = run.tool.driver.rules ?? [];
    assert.deepEqual(rules.map(({ id }) => id).sort(), [
      'CWE-79',
      'CWE-89',
      'reflected-xss',
      'sortie-finding',
      'stored-xss',
    ]);
    for (const { ruleId, ruleIndex } of resultsOf(run)) assert.equal(rules[ruleIndex ?? -1]?.id, ruleId);
  });

  it('describes a rule without the place of its first finding', () => {
    const place = { affectedUrl: 'https://shop.example.com/search?q=1', parameter: 'q' };
    const finding = samplePentestFinding({
      ...place,
      title: 'SQL injection (error-based) in parameter `q` of /search',
      description:
        'The value becomes part of an SQL statement.\n\nObserved here: `GET /search?q=1` returned 500.\n\nFound in q (query) of GET https://shop.example.com/search?q=1.',
    });
    const run = sarifOf(samplePentest({ findings: [finding] }));
    const [rule] = run.tool.driver.rules ?? [];
    assert.equal(rule?.shortDescription?.text, 'SQL injection (error-based)');
    assert.equal(rule?.fullDescription?.text, 'The value becomes part of an SQL statement.');
    assert.match(resultsOf(run)[0]?.message.text ?? '', /in parameter `q` of \/search[\s\S]*Observed here: /);
  });

  it('has the request with the payload, and not a control before or behind it', () => {
    const { highlights } = sampleExchange();
    const control = sampleExchange({
      request: 'GET https://shop.example.com/',
      highlights: { ...highlights, request: [] },
    });
    const findings = [provedFinding({ evidence: [control, sampleExchange(), control] })];
    const [result] = resultsOf(sarifOf(samplePentest({ findings })));
    assert.equal(result?.webRequest?.target, "https://shop.example.com/products?id=1'");
  });

  it('has the decisive request, or else one that is no control', () => {
    const at = (path: string, changes: Partial<ReturnType<typeof sampleExchange>>) =>
      sampleExchange({ request: `GET https://shop.example.com/${path}`, ...changes });
    const nothing = { request: [], response: [] };
    const targetOf = (evidence: ReturnType<typeof sampleExchange>[]) =>
      resultsOf(sarifOf(samplePentest({ findings: [provedFinding({ evidence })] })))[0]?.webRequest?.target;
    const control = at('control', { isControl: true });
    const attack = at('attack', { highlights: nothing });
    assert.equal(targetOf([control, attack, control]), 'https://shop.example.com/attack');
    const decisive = at('decisive', { highlights: nothing, isDecisive: true });
    assert.equal(targetOf([control, sampleExchange(), decisive]), 'https://shop.example.com/decisive');
  });

  it('rates a rule by the worst of its findings', () => {
    const findings = [
      samplePentestFinding({ severity: 'LOW', cvssScore: '3.1', confidence: 'TENTATIVE' }),
      samplePentestFinding({ severity: 'CRITICAL', cvssScore: '9.8' }),
    ];
    const [rule] = sarifOf(samplePentest({ findings })).tool.driver.rules ?? [];
    assert.equal(rule?.properties?.['security-severity'], '9.8');
    assert.equal(rule?.properties?.precision, 'very-high');
    assert.deepEqual(rule?.properties?.tags, ['security', 'dast', 'external/cwe/cwe-089', 'external/owasp/a03-2021']);
  });

  it('rates a finding without a CVSS score by its severity', () => {
    const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const;
    const findings = severities.map((severity) => sampleScanFinding({ severity, checkId: `is-${severity}` }));
    const run = sarifOf(sampleScan({ findings }));
    assert.deepEqual(
      run.tool.driver.rules?.map(({ properties }) => properties?.['security-severity']),
      ['9.5', '8.0', '5.5', '3.0', '0.0'],
    );
    assert.deepEqual(
      resultsOf(run).map(({ level }) => level),
      ['error', 'error', 'warning', 'note', 'note'],
    );
  });

  it("takes a pentest's own fingerprint", () => {
    const [result] = resultsOf(sarifOf(samplePentest()));
    assert.equal(result?.partialFingerprints?.['sortieFinding/v1'], 'a'.repeat(64));
    assert.equal(result?.kind, undefined);
  });

  it('gives the findings of a scan the same fingerprints in the next scan, and different ones to each', () => {
    const first = ['cookie a', 'cookie b', 'cookie c'].map((evidence, index) =>
      sampleScanFinding({ id: `x${index}`, evidence }),
    );
    const second = first.toReversed().map((finding, index) => ({ ...finding, id: `y${index}` }));
    const prints = (findings: typeof first) =>
      new Map(
        resultsOf(sarifOf(sampleScan({ findings }))).map((result) => [
          result.properties?.evidence,
          result.partialFingerprints?.['sortieFinding/v1'],
        ]),
      );
    assert.deepEqual(new Map([...prints(second)].sort()), new Map([...prints(first)].sort()));
    assert.equal(new Set(prints(first).values()).size, 3);
  });

  it('has an empty list of results for a clean run, so that old alerts are closed', () => {
    const run = sarifOf(samplePentest({ findings: [] }));
    assert.deepEqual(run.results, []);
    assert.equal(run.invocations?.[0]?.executionSuccessful, true);
    assert.equal(run.automationDetails?.id, 'sortie/shop.example.com/');
  });

  it('says that a run was not judged', () => {
    for (const changes of [{ status: 'WEB_TEST' }, { released: false }, { status: 'FAILED' }, { status: 'NEW_WORD' }]) {
      const run = sarifOf(samplePentest({ findings: [], ...changes }));
      assert.equal(run.invocations?.[0]?.executionSuccessful, false);
      assert.equal(notesOf(run).length, 1);
    }
    const failure = { code: 'UNREACHABLE', message: 'The site did not answer.' };
    const run = sarifOf(sampleScan({ findings: [], score: null, grade: null, failure }));
    assert.equal(run.invocations?.[0]?.executionSuccessful, false);
    assert.match(notesOf(run).join(), /did not answer/);
  });

  it('says that a completed run was not judged when its verdict is undecided', () => {
    const policy = { failOn: 'HIGH', minConfidence: 'FIRM' } as const;
    const verdict = { outcome: 'undecided', reason: 'The report changed while it was read.', ...policy } as const;
    for (const report of [samplePentest({ findings: [], verdict }), sampleScan({ findings: [], verdict })]) {
      const run = sarifOf(report);
      assert.equal(run.invocations?.[0]?.executionSuccessful, false);
      assert.match(notesOf(run).join(), /no verdict/);
    }
  });

  it('keeps the 5,000 worst of 6,000 findings, says so, and stays far below 10 MB when packed', () => {
    const findings = Array.from({ length: 6000 }, (_, index) =>
      samplePentestFinding({
        id: `f${index}`,
        severity: index % 2 ? 'LOW' : 'HIGH',
        description: `${index} `.repeat(40),
        fingerprint: String(index).padStart(64, '0'),
      }),
    );
    const text = renderSarif(samplePentest({ findings }));
    const run = runOf(text);
    const results = resultsOf(run);
    assert.equal(results.length, 5000);
    assert.equal(results.filter(({ level }) => level === 'error').length, 3000);
    assert.match(notesOf(run).join(), /^1000 findings are omitted/);
    assert.ok(gzipSync(text).length < 10_000_000);
  });
});
