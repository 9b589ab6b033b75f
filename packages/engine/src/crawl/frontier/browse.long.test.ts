import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { browseSite } from '../../../../../test/support/browse-site.ts';
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
});
