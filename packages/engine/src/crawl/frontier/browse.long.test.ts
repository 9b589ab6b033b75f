import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { browseSite } from '@sortie/testing/targets/browse-site.ts';
import { type Browser, openBrowser } from '../../browser/browser.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser('/usr/bin/chromium', 'Sortie test', 'preferred');
});
after(() => browser.close());

describe('a browser that looks around', () => {
  it('finds pages that scripts make up without a request', async () => {
    const script = `const show = () => { document.body.innerHTML = location.pathname === '/' ? '<div role="tab">Next</div>' : '<a href="/deep' + location.pathname + '">x</a>';
      document.querySelector('[role=tab]')?.addEventListener('click', () => { history.pushState({}, '', '/made-up'); show(); }); }; show();`;
    const { sent } = await browseSite(browser, (path) =>
      path === '/app.js' ? script : '<body></body><script src="/app.js"></script>',
    );
    assert.ok(sent.includes('GET /made-up') && sent.includes('GET /deep/made-up'));
  });

  it('stays where it may be', async () => {
    const page =
      '<a href="http://other.test/">x</a><script>fetch("http://other.test/api"); location.hash = "#/a"</script>';
    const { items } = await browseSite(browser, { '/': page });
    assert.ok(items.every(({ url }) => url.startsWith('http://site.test/')));
  });

  it('opens no more pages than it may, and says so', async () => {
    let made = 0;
    const site = () => `<script>document.write('<a href="/p${++made}x">a</a><a href="/q${made}x">b</a>')</script>`;
    const { result } = await browseSite(browser, site, { browserPages: 4 });
    assert.deepEqual([result.pages, result.isCut], [4, true]);
  });

  it('clicks no more than it may', async () => {
    const buttons = Array.from({ length: 30 }, (_, n) => `<button onclick="fetch('/c${n}x')">b${n}</button>`).join('');
    const { result } = await browseSite(browser, { '/': buttons }, { clicksPerPage: 3 });
    assert.equal(result.clicks, 3);
  });

  it('sends no more requests than it may', async () => {
    const page = '<script>for (let n = 0; n < 100; n++) fetch("/r" + n + "x").catch(() => 0)</script>';
    const { sent } = await browseSite(browser, { '/': page }, { mostRequests: 10 });
    assert.equal(sent.length, 10);
  });

  it('leaves pages that never rest', async () => {
    const busy = '<button>x</button><script>setTimeout(() => { for (;;); }, 500)</script>';
    const { result } = await browseSite(browser, { '/': busy });
    assert.equal(result.pages, 1);
    const { result: next } = await browseSite(browser, { '/': '<p>still alive</p>' });
    assert.equal(next.pages, 1);
  });

  it('clicks on what every page has on two of them', async () => {
    const bar = '<button>Menu</button>';
    const links = ['a', 'b', 'c'].map((name) => `<a href="/${name}">${name}</a>`).join('');
    const page = `${bar}<script>document.querySelector('button').onclick = () => fetch('/menu?at=' + location.pathname)</script>`;
    const { sent } = await browseSite(browser, { '/': page + links, '/a': page, '/b': page, '/c': page });
    assert.deepEqual(
      sent.filter((each) => each.includes('/menu')),
      ['GET /menu?at=/', 'GET /menu?at=/a'],
    );
  });

  it('opens last what others have opened', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `<a href="#/${name}">${name}</a>`);
    const opened = {
      method: 'GET' as const,
      url: 'http://site.test/#/a',
      parameters: [],
      seenAs: null,
      contentType: '',
    };
    const { items } = await browseSite(browser, { '/': `${a}${b}${c}` }, { browserPages: 3, met: [opened] });
    assert.deepEqual(
      items.slice(2).map(({ url }) => url),
      ['http://site.test/#/b', 'http://site.test/#/c'],
    );
  });
});
