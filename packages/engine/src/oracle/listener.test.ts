import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startTestListener, ZONE } from '@sortie/testing/targets/outside.ts';
import packet from 'dns-packet';
import { createOutside } from './outside.ts';
import { labelOf, namesOfRun } from './outside-names.ts';

let listener: Awaited<ReturnType<typeof startTestListener>>;
before(async () => {
  listener = await startTestListener();
});
after(() => listener.close());
beforeEach(() => void listener.calls.splice(0));

const told = () => listener.calls.map(({ kind, detail, from }) => [kind, detail, from]);

/** Sends raw bytes and resolves to the response. */
async function speak(bytes: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: listener.httpPort });
  socket.write(bytes);
  return text(socket);
}

const askFor = (path: string, host = '127.0.0.1') => speak(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);

/** Resolves to the first reply of the DNS server. */
async function askNames(questions: readonly (Buffer | { name: string; type: 'A' | 'AAAA' | 'TXT' })[]) {
  const socket = createSocket('udp4');
  socket.connect(listener.dnsPort ?? 0, '127.0.0.1');
  await once(socket, 'connect');
  for (const question of questions) {
    const bytes = Buffer.isBuffer(question) ? question : packet.encode({ type: 'query', id: 7, questions: [question] });
    socket.send(bytes);
  }
  const [reply] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  return { ...packet.decode(reply), code: reply.readUInt16BE(2) & 0xf, length: reply.length };
}

describe('the listener over HTTP', () => {
  it('hears a name of ours in the path, answers what is not in it, and tells where the call came from', async () => {
    const { order, outside } = listener;
    const path = `/${labelOf(order, 'one')}`;
    const answer = await askFor(path);
    assert.ok(answer.endsWith(`\r\n\r\n${outside.answerTo('one')}\n`), answer);
    assert.ok(!path.includes(outside.answerTo('one')));
    assert.deepEqual(told(), [['http', '', '127.0.0.1']]);
    assert.deepEqual((await outside.heard(['one', 'two'])).get('one'), listener.calls);
  });

  it('hears a name of ours in the host, in capitals too, and a word beside it', async () => {
    const label = labelOf(listener.order, 'one').toUpperCase();
    await askFor('/x', `4711.${label}.${ZONE}:80`);
    await askFor(`/${label}/4712?and=more`);
    assert.deepEqual(
      told().map(([, detail]) => detail),
      ['4711', '4712'],
    );
  });

  it('gives a program to whoever asks for one, and the program does not hold what it prints', async () => {
    const { url, prints } = listener.outside.programFor('one');
    const answer = await askFor(new URL(url).pathname);
    const [, a, b] = /<\?php echo (\d+)\*(\d+);\?>/.exec(answer) ?? [];
    assert.equal(String(Number(a) * Number(b)), prints);
    assert.ok(!answer.includes(prints));
  });

  const strangers = {
    'no name': '/',
    'a name that nobody has sealed': `/${'a'.repeat(40)}`,
    'a name of another service': `/${labelOf(namesOfRun(createSecretKey(randomBytes(32)), 'pen_lab'), 'one')}`,
    'a path without end': `/${'x'.repeat(5_000)}`,
    'a path that is none': '/%zz/../\\"<script>',
  };
  for (const [what, path] of Object.entries(strangers)) {
    it(`takes no notice of ${what}, and sends nothing of it back`, async () => {
      const answer = await askFor(path);
      assert.match(answer, /^HTTP\/1\.1 404 .*\r\n\r\nNothing is here\.\n$/s);
      assert.ok(!answer.includes(path.slice(1, 40)) || path === '/');
      assert.deepEqual(told(), []);
    });
  }

  it('ends connections that bring too much, or no HTTP', async () => {
    assert.match(await askFor('/', 'x'.repeat(10_000)), /^HTTP\/1\.1 431 /);
    assert.match(await speak('SSH-2.0-x\r\n\r\n'), /^HTTP\/1\.1 400 /);
  });

  it('tells of one name twenty times at most', async () => {
    const path = `/${labelOf(listener.order, 'again and again')}`;
    for (let time = 0; time < 25; time++) await askFor(path);
    assert.equal(told().length, 20);
  });
});

