import { defineExposureCheck } from '../../exposure-check.ts';

const key = (path: string) => ({ path, signature: /-----BEGIN ((RSA|EC|DSA|OPENSSH|ENCRYPTED) )?PRIVATE KEY-----/ });

export default defineExposureCheck({
  id: 'exposed-private-key',
  severity: 'CRITICAL',
  cwe: 522,
  title: 'A private key can be downloaded',
  why: 'With the key of its certificate anybody can pose as the site; with an SSH key they can sign in to its servers.',
  fix: 'Delete the file from the folder that is served, make a new key, and revoke the certificate or the access of the old one.',
  references: ['https://cwe.mitre.org/data/definitions/522.html', 'https://letsencrypt.org/docs/revoking/'],
  files: [key('/server.key'), key('/privkey.pem'), key('/.ssh/id_rsa'), key('/{domain}.key')],
  examples: [
    {
      name: 'of the server',
      given: { files: { '/server.key': { body: '-----BEGIN PRIVATE KEY-----\nMII' } } },
      fails: 1,
    },
    {
      name: 'of SSH',
      given: { files: { '/.ssh/id_rsa': { body: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3' } } },
      fails: 1,
    },
    {
      name: 'named as the site',
      given: { files: { '/{domain}.key': { body: '-----BEGIN RSA PRIVATE KEY-----\nMII' } } },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'a certificate, which is public',
      given: { files: { '/privkey.pem': { body: '-----BEGIN CERTIFICATE-----\nMII' } } },
      fails: 0,
    },
    {
      name: 'a public key',
      given: { files: { '/server.key': { body: '-----BEGIN PUBLIC KEY-----\nMII' } } },
      fails: 0,
    },
  ],
});
