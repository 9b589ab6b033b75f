import type { OutgoingHttpHeaders } from 'node:http';
import { sealedFields } from '../../../server/src/credentials/sealed-run.ts';
import { type Canaries, CLIENT, type SecretStart } from './canaries.ts';

export interface RefusedStart {
  what: string;
  /** Sent unchanged if it is a string or bytes. */
  body: unknown;
  /** The field that the error must name. */
  field: string;
  headers?: OutgoingHttpHeaders;
}

/** Returns invalid starts with one error each, and secrets in the invalid part and around it. */
export function refusedStarts(valid: SecretStart, secrets: Canaries): RefusedStart[] {
  return [
    ...wrongTexts(valid, secrets),
    ...wrongChoices(valid, secrets),
    ...misplacedFields(valid, secrets),
    ...wrongMembers(valid, secrets),
    ...wrongBodies(valid, secrets),
    ...wrongBytes(valid, secrets),
    ...wrongHeaders(valid, secrets),
  ];
}

/** Returns the start with changed fields of one test account. */
function change(valid: SecretStart, index: number, changes: Record<string, unknown>): unknown {
  const credentials = valid.credentials.map((one, at) => (at === index ? { ...one, ...changes } : one));
  return { ...valid, credentials };
}

function wrongTexts(valid: SecretStart, secrets: Canaries): RefusedStart[] {
  return ['name', ...sealedFields].flatMap((name) => {
    const secret = secrets.create(`wrong ${name}`);
    const values: Record<string, unknown> = {
      'a list': [secret],
      'an object': { [secret]: secret },
      'too long': secret.repeat(400),
      'with a NUL': `${secret}\0`,
      'with half a surrogate pair': `${secret}\ud800`,
    };
    return Object.entries(values).map(([how, value]) => ({
      what: `${name} is ${how}`,
      body: change(valid, CLIENT, { [name]: value }),
      field: `credentials[${CLIENT}].${name}`,
    }));
  });
}

function wrongChoices(valid: SecretStart, secrets: Canaries): RefusedStart[] {
  const secret = secrets.create('wrong choice');
  const choices = ['kind', 'mode', 'location'].map((name) => ({
    what: `${name} is not a choice`,
    body: change(valid, 0, { [name]: secret }),
    field: `credentials[0].${name}`,
  }));
  return [...choices, { what: 'depth is not a choice', body: { ...valid, depth: secret }, field: 'depth' }];
}

function misplacedFields(valid: SecretStart, secrets: Canaries): RefusedStart[] {
  const secret = secrets.create('misplaced');
  const inUrl = secrets.create('wrong tokenUrl', 'url');
  const wrong: [what: string, index: number, field: string, value: unknown][] = [
    ['a form login with a token URL', 1, 'tokenUrl', `https://id.example.test/${inUrl}`],
    ['a form login with a scope', 1, 'scope', secret],
    ['a plain token with an audience', 5, 'audience', secret],
    ['a client with a login mode', CLIENT, 'mode', 'json'],
    ['a cookie sent in the query', 7, 'location', 'query'],
    ['a token URL without TLS', CLIENT, 'tokenUrl', `http://id.example.test/${inUrl}`],
    ['a token URL with a password', CLIENT, 'tokenUrl', `https://user:${inUrl}@id.example.test/`],
    ['a token URL that is none', CLIENT, 'tokenUrl', secret],
    ['a name with a secret in it', 0, 'name', secret],
    ['a name that another one has', 3, 'name', valid.credentials[0]?.name],
    ['an empty user', 2, 'user', ''],
    ['an empty password', CLIENT, 'pass', ''],
    ['an empty authenticator secret', 6, 'totpSecret', ''],
  ];
  return wrong.map(([what, index, field, value]) => ({
    what,
    body: change(valid, index, { [field]: value }),
    field: `credentials[${index}].${field}`,
  }));
}

