import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { buildOpenApi } from '@sortie/contract';
import { UNWANTED } from '@sortie/testing/reports/unwanted-words.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const unwantedIn = (text: string): string[] => UNWANTED.flatMap((word) => text.match(word)?.[0] ?? []);

/** Returns every description and summary of the document, with its path. */
function describedIn(part: unknown, place: string): [string, string][] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]): [string, string][] => {
    const here = `${place}/${name}`;
    const isText = typeof value === 'string' && (name === 'description' || name === 'summary');
    return isText ? [[here, value]] : describedIn(value, here);
  });
}

const COMMENT = /^\s*(?:\/\/|\{?\/?\*)/;
const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** Returns the string literals of a source file that are sentences rather than names, line by line. */
function sentencesIn(file: string): string[] {
  const lines = read(file)
    .split('\n')
    .filter((line) => !COMMENT.test(line));
  // In JSX, texts stand between elements, without quotes.
  if (file.endsWith('.tsx')) return lines;
  return lines.flatMap((line) => line.match(QUOTED) ?? []).filter((text) => text.trim().includes(' '));
}

/**
 * Sources whose texts customers and operators read: errors, reasons, cures, summaries, reports, log messages, mails,
 * output of commands and screens.
 */
const sources = globSync('packages/{cli,contract,engine,report,server,sdk,web}/src/**/*.{ts,tsx}', {
  cwd: root,
}).filter((file) => !/\.test\.tsx?$/.test(file) && !file.includes('/labs/') && !file.includes('/build/'));
const pages = globSync(['README.md', 'SECURITY.md', 'docs/**/*.md', 'packages/*/src/**/README.md'], { cwd: root });

describe('texts of the service', () => {
  it('of the OpenAPI document contain no unwanted words', () => {
    const texts = describedIn(buildOpenApi(), '');
    assert.ok(texts.length > 300, `only ${texts.length} texts`);
    assert.deepEqual(
      texts.flatMap(([place, text]) => unwantedIn(text).map((word) => `${place}: ${word}`)),
      [],
    );
  });

  it('in errors, reasons, cures, log messages, mails, commands and screens contain no unwanted words', () => {
    assert.ok(sources.length > 1500, `only ${sources.length} files`);
    const wrong = sources.flatMap((file) =>
      sentencesIn(file).flatMap((text) => unwantedIn(text).map((word) => `${file}: ${word} in ${text}`)),
    );
    assert.deepEqual(wrong, []);
  });

  it('of the docs contain no unwanted words', () => {
    assert.ok(pages.length > 20, `only ${pages.length} pages`);
    const wrong = pages.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line) => unwantedIn(line).map((word) => `${file}: ${word} in ${line}`)),
    );
    assert.deepEqual(wrong, []);
  });
});

describe('links to the dashboard', () => {
  it('lead to screens that exist', () => {
    const pathsIn = (file: string) => [...read(file).matchAll(/\bpath: '([^']*)'/g)].map(([, found = '']) => found);
    const tabs = pathsIn('packages/web/src/app/pages/settings/tabs.ts').map((tab) => `settings/${tab}`);
    const screens = [...pathsIn('packages/web/src/app/shell/screens.ts'), ...tabs];
    assert.ok(screens.includes('targets') && screens.includes('settings/keys'), screens.join());
    const links = [...sources, ...pages].flatMap((file) =>
      [...read(file).matchAll(/[(`]\/to\/([\w/-]+)[)`]/g)].map(([, screen = '']) => ({ file, screen })),
    );
    assert.ok(links.length > 10, `only ${links.length} links`);
    assert.deepEqual(
      links.filter(({ screen }) => !screens.includes(screen)),
      [],
    );
  });
});

describe('decisions', () => {
  const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: root }).toSorted();

  it('follow one template', () => {
    for (const file of decisions) {
      const headings = read(file).match(/^## .*$/gm);
      assert.deepEqual(headings, ['## Context', '## Decision', '## Consequences'], file);
    }
  });

  it('are listed with their titles', () => {
    const list = read('docs/decisions/README.md');
    for (const file of decisions) {
      const [, number, title] = /^# (\d{4}): (.+)$/m.exec(read(file)) ?? [];
      assert.ok(list.includes(`| [${number}](${path.basename(file)}) | ${title} |`), file);
    }
  });
});
