import { definePassiveCheck } from '../../check.ts';

/** The number of the file, its size and its time, as Apache joins them. */
const THREE_NUMBERS = /^\s*(?:W\/)?"[0-9a-f]+-[0-9a-f]+-[0-9a-f]+(?:-gzip|-br|;gz)?"\s*$/i;

const sent = (value: string) => ({ headers: { etag: value } });

export default definePassiveCheck({
  id: 'etag-inode',
  group: 'disclosure',
  severity: 'INFO',
  cwe: 497,
  title: 'The ETag contains the number of a file on the disk',
  why: 'Old settings of Apache put the inode of a file into its ETag. It helps with attacks on network file systems, and differs from machine to machine, so that caches are of less use.',
  fix: 'Set FileETag MTime Size, the default since Apache 2.4.',
  references: ['https://httpd.apache.org/docs/2.4/mod/core.html#fileetag'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    if (mainDocument.headers('etag').some((value) => THREE_NUMBERS.test(value))) {
      yield { evidence: mainDocument.headerLines('etag') };
    }
  },

  examples: [
    { name: 'three numbers', given: sent('"2f5a1-1d9-5e3f4a1b2c3d4"'), fails: 1 },
    { name: 'weak and compressed', given: sent('W/"2f5a1-1d9-5e3f4a1b2c3d4-gzip"'), fails: 1 },
    { name: 'two numbers', given: sent('"1d9-5e3f4a1b2c3d4"'), fails: 0 },
    { name: 'five groups', given: sent('"123e4567-e89b-12d3-a456-426614174000"'), fails: 0 },
    { name: 'other letters', given: sent('"abc-xyz-123"'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
