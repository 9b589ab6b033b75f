import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formats, type Report } from '@sortie/report';
import { launchBrowser } from '@sortie/testing/inside/engine.ts';
import {
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

  it('is shown with its style and its charts, without a complaint of the browser and no wider than the window', async () => {
    const long = sampleScanFinding({ affectedUrl: `https://shop.example.com/${'a'.repeat(3000)}` });
    const { refused, elements, width, text } = await open(sampleScan({ findings: [long, sampleScanFinding()] }));
    assert.deepEqual(refused, []);
    assert.ok(elements.includes('svg') && elements.includes('circle') && elements.includes('style'));
    assert.equal(width, 0);
    assert.match(text, /Findings \(2\)/);
  });
});
