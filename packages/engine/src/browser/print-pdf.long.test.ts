import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CHROMIUM, writeProgram } from '@sortie/testing/engine/chromium.ts';
import { readPdf } from '@sortie/testing/reports/read-pdf.ts';
import { BrowserError } from '../protocol/browser-problem.ts';
import { printPdf } from './print-pdf.ts';

const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end();
});

let folder: string;
let noting: string;

describe('printing a page', () => {
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    folder = await mkdtemp(path.join(tmpdir(), 'sortie-print-'));
    await chmod(folder, 0o777);
    noting = await writeProgram(folder, 'noting', `id -u >> ${folder}/users; exec ${CHROMIUM} "$@"`);
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  it('makes a PDF of it, without running its scripts and without asking for anything', async () => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const page = (extra: string) => `<!doctype html><title>Report</title><h1>Report</h1>${extra}`;
    const pages = '<p>page</p><div style="break-after: page"></div>';
    const hostile = page(`<img src="${origin}/img"><link rel="stylesheet" href="${origin}/css">
      <iframe src="${origin}/frame"></iframe><meta http-equiv="refresh" content="0;url=${origin}/refresh">
      <script>for (let each = 0; each < 40; each += 1) document.body.innerHTML += '${pages}'; fetch('${origin}/fetch')</script>`);
    const { pdf } = await printPdf(hostile, noting);
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    assert.deepEqual(asked, []);
    const pagesOf = (document: Buffer) => document.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    assert.equal(pagesOf(pdf), 1);
    assert.equal(pagesOf((await printPdf(page(pages.repeat(3)), noting)).pdf), 3);
  });

  it('fills in the page numbers of its contents', async () => {
    const entry = (id: string) => `<a href="#${id}">${id}</a> <span class="page" data-page-of="${id}"></span>`;
    const at = (id: string) => `<div style="break-before: page"><h2 id="${id}">Part ${id}</h2></div>`;
    const { pdf } = await printPdf(
      `<!doctype html><title>x</title>${['one', 'two'].map(entry)}${at('one')}<p>text</p>${at('two')}`,
      noting,
    );
    const text = (await readPdf(pdf)).toString();
    assert.match(text, /one\s*2\s*,\s*two\s*3/);
  });

  it('never runs Chromium as root', async () => {
    const users = (await readFile(path.join(folder, 'users'), 'utf8')).trim().split('\n');
    assert.ok(users.length >= 2);
    assert.ok(!users.includes('0'), users.join());
  });

  it('says what is wrong with the browser', async () => {
    const program = path.join(folder, 'nowhere');
    const isMissing = (error: unknown) => error instanceof BrowserError && error.problem === 'missing';
    await assert.rejects(printPdf('<p>Report</p>', program), isMissing);
  });

  it('keeps to the page while it is printed, however long that takes', async () => {
    const long = '<p>row</p>'.repeat(3000);
    const away = '<meta http-equiv="refresh" content="0;url=about:blank">';
    const { pdf } = await printPdf(`<!doctype html><title>Report</title>${away}${long}`, CHROMIUM);
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
  });
});
