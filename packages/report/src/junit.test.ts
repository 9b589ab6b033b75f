import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readXml, type XmlElement } from '@sortie/testing/reports/read-xml.ts';
import { samplePentest, samplePentestFinding, sampleScan } from '@sortie/testing/reports/sample-reports.ts';
import { renderJunit } from './junit.ts';
import type { Report, Verdict } from './report.ts';

/** The child elements that the JUnit schema allows. */
const children: Record<string, readonly string[]> = {
  testsuites: ['testsuite'],
  testsuite: ['properties', 'testcase', 'system-out', 'system-err'],
  properties: ['property'],
  testcase: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
};
const required: Record<string, readonly string[]> = {
  testsuite: ['name', 'tests', 'failures', 'errors', 'timestamp'],
  testcase: ['name', 'classname'],
  property: ['name', 'value'],
  failure: ['message', 'type'],
  error: ['message', 'type'],
};

function assertJunit(element: XmlElement): void {
  for (const name of required[element.name] ?? []) assert.ok(name in element.attributes, `${element.name} ${name}`);
  for (const child of element.children) {
    assert.ok(children[element.name]?.includes(child.name), `${child.name} in ${element.name}`);
    assertJunit(child);
  }
}

function suiteOf(report: Report): XmlElement {
  const root = readXml(renderJunit(report));
  assert.equal(root.name, 'testsuites');
  assertJunit(root);
  const [suite] = root.children;
  assert.ok(suite && root.children.length === 1);
  assert.match(suite.attributes.timestamp ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  return suite;
}

const casesOf = (suite: XmlElement) => suite.children.filter(({ name }) => name === 'testcase');
const outcomesOf = (testCase: XmlElement | undefined) => testCase?.children.map(({ name }) => name);
const gateOf = (report: Report) => casesOf(suiteOf(report)).find(({ attributes }) => attributes.name === 'gate');

const verdict = (changes: Partial<Verdict>): Verdict => ({
  outcome: 'failed',
  reason: 'One finding of at least HIGH.',
  failOn: 'HIGH',
  minConfidence: 'FIRM',
  ...changes,
});

describe('JUnit', () => {
  it('has one suite with the gate as its first case', () => {
    const [gate] = casesOf(suiteOf(samplePentest()));
    assert.equal(gate?.attributes.name, 'gate');
  });

  it('passes findings that are known, and the gate with them', () => {
    const known = samplePentestFinding({ id: 'fnd_known', history: 'OPEN' });
    const other = samplePentestFinding({ id: 'fnd_new', history: 'NEW' });
    const failuresOf = (findings: (typeof known)[]) =>
      casesOf(suiteOf(samplePentest({ findings, known: [known.id] }))).map((each) =>
        outcomesOf(each)?.includes('failure'),
      );
    assert.deepEqual(failuresOf([known]), [false, false]);
    assert.deepEqual(failuresOf([known, other]), [true, false, true]);
  });

  it('fails the gate with the reason of the verdict', () => {
    const gate = gateOf(samplePentest({ verdict: verdict({}) }));
    assert.deepEqual(outcomesOf(gate), ['failure']);
    assert.equal(gate?.children[0]?.attributes.message, 'One finding of at least HIGH.');
  });

  it('calls an undecided gate an error, never skipped', () => {
    const gate = gateOf(samplePentest({ verdict: verdict({ outcome: 'undecided', reason: 'The wait was used up.' }) }));
    assert.deepEqual(outcomesOf(gate), ['error']);
  });

  it('passes the gate of a passed run', () => {
    assert.deepEqual(outcomesOf(gateOf(samplePentest({ verdict: verdict({ outcome: 'passed' }) }))), ['system-out']);
  });

  it('never passes a run that was not judged, also without a verdict', () => {
    const failure = { code: 'UNREACHABLE', message: 'The site did not answer.' };
    for (const report of [
      samplePentest({ released: false, findings: [] }),
      samplePentest({ status: 'FAILED', findings: [] }),
      samplePentest({ status: 'SOMETHING_NEW', findings: [] }),
      sampleScan({ status: 'STARTED', score: null, findings: [] }),
      sampleScan({ score: null, grade: null, failure, findings: [] }),
    ]) {
      assert.deepEqual(outcomesOf(gateOf(report)), ['error']);
    }
  });

  it('without a verdict fails on what is HIGH and FIRM', () => {
    assert.deepEqual(outcomesOf(gateOf(samplePentest())), ['failure']);
    assert.deepEqual(outcomesOf(gateOf(sampleScan())), ['system-out']);
  });

  it('writes findings over the policy as failures, the others as passed with what they are', () => {
    const findings = [
      samplePentestFinding({ id: 'over', severity: 'MEDIUM', confidence: 'FIRM' }),
      samplePentestFinding({ id: 'unsure', severity: 'HIGH', confidence: 'TENTATIVE' }),
      samplePentestFinding({ id: 'minor', severity: 'LOW', confidence: 'CONFIRMED' }),
    ];
    const suite = suiteOf(samplePentest({ findings, verdict: verdict({ failOn: 'MEDIUM' }) }));
    const byFinding = Object.fromEntries(
      casesOf(suite)
        .slice(1)
        .map(({ children: [outcome] }) => [/Finding: (\w+)/.exec(outcome?.text ?? '')?.[1], outcome?.name]),
    );
    assert.deepEqual(byFinding, { over: 'failure', unsure: 'system-out', minor: 'system-out' });
    assert.deepEqual([suite.attributes.tests, suite.attributes.failures, suite.attributes.errors], ['4', '2', '0']);
  });

  const untested = [{ group: 'scripting', reason: 'There was no browser.', cure: 'Install Chromium.' }];
  const message = 'Not tested: scripting. There was no browser. Install Chromium.';
  const groupOf = (report: Report) =>
    casesOf(suiteOf(report)).find(({ attributes }) => attributes.classname === 'Sortie.untested');

  it('writes each untested group as an error with reason and cure, and never passes the gate over it', () => {
    const report = samplePentest({ findings: [], untested });
    assert.deepEqual(outcomesOf(gateOf(report)), ['error']);
    assert.match(gateOf(report)?.children[0]?.attributes.message ?? '', /could not run: scripting$/);
    assert.equal(groupOf(report)?.attributes.name, 'scripting');
    assert.deepEqual(outcomesOf(groupOf(report)), ['error']);
    assert.equal(groupOf(report)?.children[0]?.attributes.message, message);
  });

  it('writes an untested group as skipped where the gate passes without it', () => {
    const passed = verdict({ outcome: 'passed', reason: 'Nothing counts.' });
    for (const report of [
      samplePentest({ findings: [], untested, acceptUntested: ['scripting'] }),
      samplePentest({ findings: [], untested, verdict: passed }),
    ]) {
      assert.deepEqual(outcomesOf(gateOf(report)), ['system-out']);
      assert.deepEqual(outcomesOf(groupOf(report)), ['skipped', 'system-out']);
      assert.ok(groupOf(report)?.children[1]?.text.includes(message));
    }
  });

  it('names a finding by severity, confidence and title', () => {
    const [, finding] = casesOf(suiteOf(samplePentest()));
    assert.equal(finding?.children[0]?.attributes.message, 'CRITICAL CONFIRMED SQL injection');
  });
});
