import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { printPdf } from '@sortie/engine';
import { formats, type Report } from '@sortie/report';
import { findOverflow, PHONE } from '@sortie/testing/dashboard/find-overflow.ts';
import { launchBrowser } from '@sortie/testing/inside/engine.ts';
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

type Browser = Awaited<ReturnType<typeof launchBrowser>>['browser'];

const ADDRESS = 'http://report.invalid/';
const attack = [
  '"><script>globalThis.ran = 1</script>',
  '<img src="http://report.invalid/img" onerror="globalThis.ran = 1">',
  "' onmouseover='globalThis.ran = 1",
  '</pre></article></style><style>@import "http://report.invalid/css";</style>',
  '<svg onload="globalThis.ran = 1"><a href="javascript:globalThis.ran = 1">x</a></svg>',
  '<meta http-equiv="refresh" content="0;url=http://report.invalid/refresh"><base href="http://report.invalid/base/">',
].join('\n');

let browser: Browser;

/** What a reader of the report asks for besides it, what its scripts did, and what is seen. */
async function open(report: Report) {
  const context = await browser.newContext();
  const asked: string[] = [];
  const refused: string[] = [];
  await context.route('**', (route) => {
    const url = route.request().url();
    asked.push(url);
    return url === ADDRESS
      ? route.fulfill({ contentType: 'text/html', body: formats.html.render(report) })
      : route.abort();
  });
  const page = await context.newPage();
  page.on('console', (message) => refused.push(message.text()));
  await page.goto(ADDRESS, { waitUntil: 'networkidle' });
  const ran = await page.evaluate('globalThis.ran ?? 0');
  const elements = await page.evaluate(
    "[...new Set([...document.querySelectorAll('*')].map((each) => each.localName))]",
  );
  const text = await page.evaluate('document.body.innerText');
  const width = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  const attributes = await page.evaluate(
    "[...document.querySelectorAll('*')].flatMap((each) => each.getAttributeNames()).filter((name) => name.startsWith('on') || name === 'style')",
  );
  await context.close();
  return { asked, refused, ran, elements: elements as string[], text: String(text), width, attributes };
}

/** A report that has every chapter. */
const wholePentest = samplePentest({
  depth: 'STANDARD',
  summary: 'Crawled 3 pages.\n2 entries created at POST https://shop.example.com/notes, 1 removed, 1 left.',
  untested: [{ group: 'scripting', reason: 'There was no browser.', cure: 'Install Chromium.' }],
  findings: (['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const).map((severity, index) =>
    provedFinding({ id: `fnd_${index}`, severity, confidence: index % 2 === 0 ? 'CONFIRMED' : 'TENTATIVE' }),
  ),
  coverage: sampleCoverage(),
  engagements: [sampleEngagement()],
  fixed: [earlierFinding()],
  notTested: [earlierFinding()],
});

const wholeScan = sampleScan({
  checks: { run: 40, passed: 38, failed: 2, notApplicable: 5, notRun: 1 },
  notRunReasons: [{ checkId: 'tls-versions', reason: 'The port did not respond.' }],
  findings: [sampleScanFinding(), sampleScanFinding({ id: 'fnd_9', severity: 'INFO', scoreImpact: 0 })],
});

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Window {
  colorScheme: 'light' | 'dark';
  viewport: { width: number; height: number };
}

/** Resolves to the violations of accessibility rules that axe finds, with the elements, and what is too wide. */
async function faults(report: Report, window: Window): Promise<string[]> {
  const context = await browser.newContext(window);
  await context.route('**', (route) => route.fulfill({ contentType: 'text/html', body: formats.html.render(report) }));
  const page = await context.newPage();
  await page.goto(ADDRESS);
  const wide = await findOverflow(page);
  await page.evaluate(axe);
  const { violations: found, passes } = (await page.evaluate('axe.run()')) as Record<
    'violations' | 'passes',
    { id: string; nodes: { html: string }[] }[]
  >;
  await context.close();
  assert.ok(passes.length > 20, 'axe ran');
  return [...wide, ...found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))];
}

