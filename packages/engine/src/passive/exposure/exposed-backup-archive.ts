import { defineExposureCheck } from '../../exposure-check.ts';

const LEAST_BYTES = 1_000;

/** An archive by its first bytes, and with something in it. */
const archive = (path: string) => ({
  path,
  signature: ({ body }: { body: string }) => {
    if (body.length < LEAST_BYTES) return undefined;
    if (body.startsWith('PK\x03\x04')) return 'a ZIP archive';
    return body.startsWith('\x1f\x8b') ? 'a gzip archive' : undefined;
  },
});

export default defineExposureCheck({
  id: 'exposed-backup-archive',
  severity: 'HIGH',
  cwe: 530,
  title: 'An archive with a backup of the site can be downloaded',
  why: 'An archive of the whole site holds its code and its settings, as a rule with passwords in them.',
  fix: 'Delete the archive, keep backups outside of the folder that is served, and replace the secrets that it holds.',
  references: ['https://cwe.mitre.org/data/definitions/530.html'],
  files: [archive('/backup.zip'), archive('/{domain}.zip'), archive('/backup.tar.gz')],
  examples: [
    {
      name: 'a ZIP archive',
      given: { files: { '/backup.zip': { body: `PK\x03\x04${'x'.repeat(2_000)}` } } },
      fails: 1,
    },
    {
      name: 'a gzip archive',
      given: { files: { '/backup.tar.gz': { body: `\x1f\x8b${'x'.repeat(2_000)}` } } },
      fails: 1,
    },
    {
      name: 'named as the site',
      given: { files: { '/{domain}.zip': { body: `PK\x03\x04${'x'.repeat(2_000)}` } } },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    { name: 'an empty archive', given: { files: { '/backup.zip': { body: 'PK\x03\x04' } } }, fails: 0 },
    {
      name: 'a file for download of another name',
      given: { files: { '/release.zip': { body: `PK\x03\x04${'x'.repeat(2_000)}` } } },
      fails: 0,
    },
    {
      name: 'an archive for everything',
      given: { elsewhere: { status: 200, body: `PK\x03\x04${'x'.repeat(2_000)}` } },
      fails: 0,
    },
  ],
});
