import { defineExposureCheck } from '../../define-exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-htpasswd',
  severity: 'HIGH',
  cwe: 522,
  title: 'Password file (.htpasswd) exposed',
  why: 'The .htpasswd file of the web server can be downloaded. It contains user names and password hashes, which an attacker cracks offline without being noticed or rate-limited. The evidence shows the path, a user name and the hash format, never the hash.',
  fix: 'Move the file out of the web root, block paths that start with .ht, and change the passwords in it. Hash new ones with bcrypt (htpasswd -B).',
  recipe: { hide: String.raw`/\.ht` },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html',
    'https://httpd.apache.org/docs/2.4/misc/password_encryptions.html',
    'https://cwe.mitre.org/data/definitions/522.html',
  ],
  files: [{ path: '/.htpasswd', signature: /^[^:\s]{1,64}:(\$apr1\$|\$2[aby]\$|\{SHA\})/m }],
  examples: [
    { name: 'MD5 hash', given: { files: { '/.htpasswd': { body: 'admin:$apr1$abc$def\n' } } }, fails: 1 },
    { name: 'bcrypt hash', given: { files: { '/.htpasswd': { body: 'admin:$2y$05$abc\n' } } }, fails: 1 },
    { name: '404', given: {}, fails: 0 },
    { name: 'unrelated text', given: { files: { '/.htpasswd': { body: 'time: 12:00' } } }, fails: 0 },
  ],
});
