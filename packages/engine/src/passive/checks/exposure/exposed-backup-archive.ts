import { defineExposureCheck } from '../../define-exposure-check.ts';

const MIN_BYTES = 1_000;

/** Recognizes an archive by its magic bytes and skips empty ones. */
const archive = (path: string) => ({
  path,
  signature: ({ body }: { body: string }) => {
    if (body.length < MIN_BYTES) return undefined;
    if (body.startsWith('PK\x03\x04')) return 'ZIP archive';
    return body.startsWith('\x1f\x8b') ? 'gzip archive' : undefined;
  },
});

export default defineExposureCheck({
  id: 'exposed-backup-archive',
  severity: 'HIGH',
  cwe: 530,
  title: 'Backup archive exposed',
  why: 'A backup archive of the site can be downloaded. It usually contains source code and configuration, from which an attacker takes passwords, keys and further vulnerabilities. The evidence shows the path, the size we read and the archive type.',
  fix: 'Delete the archive from the web root, store backups outside of it, and rotate every secret in the archive. Check the access log for earlier downloads.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://cwe.mitre.org/data/definitions/530.html',
  ],
  files: [archive('/backup.zip'), archive('/{domain}.zip'), archive('/backup.tar.gz')],
  examples: [
    {
      name: 'ZIP archive',
      given: { files: { '/backup.zip': { body: `PK\x03\x04${'x'.repeat(2_000)}` } } },
      fails: 1,
    },
    {
      name: 'gzip archive',
      given: { files: { '/backup.tar.gz': { body: `\x1f\x8b${'x'.repeat(2_000)}` } } },
      fails: 1,
    },
    {
      name: 'named after the domain',
      given: { files: { '/{domain}.zip': { body: `PK\x03\x04${'x'.repeat(2_000)}` } } },
      fails: 1,
    },
    { name: '404', given: {}, fails: 0 },
    { name: 'empty archive', given: { files: { '/backup.zip': { body: 'PK\x03\x04' } } }, fails: 0 },
    {
      name: 'download with an unrelated name',
      given: { files: { '/release.zip': { body: `PK\x03\x04${'x'.repeat(2_000)}` } } },
      fails: 0,
    },
    {
      name: 'same archive for every path',
      given: { elsewhere: { status: 200, body: `PK\x03\x04${'x'.repeat(2_000)}` } },
      fails: 0,
    },
  ],
});
