import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const find = (pattern: string, cwd = root) => globSync(pattern, { cwd, exclude: ['**/node_modules/**'] });

const pages = ['*.md', 'docs/**/*.md', 'bench/*.md', 'packages/*/README.md', 'packages/*/src/**/README.md']
  .flatMap((pattern) => find(pattern))
  .filter((page) => page !== 'CHANGELOG.md');

/** Returns what stands between backticks outside of code blocks. */
const namesIn = (text: string) =>
  [...text.replace(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);

/** Names of what a reader adds or a build writes. */
const isMade = (name: string) => /NNNN|^packages\/sdk\/dist$/.test(name);

const everyName = pages.flatMap((page) =>
  namesIn(read(page))
    .filter((name) => !isMade(name))
    .map((name) => ({ page, name })),
);

/** Returns the entries of the tree in docs/architecture.md that are paths, each with its full path. */
function treeOf(text: string): string[] {
  const tree = /^```\n(packages\/\n.*?)^```/ms.exec(text)?.[1] ?? '';
  let [top, inner] = ['', ''];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', entries = ''] =
      /^( *)((?:[\w.-]+\/?(?:[\w.-]+\/?)* )*[\w.-]+\/?(?:[\w.-]+\/?)*)/.exec(line) ?? [];
    const names = entries.split(' ').filter((name) => /\/|\.[jt]s$/.test(name));
    if (indent.length === 0) top = names[0] ?? top;
    if (indent.length === 2) inner = names[0] ?? inner;
    const folder = { 0: '', 2: top, 4: `${top}${inner}` }[indent.length];
    if (folder === undefined) return [];
    const parent = names[0]?.startsWith('src/') ? 'src/' : '';
    return names.map((name, index) => `${folder}${index > 0 ? parent : ''}${name}`);
  });
}

const isFromRoot = (name: string) => /^(?:packages|docs|test|bench|ci|\.ci)\/[^\s#]*$/.test(name);

describe('names in the docs', () => {
  it('are found at all', () => {
    assert.ok(pages.length > 30, `only ${pages.length} pages`);
    assert.ok(everyName.length > 1500, `only ${everyName.length} names`);
  });

  it('of linked pages exist', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s#]+)/g)].map(([, link = '']) => ({ page, link })),
    );
    const local = links.filter(({ link }) => !/^(?:https?|mailto):/.test(link));
    assert.ok(local.length > 100, `only ${local.length} links`);
    assert.deepEqual(
      local.filter(({ page, link }) => !existsSync(path.join(root, path.dirname(page), link))),
      [],
    );
  });

  it('of paths exist', () => {
    const paths = everyName.filter(({ name }) => isFromRoot(name));
    assert.ok(paths.length > 25, `only ${paths.length} paths`);
    assert.deepEqual(
      paths.filter(({ name }) => find(name.replace(/<[^>]+>/g, '*')).length === 0),
      [],
    );
  });

  it('of source files and folders exist', () => {
    const isFile = (name: string) => /^[\w./*-]+\.(?:tsx?|sql)$|^[a-z-]+\/$/.test(name);
    const files = everyName.filter(({ name }) => isFile(name) && !isFromRoot(name));
    assert.ok(files.length > 150, `only ${files.length} files`);
    const known = find('{bench,ci,test,packages/*/{src,migrations}}/**/*');
    const missing = files.filter(({ page, name }) => {
      // A page beside the code names the files below it.
      const folder = page.includes('/src/') && !name.includes('/') ? `${path.dirname(page)}/` : '';
      const pattern = name.replace(/\/$/, '').replace(/[.*]/g, (one) => (one === '*' ? '[^/]*' : '\\.'));
      const end = new RegExp(`(?:^|/)${pattern}$`);
      return !known.some((file) => file.startsWith(folder) && end.test(file));
    });
    assert.deepEqual(missing, []);
  });

  it('of folders in the architecture exist, and all of the engine and the server are named', () => {
    const tree = treeOf(read('docs/architecture.md'));
    assert.ok(tree.length > 60, `only ${tree.length} entries`);
    assert.deepEqual(
      tree.filter((entry) => !existsSync(path.join(root, entry))),
      [],
    );
    for (const parent of ['packages', 'packages/engine/src', 'packages/server/src']) {
      const folders = readdirSync(path.join(root, parent), { withFileTypes: true }).filter((one) => one.isDirectory());
      const unnamed = folders.filter(({ name }) => !tree.includes(`${parent}/${name}/`));
      assert.deepEqual(
        unnamed.map(({ name }) => `${parent}/${name}`),
        [],
      );
    }
  });

  it('of tables are those of the migrations', () => {
    const schema = find('packages/server/migrations/*.sql').map(read).join('\n');
    const created = [...schema.matchAll(/^create (?:unlogged )?table ([\w."]+)/gm)].map(([, name = '']) =>
      name.replaceAll('"', ''),
    );
    assert.ok(created.length > 50, `only ${created.length} tables`);
    const page = read('docs/data-model.md');
    const drawn = [...page.matchAll(/^ {2}(\w+) [|o}{-]+ (\w+) :/gm)].flatMap(([, one = '', other = '']) => [
      one,
      other,
    ]);
    const listed = [...page.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell = '']) => namesIn(cell));
    assert.deepEqual(
      [...drawn, ...listed].filter((name) => !created.includes(name) && !created.includes(`identity.${name}`)),
      [],
    );
    const named = new Set([...drawn, ...namesIn(page)]);
    assert.deepEqual(
      created.filter((name) => !named.has(name) && !named.has(name.replace('identity.', ''))),
      [],
    );
  });

  it('of environment variables are read by the code', () => {
    const sources = [
      'packages/*/{src,bin}/**/*.{ts,js}',
      'packages/cli/ci/*',
      'ci/**/*.{ts,yml}',
      '.ci/*',
      'bench/**/*.ts',
    ]
      .flatMap((pattern) => find(pattern))
      .filter((file) => !file.endsWith('.test.ts'))
      .map(read);
    const known = new Set(sources.flatMap((source) => source.match(/\bSORTIE_[A-Z0-9_]+/g) ?? []));
    const named = pages.flatMap((page) =>
      (read(page).match(/\bSORTIE_[A-Z0-9_]*[A-Z0-9]\b/g) ?? []).map((name) => ({ page, name })),
    );
    assert.ok(named.length > 100, `only ${named.length} variables`);
    assert.deepEqual(
      named.filter(({ name }) => !known.has(name)),
      [],
    );
  });

  it('of npm scripts are those of the packages', () => {
    const manifests = ['package.json', ...find('packages/*/package.json')].map((file) => JSON.parse(read(file)));
    const scripts = new Set(manifests.flatMap((manifest) => Object.keys(manifest.scripts ?? {})));
    const runs = pages.flatMap((page) =>
      [...read(page).matchAll(/\bnpm (?:run ([\w:]+)|(start|test)\b)/g)].map(([, run, short = '']) => ({
        page,
        script: run ?? short,
      })),
    );
    assert.ok(runs.length > 40, `only ${runs.length} scripts`);
    assert.deepEqual(
      runs.filter(({ script }) => !scripts.has(script)),
      [],
    );
  });
});