describe('the listener for names', () => {
  it('answers names of its zone with its address, as they were written, and hears them', async () => {
    const name = `4711.${labelOf(listener.order, 'two').toUpperCase()}.Outside.Test`;
    const { answers = [], questions = [], flag_aa } = await askNames([{ name, type: 'A' }]);
    assert.deepEqual(
      answers.map((answer) => [answer.name, answer.type, 'data' in answer && answer.data]),
      [[name, 'A', '127.0.0.1']],
    );
    assert.equal(questions[0]?.name, name);
    assert.ok(flag_aa);
    assert.deepEqual(told(), [['dns', '4711', '127.0.0.1']]);
  });

  it('has nothing else for them, and nothing for other zones', async () => {
    const ours = await askNames([{ name: `x.${ZONE}`, type: 'TXT' }]);
    assert.deepEqual([ours.code, ours.answers], [0, []]);
    const other = await askNames([{ name: `${labelOf(listener.order, 'two')}.example`, type: 'A' }]);
    assert.deepEqual([other.code, other.answers], [5, []]);
    assert.deepEqual(told(), []);
  });

  it('is silent about what is no question, and never answers with much more than was asked', async () => {
    const several = packet.encode({
      type: 'query',
      id: 1,
      questions: [
        { name: ZONE, type: 'A' },
        { name: ZONE, type: 'A' },
      ],
    });
    const response = packet.encode({ type: 'response', id: 2, questions: [{ name: ZONE, type: 'A' }] });
    const nonsense = [
      Buffer.alloc(0),
      Buffer.from('x'),
      Buffer.alloc(600, 1),
      Buffer.alloc(12, 255),
      several,
      response,
    ];
    const { id, length } = await askNames([...nonsense, { name: ZONE, type: 'A' }]);
    assert.equal(id, 7);
    assert.ok(length < 100);
  });
});

describe('the names of a run', () => {
  it('are the same for every attempt at it, and others for other runs, requests and services', () => {
    const service = createSecretKey(randomBytes(32));
    const label = (key: typeof service, run: string, tag: string) => labelOf(namesOfRun(key, run), tag);
    const one = label(service, 'pen_1', 'a');
    assert.equal(label(service, 'pen_1', 'a'), one);
    const others = [
      label(service, 'pen_2', 'a'),
      label(service, 'pen_1', 'b'),
      label(createSecretKey(randomBytes(32)), 'pen_1', 'a'),
    ];
    assert.equal(new Set([one, ...others]).size, 4);
    assert.match(one, /^[0-9a-f]{40}$/);
  });

  it('lead to the zone where there is one, else to the address', () => {
    const { order, ask, httpPort } = listener;
    const label = labelOf(order, 'x');
    assert.equal(createOutside(order, ask).urlFor('x'), `http://${label}.${ZONE}:${httpPort}/${label}`);
    const without = createOutside({ ...order, url: 'http://192.0.2.1', zone: null }, ask);
    assert.deepEqual([without.urlFor('x'), without.hostFor('x')], [`http://192.0.2.1/${label}`, null]);
  });
});

describe('who waits for a call', () => {
  it('gets it as soon as it has come', async () => {
    const outside = createOutside({ ...listener.order, patienceMs: 60_000 }, listener.ask);
    const waiting = outside.heard(['three'], [{ tag: 'three', kind: 'http' }]);
    await listener.tools.get(outside.urlFor('three'));
    const heard = (await waiting).get('three') ?? [];
    assert.deepEqual(
      heard.map(({ kind }) => kind),
      ['dns', 'http'],
    );
  });

  it('waits no more when all waiting together has taken too long', async () => {
    let questions = 0;
    const outside = createOutside(
      { ...listener.order, patienceMs: 300 },
      async () => {
        questions++;
        return [];
      },
      0.5,
    );
    const wait = () => outside.heard(['five'], [{ tag: 'five', kind: 'http' }]);
    await wait();
    const before = questions;
    await wait();
    assert.equal(questions, before + 1);
  });

  it('gives up when the patience is over', async () => {
    const outside = createOutside({ ...listener.order, patienceMs: 10 }, listener.ask);
    assert.deepEqual((await outside.heard(['four'], [{ tag: 'four', kind: 'dns' }])).get('four'), []);
  });
});
