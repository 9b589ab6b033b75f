import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import type { RequestCheck } from '../../define-active-check.ts';
import type { LabAnswer, LabRequest, RequestLab } from '../../lab.ts';
import check from './stored-xss.ts';

const html = (body: string): LabAnswer => ({ headers: { 'content-type': 'text/html' }, body });
const json = (value: unknown): LabAnswer => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const notes: InventoryItem = {
  method: 'POST',
  url: '/notes',
  parameters: [
    { location: 'json', name: '/topic', value: 'Tea' },
    { location: 'json', name: '/text', value: 'Hello' },
  ],
  body: { type: 'application/json', text: '{"topic":"Tea","text":"Hello"}' },
  seenAs: 'alice',
  contentType: 'application/json',
};
const read: InventoryItem = { ...notes, method: 'GET', parameters: [] };
const page: InventoryItem = { ...read, url: '/', contentType: 'text/html' };

const MOST_OF_TOPIC = 45;

/** A page whose script puts the notes into it. Topics are short. */
function noteList(put: string) {
  const entries: { topic: string; text: string }[] = [];
  const script = `fetch('notes').then((all) => all.json()).then((all) => all.forEach(({ text }) => { ${put} }))`;
  return ({ method, path, body, account }: LabRequest): LabAnswer => {
    if (account === null) return { status: 403 };
    if (method === 'POST') {
      const { topic, text } = JSON.parse(body);
      if (topic.length > MOST_OF_TOPIC) return { status: 500 };
      entries.push({ topic, text });
      return json({ id: entries.length });
    }
    return path === '/notes' ? json(entries) : html(`<div id="list"></div><script>${script}</script>`);
  };
}

const items: InventoryItem = {
  method: 'POST',
  url: '/items',
  parameters: [{ location: 'form', name: 'item', value: 'Tea' }],
  seenAs: 'alice',
  contentType: 'text/html',
};
const searching: InventoryItem = {
  method: 'POST',
  url: '/find',
  parameters: [
    { location: 'form', name: 'code', value: '4' },
    { location: 'form', name: 'q', value: 'tea' },
  ],
  seenAs: 'alice',
  contentType: 'text/html',
  effect: 'reads',
};

/** Items that only the results of a search show. */
function shop(show: (text: string) => string, showSearched = escaped) {
  const entries: string[] = [];
  return ({ method, path, body, account }: LabRequest): LabAnswer => {
    if (account === null) return { status: 403 };
    const posted = new URLSearchParams(body);
    if (path === '/items' && method === 'POST') entries.push(posted.get('item') ?? '');
    if (path !== '/find') return html('<p>Thank you</p>');
    const q = posted.get('q') ?? '';
    const found = q === '' ? [] : entries.filter((text) => text.includes(q));
    return html(`<p>Results for ${showSearched(q)}</p>${found.map((text) => `<li>${show(text)}</li>`).join('')}`);
  };
}

const others = { item: notes, others: [read, page] };
const cases: Record<string, Omit<RequestLab, 'safe'>> = {
  'JSON that a script puts into a page': {
    ...others,
    vulnerable: noteList("list.insertAdjacentHTML('beforeend', '<li>' + text + '</li>')"),
  },
  'the results of a posted search': { item: items, others: [searching], vulnerable: shop(String) },
};
const harmless: Record<string, Omit<RequestLab, 'safe'>> = {
  'JSON that a script shows as text': {
    ...others,
    vulnerable: noteList("const li = document.createElement('li'); li.textContent = text; document.body.append(li)"),
  },
  'encoded results of a posted search': { item: items, others: [searching], vulnerable: shop(escaped) },
  'a search that repeats what was searched, and stores nothing': {
    item: items,
    others: [searching],
    vulnerable: shop(() => '', String),
  },
};

describe('a stored value that no page shows by itself', () => {
  const named = [...Object.entries(cases), ...Object.entries(harmless)].map(([name, lab]) => {
    const own = (): RequestLab => ({ ...lab, safe: lab.vulnerable });
    return { name, check: { ...(check as RequestCheck), id: name, lab: own } };
  });
  let labs: Awaited<ReturnType<typeof openLabs>>;
  before(async () => {
    labs = await openLabs(named.map((each) => each.check));
  });
  after(() => labs.close());

  for (const { name, check: one } of named) {
    it(`${name in cases ? 'runs as a script' : 'does not run'}: ${name}`, async () => {
      const { verified } = await labs.test(one, 'vulnerable');
      assert.equal(verified?.confidence, name in cases ? 'CONFIRMED' : undefined);
    });
  }
});
