import { defineExposureCheck } from '../../exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-htpasswd',
  severity: 'HIGH',
  cwe: 522,
  title: 'The password file of the web server can be downloaded',
  why: 'The file holds names and hashes of passwords, which can be guessed offline without anybody noticing.',
  fix: 'Move the file out of the folder that is served, refuse paths that begin with .ht, and change the passwords in it.',
  recipe: { hide: String.raw`/\.ht` },
  references: [
    'https://cwe.mitre.org/data/definitions/522.html',
    'https://httpd.apache.org/docs/2.4/misc/password_encryptions.html',
  ],
  files: [{ path: '/.htpasswd', signature: /^[^:\s]{1,64}:(\$apr1\$|\$2[aby]\$|\{SHA\})/m }],
  examples: [
    { name: 'with MD5', given: { files: { '/.htpasswd': { body: 'admin:$apr1$abc$def\n' } } }, fails: 1 },
    { name: 'with bcrypt', given: { files: { '/.htpasswd': { body: 'admin:$2y$05$abc\n' } } }, fails: 1 },
    { name: 'nothing there', given: {}, fails: 0 },
    { name: 'another text', given: { files: { '/.htpasswd': { body: 'time: 12:00' } } }, fails: 0 },
  ],
});
