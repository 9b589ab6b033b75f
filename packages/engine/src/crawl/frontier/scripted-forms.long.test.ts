import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { answered } from '@sortie/testing/engine/judging.ts';
import { type Browser, openBrowser } from '../../browser/browser.ts';
import { createInventory } from '../inventory/inventory.ts';
import { browse } from './browse.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser('/usr/bin/chromium', 'Sortie test', 'preferred');
});
after(() => browser.close());

const PAGE = 'http://shop.test/page';
/** Sends each form by GET, from a script. */
const SCRIPT = `<script>document.addEventListener('submit', (event) => {
  event.preventDefault();
  fetch('/value?v=' + encodeURIComponent(new FormData(event.target).get('v')));
});</script>`;

/** Resolves to the URLs that the scripts of the page loaded, and the number of controls that were left alone. */
async function opened(form: string) {
  const asked: string[] = [];
  const { avoided } = await browse({
    openBrowser: async () => browser,
    async load(request) {
      if (request.url !== PAGE) asked.push(request.url);
      return answered(request, {
        headers: { 'Content-Type': 'text/html' },
        body: request.url === PAGE ? `<!doctype html>${form}${SCRIPT}` : 'ok',
      });
    },
    mayLoad: ({ effect }) => effect === 'reads',
    isCovered: () => true,
    isKnown: () => true,
    inventory: createInventory(),
    seenAs: null,
    pages: [{ url: PAGE }],
    bounds: { browserPages: 1, clicksPerPage: 3 },
    mostRequests: 10,
    mostMs: 60_000,
  });
  return { asked: asked.map((url) => new URL(url).pathname), avoided };
}

describe('a form without action and method', () => {
  for (const button of ['Save', 'Save settings', 'Add']) {
    it(`is not sent by a button that says "${button}"`, async () => {
      const form = `<form><input name="v"><button>${button}</button></form>`;
      assert.deepEqual(await opened(form), { asked: [], avoided: 1 });
    });
  }

  it('is not sent by Enter, which would press its button', async () => {
    const form = '<form><input name="v"><button>Speichern</button></form>';
    assert.deepEqual((await opened(form)).asked, []);
  });

  for (const type of ['', 'type="button" onclick="document.forms[0].requestSubmit()"']) {
    it(`is not sent by a button elsewhere that names it, if its heading says that it changes something (${type})`, async () => {
      const form = `<form id="f"><h2>Change the sender</h2><input name="v"></form><button form="f" ${type}>OK</button>`;
      assert.deepEqual((await opened(form)).asked, []);
    });
  }

  it('is sent by a button elsewhere that names it, where it reads', async () => {
    const form = '<form id="f"><input name="v"></form><button form="f">Search</button>';
    assert.deepEqual((await opened(form)).asked, ['/value']);
  });

  it('is not sent if its heading says that it changes something', async () => {
    const form = '<form><h2>Change the sender</h2><input name="v"><button>OK</button></form>';
    assert.deepEqual(await opened(form), { asked: [], avoided: 1 });
  });

  for (const inside of ['<button>Search</button>', '<button>Submit</button>', '']) {
    it(`is sent where it reads: ${inside || 'by Enter'}`, async () => {
      assert.deepEqual(await opened(`<form><input name="v">${inside}</form>`), { asked: ['/value'], avoided: 0 });
    });
  }
});
