import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formsOf, secretPlaces } from '@sortie/testing/secrets/secret-places.ts';
import { constantFrom, assert as holds, property, string } from 'fast-check';
import { mask } from './mask.ts';

const masked: Record<string, readonly [text: string, masked: string][]> = {
  'headers of requests': [
    [
      'GET / HTTP/1.1\r\nAuthorization: Bearer abc.def\r\nHost: a',
      'GET / HTTP/1.1\r\nAuthorization: [redacted]\r\nHost: a',
    ],
    ['authorization: Digest username="x", response="y"', 'authorization: [redacted]'],
    ['Cookie: sid="a b"; theme=dark', 'Cookie: [redacted]'],
    ['X-Api-Key: 12345', 'X-Api-Key: [redacted]'],
    ["curl -H 'Cookie: sid=1' https://a.example/", "curl -H 'Cookie: [redacted]' https://a.example/"],
    ['{"authorization": "Bearer abc", "host": "a"}', '{"authorization": "[redacted]", "host": "a"}'],
    ['"GET /\\r\\nCookie: a=b\\r\\nHost: c"', '"GET /\\r\\nCookie: [redacted]\\r\\nHost: c"'],
  ],
  'cookies that are set, keeping what findings are about': [
    [
      'set-cookie: sid=abc; Path=/; HttpOnly; SameSite=Lax',
      'set-cookie: sid=[redacted]; Path=/; HttpOnly; SameSite=Lax',
    ],
    [
      'set-cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT',
      'set-cookie: a=[redacted]; Expires=Wed, 21 Oct 2026 07:28:00 GMT',
    ],
    ['set-cookie: a=1; Path=/, b=2', 'set-cookie: a=[redacted]; Path=[redacted]'],
    ['set-cookie: theme=… (without Secure)', 'set-cookie: theme=… (without Secure)'],
    ['{"set-cookie": ["a=1", "b=2"]}', '{"set-cookie": ["[redacted]"]}'],
  ],
  keys: [
    [`the key srt_live_${'a'.repeat(12)}_${'b'.repeat(38)}.`, 'the key [redacted].'],
    ['Bearer 0a1b2c3d', 'Bearer [redacted]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', '[redacted]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', '[redacted]'],
  ],
  addresses: [
    ['https://user:p@ss@shop.example.com/a', 'https://[redacted]@shop.example.com/a'],
    ['https://shop.example.com/a?access_token=abc&b=c', 'https://shop.example.com/a?access_token=[redacted]&b=c'],
  ],
  bodies: [
    ['user=ann&password=hunter2&next=/', 'user=ann&password=[redacted]&next=/'],
    ['user%5Bpassword%5D=hunter2', 'user%5Bpassword%5D=[redacted]'],
    ['{"user":"ann","newPassword":"a\\"b","pin":1}', '{"user":"ann","newPassword":"[redacted]","pin":1}'],
    ['{\\"password\\":\\"hunter2\\",\\"a\\":1}', '{\\"password\\":\\"[redacted]\\",\\"a\\":1}'],
    ['{"client_secret": "cut off', '{"client_secret": "[redacted]'],
    ['{&quot;token&quot;:&quot;abc&quot;}', '{&quot;token&quot;:&quot;[redacted]&quot;}'],
    ["login({ password: 'hunter2', user: 'ann' })", "login({ password: '[redacted]', user: 'ann' })"],
    [
      '<input type="hidden" name="csrf_token" value="a b">',
      '<input type="hidden" name="csrf_token" value="[redacted]">',
    ],
    ['<user>ann</user><password>hunter2</password>', '<user>ann</user><password>[redacted]</password>'],
    ['{"token": 123456}', '{"token": [redacted]}'],
    [
      'content-disposition: form-data; name="password"\r\n\r\nhunter2\r\n--x',
      'content-disposition: form-data; name="password"\r\n\r\n[redacted]\r\n--x',
    ],
  ],
};

