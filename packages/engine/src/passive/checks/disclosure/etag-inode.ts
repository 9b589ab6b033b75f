import { definePassiveCheck } from '../../define-passive-check.ts';

/** Inode, size and modification time, joined by hyphens. */
const THREE_NUMBERS = /^\s*(?:W\/)?"[0-9a-f]+-[0-9a-f]+-[0-9a-f]+(?:-gzip|-br|;gz)?"\s*$/i;

const sent = (value: string) => ({ headers: { etag: value } });

export default definePassiveCheck({
  id: 'etag-inode',
  group: 'disclosure',
  severity: 'INFO',
  cwe: 497,
  title: 'ETag discloses the file inode',
  why: 'The ETag header contains the inode number of the file, which old Apache configurations include. It gives an attacker file system details that help against NFS servers. It also differs between servers of a cluster, which makes caching less effective.',
  fix: 'Set FileETag MTime Size, the default since Apache 2.4. Remove FileETag directives that contain INode.',
  references: [
    'https://httpd.apache.org/docs/2.4/mod/core.html#fileetag',
    'https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3',
    'https://cwe.mitre.org/data/definitions/497.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    if (mainDocument.headers('etag').some((value) => THREE_NUMBERS.test(value))) {
      yield { evidence: mainDocument.headerLines('etag') };
    }
  },

  examples: [
    { name: 'inode, size and time', given: sent('"2f5a1-1d9-5e3f4a1b2c3d4"'), fails: 1 },
    { name: 'weak and compressed', given: sent('W/"2f5a1-1d9-5e3f4a1b2c3d4-gzip"'), fails: 1 },
    { name: 'size and time only', given: sent('"1d9-5e3f4a1b2c3d4"'), fails: 0 },
    { name: 'UUID', given: sent('"123e4567-e89b-12d3-a456-426614174000"'), fails: 0 },
    { name: 'not hexadecimal', given: sent('"abc-xyz-123"'), fails: 0 },
    { name: 'no ETag', given: {}, fails: 0 },
  ],
});
