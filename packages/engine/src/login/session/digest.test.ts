import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, it } from 'node:test';
import { account, createLoginSites, type Reply, type Seen } from '@sortie/testing/targets/login-site.ts';
import { answerTo, challengeIn } from './digest.ts';

const { attempt, closeAll } = createLoginSites();
afterEach(closeAll);

it('answers as RFC 7616 does in its example', () => {
  const header =
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';
  const stronger = header.replace('MD5', 'SHA-256');
  const answering = {
    ...{ user: 'Mufasa', pass: 'Circle of Life', method: 'GET', url: 'http://www.example.org/dir/index.html' },
    ...{ count: 1, clientNonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ' },
  };
  const responseOf = (...headers: string[]) => {
    const challenge = challengeIn(headers);
    return challenge && / response="(\w+)"/.exec(answerTo(challenge, answering))?.[1];
  };
  assert.equal(responseOf(header), '8ca523f5e9506fed4657c9700eebdbec');
  const strong = '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1';
  assert.equal(responseOf(header, stronger), strong);
  assert.equal(responseOf(`Basic realm="x", ${header}, ${stronger}`), strong);
  assert.equal(responseOf('Digest realm="x", nonce="y", qop="auth-int"'), undefined);
  assert.equal(responseOf('Digest realm="x", nonce="y", algorithm=WHIRLPOOL'), undefined);
});

/** Each nonce is valid for a few requests, whose counts must increase; then the server issues another one. */
function digestSite(pass = account.pass) {
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  let [nonce, last, issued] = ['n0', 0, 0];
  return ({ method, path, headers }: Seen): Reply => {
    const sent = headers.authorization ?? '';
    const of = (name: string) => new RegExp(`[ ,]${name}="?([^",]*)`).exec(sent)?.[1] ?? '';
    const count = Number.parseInt(of('nc'), 16);
    const own = md5(`${account.user}:shop:${pass}`);
    const expected = md5(`${own}:${of('nonce')}:${of('nc')}:${of('cnonce')}:auth:${md5(`${method}:${path}`)}`);
    const isRight = of('uri') === path && of('response') === expected && of('username') === account.user;
    const isFresh = of('nonce') === nonce && count > last && count <= 3;
    if (isRight && isFresh) {
      last = count;
      return { body: 'Hello, your 3 orders are here' };
    }
    [nonce, last] = [`n${++issued}`, 0];
    const stale = isRight ? ', stale=true' : '';
    const challenge = `Digest realm="shop", qop="auth", nonce="${nonce}"${stale}`;
    return { status: 401, headers: { 'WWW-Authenticate': challenge }, body: 'Unauthorized' };
  };
}

it('logs in by HTTP Digest, and goes on when the nonce is no longer valid', async () => {
  const { result, server } = await attempt(digestSite());
  assert.ok('proof' in result, JSON.stringify(result));
  for (const path of ['/a', '/b?c=d', '/e', '/f', '/g', '/h']) {
    const { response } = await result.session.send({ method: 'GET', url: server.url + path });
    assert.equal(response?.status, 200, path);
  }
});

it('sends a wrong password by HTTP Digest once', async () => {
  const { code, reason, seen } = await attempt(digestSite('another'));
  assert.equal(code, 'USER_OR_PASSWORD');
  assert.match(reason ?? '', /status 401 to HTTP Digest\. Check user and password/);
  assert.equal(seen.filter(({ headers }) => headers.authorization !== undefined).length, 1);
});