describe('secrets', () => {
  for (const [place, cases] of Object.entries(masked)) {
    it(`are masked in ${place}`, () => {
      for (const [text, expected] of cases) assert.equal(mask(text), expected);
    });
  }

  it('end with the code span of a sentence, which goes on', () => {
    const sent = 'Always true condition: send `POST https://shop.example.com/login` with the form data';
    for (const [text, expected] of [
      [
        `${sent} \`user=s31943ed55828'%20OR%202740%3D2740--%20-&password=[redacted]\`. The target returned status 302 and the header \`location: /home\`.`,
        undefined,
      ],
      [
        `${sent} \`user=a&password=hunter2\`. The target returned 302.`,
        `${sent} \`user=a&password=[redacted]\`. The target returned 302.`,
      ],
      [`${sent} “user=\`a\`&password=hunter2”, then stop.`, `${sent} “user=\`a\`&password=[redacted]”, then stop.`],
      [
        'With the header `Cookie: sid=a b`. Then the header `X-Api-Key: 12` and `Set-Cookie: a=1; Path=/`, both.',
        'With the header `Cookie: [redacted]`. Then the header `X-Api-Key: [redacted]` and `Set-Cookie: a=[redacted]; Path=/`, both.',
      ],
      [
        'Send the JSON body `{"password":"hunter2 and m…`. It returned `{"a":"b"}`.',
        'Send the JSON body `{"password":"[redacted]`. It returned `{"a":"b"}`.',
      ],
      ['The body `<Password>hunter2 and m…` returned 200.', 'The body `<Password>[redacted]` returned 200.'],
      ['Send `Bearer 0a1b2c3d`. Then stop.', 'Send `Bearer [redacted]`. Then stop.'],
    ] as const) {
      assert.equal(mask(text), expected ?? text);
      assert.equal(mask(mask(text)), mask(text));
    }
  });

  it('may contain what ends a code span elsewhere', () => {
    for (const text of ['user=a&password=hun`ter2&b=c', 'Cookie: sid=hun` ter2', '{"password":"hun` ter2'])
      assert.doesNotMatch(mask(text), /hun|ter2/);
  });

  it('are masked in linear time', () => {
    const timeOf = (count: number) => {
      const text = 'token=Abc123 '.repeat(count);
      const started = performance.now();
      mask(text);
      return performance.now() - started;
    };
    timeOf(20_000);
    assert.ok(timeOf(200_000) < 40 * timeOf(20_000));
  });

  it('are not seen in words', () => {
    for (const text of [
      'Use basic authentication or bearer tokens.',
      'The password is sent as plain text; the cookie has no Secure.',
      'https://shop.example.com/a?b=c&id=1',
      '{"token": null, "user": "ann"}',
    ]) {
      assert.equal(mask(text), text);
    }
  });

  it('are told from what an SQL error cannot read, up to where one may begin', () => {
    for (const [text, expected] of [
      [`SQLITE_ERROR: unrecognized token: "'"`, undefined],
      ['{"error":"unrecognized token: \\"\\\\\'s31943ed55828\'\\""}', undefined],
      ['unrecognized token: &quot;&#39;&quot;', undefined],
      ['unrecognized token: "3590cb8af0bbb9e78c343b52b93773c9"', 'unrecognized token: "[redacted]"'],
      [`unrecognized token: "' AND hunter2"`, `unrecognized token: "' [redacted]"`],
      ['unrecognized token: "\'s31943ed55828hunter2"', 'unrecognized token: "\'[redacted]"'],
      ['my token: "\'"', 'my token: "[redacted]"'],
    ] as const) {
      assert.equal(mask(text), expected ?? text);
      assert.equal(mask(mask(text)), mask(text));
    }
  });

  it('are masked once: a masked text stays as it is', () => {
    for (const [text] of Object.values(masked).flat()) assert.equal(mask(mask(text)), mask(text));
  });

  for (const [name, { alphabet, put }] of Object.entries(secretPlaces)) {
    it(`are masked whatever they are made of: ${name}`, () => {
      const secrets = string({ unit: constantFrom(...alphabet), minLength: 10, maxLength: 30 });
      holds(
        // The suffix keeps the secret from being a single lowercase word, which is not masked after "Bearer".
        property(secrets, (random) => {
          const masked = mask(`before\n${put(`${random}7Z`)}\nafter`);
          for (const form of formsOf(`${random}7Z`)) assert.ok(!masked.includes(form), masked);
          assert.match(masked, /^before\n[\s\S]*\nafter$/);
        }),
        { numRuns: 200 },
      );
    });
  }
});
