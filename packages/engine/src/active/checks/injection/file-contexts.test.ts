import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { LabAnswer, PointLab } from '../../lab.ts';
import existence from './file-existence-disclosure.ts';

const FOLDER = '/srv/shop/documents';
const FOLDERS = new Set(['/', '/dev', '/etc', FOLDER]);
const FILES = new Set(['/dev/null', '/etc/passwd', '/etc/hosts', `${FOLDER}/terms`]);
const isThere = (path: string) => FILES.has(path);
const opened: string[] = [];

/** Opens a file for writing, as a system does: also a new one, in a folder that exists. */
function write(path: string): boolean {
  const isOpened = isThere(path) || FOLDERS.has(posix.dirname(path));
  if (isOpened) opened.push(path);
  return isOpened;
}
/** Unlike the library, a system resolves `..` only in folders that exist. */
function locate(value: string): string {
  const resolved = value.split('/').reduce(
    (at, part) => {
      if (part === '..') return FOLDERS.has(at) ? posix.dirname(at) : '/missing';
      return part === '.' || part === '' ? at : posix.join(at, part);
    },
    value.startsWith('/') ? '/' : FOLDER,
  );
  return resolved;
}
const telling = (isDone: boolean, value = ''): LabAnswer => ({ body: isDone ? `Ready: ${value}` : 'That went wrong.' });
const isWithin = (value: string) => posix.resolve(FOLDER, value).startsWith(`${FOLDER}/`);

interface Context extends Partial<Pick<PointLab, 'location' | 'parameter' | 'value'>> {
  answer(value: string): LabAnswer;
}
const isFound: Record<string, Context> = {
  'a file that is written under any name': { answer: (value) => telling(write(locate(value)), value) },
  'a file that is looked up, in a value that looks like none': {
    answer: (value) => telling(isThere(locate(value)), value),
  },
  'a cookie that names what is written': {
    location: 'cookie',
    parameter: 'theme',
    answer: (value) => telling(write(locate(value))),
  },
  'a file whose way up is taken out once': {
    answer: (value) => telling(write(locate(value.replaceAll('../', '')))),
  },
};
const isNotFound: Record<string, Context> = {
  'a file that is written in its folder only': { answer: (value) => telling(isWithin(value) && write(locate(value))) },
  'a file of which only the last name counts': {
    answer: (value) => telling(write(locate(posix.basename(value)))),
  },
  'paths in certain characters': {
    parameter: 'file',
    answer: (value) => telling(/^[a-z./]*$/.test(value)),
  },
  'paths of a certain length': { parameter: 'file', answer: (value) => telling(value.length < 40) },
  'paths of few folders': { parameter: 'file', answer: (value) => telling(value.split('/').length < 12) },
  'names that are no paths': { answer: (value) => telling(!value.includes('/')) },
};

const cases = Object.entries({ ...isFound, ...isNotFound }).map(([name, context], index) => {
  const { answer, ...place } = context;
  const lab: PointLab = { parameter: 'q', value: 'terms', ...place, vulnerable: answer, safe: answer };
  return { name, isFlawed: name in isFound, check: { ...existence, id: `case-${index}`, lab: () => lab } };
});

let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs(cases.map(({ check }) => check));
});
after(() => labs.close());

describe('path traversal that only tells whether a file can be opened', () => {
  for (const { name, check, isFlawed } of cases) {
    it(`is ${isFlawed ? '' : 'not '}found in: ${name}`, async () => {
      const { verified, requests } = await labs.test(check, 'vulnerable');
      assert.equal(verified?.confidence, isFlawed ? 'CONFIRMED' : undefined);
      assert.ok(requests <= check.maxRequests, `${requests} requests`);
    });
  }

  it('opens no file for writing outside of the folder but the null device', () => {
    const outside = opened.filter((path) => !path.startsWith(FOLDER));
    assert.deepEqual([...new Set(outside)], ['/dev/null']);
  });
});
