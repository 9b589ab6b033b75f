import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Explored } from '../../browser/explore.ts';
import { createInventory, type InventoryItem } from '../inventory/inventory.ts';
import { browse } from './browse.ts';

const PAGE = 'http://shop.test/user';

interface Sent {
  method: string;
  url: string;
  body?: string;
}

/** A page with this form, whose script sends the request. Returns what was to be loaded, and whether the click was allowed. */
async function loaded(form: string, sent: Sent, words = 'OK') {
  const items: InventoryItem[] = [];
  let isClicked: boolean | undefined;
  const nothing: Explored = { views: [], sockets: [], clicks: 0, avoided: 0 };
  await browse({
    openBrowser: async () => ({
      async explore(url, send, { isSafeIn }) {
        isClicked = isSafeIn?.(form, words);
        const headers: [string, string][] = [['Content-Type', 'application/x-www-form-urlencoded']];
        await send({ ...sent, headers }, url, 'fetch');
        return nothing;
      },
      isOpen: () => true,
    }),
    load: () => assert.fail('nothing may be sent'),
    mayLoad(item) {
      items.push(item);
      return false;
    },
    isCovered: () => true,
    isKnown: () => true,
    inventory: createInventory(),
    seenAs: null,
    pages: [{ url: PAGE }],
    bounds: { browserPages: 3, clicksPerPage: 1 },
    mostRequests: 10,
    mostMs: 60_000,
  });
  return { isClicked, effect: items[0]?.effect, edits: items[0]?.edits };
}

describe("a script's request to the place of a form", () => {
  const edit = '<form method="post" action="/user"><h2>Edit</h2><input name="mail" value="a@b.test"></form>';

  it('edits what the form edits, and its button is not pressed', async () => {
    const sent = { method: 'POST', url: PAGE, body: 'mail=x' };
    assert.deepEqual(await loaded(edit, sent, 'OK\nEdit'), { isClicked: false, effect: 'changes', edits: true });
    assert.equal((await loaded(edit, { ...sent, body: 'mail=x&sent=1' })).edits, true);
    assert.equal((await loaded(edit, { ...sent, url: `${PAGE}/7` })).edits, undefined);
  });

  it('reads if the form searches, with the same fields only', async () => {
    const search = '<form method="post" action="/user"><input name="q"><button>Search</button></form>';
    const sent = { method: 'POST', url: PAGE, body: 'q=x' };
    assert.deepEqual(await loaded(search, sent, 'Search'), { isClicked: true, effect: 'reads', edits: undefined });
    assert.equal((await loaded(search, { ...sent, body: 'q=x&all=1' })).effect, 'changes');
    assert.equal((await loaded(search, { ...sent, url: `${PAGE}?delete=1` })).effect, 'endangers');
  });

  it('changes something if the form does so by GET; the page itself is not that request', async () => {
    const vote = '<form action="/user"><input name="f"><button>Vote</button></form>';
    assert.equal((await loaded(vote, { method: 'GET', url: `${PAGE}?f=12` })).effect, 'changes');
    assert.equal((await loaded(vote, { method: 'GET', url: PAGE })).effect, 'reads');
  });
});
