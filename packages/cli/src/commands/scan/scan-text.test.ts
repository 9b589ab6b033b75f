import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JudgedScan } from '@sortie/engine';
import { createPaint } from '../../terminal/paint.ts';
import { showProgress } from './progress.ts';
import { toDocument } from './scan-document.ts';
import { scanText } from './scan-text.ts';

type Judgement = Extract<JudgedScan['result'], { findings: unknown }>;
type Finding = Judgement['findings'][number];

const ESCAPE = '\u001b';

const finding = (given: Partial<Finding>): Finding => ({
  checkId: 'a-check',
  title: 'A title',
  description: 'Why it matters.',
  severity: 'LOW',
  confidence: 'FIRM',
  category: 'headers',
  affectedUrl: 'https://site.example/',
  evidence: null,
  remediation: 'Mend it.',
  cwe: null,
  scoreImpact: 0,
  references: [],
  ...given,
});

const judged: JudgedScan = {
  scan: {
    id: 'scn_1',
    url: 'https://site.example/',
    domain: 'site.example',
    createdAt: '2026-01-01T00:00:00.000Z',
    completedAt: '2026-01-01T00:00:02.500Z',
    egress: [
      { host: 'a', port: 443, address: '192.0.2.1', outcome: 'CONTACTED', reason: null, connections: 2, requests: 30 },
      { host: 'b', port: 80, address: '192.0.2.2', outcome: 'CONTACTED', reason: null, connections: 1, requests: 1 },
      { host: 'c', port: 80, address: '10.0.0.1', outcome: 'REFUSED', reason: 'private', connections: 0, requests: 9 },
    ],
    gathered: { code: 'NOT_GATHERED', message: 'Not of interest here.' },
  },
  result: {
    score: 42,
    grade: 'F',
    checks: { passed: 5, failed: 3, notApplicable: 4, notRun: 3 },
    notRun: [
      { checkId: 'one', reason: 'Nobody answered.' },
      { checkId: 'two', reason: 'Another reason.' },
      { checkId: 'three', reason: 'Nobody answered.' },
    ],
    findings: [
      finding({ severity: 'LOW', confidence: 'TENTATIVE', category: 'csp', checkId: 'unsure' }),
      finding({ severity: 'LOW', category: 'csp', checkId: 'sure', scoreImpact: 3 }),
      finding({
        severity: 'CRITICAL',
        checkId: 'worst',
        title: `A title ${ESCAPE}[2J with orders`,
        scoreImpact: 55,
        cwe: 79,
        evidence: `first line${ESCAPE}[1A\nsecond line`,
        references: ['https://example.com/why'],
      }),
    ],
  },
};

/** Without colours, even if the test runs on a terminal. */
const paint = createPaint({}, 'never');
const textOf = (isVerbose: boolean) => scanText(judged, toDocument(judged), { paint, isVerbose });

describe('the text of a scan', () => {
  it('says the worst first, what each group took, what was sent and what was not run', () => {
    assert.equal(
      textOf(false),
      `Site    https://site.example/
Score   42 of 100, grade F
Checks  8 run (3 failed, 5 passed), 4 not applicable, 3 not run
Sent    31 requests over 3 connections in 2.5 s
When    2026-01-01T00:00:00.000Z

Score impact by group

  headers   -55  (limit 25 exceeded: the worst check counts in full)
  csp        -3  (limit 8)

Findings, worst first: 3 (1 critical, 2 low)

CRITICAL  -55  A title ?[2J with orders
               worst at https://site.example/
               Fix: Mend it.

LOW        -3  A title
               sure at https://site.example/
               Fix: Mend it.

LOW         0  A title
               unsure at https://site.example/
               Fix: Mend it.

Checks that were not run: 3

  Nobody answered.
    one, three
  Another reason.
    two
`,
    );
  });

  it('adds why it matters, what was seen and where to read on when it is verbose', () => {
    const [, worst] = /(CRITICAL.*?)\n\n/s.exec(textOf(true)) ?? [];
    assert.equal(
      worst,
      `CRITICAL  -55  A title ?[2J with orders
               worst at https://site.example/
               FIRM, CWE-79
               Why it matters.
               | first line?[1A
               | second line
               Fix: Mend it.
               See: https://example.com/why`,
    );
  });
});

describe('findings that weigh the same', () => {
  it('come in one order, however they were found: by check, title and address', () => {
    const inOrder = [
      finding({ affectedUrl: null }),
      finding({ affectedUrl: 'https://a.example/' }),
      finding({ affectedUrl: 'https://b.example/' }),
      finding({ title: 'B title', affectedUrl: null }),
      finding({ checkId: 'b-check', title: 'A', affectedUrl: null }),
    ];
    for (const found of [inOrder, inOrder.toReversed()]) {
      const { findings } = toDocument({ ...judged, result: { ...(judged.result as Judgement), findings: found } });
      const told = findings.map(({ checkId, title, affectedUrl }) => ({ checkId, title, affectedUrl }));
      assert.deepEqual(
        told,
        inOrder.map(({ checkId, title, affectedUrl }) => ({ checkId, title, affectedUrl })),
      );
    }
  });
});

describe('the progress of a scan', () => {
  function play(isAnimated: boolean): string {
    let written = '';
    const output = { columns: 40, write: (text: string) => (written += text) };
    const progress = showProgress('https://site.example/', output, isAnimated);
    const requestsSent = () => 1;
    progress.tell({ collector: 'main page', isOver: false, requestsSent });
    progress.tell({ collector: 'main page', isOver: true, requestsSent });
    progress.tell({ collector: 'a collector of a very long name', isOver: false, requestsSent: () => 2 });
    progress.stop();
    return written.replaceAll(/\d+\.\d s/g, '0.0 s');
  }

  it('is one line on a terminal, never longer than that is wide, and gone at the end', () => {
    const [nothing, ...drawn] = play(true).split(`\r${ESCAPE}[2K`);
    assert.equal(nothing, '');
    assert.deepEqual(drawn, [
      'Scanning (0 requests, 0.0 s): …',
      'Scanning (1 request, 0.0 s): main page',
      'Scanning (1 request, 0.0 s): …',
      'Scanning (2 requests, 0.0 s): a collect',
      '',
    ]);
  });

  it('is a line for each collector elsewhere', () => {
    assert.equal(play(false), 'Scanning https://site.example/\nfinished main page (1 request, 0.0 s)\n');
  });
});
