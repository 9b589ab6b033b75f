import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { printPdf } from './print-pdf.ts';

const CHROMIUM = '/usr/bin/chromium';
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end();
});

describe('printing a page', () => {
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  after(() => server.close());

  it('makes a PDF of it, without running its scripts and without asking for anything', async () => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const page = (extra: string) => `<!doctype html><title>Report</title><h1>Report</h1>${extra}`;
    const pages = '<p>page</p><div style="break-after: page"></div>';
    const hostile = page(`<img src="${origin}/img"><link rel="stylesheet" href="${origin}/css">
      <iframe src="${origin}/frame"></iframe><meta http-equiv="refresh" content="0;url=${origin}/refresh">
      <script>for (let each = 0; each < 40; each += 1) document.body.innerHTML += '${pages}'; fetch('${origin}/fetch')</script>`);
    const pdf = await printPdf(hostile, CHROMIUM);
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    assert.deepEqual(asked, []);
    const pagesOf = (document: Buffer) => document.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    assert.equal(pagesOf(pdf), 1);
    assert.equal(pagesOf(await printPdf(page(pages.repeat(3)), CHROMIUM)), 3);
  });

  it('keeps to the page while it is printed, however long that takes', async () => {
    const long = '<p>row</p>'.repeat(3000);
    const away = '<meta http-equiv="refresh" content="0;url=about:blank">';
    const pdf = await printPdf(`<!doctype html><title>Report</title>${away}${long}`, CHROMIUM);
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
  });
});
