import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InventoryItem, Parameter } from '../inventory/inventory.ts';
import { decidesWhere, isAboutCredentials, writeTargetOf } from './write-target.ts';

const given = (name: string, value = '5', location: Parameter['location'] = 'form'): Parameter => ({
  location,
  name,
  value,
});

function targetOf(request: string, changes: Partial<InventoryItem> = {}) {
  const [method = '', path = ''] = request.split(' ');
  const item = {
    method: method as InventoryItem['method'],
    url: `http://shop.test${path}`,
    parameters: [],
    seenAs: 'alice',
    ...changes,
  };
  return writeTargetOf(item, ['alice', 'alice@shop.test', '17']);
}

describe('a write request', () => {
  it('creates something where it names nothing that exists', () => {
    for (const request of ['POST /notes', 'POST /teas/7/reviews', 'POST /users'])
      assert.equal(targetOf(request), 'new');
    assert.equal(targetOf('POST /articles', { parameters: [given('id', '')] }), 'new');
    assert.equal(targetOf('POST /lookup', { parameters: [{ ...given('user_id'), isAsked: true }] }), 'new');
    assert.equal(targetOf('PUT /teas/7/reviews', { adds: true }), 'new');
  });

  it('is told from nouns that begin with a verb of editing', () => {
    const nouns = [
      '/updates',
      '/editions',
      '/editors',
      '/changelog',
      '/movements',
      '/replacements',
      '/Updates',
      '/updaters',
      '/editorial',
      '/changeset',
    ];
    for (const path of nouns) assert.equal(targetOf(`POST ${path}`), 'new', path);
    for (const path of ['/updates', '/assignments', '/sets'])
      assert.equal(targetOf(`POST ${path}`, { parameters: [given('author_id')] }), 'new', path);
    const edits = [
      '/updateUser',
      '/update_user',
      '/user/edit',
      '/EditUser.aspx',
      '/edit.php',
      '/UPDATE',
      '/updateuser',
      '/updatecolor',
      '/editpage',
      '/changetheme',
    ];
    for (const path of edits) assert.equal(targetOf(`POST ${path}`), 'existing', path);
    assert.equal(targetOf('POST /user/settings', { parameters: [given('user_id')] }), 'existing');
  });

  it('changes what existed before where it names an ID that is not known to be its own', () => {
    const requests = [
      'PUT /items/5',
      'PATCH /users/5/role',
      'POST /articles/5',
      'POST /articles/5/edit',
      'DELETE /items/5',
    ];
    for (const request of requests) assert.equal(targetOf(request), 'existing', request);
    assert.equal(targetOf('POST /articles', { parameters: [given('id')] }), 'existing');
    assert.equal(targetOf('POST /update', { parameters: [given('article_id')] }), 'existing');
    assert.equal(
      targetOf('POST /graphql', { operation: 'mutation updateUser', parameters: [given('/id')] }),
      'existing',
    );
    for (const name of ['id', 'tea:id', '@id']) {
      const parameters = [given(`/soapenv:Envelope/soapenv:Body/addTea/${name}`, '5', 'xml')];
      assert.equal(targetOf('POST /ws', { procedure: 'addTea', parameters }), 'existing', name);
    }
    const ofTea = [given('/soapenv:Envelope/soapenv:Body/tea:teaId', '5', 'xml')];
    assert.equal(targetOf('POST /ws', { procedure: 'UpdateTea', parameters: ofTea }), 'existing');
    assert.equal(targetOf('PUT /api/config'), 'existing');
    assert.equal(targetOf('POST /admin/settings'), 'existing');
    assert.equal(targetOf('PATCH /me', { seenAs: null }), 'existing');
  });

  it('changes what existed before where a document in a field names an ID', () => {
    for (const document of [
      '{"id": 1, "role": "user"}',
      '[{"id": 1}]',
      '{"user": {"id": 1}}',
      '<user><id>1</id></user>',
      '<?xml version="1.0"?><t:user xmlns:t="urn:t" t:id="1"/>',
    ])
      assert.equal(targetOf('POST /import', { parameters: [given('doc', document)] }), 'existing', document);
    for (const document of ['{"id": 0, "name": "a"}', '<tea><name>id</name></tea>', '{id}', '{"teaId": 5}'])
      assert.equal(targetOf('POST /import', { parameters: [given('doc', document)] }), 'new', document);
    assert.equal(targetOf('POST /tea/update', { parameters: [given('doc', '{"teaId": 5}')] }), 'existing');
  });

  it('changes what existed before where a verb, a filled form or a place says so without an ID', () => {
    const requests = ['POST /site/update', 'POST /articles/my-slug/edit', 'POST /admin/menu/edit', 'POST /settings'];
    for (const request of requests) assert.equal(targetOf(request), 'existing', request);
    assert.equal(targetOf('POST /articles/my-slug', { edits: true }), 'existing');
    assert.equal(targetOf('POST /graphql', { operation: 'mutation updateUser', edits: true }), 'existing');
    for (const name of ['/variables/id', '/input/id', '/ids/0']) {
      assert.equal(targetOf('POST /pins', { parameters: [given(name, '5', 'json')] }), 'existing', name);
    }
    for (const request of ['POST /profile/edit', 'POST /cart/update', 'POST /user/settings'])
      assert.equal(targetOf(request), 'own', request);
    assert.equal(targetOf('POST /profile', { edits: true }), 'own');
    for (const request of ['POST /notes/save', 'POST /articles/my-slug/comments'])
      assert.equal(targetOf(request), 'new', request);
    assert.equal(targetOf('POST /orders', { parameters: [given('/product/id', '5', 'json')] }), 'new');
  });

  it('changes its own things where the path or an ID names the account, the session or the run', () => {
    const requests = ['PATCH /me', 'PUT /api/signature', 'PATCH /users/17', 'PUT /addresses/alice@shop.test'];
    for (const request of requests) assert.equal(targetOf(request), 'own', request);
    assert.equal(targetOf('PUT /files/s0123456789ab.txt', { seenAs: null }), 'own');
    assert.equal(targetOf('PUT /items/5', { isOurs: true }), 'own');
  });
});

