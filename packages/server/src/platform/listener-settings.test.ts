import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../config/config.ts';
import { StartupError } from '../errors/startup-error.ts';

const read = (variables: Record<string, string>) => readConfig({}, variables).listener;
const url = { SORTIE_LISTENER_URL: 'http://192.0.2.1:8080' };

describe('the listener for calls of targets', () => {
  it('is off unless its address is given', () => {
    assert.equal(read({}), null);
    assert.equal(read({ SORTIE_LISTENER_HTTP: '127.0.0.1:1' }), null);
  });

  it('hears HTTP where it is told to, and names only with a zone', () => {
    const listener = read({ SORTIE_LISTENER_URL: 'http://192.0.2.1:8080/', SORTIE_LISTENER_HTTP: '[::1]:8081' });
    const http = { host: '::1', port: 8081 };
    assert.deepEqual(listener, { url: 'http://192.0.2.1:8080', zone: null, http, dns: null });
    assert.deepEqual(read(url)?.http, { host: '0.0.0.0', port: 4803 });
  });

  it('answers names of its zone with the address of the URL, or with the one that is given', () => {
    const zone = { SORTIE_LISTENER_ZONE: 'Calls.example', SORTIE_LISTENER_DNS: '127.0.0.1:5353' };
    const dns = { host: '127.0.0.1', port: 5353, zone: 'calls.example' };
    assert.deepEqual(read({ ...url, ...zone })?.dns, { ...dns, address: '192.0.2.1' });
    const named = { SORTIE_LISTENER_URL: 'http://calls.example', SORTIE_LISTENER_ADDRESS: '192.0.2.7' };
    assert.deepEqual(read({ ...named, ...zone })?.dns, { ...dns, address: '192.0.2.7' });
  });

  const wrong: [variables: Record<string, string>, message: RegExp][] = [
    [{ SORTIE_LISTENER_URL: 'https://192.0.2.1' }, /^SORTIE_LISTENER_URL must look like http:/],
    [{ SORTIE_LISTENER_URL: 'http://192.0.2.1/path' }, /^SORTIE_LISTENER_URL must/],
    [{ SORTIE_LISTENER_URL: 'http://user@192.0.2.1' }, /^SORTIE_LISTENER_URL must/],
    [{ ...url, SORTIE_LISTENER_HTTP: '8080' }, /^SORTIE_LISTENER_HTTP must be an address with a port/],
    [{ ...url, SORTIE_LISTENER_HTTP: '0.0.0.0:99999' }, /^SORTIE_LISTENER_HTTP must/],
    [{ ...url, SORTIE_LISTENER_ZONE: 'local' }, /^SORTIE_LISTENER_ZONE must be a zone/],
    [{ ...url, SORTIE_LISTENER_ADDRESS: 'here' }, /^SORTIE_LISTENER_ADDRESS must be the public address/],
    [{ SORTIE_LISTENER_ZONE: 'calls.example' }, /^SORTIE_LISTENER_ZONE needs SORTIE_LISTENER_URL/],
    [
      { SORTIE_LISTENER_URL: 'http://calls.example', SORTIE_LISTENER_ZONE: 'calls.example' },
      /^SORTIE_LISTENER_ZONE needs SORTIE_LISTENER_ADDRESS/,
    ],
  ];
  for (const [variables, message] of wrong) {
    it(`is refused with ${JSON.stringify(variables)}`, () =>
      assert.throws(
        () => read(variables),
        (error: unknown) => error instanceof StartupError && message.test(error.message),
      ));
  }
});