function wrongMembers(valid: SecretStart, secrets: Canaries): RefusedStart[] {
  const secret = secrets.create('wrong member');
  const inUrl = secrets.create('wrong targetUrl', 'url');
  const { credentials } = valid;
  const wrong: [what: string, changes: Record<string, unknown>, field: string][] = [
    ['a target URL with a password', { targetUrl: `https://user:${inUrl}@shop.example.test/` }, 'targetUrl'],
    ['a target URL with a fragment', { targetUrl: `https://shop.example.test/#${inUrl}` }, 'targetUrl'],
    ['a target URL that is none', { targetUrl: secret }, 'targetUrl'],
    ['a verification id that is a list', { verificationId: [secret] }, 'verificationId'],
    ['an empty verification id', { verificationId: '' }, 'verificationId'],
    ['credentials that are text', { credentials: secret }, 'credentials'],
    ['credentials that are one account', { credentials: credentials[CLIENT] }, 'credentials'],
    ['an account that is text', { credentials: [secret] }, 'credentials[0]'],
    ['an account too many', { credentials: [...credentials, { ...credentials[0], name: 'one-more' }] }, 'credentials'],
    ['an API description that is none', { apiDescription: secret }, 'apiDescription'],
    ['an API description cut off', { apiDescription: valid.apiDescription.slice(0, -1) }, 'apiDescription'],
    ['an API description that is an object', { apiDescription: { [secret]: secret } }, 'apiDescription'],
    ['an API description of another kind', { apiDescription: JSON.stringify({ secret }) }, 'apiDescription'],
    ['a large API description', { apiDescription: valid.apiDescription.padEnd(131_073) }, 'apiDescription'],
    ['an API description with a NUL', { apiDescription: `${valid.apiDescription}\0` }, 'apiDescription'],
    ['a member that nobody knows', { surprise: { secret } }, 'surprise'],
    ['a password of the run', { pass: secret }, 'pass'],
  ];
  return [
    ...wrong.map(([what, changes, field]) => ({ what, body: { ...valid, ...changes }, field })),
    { what: 'a member of an account', body: change(valid, 1, { password: secret }), field: 'credentials[1].password' },
  ];
}

function wrongBodies(valid: SecretStart, secrets: Canaries): RefusedStart[] {
  const secret = secrets.create('wrong body');
  const quoted = JSON.stringify(secret);
  const text = JSON.stringify(valid);
  const twice = (name: string) => text.replace(`"${name}":`, `"${name}":${quoted},"${name}":`);
  const wrong: [what: string, body: unknown, field: string][] = [
    ['text', quoted, 'body'],
    ['a list', [secret, valid], 'body'],
    ['cut off in the middle of a secret', text.slice(0, text.indexOf(secrets.mark) + 30), 'body'],
    ['a secret without quotes', `{"targetUrl":${secret}}`, 'body'],
    ['a secret behind its end', text + secret, 'body'],
    ['a secret with a line break in it', text.replaceAll('\\n', '\n'), 'body'],
    ['a secret in single quotes', `{'pass':'${secret}'}`, 'body'],
    ['a password twice', twice('pass'), 'credentials[0].pass'],
    ['a target URL twice', twice('targetUrl'), 'targetUrl'],
    ['a secret nested too deep', `${'['.repeat(40)}${quoted}${']'.repeat(40)}`, 'body'],
    ['a prototype', `{"__proto__":${quoted},${text.slice(1)}`, '__proto__'],
    ['too large', change(valid, 0, { pass: secret.repeat(10_000) }), 'body'],
  ];
  return wrong.map(([what, body, field]) => ({ what: `the body is or has ${what}`, body, field }));
}

function wrongBytes(valid: SecretStart, secrets: Canaries): RefusedStart[] {
  const text = JSON.stringify({ ...valid, surprise: secrets.create('wrong bytes') });
  const wrong: [what: string, body: Buffer][] = [
    ['not UTF-8', Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.of(0xff), Buffer.from('"}')])],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    ['marked with its byte order', Buffer.from(`\ufeff${text}`)],
  ];
  return wrong.map(([what, body]) => ({ what: `the body is ${what}`, body, field: 'body' }));
}

function wrongHeaders(valid: SecretStart, secrets: Canaries): RefusedStart[] {
  const secret = secrets.create('wrong header', 'url');
  return [
    { 'content-type': `text/plain; charset=${secret}` },
    { 'content-type': secret },
    { 'idempotency-key': 'two words' },
  ].map((headers) => {
    const [name = ''] = Object.keys(headers);
    const field = name === 'content-type' ? 'Content-Type' : 'Idempotency-Key';
    return { what: `a wrong ${name}`, body: valid, field, headers };
  });
}

/** Unknown members: the error repeats their names, so that callers can find the mistake. */
export function madeUpMembers(valid: SecretStart, secrets: Canaries, names: Canaries): RefusedStart[] {
  const secret = secrets.create('in a made-up member');
  const name = names.create('made-up member');
  const quoted = JSON.stringify(name);
  const ofAccount = `credentials[${CLIENT}].${name}`;
  const text = JSON.stringify(valid);
  const start = text.slice(1);
  return [
    { what: 'of the body', body: { ...valid, [name]: secret }, field: name },
    { what: 'of an account', body: change(valid, CLIENT, { [name]: secret }), field: ofAccount },
    { what: 'that occurs twice', body: `{${quoted}:1,${quoted}:${JSON.stringify(secret)},${start}`, field: name },
    { what: 'with a NUL in it', body: { [name]: `${secret}\0`, ...valid }, field: name },
    { what: 'called by a name with a NUL', body: { [`${name}\0`]: secret, ...valid }, field: 'body' },
  ];
}