describe('a value that decides where something is written', () => {
  it('is known by its name, unless it holds a host', () => {
    const places = ['folder', 'path', '/uploadDir', 'fileName', 'save_to', 'file_name', '/dest', 'target'];
    for (const name of places) assert.ok(decidesWhere(given(name, 'reports')), name);
    assert.ok(decidesWhere(given('file', 'test.txt', 'fileName')));
    assert.ok(!decidesWhere(given('target', '192.0.2.1')));
    for (const name of ['name', 'text', 'title', 'format']) assert.ok(!decidesWhere(given(name)), name);
  });

  it('is the ID of an update, in its path and in its body', () => {
    assert.ok(decidesWhere(given('1', '5', 'path'), 'PUT'));
    assert.ok(decidesWhere(given('/id', '5', 'json'), 'PATCH'));
    assert.ok(decidesWhere(given('/a:Envelope/a:Body/tea:id', '5', 'xml')));
    assert.ok(!decidesWhere(given('/order/item/id', '5', 'json')));
    assert.ok(!decidesWhere(given('1', '5', 'path'), 'POST'));
  });
});

describe('credentials', () => {
  const isAbout = (request: string, ...names: string[]) => {
    const [method = '', path = ''] = request.split(' ');
    const parameters = names.map((name) => given(name));
    return isAboutCredentials({
      method: method as InventoryItem['method'],
      url: `http://shop.test${path}`,
      parameters,
    });
  };

  it('are what changes of passwords, resets and one-time codes are about', () => {
    assert.ok(isAbout('POST /forgot', 'email'));
    assert.ok(isAbout('POST /api/otp/resend', 'phone'));
    assert.ok(isAbout('PATCH /me', '/password'));
    assert.ok(isAbout('POST /account', 'current_password', 'new_password'));
  });

  it('are what remote procedures and mutations with such names are about', () => {
    const at = { method: 'POST', url: 'http://shop.test/ws', parameters: [given('/a/pin', '1', 'xml')] } as const;
    for (const procedure of ['ForgotPassword', 'RequestOtp', 'SendOTPCode', 'accountReset', 'ChangePin'])
      assert.ok(isAboutCredentials({ ...at, parameters: [...at.parameters], procedure }), procedure);
    assert.ok(isAboutCredentials({ ...at, parameters: [], operation: 'mutation requestOtp' }));
    assert.ok(!isAboutCredentials({ ...at, parameters: [...at.parameters], procedure: 'RegisterUser' }));
  });

  it('are set, and not changed, by a registration', () => {
    assert.ok(!isAbout('POST /register', 'email', 'password'));
    assert.ok(!isAbout('PATCH /me', '/name'));
  });
});
