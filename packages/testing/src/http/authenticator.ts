import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface Options {
  origin: string;
  /** Whether the device checks a fingerprint or a PIN. */
  isPersonVerified?: boolean;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const hash = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer) => data.toString('base64url');

/** A passkey in software, as WebAuthn describes it: an ES256 key, answered without an attestation. */
export function createAuthenticator({ origin, isPersonVerified = true }: Options) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let uses = 0;

  function dataFor(flags: number, credential = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(++uses);
    const all = flags | USER_PRESENT | (isPersonVerified ? USER_VERIFIED : 0);
    return Buffer.concat([hash(new URL(origin).hostname), Buffer.of(all), counter, credential]);
  }

  const clientData = (type: string, challenge: unknown) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  return {
    /** The answer to the options of a registration. */
    register(challenge: unknown) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey.export({ format: 'jwk' }))]);
      const attestation = Buffer.concat([
        Buffer.of(0xa3),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.of(0xa0),
        text('authData'),
        bytes(dataFor(HAS_CREDENTIAL, credential)),
      ]);
      return answer(id, {
        clientDataJSON: base64url(clientData('webauthn.create', challenge)),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      });
    },
    /** The answer to the options of a sign-in. */
    signIn(challenge: unknown) {
      const client = clientData('webauthn.get', challenge);
      const data = dataFor(0);
      return answer(id, {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, hash(client)]), privateKey)),
      });
    },
  };
}

const answer = (id: Buffer, response: object) => ({
  id: base64url(id),
  rawId: base64url(id),
  type: 'public-key',
  clientExtensionResults: {},
  response,
});

/** CBOR: a short text, and a byte string of at most 255 bytes. */
const text = (value: string) => Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)]);
const bytes = (value: Buffer) => Buffer.concat([Buffer.of(0x58, value.length), value]);

function coseKey({ x = '', y = '' }: { x?: string | undefined; y?: string | undefined }): Buffer {
  const coordinate = (value: string) => bytes(Buffer.from(value, 'base64url'));
  // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  const head = Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21);
  return Buffer.concat([head, coordinate(x), Buffer.of(0x22), coordinate(y)]);
}
