import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { issue } from '@sortie/testing/targets/certificates.ts';
import { StartupError } from '../errors/startup-error.ts';
import { explainDatabaseError, explainFileError } from './explain-start-error.ts';
import { readTls } from './tls.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sortie-start-errors-'));
after(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('a start with TLS files that cannot be used', () => {
  const own = issue({ name: 'a.example' });
  const { privateKey: other } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const { privateKey: encrypted } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'opensesame' },
  });
  const cert = write('cert.pem', own.pem);
  const key = write('key.pem', own.keyPem);
  const cases: [name: string, certFile: string, keyFile: string, message: RegExp][] = [
    [
      'no certificate',
      path.join(folder, 'no.pem'),
      key,
      /^File not found: .*no\.pem \(ENOENT\)\. Correct --tls-cert\.$/,
    ],
    ['no key', cert, path.join(folder, 'no.pem'), /^File not found: .*no\.pem \(ENOENT\)\. Correct --tls-key\.$/],
    ['a folder', folder, key, /^A folder instead of a file: .* \(EISDIR\)\. Correct --tls-cert\.$/],
    [
      'text as certificate',
      write('junk', 'junk'),
      key,
      /^No certificate chain in PEM form: .*junk\. Correct --tls-cert\.$/,
    ],
    ['text as key', cert, write('junk', 'junk'), /^No private key in PEM form: .*junk\. Correct --tls-key\.$/],
    ['an encrypted key', cert, write('locked.pem', encrypted), /^The private key .*locked\.pem is encrypted\. Give /],
    [
      'the key of another',
      cert,
      write('other.pem', other),
      /other\.pem does not match the certificate .*cert\.pem\. Correct /,
    ],
  ];
  const weak = issue({ name: 'a.example', keys: generateKeyPairSync('rsa', { modulusLength: 1_024 }) });
  cases.push([
    'a weak key',
    write('weak.pem', weak.pem),
    write('weak-key.pem', weak.keyPem),
    /^The certificate .*weak\.pem or its private key is too weak for TLS\. Get a certificate with a stronger key\.$/,
  ]);
  for (const [name, certFile, keyFile, message] of cases) {
    it(`says so: ${name}`, () => {
      assert.throws(
        () => readTls({ certFile, keyFile }),
        (error) => error instanceof StartupError && message.test(error.message),
      );
    });
  }

  it('takes a matching pair', () => {
    assert.equal(readTls({ certFile: cert, keyFile: key }).cert.toString(), own.pem);
  });
});

describe('a start with a database that cannot be used', () => {
  const failing = (code: string, message: string) => Object.assign(new Error(message), { code });
  const explained = (error: unknown) => explainDatabaseError(error).message;

  it('says the cause and the remedy in one line', () => {
    assert.match(
      explained(failing('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1')),
      /127\.0\.0\.1:1\. Start PostgreSQL /,
    );
    assert.match(
      explained(failing('28P01', 'password authentication failed for user "a"')),
      /"a"\. Correct user and password /,
    );
    assert.match(
      explained(failing('28000', 'no pg_hba.conf entry for host "10.0.0.5", user "a", database "b", no encryption')),
      /no encryption\. Allow this connection in pg_hba\.conf of PostgreSQL, or add \?sslmode=require to DATABASE_URL\.$/,
    );
    assert.match(
      explained(failing('28000', 'role "a" does not exist')),
      /does not exist\. Create the role, or correct the user in DATABASE_URL\.$/,
    );
    assert.match(explained(failing('28000', 'role "a" is not permitted to log in')), /\. Correct user and password /);
    assert.match(explained(failing('3D000', 'database "b" does not exist')), /does not exist\. Create the database, /);
    const both = new AggregateError([failing('ECONNREFUSED', 'one'), failing('ECONNREFUSED', 'two')]);
    assert.match(explained(both), /: one, two\. Start PostgreSQL /);
    assert.doesNotMatch(explained(failing('X', 'first\nsecond')), /\n/);
  });

  it('keeps the password of an unreadable URL out of the message', () => {
    assert.doesNotMatch(explained(new TypeError('Invalid URL: postgres://u:opensesame@/')), /opensesame/);
  });
});

it('a data folder without space or access is said with its cause first', () => {
  const failing = (code: string) => Object.assign(new Error(code), { code, syscall: 'mkdir', path: '/data/x' });
  const explained = (code: string) => (explainFileError(failing(code), '/data') as Error).message;
  assert.match(
    explained('ENOSPC'),
    /^No space left: the data folder \/data .* Free space there, or choose another folder/,
  );
  assert.match(explained('EACCES'), /^No permission: the data folder \/data .* Choose another folder with --data\.$/);
});