/** A text without a place to break it, as tokens, URLs and names of parameters are. */
const LONG = 'a1b2c3d4'.repeat(40);
const longPentest = {
  ...wholePentest,
  target: `https://shop.example.com/${LONG}`,
  findings: [
    provedFinding({
      title: `SQL injection in parameter \`${LONG}\``,
      affectedUrl: `https://shop.example.com/${LONG}?${LONG}=1`,
      parameter: LONG,
      remediation: `Bind \`${LONG}\`.`,
      references: [`https://example.com/${LONG}`],
      stepsToReproduce: [`Send \`GET https://shop.example.com/${LONG}\`.`],
      curl: `curl --include 'https://shop.example.com/${LONG}'`,
      evidence: [
        sampleExchange({ request: `GET https://shop.example.com/${LONG}`, response: `200\nx: ${LONG}\n\n${LONG}` }),
      ],
    }),
  ],
  coverage: sampleCoverage(LONG),
  engagements: [sampleEngagement(`/${LONG}`)],
};
const longScan = {
  ...wholeScan,
  findings: [sampleScanFinding({ title: LONG, affectedUrl: `https://shop.example.com/${LONG}`, evidence: LONG })],
};

describe('the HTML of a report in a browser', () => {
  before(async () => {
    ({ browser } = await launchBrowser('/usr/bin/chromium', 'preferred'));
  });
  after(() => browser.close());

  it('shows what a target wrote as text: no script of it runs and nothing is asked for', async () => {
    const texts = { title: attack, description: attack, affectedUrl: attack, remediation: attack };
    const reports = [
      sampleScan({
        target: attack,
        findings: [sampleScanFinding({ ...texts, evidence: attack, references: [attack] })],
      }),
      samplePentest({
        target: attack,
        findings: [samplePentestFinding({ ...texts, parameter: attack, method: attack })],
      }),
    ];
    for (const report of reports) {
      const { asked, ran, elements, attributes, text } = await open(report);
      assert.deepEqual(asked, [ADDRESS]);
      assert.equal(ran, 0);
      for (const name of ['script', 'img', 'base', 'iframe']) assert.ok(!elements.includes(name), name);
      assert.deepEqual(attributes, []);
      assert.match(text, /<script>globalThis\.ran = 1<\/script>/);
    }
  });

  it('keeps evidence as text: markup in an exchange, a step or the coverage does nothing', async () => {
    const spans = [{ start: 0, end: 20 }];
    const exchange = {
      label: attack,
      request: attack,
      response: attack,
      isCut: true,
      isDecisive: true,
      isControl: false,
    };
    const evidence = [{ ...exchange, highlights: { request: spans, response: spans } }];
    const told = { evidence, curl: attack, impact: attack, stepsToReproduce: [attack], history: attack };
    const report = samplePentest({
      findings: [provedFinding(told)],
      summary: attack,
      coverage: sampleCoverage(attack),
      engagements: [sampleEngagement(attack)],
    });
    const { asked, ran, elements, attributes } = await open(report);
    assert.deepEqual([asked, ran, attributes], [[ADDRESS], 0, []]);
    for (const name of ['script', 'img', 'base', 'iframe']) assert.ok(!elements.includes(name), name);
    assert.ok(elements.includes('mark'));
  });

  it('is shown with its style and its charts, without a complaint of the browser and no wider than the window', async () => {
    const long = sampleScanFinding({ affectedUrl: `https://shop.example.com/${'a'.repeat(3000)}` });
    const { refused, elements, width, text } = await open(sampleScan({ findings: [long, sampleScanFinding()] }));
    assert.deepEqual(refused, []);
    assert.ok(elements.includes('svg') && elements.includes('circle') && elements.includes('style'));
    assert.equal(width, 0);
    assert.match(text, /Findings \(2\)/);
  });

  for (const [name, report] of Object.entries({
    pentest: wholePentest,
    scan: wholeScan,
    'pentest with long words': longPentest,
    'scan with long words': longScan,
    'run without a verdict': samplePentest({ released: false, findings: [] }),
  })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const viewport of [{ width: 1280, height: 800 }, PHONE]) {
        it(`breaks no rule of accessibility and is no wider than the window: ${name}, ${colorScheme}, ${viewport.width} px`, async () => {
          assert.deepEqual(await faults(report, { colorScheme, viewport }), []);
        });
      }
    }
  }

  it('is printed as a tagged PDF with a language, a title and bookmarks', async () => {
    const { pdf } = await printPdf(formats.html.render(wholePentest), '/usr/bin/chromium');
    const text = pdf.toString('latin1');
    for (const entry of ['/StructTreeRoot', '/MarkInfo', '/Outlines', '/Lang (en)', '/DisplayDocTitle true'])
      assert.ok(text.includes(entry), entry);
  });
});
