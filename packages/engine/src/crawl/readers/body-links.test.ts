import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDiscovery } from './discovery.ts';

const SERVICE = `import { a as http } from './http.js';
  var Notes = (() => { class t { http = inject(http); host = cfg.host + '/api/notes';
    save(e) { return this.http.post(this.host + '/', e).pipe(x) }
    change(e, i) { return this.http.put(\`\${this.host}/\${e}\`, i) } } return t })();
  class Orders { save(o) { return fetch('/api/orders', { method: 'POST', body: JSON.stringify(o) }) } }
  const users = { logIn: (who) => axios.post('/api/login', who), join: (who) => axios.post('/api/users', who),
    renew: (who) => axios.post('/api/keys', who) };
  export { Notes as n, Orders as o, users }`;

/** Returns the requests that the scripts describe together. */
function drafts(...scripts: string[]): string[] {
  const discovery = createDiscovery({ known: [], mostItems: 100, isCovered: () => true });
  for (const [index, text] of scripts.entries()) {
    const url = index === 0 ? 'https://shop.test/service.js' : `https://shop.test/page${index}.js`;
    discovery.readScript(text, url, 'https://shop.test/');
  }
  return discovery.drafts().map(({ method, url, body, effect }) => {
    const { pathname } = new URL(url);
    return [method, pathname, body?.text ?? '-', ...(effect === 'changes' ? [] : [effect])].join(' ');
  });
}

const page = (body: string) => `import { n as A, o as B, users as C } from './service.js'; ${body}`;

describe('what a request is sent with', () => {
  it('is what the function that sends it is called with, in another script', () => {
    const script = page(
      `class Page { notes = inject(A); orders = new B(); send(i) { this.notes.save({ text: i.value, stars: 4 }); } }`,
    );
    assert.ok(drafts(SERVICE, script).includes('POST /api/notes/ {"text":"test","stars":4}'));
    assert.ok(drafts(script, SERVICE).length > 0);
  });

  it('is told apart where functions of several classes are called the same', () => {
    const script = page(
      `class P { n = inject(A); o = new B(); f() { this.o.save({ tea: 'Sencha', quantity: q }); this.n.save({ text }) } }`,
    );
    const found = drafts(SERVICE, script);
    assert.ok(found.includes('POST /api/notes/ {"text":"test"}'), found.join('\n'));
    assert.ok(found.includes('POST /api/orders {"tea":"Sencha","quantity":1}'), found.join('\n'));
  });

  it('is put together of what is assigned to an object before', () => {
    const ofClass = page(
      `class P { notes = inject(A); note = void 0; begin() { this.note = { UserId: me.id } }
        send() { this.note.text = this.field.value; this.notes.save(this.note) } }`,
    );
    assert.ok(drafts(SERVICE, ofClass).includes('POST /api/notes/ {"UserId":1,"text":"test"}'));
    const ofFunction = page(
      `class P { notes = inject(A); send(e) { let i = { text: e.value }; i.stars = 3; this.notes.change(e.id, i) }
        other() { let i = { no: 1 } } }`,
    );
    assert.ok(drafts(SERVICE, ofFunction).includes('PUT /api/notes/1 {"text":"test","stars":3}'));
  });

  it('is found by a name that only one function has, where nothing else tells', () => {
    const script = `export const a = (order) => n.default.post('/api/orders', order);
      const placeOrder = (order) => http.post('/api/orders', order);`;
    const found = drafts(script, 'e => (0, t.placeOrder)({ tea: e })');
    assert.ok(found.includes('POST /api/orders {"tea":"test"}'), found.join('\n'));
  });

  it('replaces the request without anything, unless it may be sent with more', () => {
    const found = drafts(
      SERVICE,
      page('class P { n = inject(A); f() { this.n.save({ a }); this.n.change(1, { a }) } }'),
    );
    assert.deepEqual(found.filter((each) => /notes/.test(each)).toSorted(), [
      'POST /api/notes/ {"a":"test"}',
      'PUT /api/notes/1 -',
      'PUT /api/notes/1 {"a":"test"}',
    ]);
  });

  it('makes a login of what takes a name and a password, and is dangerous where it takes one for something else', () => {
    const found = drafts(
      SERVICE,
      page('C.logIn({ email: e, password: p }); C.join({ email: e, password: p }); C.renew({ password: p })'),
    );
    assert.ok(found.includes('POST /api/login {"email":"someone@example.com","password":"Test-of-7-Words!"} logsIn'));
    assert.ok(found.includes('POST /api/users {"email":"someone@example.com","password":"Test-of-7-Words!"}'));
    assert.ok(found.includes('POST /api/keys {"password":"Test-of-7-Words!"} endangers'));
  });
});
