import { defineExposureCheck } from '../../define-exposure-check.ts';

const key = (path: string) => ({ path, signature: /-----BEGIN ((RSA|EC|DSA|OPENSSH|ENCRYPTED) )?PRIVATE KEY-----/ });

export default defineExposureCheck({
  id: 'exposed-private-key',
  severity: 'CRITICAL',
  cwe: 522,
  title: 'Private key exposed',
  why: 'A private key can be downloaded. With the key of its certificate an attacker can impersonate the site and intercept its TLS traffic; with an SSH key they can log in to its servers. The evidence shows the path and the PEM header, never the key.',
  fix: 'Generate a new key, revoke the certificate or the SSH access of the old one, and delete the file from the web root. Keep keys outside of the web root, readable only by the service that uses them.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Key_Management_Cheat_Sheet.html',
    'https://letsencrypt.org/docs/revoking/',
    'https://cwe.mitre.org/data/definitions/522.html',
  ],
  files: [key('/server.key'), key('/privkey.pem'), key('/.ssh/id_rsa'), key('/{domain}.key')],
  examples: [
    {
      name: 'TLS key',
      given: { files: { '/server.key': { body: '-----BEGIN PRIVATE KEY-----\nMII' } } },
      fails: 1,
    },
    {
      name: 'SSH key',
      given: { files: { '/.ssh/id_rsa': { body: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3' } } },
      fails: 1,
    },
    {
      name: 'named after the domain',
      given: { files: { '/{domain}.key': { body: '-----BEGIN RSA PRIVATE KEY-----\nMII' } } },
      fails: 1,
    },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'certificate',
      given: { files: { '/privkey.pem': { body: '-----BEGIN CERTIFICATE-----\nMII' } } },
      fails: 0,
    },
    {
      name: 'public key',
      given: { files: { '/server.key': { body: '-----BEGIN PUBLIC KEY-----\nMII' } } },
      fails: 0,
    },
  ],
});
