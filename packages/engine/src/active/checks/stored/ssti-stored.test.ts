import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { nonce, observed } from '@sortie/testing/engine/judging.ts';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { ActiveCheck, Asking } from '../../define-active-check.ts';
import type { PointRequest } from '../../insertion-point.ts';
import type { LabRequest, RequestLab } from '../../lab.ts';
import template from './ssti-stored.ts';

const product = (text: string) =>
  text.replace(/#\{(\d+)\*(\d+)\}/g, (_, one, other) => String(Number(one) * Number(other)));
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const item: RequestLab['item'] = {
  method: 'POST',
  url: '/profile',
  // The crawl has seen another value than the page shows now.
  parameters: [{ location: 'form', name: 'nickname', value: 'earlier' }],
  body: { type: 'application/x-www-form-urlencoded', text: 'nickname=earlier' },
  seenAs: 'alice',
  contentType: 'text/html',
};

/** A page with a form, which shows what was sent last through `show`. */
function pageWith(show: (text: string) => string, offer: (text: string) => string) {
  let nickname = 'test';
  const written: string[] = [];
  const answer = ({ method, body }: LabRequest) => {
    if (method === 'POST') {
      nickname = new URLSearchParams(body).get('nickname') ?? '';
      written.push(nickname);
      return { status: 302, headers: { location: 'profile' } };
    }
    const form = `<form method="post"><input name="nickname" value="${escaped(offer(nickname))}"></form>`;
    return { headers: { 'content-type': 'text/html' }, body: `<p>${escaped(show(nickname))}</p>${form}` };
  };
  return { answer, written };
}

const edited = pageWith(product, String);
const escapedOnly = pageWith(String, String);
const guestBook = pageWith(product, () => '');

const labOf = (id: string, vulnerable: RequestLab['vulnerable'], safe: RequestLab['safe']) =>
  ({ ...template, id, lab: () => ({ item, vulnerable, safe }) }) as unknown as ActiveCheck;
const editing = labOf('editing', edited.answer, escapedOnly.answer);
const adding = labOf('adding', guestBook.answer, guestBook.answer);

let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs([editing, adding]);
});
after(() => labs.close());

describe('a template that a form stores', () => {
  it('is found in a form for editing, which keeps its value afterwards', async () => {
    const { isApplied, verified } = await labs.test(editing as never, 'vulnerable');
    assert.equal(isApplied, true);
    assert.equal(verified?.confidence, 'CONFIRMED');
    assert.equal(edited.written.at(-1), 'test');
  });

  it('is not found where the value is shown as it is', async () => {
    const { verified } = await labs.test(editing as never, 'safe');
    assert.equal(verified, undefined);
    assert.equal(escapedOnly.written.at(-1), 'test');
  });

  it('is tried only at a place of the account', () => {
    const isTried = (changes: Partial<RequestLab['item']>) =>
      template.appliesTo({ ...item, url: 'http://shop.test/profile', ...changes }, { inventory: [], accounts: [] });
    assert.ok(isTried({}));
    assert.ok(!isTried({ seenAs: null }));
    assert.ok(!isTried({ url: 'http://shop.test/home/title' }));
    assert.ok(!isTried({ url: 'http://shop.test/admin/settings' }));
  });

  it('stays in the journal where the page does not show the original again', async () => {
    const noted = async (restores: boolean) => {
      const { answer, written } = pageWith(String, () => (written.length > 0 && !restores ? 'changed' : 'test'));
      const undone: (readonly PointRequest[])[] = [];
      const ask = async ({ method, body = '' }: PointRequest) =>
        observed(answer({ method, path: '/profile', headers: {}, body: String(body), account: 'alice' }));
      const willChange = async (undo: readonly PointRequest[]) => {
        undone.push(undo);
        return { takeBack: async () => undefined, forget: () => undefined };
      };
      const subject = { ...item, url: 'http://shop.test/profile' };
      await template.probe?.(subject, nonce, { ask, willChange } as unknown as Asking);
      return undone.map(([request]) => request?.body);
    };
    assert.deepEqual(await noted(true), ['nickname=test']);
    assert.deepEqual(await noted(false), ['nickname=test', 'nickname=test']);
  });

  it('is not tried in a form that adds an entry each time', async () => {
    await labs.test(adding as never, 'vulnerable');
    assert.deepEqual(guestBook.written, []);
  });
});
